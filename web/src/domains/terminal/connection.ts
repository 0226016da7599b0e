/**
 * One terminal's connection, which may be cut and made again as often as it likes: output goes on
 * at the byte where it stopped, and input that the other side has not confirmed is sent again
 * under its number, so that nothing is lost and nothing comes twice.
 */
import {
  attachMessage,
  inputFrame,
  readMessage,
  receivedMessage,
  resizeMessage,
  type Attached,
} from './protocol.ts';

/** What is needed of a WebSocket. */
export interface TerminalSocket {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: string | ArrayBuffer }) => void) | null;
  onclose: (() => void) | null;
  send: (data: string | Uint8Array<ArrayBuffer>) => void;
  close: () => void;
}

/** `waiting` between two tries; `ended` when there is nothing to come back to. */
export type TerminalState = 'connecting' | 'open' | 'waiting' | 'ended';

export interface TerminalListener {
  readonly onState: (state: TerminalState) => void;
  /** @param done tells that the bytes are on the screen; the other side waits for that */
  readonly onOutput: (bytes: Uint8Array, done: () => void) => void;
  /** So many bytes were printed while nobody looked, and are no longer kept. */
  readonly onGap: (bytes: number) => void;
  /** It is another terminal under the same name: what was shown belongs to the one before. */
  readonly onRestart: () => void;
  readonly onSize: (columns: number, rows: number) => void;
  readonly onExit: (code: number | null) => void;
  readonly onRefused: (reason: string) => void;
}

export interface TerminalOptions {
  readonly name: string;
  readonly node: string;
  /** Random and of this connection alone: its input is numbered from one. */
  readonly client: string;
  readonly columns: number;
  readonly rows: number;
  /** Offset behind what the screen shows already; null for an empty one. */
  readonly after: number | null;
  readonly listener: TerminalListener;
  readonly open: () => TerminalSocket;
  readonly random: () => number;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 8000;
/** A handshake that takes longer is not going to come. */
const CONNECT_MS = 10_000;
/** Input that nobody confirms for this long lies on a dead link. */
const CONFIRM_MS = 4000;
const TELL_BYTES = 256 * 1024;
const TELL_MS = 2000;
/** One message; the agent takes up to 1 MiB. */
const PIECE_BYTES = 64 * 1024;
/** What may wait to be sent while there is no link. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Pause before the next try: doubling, with a bound, and spread over clients. */
export const retryMs = (failures: number, random: number): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 5)) * (0.75 + random / 2);

type Timer = 'retry' | 'connect' | 'confirm' | 'tell';

interface Piece {
  readonly number: number;
  readonly bytes: Uint8Array;
}

export class TerminalConnection {
  readonly #options: TerminalOptions;
  #socket: TerminalSocket | null = null;
  #state: TerminalState = 'connecting';
  /** Offset behind the last byte that was handed on; null before the first. */
  #shown: number | null;
  /** Offset behind the last byte that is on the screen. */
  #drawn = 0;
  #told = 0;
  #inputNumber = 0;
  #waiting: Piece[] = [];
  #waitingBytes = 0;
  #columns: number;
  #rows: number;
  #failures = 0;
  #isAlive = true;
  readonly #timers: Partial<Record<Timer, ReturnType<typeof setTimeout> | undefined>> = {};

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#columns = options.columns;
    this.#rows = options.rows;
    this.#shown = options.after;
    this.#drawn = options.after ?? 0;
  }

  /** Offset behind the last byte that was handed on, for a connection that goes on from here. */
  get shown(): number | null {
    return this.#shown;
  }

  get state(): TerminalState {
    return this.#state;
  }

  /** Connects, or connects anew: a link that was silent may be dead without knowing it. */
  connect(): void {
    if (this.#state === 'ended' && this.#socket === null && !this.#isAlive) return;
    this.#drop();
    this.#enter('connecting');
    const socket = this.#options.open();
    this.#socket = socket;
    this.#set('connect', CONNECT_MS, () => this.#lost());
    socket.onopen = () => {
      const { name, node, client } = this.#options;
      socket.send(
        attachMessage({
          name,
          node,
          client,
          columns: this.#columns,
          rows: this.#rows,
          after: this.#shown,
        }),
      );
    };
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = () => this.#lost();
  }

  /**
   * The network is back after a silence: takes a new link at once. The old one may live, but what
   * it lost comes again only after as long as the silence was.
   */
  wake(): void {
    if (this.#state !== 'ended') this.connect();
  }

  /**
   * Types a text.
   * @returns false when too much waits already; nothing of it was taken
   */
  type(text: string): boolean {
    const bytes = new TextEncoder().encode(text);
    if (!this.#isAlive || this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) return false;
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      const piece = {
        number: ++this.#inputNumber,
        bytes: bytes.subarray(from, from + PIECE_BYTES),
      };
      this.#waiting.push(piece);
      this.#waitingBytes += piece.bytes.length;
      if (this.#state === 'open') this.#send(piece);
    }
    return true;
  }

  resize(columns: number, rows: number): void {
    if (columns === this.#columns && rows === this.#rows) return;
    this.#columns = columns;
    this.#rows = rows;
    this.tellSize();
  }

  /** Says again how large this screen is: whoever looks last decides for all who look. */
  tellSize(): void {
    if (this.#state === 'open') this.#socket?.send(resizeMessage(this.#columns, this.#rows));
  }

  /** Ends the connection; the terminal itself goes on. */
  close(): void {
    this.#drop();
    for (const name of ['retry', 'tell'] as const) this.#clear(name);
    this.#isAlive = false;
    this.#enter('ended');
  }

  #enter(state: TerminalState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.listener.onState(state);
  }

  /** Forgets the socket without hearing from it again. */
  #drop(): void {
    for (const name of ['retry', 'connect', 'confirm'] as const) this.#clear(name);
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  #lost(): void {
    this.#drop();
    if (!this.#isAlive || this.#state === 'ended') {
      this.#enter('ended');
      return;
    }
    this.#enter('waiting');
    this.#set('retry', retryMs(this.#failures++, this.#options.random()), () => this.connect());
  }

  #take(data: string | ArrayBuffer): void {
    const message = readMessage(data);
    if (message === null) return;
    const { listener } = this.#options;
    // Whatever is said shows that the link lives.
    if (this.#waiting.length > 0 && this.#state === 'open') this.#expectConfirmation();
    switch (message.kind) {
      case 'attached':
        this.#attached(message);
        return;
      case 'output':
        this.#output(message.offset, message.bytes);
        return;
      case 'acknowledged':
        this.#confirm(message.number);
        return;
      case 'size':
        if (message.columns > 0 && message.rows > 0) listener.onSize(message.columns, message.rows);
        return;
      case 'exit':
        this.#isAlive = false;
        listener.onExit(message.code);
        return;
      case 'refused':
        this.#isAlive = false;
        this.#drop();
        this.#enter('ended');
        listener.onRefused(message.reason);
    }
  }

  #attached({ from, inputSeen, isAlive }: Attached): void {
    this.#clear('connect');
    this.#failures = 0;
    const { listener } = this.#options;
    const shown = this.#shown;
    if (shown !== null && from < shown) listener.onRestart();
    else if (shown !== null && from > shown) listener.onGap(from - shown);
    this.#shown = from;
    if (shown !== from) this.#drawn = from;
    this.#told = from;
    this.#isAlive = isAlive;
    this.#confirm(inputSeen);
    this.#enter('open');
    for (const piece of this.#waiting) this.#send(piece);
    if (!isAlive) listener.onExit(null);
  }

  #output(offset: number, bytes: Uint8Array): void {
    const { listener } = this.#options;
    const shown = this.#shown ?? offset;
    if (offset > shown) listener.onGap(offset - shown);
    const fresh = bytes.subarray(Math.max(0, Math.min(bytes.length, shown - offset)));
    const end = Math.max(shown, offset + bytes.length);
    this.#shown = end;
    if (fresh.length === 0) return;
    listener.onOutput(fresh, () => {
      this.#drawn = Math.max(this.#drawn, end);
      this.#tell();
    });
  }

  /** Tells how far the screen is: soon after much, a little later after little. */
  #tell(): void {
    if (this.#state !== 'open' || this.#drawn <= this.#told) return;
    if (this.#drawn - this.#told >= TELL_BYTES) {
      this.#tellNow();
    } else if (this.#timers.tell === undefined) {
      this.#set('tell', TELL_MS, () => this.#tellNow());
    }
  }

  #tellNow(): void {
    this.#clear('tell');
    if (this.#state !== 'open' || this.#drawn <= this.#told) return;
    this.#told = this.#drawn;
    this.#socket?.send(receivedMessage(this.#drawn));
  }

  #send(piece: Piece): void {
    this.#socket?.send(inputFrame(piece.number, piece.bytes));
    if (this.#timers.confirm === undefined) this.#expectConfirmation();
  }

  #expectConfirmation(): void {
    this.#set('confirm', CONFIRM_MS, () => this.connect());
  }

  #confirm(number: number): void {
    this.#waiting = this.#waiting.filter((piece) => piece.number > number);
    this.#waitingBytes = this.#waiting.reduce((sum, piece) => sum + piece.bytes.length, 0);
    if (this.#waiting.length === 0) this.#clear('confirm');
  }

  #set(name: Timer, ms: number, run: () => void): void {
    this.#clear(name);
    this.#timers[name] = setTimeout(() => {
      this.#timers[name] = undefined;
      run();
    }, ms);
  }

  #clear(name: Timer): void {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = undefined;
  }
}
