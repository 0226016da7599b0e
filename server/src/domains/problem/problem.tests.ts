/**
 * Packages of tests: `input1.txt` to `input100.txt` and `output1.txt` to `output100.txt`, zipped
 * without a folder. A package never changes: another one gets a folder of its own, so that what is
 * being judged meanwhile goes on with the tests with which it began.
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Readable } from 'node:stream';
import { COUNT_LIMITS, PROBLEM_LIMITS, TEST_PACKAGE } from '@hypercube/contract';
import { ZipFile } from 'yazl';
import { DomainError } from '../../platform/errors.ts';
import type { ZipLimits } from '../../platform/storage/zip.ts';

/** Below the data folder. */
const FOLDER = 'problems';
/** A folder that no record names may still be in the making, or in use by a judge, until then. */
const ORPHAN_MS = 6 * 3600 * 1000;

/** What a package may be; a test of one repeated number is an honest test, so the ratio is high. */
export const PACKAGE_LIMITS: ZipLimits = {
  // A few more than fit, so that too many tests are told as such.
  entries: 4 * COUNT_LIMITS.testPairs,
  bytes: PROBLEM_LIMITS.unpackedBytes,
  ratio: 1000,
};

const ENTRY = new RegExp(`^(${TEST_PACKAGE.input}|${TEST_PACKAGE.output})(\\d+)\\.txt$`);

const refuse = (reason: string, name: string): DomainError =>
  new DomainError('tests_refused', { Reason: reason, Name: name.slice(0, 200) });

export const inputName = (number: number): string => `${TEST_PACKAGE.input}${number}.txt`;
export const outputName = (number: number): string => `${TEST_PACKAGE.output}${number}.txt`;

/**
 * The rules of a package, by the names of its entries.
 * @param names with forward slashes; folders end with one
 * @returns how many tests there are
 * @throws DomainError `tests_refused`, which names the first entry that is wrong
 */
export function countTests(names: readonly string[]): number {
  const found = new Set<string>();
  let highest = 0;
  for (const name of names) {
    if (name.includes('/')) throw refuse('folder', name);
    const [, , digits] = ENTRY.exec(name) ?? [];
    if (digits === undefined) throw refuse('foreign', name);
    // `input01.txt` would be a second name of the first test.
    if (digits.startsWith('0')) throw refuse('number', name);
    const number = Number(digits);
    if (number > COUNT_LIMITS.testPairs) throw refuse('too_many', name);
    found.add(name);
    highest = Math.max(highest, number);
  }
  for (let number = 1; number <= highest; number += 1) {
    const [input, output] = [inputName(number), outputName(number)];
    if (!found.has(input) && !found.has(output)) throw refuse('gap', input);
    if (!found.has(input)) throw refuse('pair', input);
    if (!found.has(output)) throw refuse('pair', output);
  }
  if (highest === 0) throw refuse('pair', inputName(1));
  return highest;
}

/** A test as it lies on disk; absolute paths. */
export interface TestFiles {
  readonly inputPath: string;
  readonly expectedPath: string;
}

export interface TestPair {
  readonly number: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
}

/** Beginning of a file as text, and whether there is more. */
async function beginning(path: string, bytes: number): Promise<{ text: string; isCut: boolean }> {
  const handle = await open(path);
  try {
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await handle.read(buffer, 0, bytes, 0);
    const { size } = await handle.stat();
    const isCut = size > bytesRead;
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: isCut });
    // The database knows no zero sign, and neither does a page.
    return { text: text.replaceAll('\0', '\u{FFFD}'), isCut };
  } finally {
    await handle.close();
  }
}

export class ProblemTests {
  readonly #root: string;

  /** @param dataFolder absolute */
  constructor(dataFolder: string) {
    this.#root = dataFolder;
  }

  /** The tests of a folder, in order. */
  files(folder: string, count: number): TestFiles[] {
    return Array.from({ length: count }, (_unused, index) => ({
      inputPath: join(this.#root, folder, inputName(index + 1)),
      expectedPath: join(this.#root, folder, outputName(index + 1)),
    }));
  }

  /** How large each test is. */
  async pairs(folder: string, count: number): Promise<TestPair[]> {
    return Promise.all(
      this.files(folder, count).map(async ({ inputPath, expectedPath }, index) => ({
        number: index + 1,
        inputBytes: (await stat(inputPath)).size,
        outputBytes: (await stat(expectedPath)).size,
      })),
    );
  }

  /** The first tests, as examples. */
  async samples(
    folder: string,
    count: number,
  ): Promise<{ input: string; output: string; isCut: boolean }[]> {
    return Promise.all(
      this.files(folder, count).map(async ({ inputPath, expectedPath }) => {
        const input = await beginning(inputPath, PROBLEM_LIMITS.sampleBytes);
        const output = await beginning(expectedPath, PROBLEM_LIMITS.sampleBytes);
        return { input: input.text, output: output.text, isCut: input.isCut || output.isCut };
      }),
    );
  }

  /**
   * Takes over an unpacked package.
   * @returns the folder, below the data folder, and how many tests it holds
   * @throws DomainError `tests_refused`
   */
  async take(problemID: number, unpacked: string): Promise<{ folder: string; count: number }> {
    const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
    const count = countTests(
      entries
        .map((entry) => {
          const path = join(entry.parentPath, entry.name).slice(unpacked.length + 1);
          return entry.isDirectory() ? `${path}/` : path;
        })
        .toSorted(),
    );
    const folder = posix.join(FOLDER, `${problemID}-${randomUUID().slice(0, 8)}`);
    await mkdir(join(this.#root, FOLDER), { recursive: true, mode: 0o755 });
    await rename(unpacked, join(this.#root, folder));
    return { folder, count };
  }

  /** Puts the tests of the first content in place, once for each edition of them. */
  async copy(source: string, folder: string): Promise<void> {
    await cp(source, join(this.#root, folder), { recursive: true });
  }

  /** The tests as a package, packed while it is read. */
  zip(folder: string, count: number): Readable {
    const zip = new ZipFile();
    this.files(folder, count).forEach(({ inputPath, expectedPath }, index) => {
      zip.addFile(inputPath, inputName(index + 1));
      zip.addFile(expectedPath, outputName(index + 1));
    });
    zip.end();
    return zip.outputStream as Readable;
  }

  /** A folder that is not a problem's any more; a judge may still be at it, so the sweep removes it. */
  async retire(folder: string): Promise<void> {
    const now = new Date();
    await utimes(join(this.#root, folder), now, now).catch(() => undefined);
  }

  /** Removes at once what nobody has seen. */
  async discard(folder: string): Promise<void> {
    await rm(join(this.#root, folder), { recursive: true, force: true });
  }

  /** Removes folders that no record names. */
  async sweep(known: ReadonlySet<string>, nowMs = Date.now()): Promise<void> {
    const names = await readdir(join(this.#root, FOLDER)).catch(() => []);
    for (const name of names) {
      const folder = posix.join(FOLDER, name);
      if (known.has(folder)) continue;
      const found = await stat(join(this.#root, folder)).catch(() => undefined);
      if (found && nowMs - found.mtimeMs > ORPHAN_MS) await this.discard(folder);
    }
  }
}
