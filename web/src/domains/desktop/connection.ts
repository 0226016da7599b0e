/** A desktop's connection: made, lost and made again, in the states of the contract. */
import { ConnectionState } from '@hypercube/contract';

/** What is needed of the WebSocket that carries the screen. */
export interface ScreenSocket {
  addEventListener: (type: 'open', listener: () => void) => void;
  close: () => void;
}

/** A screen on such a socket, as noVNC makes it. */
export interface Screen {
  disconnect: () => void;
}
export interface ScreenEvents {
  readonly onConnect: () => void;
  readonly onDisconnect: () => void;
}

export interface DesktopOptions<S extends Screen> {
  readonly open: () => ScreenSocket;
  readonly draw: (socket: ScreenSocket, events: ScreenEvents) => S;
  readonly onState: (state: ConnectionState) => void;
  /** null while there is no picture. */
  readonly onScreen: (screen: S | null) => void;
  readonly random: () => number;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 8000;
/** Socket and handshake together; a desktop on its own machine takes a second. */
const CONNECT_MS = 10_000;
/** So many tries in a row without a picture are told as a failure; nothing tries on by itself then. */
const MAX_FAILURES = 6;

export const retryMs = (failures: number, random: number): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 5)) * (0.75 + random / 2);

export class DesktopConnection<S extends Screen> {
  readonly #options: DesktopOptions<S>;
  #state: ConnectionState = ConnectionState.idle;
  #socket: ScreenSocket | null = null;
  #screen: S | null = null;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Tells the events of a dropped screen from those of the present one. */
  #turn = 0;

  constructor(options: DesktopOptions<S>) {
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Connects; what stood before is dropped. */
  connect(): void {
    this.#drop();
    const turn = this.#turn;
    this.#enter(ConnectionState.connecting);
    const socket = this.#options.open();
    this.#socket = socket;
    socket.addEventListener('open', () => {
      if (turn === this.#turn) this.#enter(ConnectionState.waiting);
    });
    this.#timer = setTimeout(() => this.#lost(), CONNECT_MS);
    const screen = this.#options.draw(socket, {
      onConnect: () => {
        if (turn !== this.#turn) return;
        clearTimeout(this.#timer);
        this.#failures = 0;
        this.#enter(ConnectionState.connected);
        this.#options.onScreen(screen);
      },
      onDisconnect: () => {
        if (turn !== this.#turn) return;
        // It is gone already, and must not be told to go.
        this.#screen = null;
        this.#options.onScreen(null);
        this.#lost();
      },
    });
    this.#screen = screen;
  }

  /** The user asks again, or the network is back after a silence: from the beginning, at once. */
  wake(): void {
    if (this.#state === ConnectionState.idle || this.#state === ConnectionState.disconnecting)
      return;
    this.#failures = 0;
    this.connect();
  }

  /** Ends it; the desktop itself goes on. */
  close(): void {
    this.#enter(ConnectionState.disconnecting);
    this.#drop();
    this.#enter(ConnectionState.disconnected);
  }

  #lost(): void {
    this.#drop();
    this.#failures += 1;
    if (this.#failures >= MAX_FAILURES) {
      this.#enter(ConnectionState.error);
      return;
    }
    this.#enter(ConnectionState.disconnected);
    this.#timer = setTimeout(
      () => this.connect(),
      retryMs(this.#failures - 1, this.#options.random()),
    );
  }

  #drop(): void {
    this.#turn += 1;
    clearTimeout(this.#timer);
    const [screen, socket] = [this.#screen, this.#socket];
    this.#screen = null;
    this.#socket = null;
    if (screen !== null) {
      this.#options.onScreen(null);
      screen.disconnect();
    }
    socket?.close();
  }

  #enter(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
