/**
 * A desktop's screen as a page gets it: RFB 3.8 over WebSocket, raw pixels only, so that what is
 * measured is the way of the bytes and not somebody's compression.
 */
import { WebSocket } from 'ws';

const RAW = 0;
const PIXEL_BYTES = 4;
const SHARED = Buffer.from([1]);
const NO_SECURITY = 1;
const FRAMEBUFFER_UPDATE = 0;
const COLOUR_MAP = 1;
const BELL = 2;
const CUT_TEXT = 3;

/** Asks for so many bytes and goes on with them. */
type Reader = Generator<number, void, Buffer>;

export class Screen {
  width = 0;
  height = 0;
  /** What was drawn so far, four bytes a pixel; stays empty unless asked for. */
  pixels: Buffer = Buffer.alloc(0);
  /** Pixel bytes and updates that arrived. */
  bytes = 0;
  frames = 0;
  readonly #socket: WebSocket;
  readonly #isKept: boolean;
  readonly #reader: Reader;
  #wanted: number;
  #held: Buffer = Buffer.alloc(0);
  #wake: () => void = () => undefined;
  #error: Error | undefined;

  private constructor(socket: WebSocket, isKept: boolean) {
    this.#socket = socket;
    this.#isKept = isKept;
    this.#reader = this.#read();
    this.#wanted = this.#ask(Buffer.alloc(0));
    socket.on('message', (data: Buffer) => this.#take(data));
    socket.once('error', (error) => this.#fail(error));
    socket.once('close', (code) => this.#fail(new Error(`the desktop was closed (${code})`)));
  }

  /**
   * Connects and shakes hands.
   * @param isKept whether the picture is put together, or only counted
   */
  static async connect(
    url: string,
    headers: Readonly<Record<string, string>>,
    isKept: boolean,
  ): Promise<Screen> {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers, perMessageDeflate: false });
    const screen = new Screen(socket, isKept);
    await screen.#wait(() => screen.width > 0);
    return screen;
  }

  /** Asks for the screen, whole or what changed, and waits until it is here. */
  async update(isIncremental: boolean): Promise<void> {
    const request = Buffer.alloc(10);
    request.writeUInt8(3, 0);
    request.writeUInt8(isIncremental ? 1 : 0, 1);
    request.writeUInt16BE(this.width, 6);
    request.writeUInt16BE(this.height, 8);
    const { frames } = this;
    this.#socket.send(request);
    await this.#wait(() => this.frames > frames);
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.terminate();
  }

  async #wait(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      if (this.#error) throw this.#error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#wake();
  }

  /** How much is wanted next; what comes after a failure is of no interest. */
  #ask(piece: Buffer): number {
    const next = this.#reader.next(piece);
    return next.done === true ? Infinity : next.value;
  }

  #take(part: Buffer): void {
    let bytes = this.#held.length === 0 ? part : Buffer.concat([this.#held, part]);
    while (bytes.length >= this.#wanted) {
      const piece = bytes.subarray(0, this.#wanted);
      bytes = bytes.subarray(this.#wanted);
      this.#wanted = this.#ask(piece);
    }
    this.#held = bytes;
  }

  *#read(): Reader {
    const version: Buffer = yield 12;
    this.#socket.send(version);
    const [kinds = 0]: Buffer = yield 1;
    if (kinds === 0 || !(yield kinds).includes(NO_SECURITY))
      return this.#fail(new Error('the desktop asks for a password'));
    this.#socket.send(Buffer.from([NO_SECURITY]));
    if ((yield 4).readUInt32BE() !== 0) return this.#fail(new Error('the desktop declined'));
    this.#socket.send(SHARED);
    const start: Buffer = yield 24;
    yield start.readUInt32BE(20);
    if (start.readUInt8(4) !== PIXEL_BYTES * 8)
      return this.#fail(new Error('the desktop has another depth'));
    this.width = start.readUInt16BE(0);
    this.height = start.readUInt16BE(2);
    if (this.#isKept) this.pixels = Buffer.alloc(this.width * this.height * PIXEL_BYTES);
    const encodings = Buffer.alloc(8);
    encodings.writeUInt8(2, 0);
    encodings.writeUInt16BE(1, 2);
    encodings.writeInt32BE(RAW, 4);
    this.#socket.send(encodings);
    this.#wake();
    for (;;) yield* this.#message();
  }

  *#message(): Reader {
    const [kind]: Buffer = yield 1;
    if (kind === BELL) return;
    if (kind === FRAMEBUFFER_UPDATE) {
      const rectangles = (yield 3).readUInt16BE(1);
      for (let index = 0; index < rectangles; index += 1) yield* this.#rectangle();
      this.frames += 1;
      this.#wake();
    } else if (kind === COLOUR_MAP) yield (yield 5).readUInt16BE(3) * 6;
    else if (kind === CUT_TEXT) yield (yield 7).readUInt32BE(3);
    else this.#fail(new Error(`the desktop says something unknown (${kind})`));
  }

  *#rectangle(): Reader {
    const head: Buffer = yield 12;
    const [x, y, width, height] = [0, 2, 4, 6].map((at) => head.readUInt16BE(at)) as [
      number,
      number,
      number,
      number,
    ];
    if (head.readInt32BE(8) !== RAW) return this.#fail(new Error('a picture that is not raw'));
    // Line by line, so that a line that came in two parts is all that has to be copied.
    for (let line = 0; line < height; line += 1) {
      const row: Buffer = yield width * PIXEL_BYTES;
      this.bytes += row.length;
      if (this.#isKept) row.copy(this.pixels, ((y + line) * this.width + x) * PIXEL_BYTES);
    }
  }
}
