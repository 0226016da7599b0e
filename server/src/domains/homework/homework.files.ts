/**
 * The files of homework on the disk: each under a name that nobody chose, in one folder. What a
 * file is, is told by how it begins and not only by what it calls itself.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { DomainError, isNoSpace } from '../../platform/errors.ts';
import { isPlainName } from '../../platform/storage/names.ts';

/** Below the data folder. */
const FOLDER = 'homework';
/** A file that no record names may still be on its way until then. */
const ORPHAN_MS = 3600 * 1000;
const HEAD_BYTES = 1024;
/** Files of the folder that are looked up together. */
const BATCH = 1000;

const at = (head: Buffer, offset: number, sign: string): boolean =>
  head.subarray(offset, offset + sign.length).toString('latin1') === sign;

/** Some programs put a few bytes before the sign of a PDF. */
const isPdf = (head: Buffer): boolean => head.includes('%PDF-');
const isZip = (head: Buffer): boolean =>
  at(head, 0, 'PK\u0003\u0004') || at(head, 0, 'PK\u0005\u0006');
const isCompound = (head: Buffer): boolean => at(head, 0, '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1');
/** A document with a password is a compound file, whatever it is called. */
const isOffice = (head: Buffer): boolean => isZip(head) || isCompound(head);

const SIGNS: Readonly<Record<string, (head: Buffer) => boolean>> = {
  pdf: isPdf,
  zip: isZip,
  doc: isCompound,
  xls: isCompound,
  ppt: isCompound,
  docx: isOffice,
  xlsx: isOffice,
  pptx: isOffice,
  mp4: (head) => at(head, 4, 'ftyp'),
  mkv: (head) => at(head, 0, '\x1A\x45\xDF\xA3'),
};

/** Throws what the disk's refusal means to the user; everything else as it is. */
export function translate(error: unknown): never {
  if (isNoSpace(error)) throw new DomainError('storage_full', {}, { cause: error });
  throw error;
}

/** Extension of a name, without the dot. */
export const extensionOf = (name: string): string => extname(name).slice(1).toLowerCase();

/**
 * Refuses what a file may not be called, or is not.
 * @throws DomainError `file_name_invalid`, `upload_type`
 */
export function checkName(name: string, allowed: readonly string[]): void {
  if (!isPlainName(name)) throw new DomainError('file_name_invalid', { Name: name.slice(0, 200) });
  if (!allowed.includes(extensionOf(name)))
    throw new DomainError('upload_type', { Allowed: [...allowed] });
}

/** Whether a file begins as one of its extension does. */
export async function isWhatItSays(path: string, name: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return SIGNS[extensionOf(name)]?.(buffer.subarray(0, bytesRead)) === true;
  } finally {
    await handle.close();
  }
}

export class HomeworkFiles {
  readonly #folder: string;

  /** @param dataFolder absolute */
  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, FOLDER);
  }

  /** Takes a file over from where it was received. @returns its name in the folder */
  async keep(source: string): Promise<string> {
    const stored = randomUUID();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await rename(source, this.pathOf(stored));
    return stored;
  }

  pathOf(stored: string): string {
    return join(this.#folder, stored);
  }

  async discard(stored: string): Promise<void> {
    await rm(this.pathOf(stored), { force: true });
  }

  /** Removes files that no record names any more: of what was deleted, or of a process that ended in the middle. */
  async sweep(
    findKnown: (names: readonly string[]) => Promise<ReadonlySet<string>>,
    nowMs = Date.now(),
  ): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (let start = 0; start < names.length; start += BATCH) {
      const batch = names.slice(start, start + BATCH);
      const known = await findKnown(batch);
      for (const name of batch) {
        if (known.has(name)) continue;
        const found = await stat(this.pathOf(name)).catch(() => undefined);
        if (found && nowMs - found.mtimeMs > ORPHAN_MS) await this.discard(name);
      }
    }
  }
}
