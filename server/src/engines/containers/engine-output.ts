import { PassThrough } from 'node:stream';

/** As much of a command's output as anybody reads. */
const maxOutputBytes = 1024 * 1024;

/** Text of a stream, its beginning only: a learner may print for ever. */
export class CappedText {
  readonly sink = new PassThrough();
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor() {
    this.sink.on('data', (chunk: Buffer) => {
      if (this.#size >= maxOutputBytes) return;
      this.#chunks.push(chunk.subarray(0, maxOutputBytes - this.#size));
      this.#size += chunk.length;
    });
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

/** Takes the eight-byte heads out of a finished output of both streams. */
export function demultiplexed(output: Buffer): string {
  const parts: Buffer[] = [];
  for (let offset = 0; offset + 8 <= output.length;) {
    const size = output.readUInt32BE(offset + 4);
    parts.push(output.subarray(offset + 8, offset + 8 + size));
    offset += 8 + size;
  }
  return Buffer.concat(parts).toString('utf8');
}
