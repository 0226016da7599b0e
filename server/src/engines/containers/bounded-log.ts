import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of both files together. */
const maximumBytes = 1024 * 1024;

/** The files of a log, oldest first. */
export const logFiles = (path: string): readonly [older: string, newer: string] => [
  `${path}.1`,
  path,
];

/**
 * A log file that keeps its end: when it is half full it becomes the older one of two, and what
 * was the older one goes. Written at once, since whoever reads it waits for the next line.
 */
export class BoundedLog {
  readonly path: string;
  #file: number;
  #bytes = 0;

  /** Begins anew. */
  constructor(path: string) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const [older] = logFiles(path);
    rmSync(older, { force: true });
    this.#file = openSync(path, 'w', 0o600);
  }

  write(line: string): void {
    const text = Buffer.from(`${line}\n`).subarray(0, maximumBytes / 4);
    if (this.#bytes + text.length > maximumBytes / 2) {
      closeSync(this.#file);
      const [older, newer] = logFiles(this.path);
      renameSync(newer, older);
      this.#file = openSync(newer, 'w', 0o600);
      this.#bytes = 0;
    }
    writeSync(this.#file, text);
    this.#bytes += text.length;
  }

  end(): void {
    closeSync(this.#file);
  }
}
