/**
 * The least of RFC 6455 that a load generator needs. A full WebSocket library in the generator
 * costs more per message than the proxies under test, which would hide what they cost.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const BINARY = 0x82;
const OPCODE = 0x0f;
const CLOSE = 0x08;
const MASKED = 0x80;

function head(length: number, masked: number): Buffer {
  if (length < 126) return Buffer.from([BINARY, masked | length]);
  if (length < 65_536) return Buffer.from([BINARY, masked | 126, length >> 8, length & 255]);
  const long = Buffer.alloc(10);
  long[0] = BINARY;
  long[1] = masked | 127;
  long.writeBigUInt64BE(BigInt(length), 2);
  return long;
}

/** A binary message as a server sends it. */
export const serverFrame = (payload: Buffer): Buffer =>
  Buffer.concat([head(payload.length, 0), payload]);

/** A binary message as a client sends it: masked, as the protocol demands. */
export function clientFrame(payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const masked = Buffer.from(payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0)));
  return Buffer.concat([head(payload.length, MASKED), mask, masked]);
}

/** Counts the messages in a stream of unmasked frames; parts may be cut anywhere. */
export class FrameCounter {
  messages = 0;
  payloadBytes = 0;
  #head: Buffer = Buffer.alloc(0);
  /** Bytes of the current message's payload that have not come yet. */
  #missing = 0;

  add(part: Buffer): void {
    let position = 0;
    while (position < part.length || this.#missing > 0) {
      if (this.#missing > 0) {
        const taken = Math.min(this.#missing, part.length - position);
        if (taken === 0) return;
        this.#missing -= taken;
        position += taken;
        this.payloadBytes += taken;
        if (this.#missing === 0) this.messages += 1;
        continue;
      }
      const parsed = this.#readHead(part, position);
      if (!parsed) return;
      position = parsed.position;
      this.#missing = parsed.length;
      if (parsed.length === 0) this.messages += 1;
    }
  }

  #readHead(part: Buffer, start: number): { position: number; length: number } | undefined {
    // A head that was cut in two is put together; its first bytes lie in an earlier part.
    const earlier = this.#head.length;
    const bytes =
      earlier === 0 ? part : Buffer.concat([this.#head, part.subarray(start, start + 10)]);
    const at = earlier === 0 ? start : 0;
    const available = bytes.length - at;
    const short = available >= 2 ? (bytes[at + 1] ?? 0) : 0;
    const size = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (available < size) {
      this.#head = Buffer.from(bytes.subarray(at));
      return undefined;
    }
    if (((bytes[at] ?? 0) & OPCODE) === CLOSE)
      throw new Error('the other side closed the WebSocket');
    if ((short & MASKED) !== 0) throw new Error('a server’s frame was masked');
    const length =
      size === 10
        ? Number(bytes.readBigUInt64BE(at + 2))
        : size === 4
          ? bytes.readUInt16BE(at + 2)
          : short;
    this.#head = Buffer.alloc(0);
    return { position: start + size - earlier, length };
  }
}

export interface Dialled {
  readonly socket: Socket;
  readonly status: number;
  /** What came behind the head. */
  readonly rest: Buffer;
}

/** The text of an upgrade request. */
export function upgradeRequest(url: URL, headers: Readonly<Record<string, string>>): string {
  return [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');
}

/** Connects, asks for an upgrade and reads the head of the answer. */
export function dial(url: URL, headers: Readonly<Record<string, string>>): Promise<Dialled> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    let read = Buffer.alloc(0);
    const failed = (error?: Error | boolean): void =>
      reject(
        error instanceof Error
          ? error
          : new Error(`${url.pathname}: the connection ended before an answer`),
      );
    const take = (part: Buffer): void => {
      read = Buffer.concat([read, part]);
      const end = read.indexOf('\r\n\r\n');
      if (end < 0) return;
      socket.off('data', take);
      socket.off('error', failed);
      socket.off('close', failed);
      socket.on('error', () => socket.destroy());
      // Without a listener the bytes that come next would be thrown away.
      socket.pause();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(read.toString('latin1', 0, 20))?.[1]);
      resolve({ socket, status, rest: read.subarray(end + 4) });
    };
    socket.on('data', take);
    socket.once('error', failed);
    socket.once('close', failed);
    socket.once('connect', () => socket.write(upgradeRequest(url, headers)));
  });
}
