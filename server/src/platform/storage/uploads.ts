/** Where a file that is being sent lies until it has a place: below the data folder, removed in any case. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../errors.ts';

/** What surrounds the file in a form, at most. */
const FORM_MARGIN = 64 * 1024;
/** Of a process that ended in the middle. */
const STALE_MS = 24 * 3600 * 1000;

/** Counts what passes, and ends it when it is too much. */
export class ByteLimit extends Transform {
  bytes = 0;
  readonly #limit: number;
  readonly #refusal: (bytes: number) => Error;

  constructor(limit: number, refusal: (bytes: number) => Error) {
    super();
    this.#limit = limit;
    this.#refusal = refusal;
  }

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error: Error | null, chunk?: Buffer) => void,
  ): void {
    this.bytes += chunk.length;
    if (this.bytes > this.#limit) done(this.#refusal(this.bytes));
    else done(null, chunk);
  }
}

/** A folder for the time of one upload; gone at the end of its scope. */
export class Workplace implements AsyncDisposable {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

export class Uploads {
  readonly #root: string;

  /** @param dataFolder absolute */
  constructor(dataFolder: string) {
    this.#root = join(dataFolder, 'uploads');
  }

  async workplace(): Promise<Workplace> {
    const path = join(this.#root, randomUUID());
    await mkdir(path, { recursive: true, mode: 0o700 });
    return new Workplace(path);
  }

  /**
   * Writes a file that is being sent into a workplace.
   * @returns where it lies and its size
   * @throws DomainError `upload_too_large` as soon as that is known
   */
  async receive(
    file: { readonly stream: Readable; readonly formBytes: number | null },
    limitBytes: number,
    workplace: Workplace,
  ): Promise<{ path: string; sizeBytes: number }> {
    const tooLarge = () => new DomainError('upload_too_large', { LimitBytes: limitBytes });
    if (file.formBytes !== null && file.formBytes > limitBytes + FORM_MARGIN) {
      file.stream.destroy();
      throw tooLarge();
    }
    const path = join(workplace.path, 'upload');
    const counter = new ByteLimit(limitBytes, tooLarge);
    await pipeline(file.stream, counter, createWriteStream(path, { flags: 'wx', mode: 0o644 }));
    return { path, sizeBytes: counter.bytes };
  }

  /** Removes what a process that ended in the middle left. */
  async sweep(now = Date.now()): Promise<void> {
    const names = await readdir(this.#root).catch(() => []);
    for (const name of names) {
      const path = join(this.#root, name);
      const left = await stat(path).catch(() => undefined);
      if (left && now - left.mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true });
    }
  }
}
