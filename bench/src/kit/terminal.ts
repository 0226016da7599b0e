/** A session's terminal as a page holds it: the page's own connection, over a socket of Node's. */
import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import {
  TerminalConnection,
  type TerminalSocket,
} from '../../../web/src/domains/terminal/connection.ts';
import { TERMINAL_PROTOCOL } from '../../../web/src/domains/terminal/protocol.ts';

const COLUMNS = 250;
const OPEN_MS = 30_000;

/** What a browser's WebSocket would be. */
function openSocket(url: string, cookie: string): TerminalSocket {
  const socket = new WebSocket(url, TERMINAL_PROTOCOL, {
    headers: { cookie },
    perMessageDeflate: false,
  });
  socket.binaryType = 'arraybuffer';
  const opened: TerminalSocket = {
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (data) => socket.send(data),
    close: () => socket.close(),
  };
  socket.on('open', () => opened.onopen?.());
  socket.on('message', (data: Buffer | ArrayBuffer, isBinary) =>
    opened.onmessage?.({
      data: isBinary ? (data as ArrayBuffer) : Buffer.from(data as ArrayBuffer).toString(),
    }),
  );
  // It is followed by the close.
  socket.on('error', () => undefined);
  socket.on('close', () => opened.onclose?.());
  return opened;
}

export interface TerminalOptions {
  /** Origin and path of the session's terminals. */
  readonly base: string;
  readonly cookie: string;
  readonly name?: string;
  readonly onOutput: (bytes: Uint8Array) => void;
}

export class Terminal {
  readonly connection: TerminalConnection;
  /** How often an open connection was lost, and bytes that were printed but never came. */
  losses = 0;
  missing = 0;
  #wake: () => void = () => undefined;
  #refusal: string | undefined;
  #isClosed = false;

  constructor({ base, cookie, name = 'bench', onOutput }: TerminalOptions) {
    let wasOpen = false;
    this.connection = new TerminalConnection({
      name,
      node: '',
      client: randomUUID(),
      columns: COLUMNS,
      rows: 24,
      after: null,
      random: Math.random,
      open: () => openSocket(`${base.replace(/^http/, 'ws')}ws`, cookie),
      listener: {
        onState: (state) => {
          if (wasOpen && state !== 'open' && !this.#isClosed) this.losses += 1;
          wasOpen = state === 'open';
          this.#wake();
        },
        onOutput: (bytes, done) => {
          onOutput(bytes);
          done();
        },
        onGap: (bytes) => (this.missing += bytes),
        onRestart: () => (this.#refusal = 'it is another terminal now'),
        onSize: () => undefined,
        onExit: (code) => (this.#refusal = `the shell ended (${code})`),
        onRefused: (reason) => (this.#refusal = reason),
      },
    });
  }

  /** Connects and waits until it is open. */
  async open(): Promise<void> {
    const limit = setTimeout(() => {
      this.#refusal ??= 'it does not open';
      this.#wake();
    }, OPEN_MS);
    this.connection.connect();
    while (this.connection.state !== 'open') {
      this.check();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(limit);
  }

  /** @throws Error when the terminal is gone for good */
  check(): void {
    if (this.#refusal !== undefined) throw new Error(`a terminal: ${this.#refusal}`);
  }

  close(): void {
    this.#isClosed = true;
    this.connection.close();
  }
}

/** One line of the counting program: its number, and when it was printed in microseconds. */
const COUNTED = /^#(\d+) (\d{16}) x{70}$/;
const PAD = 'x'.repeat(70);
/**
 * Prints some hundred bytes a hundred times a second, and repeats every line that it hears. The
 * shell's own clock and patience will do: nothing is started for a line. Its patience may end in the
 * middle of one, which then goes on.
 */
const PROGRAM = `stty -echo; echo; i=0; line=; while :; do i=$((i+1)); printf '#%d %s %s\\n' $i \${EPOCHREALTIME//[^0-9]/} ${PAD}; if read -rt 0.01 part; then printf '!%s%s\\n' "$line" "$part"; line=; else line+=$part; fi; done\n`;

/** A terminal in which a program counts, so that every lost, doubled or changed byte shows. */
export class CountingTerminal {
  readonly terminal: Terminal;
  /** The last number, and the moment at which it was printed, in milliseconds since 1970. */
  count = 0;
  printedAt = 0;
  /** Lines that were not the next number nor a repeated one. */
  faults = 0;
  /** What the program heard, in order. */
  readonly heard: string[] = [];
  #rest = '';
  #wake: () => void = () => undefined;
  readonly #decoder = new TextDecoder();

  constructor(options: Omit<TerminalOptions, 'onOutput'>) {
    this.terminal = new Terminal({ ...options, onOutput: (bytes) => this.#take(bytes) });
  }

  /** Connects, starts the program and waits for its first number. */
  async start(): Promise<void> {
    await this.terminal.open();
    this.terminal.connection.type(PROGRAM);
    await this.until(() => this.count > 0);
  }

  /** Waits until a condition on what was printed holds. */
  async until(isDone: () => boolean, limitMs = 20_000): Promise<void> {
    const limit = performance.now() + limitMs;
    const tick = setInterval(() => this.#wake(), 100);
    try {
      while (!isDone()) {
        this.terminal.check();
        if (performance.now() > limit)
          throw new Error(`the counting program stands at ${this.count} since ${limitMs / 1000} s`);
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      clearInterval(tick);
    }
  }

  #take(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\r\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
    this.#wake();
  }

  #line(line: string): void {
    const [, number, micros] = COUNTED.exec(line) ?? [];
    if (number !== undefined && Number(number) === this.count + 1) {
      this.count += 1;
      this.printedAt = Number(micros) / 1000;
    } else if (line.startsWith('!')) this.heard.push(line.slice(1));
    // Before the first number comes the shell's own greeting.
    else if (this.count > 0) this.faults += 1;
  }
}
