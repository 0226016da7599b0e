/**
 * Unpacking a zip that somebody sent. Nothing that it says of itself is believed: names are
 * checked before anything is written, sizes are counted while it is unpacked, and only plain files
 * and folders are ever made.
 */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { DomainError, isNoSpace } from '../errors.ts';
import { foldedName, isPlainName, isShortPath } from './names.ts';

export interface ZipLimits {
  readonly entries: number;
  /** Unpacked, all files together. */
  readonly bytes: number;
  /** Unpacked size divided by packed size. */
  readonly ratio: number;
}

/** Below this a high ratio does no harm: a small file of one repeated number is a data set too. */
const RATIO_FROM_BYTES = 1024 * 1024;

/** Kinds of things in the Unix mode of an entry; the others are links, devices and the like. */
const KIND_MASK = 0o170000;
const PLAIN_KINDS = new Set([0, 0o100000, 0o040000]);

const UTF8_FLAG = 0x800;

/** Why a zip is refused; the reasons are those of the contract's `zip_refused`. */
const refuse = (reason: string, name = '', cause?: unknown): DomainError =>
  new DomainError('zip_refused', { Reason: reason, Name: name.slice(0, 200) }, { cause });

/** Names are UTF-8 when the zip says so or when they can be; else the GBK of Chinese Windows. */
function nameOf(entry: Entry): string {
  for (const encoding of ['utf-8', 'gbk']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(entry.fileNameRaw);
    } catch {
      if ((entry.generalPurposeBitFlag & UTF8_FLAG) !== 0) break;
    }
  }
  throw refuse('name', entry.fileNameRaw.toString('latin1').replaceAll(/[^\x20-\x7E]/g, '?'));
}

interface Listed {
  readonly entry: Entry;
  /** Below the target, with forward slashes, without a slash at the end. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** @throws DomainError `zip_refused` unless the entry is a plain file or folder below the target */
function check(entry: Entry): Listed {
  const name = nameOf(entry);
  if (entry.isEncrypted()) throw refuse('encrypted', name);
  const kind = (entry.externalFileAttributes >>> 16) & KIND_MASK;
  if (!PLAIN_KINDS.has(kind)) throw refuse('link', name);
  const isFolder = name.endsWith('/');
  const path = isFolder ? name.slice(0, -1) : name;
  const parts = path.split('/');
  if (
    path.startsWith('/') ||
    /^[A-Za-z]:/.test(path) ||
    path.includes('\\') ||
    parts.includes('..') ||
    parts.includes('.')
  )
    throw refuse('traversal', name);
  if (!parts.every(isPlainName) || !isShortPath(path)) throw refuse('name', name);
  return { entry, path, isFolder };
}

/** What macOS puts beside the files, which nobody packed on purpose. */
const isByproduct = (path: string): boolean =>
  path.split('/')[0] === '__MACOSX' || posix.basename(path) === '.DS_Store';

/** Refuses names that are one on some machine, and a file that is a folder as well. */
class Names {
  readonly #known = new Map<string, { path: string; isFolder: boolean }>();

  add({ path, isFolder }: Listed): void {
    const parts = path.split('/');
    for (let length = 1; length < parts.length; length += 1)
      this.#take(parts.slice(0, length).join('/'), true, true);
    this.#take(path, isFolder, isFolder);
  }

  #take(path: string, isFolder: boolean, mayBeKnown: boolean): void {
    const folded = foldedName(path);
    const known = this.#known.get(folded);
    if (known && (!mayBeKnown || known.path !== path || !known.isFolder))
      throw refuse('name', path);
    this.#known.set(folded, { path, isFolder });
  }
}

async function list(zip: ZipFile, limits: ZipLimits): Promise<Listed[]> {
  if (zip.entryCount > limits.entries) throw refuse('too_many');
  const listed: Listed[] = [];
  const names = new Names();
  for await (const entry of zip.eachEntry()) {
    if (listed.length >= limits.entries) throw refuse('too_many');
    const one = check(entry);
    if (isByproduct(one.path)) continue;
    names.add(one);
    listed.push(one);
  }
  if (!listed.some(({ isFolder }) => !isFolder)) throw refuse('empty');
  return listed;
}

/** Counts what really comes out, over all files of one zip. */
class Counter {
  bytes = 0;
  readonly #limits: ZipLimits;
  readonly #packedBytes: number;

  constructor(limits: ZipLimits, packedBytes: number) {
    this.#limits = limits;
    this.#packedBytes = packedBytes;
  }

  /** A stage for one file: it fails on too much, and on a checksum that differs. */
  stage(path: string, expected: number): Transform {
    let sum = 0;
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.bytes += chunk.length;
        sum = crc32(chunk, sum);
        if (this.bytes > this.#limits.bytes) done(refuse('too_large', path));
        else if (
          this.bytes > RATIO_FROM_BYTES &&
          this.bytes > this.#packedBytes * this.#limits.ratio
        )
          done(refuse('ratio', path));
        else done(null, chunk);
      },
      flush: (done) => done(sum === expected ? null : refuse('damaged', path)),
    });
  }
}

/**
 * Unpacks a zip into a folder, which is made.
 * @param packedBytes size of the zip
 * @returns the size of everything unpacked
 * @throws DomainError `zip_refused`; what was unpacked until then is the caller's to remove
 */
export async function unpackZip(
  path: string,
  packedBytes: number,
  target: string,
  limits: ZipLimits,
): Promise<number> {
  let current = '';
  const zip = await yauzl
    .openPromise(path, {
      // The list is read to its end before the first file is.
      autoClose: false,
      lazyEntries: true,
      decodeStrings: false,
      validateEntrySizes: true,
    })
    .catch((error: unknown) => {
      throw refuse('damaged', '', error);
    });
  try {
    const counter = new Counter(limits, packedBytes);
    const entries = await list(zip, limits);
    await mkdir(target, { mode: 0o755 });
    for (const { entry, path: inner, isFolder } of entries) {
      current = inner;
      const place = join(target, inner);
      await mkdir(isFolder ? place : join(place, '..'), { recursive: true, mode: 0o755 });
      if (isFolder) continue;
      await pipeline(
        await zip.openReadStreamPromise(entry),
        counter.stage(inner, entry.crc32),
        createWriteStream(place, { flags: 'wx', mode: 0o644 }),
      );
    }
    return counter.bytes;
  } catch (error) {
    if (error instanceof DomainError || isNoSpace(error)) throw error;
    throw refuse('damaged', current, error);
  } finally {
    zip.close();
  }
}
