/**
 * Personal folders: one per user, mounted into their environments. A learner's program can put
 * anything there, symbolic links included, so every step opens a folder without following links
 * and works below that open handle (`/proc/self/fd/N/name`, Linux's way to say "at"): a link that
 * is swapped in between two steps changes nothing.
 */
import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import {
  chown,
  link,
  lstat,
  mkdir,
  open,
  rename,
  unlink,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { join, posix } from 'node:path';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;
const FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

/** Owner of the files: the learner's user inside every practice image. */
export const LEARNER = { uid: 1000, gid: 1000 } as const;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** Something on the way is not an ordinary folder or file; the platform does not follow it. */
export class UnsafePathError extends Error {
  readonly path: string;
  constructor(path: string, options?: ErrorOptions) {
    super(`not an ordinary folder or file: ${path}`, options);
    this.name = 'UnsafePathError';
    this.path = path;
  }
}

/** An open folder; names are resolved in it and nowhere else. */
class Folder implements AsyncDisposable {
  readonly #handle: FileHandle;
  readonly path: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.path = path;
  }

  static async open(path: string): Promise<Folder> {
    return new Folder(await open(path, FOLDER), '');
  }

  at(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`;
  }

  /** Opens a folder below, making it when it is not there. */
  async enter(name: string): Promise<Folder> {
    const path = posix.join(this.path, name);
    try {
      await mkdir(this.at(name), { mode: 0o755 });
      const made = new Folder(await open(this.at(name), FOLDER), path);
      await made.#handle.chown(LEARNER.uid, LEARNER.gid);
      return made;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    try {
      return new Folder(await open(this.at(name), FOLDER), path);
    } catch (error) {
      if (['ELOOP', 'ENOTDIR'].includes(codeOf(error) ?? ''))
        throw new UnsafePathError(path, { cause: error });
      throw error;
    }
  }

  async has(name: string): Promise<boolean> {
    return lstat(this.at(name)).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

/** A file to bring in: where it lies on the host, and its path below the destination. */
export interface IncomingFile {
  readonly source: string;
  readonly path: string;
}

export interface CopyOutcome {
  copied: string[];
  kept: string[];
  renamed: { from: string; to: string }[];
}

/** `name (1).c`, `name (2).c`, … */
function numbered(name: string, number: number): string {
  const { name: stem, ext } = posix.parse(name);
  return `${stem} (${number})${ext}`;
}

export class PersonalFiles {
  readonly #root: string;

  /** @param dataFolder absolute */
  constructor(dataFolder: string) {
    this.#root = join(dataFolder, 'files');
  }

  /** Folder of a user on the host; made, with its owner, when it is not there. */
  async folderOf(userID: number): Promise<string> {
    const path = join(this.#root, String(userID));
    await mkdir(path, { recursive: true, mode: 0o755 });
    const { uid } = await lstat(path);
    // Without root the platform's own user owns the folder, and engines map it.
    if (uid !== LEARNER.uid && process.getuid?.() === 0)
      await chown(path, LEARNER.uid, LEARNER.gid);
    return path;
  }

  /**
   * Copies files below a folder of the user. Everything is written beside its place first, so a
   * full disk leaves nothing half-done; then each name is taken atomically.
   * @param onConflict absent: existing names are told and nothing is written
   * @returns what happened, or the names that exist already
   * @throws UnsafePathError
   */
  async copyIn(
    userID: number,
    folderName: string,
    files: readonly IncomingFile[],
    onConflict: 'keep' | 'rename' | 'replace' | undefined,
  ): Promise<CopyOutcome | { conflicts: string[] }> {
    await using root = await Folder.open(await this.folderOf(userID));
    await using base = await root.enter(folderName);
    const outcome: CopyOutcome = { copied: [], kept: [], renamed: [] };
    const opened = new Map<string, Folder>([['', base]]);
    const staged: { folder: Folder; temporary: string; name: string; path: string }[] = [];

    const folderFor = async (path: string): Promise<Folder> => {
      const known = opened.get(path);
      if (known) return known;
      const parent = await folderFor(posix.dirname(path) === '.' ? '' : posix.dirname(path));
      const folder = await parent.enter(posix.basename(path));
      opened.set(path, folder);
      return folder;
    };

    try {
      const places = [];
      for (const file of files) {
        const directory = posix.dirname(file.path);
        const folder = await folderFor(directory === '.' ? '' : directory);
        const name = posix.basename(file.path);
        places.push({ file, folder, name, exists: await folder.has(name) });
      }
      const existing = places.filter(({ exists }) => exists).map(({ file }) => file.path);
      if (existing.length > 0 && onConflict === undefined) return { conflicts: existing };

      for (const { file, folder, name, exists } of places) {
        if (exists && onConflict === 'keep') {
          outcome.kept.push(file.path);
          continue;
        }
        const temporary = `.hypercube-${randomUUID()}`;
        staged.push({ folder, temporary, name, path: file.path });
        const handle = await open(
          folder.at(temporary),
          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
          0o644,
        );
        try {
          await writeFile(handle, createReadStream(file.source));
          if (process.getuid?.() === 0) await handle.chown(LEARNER.uid, LEARNER.gid);
        } finally {
          await handle.close();
        }
      }
      for (const { folder, temporary, name, path } of staged)
        await place(folder, temporary, name, path);
      return outcome;
    } finally {
      for (const { folder, temporary } of staged)
        await unlink(folder.at(temporary)).catch(() => undefined);
      for (const [path, folder] of opened) if (path !== '') await folder[Symbol.asyncDispose]();
    }

    /** Gives a staged file its name; `link` refuses a name that exists, `rename` replaces it. */
    async function place(
      folder: Folder,
      temporary: string,
      name: string,
      path: string,
    ): Promise<void> {
      if (onConflict === 'replace') {
        await rename(folder.at(temporary), folder.at(name)).catch((error: unknown) => {
          throw ['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')
            ? new UnsafePathError(path, { cause: error })
            : error;
        });
        outcome.copied.push(path);
        return;
      }
      for (let number = 0; ; number += 1) {
        const chosen = number === 0 ? name : numbered(name, number);
        try {
          await link(folder.at(temporary), folder.at(chosen));
          if (number === 0) outcome.copied.push(path);
          else outcome.renamed.push({ from: path, to: posix.join(posix.dirname(path), chosen) });
          return;
        } catch (error) {
          if (codeOf(error) !== 'EEXIST') throw error;
          if (onConflict === 'keep') {
            outcome.kept.push(path);
            return;
          }
        }
      }
    }
  }
}
