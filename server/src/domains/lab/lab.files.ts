/**
 * The files of labs. A folder that environments may have mounted never changes: what changes is
 * made in a new edition of the folder, which shares the unchanged files by hard links, and the lab
 * is moved to it. Pictures are named by their content and are not mounted, so they are added to
 * the edition that is there.
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream, type ReadStream } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LabRow } from './lab.queries.ts';

/** Below the data folder. */
const FOLDER = 'labs';
/** An edition that no record names may still be in the making until then. */
const ORPHAN_MS = 3600 * 1000;

type Part = 'bundle' | 'media';

export interface BundleEntry {
  /** Below the bundle folder, with forward slashes. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** Gives a file a second name, or makes a copy where the file system knows no second names. */
async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV'].includes(String(code))) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

/** Makes a folder like another one, with the same files. */
async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o755 });
  const entries = await readdir(from, { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    if (entry.isDirectory()) await linkTree(join(from, entry.name), join(to, entry.name));
    else if (entry.isFile()) await linkFile(join(from, entry.name), join(to, entry.name));
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** A folder of files that is being made; nobody has seen it yet. */
export class Edition {
  /** Below the data folder. */
  readonly folder: string;
  readonly #root: string;

  constructor(root: string, folder: string) {
    this.#root = root;
    this.folder = folder;
  }

  #bundle(path: string): string {
    return join(this.#root, this.folder, 'bundle', path);
  }

  has(path: string): Promise<boolean> {
    return exists(this.#bundle(path));
  }

  /** Takes a file or a folder over from where it was made. */
  async take(source: string, path: string): Promise<void> {
    await rename(source, this.#bundle(path));
  }

  async remove(path: string): Promise<void> {
    await rm(this.#bundle(path), { recursive: true, force: true });
  }
}

export class LabFiles {
  readonly #root: string;

  /** @param dataFolder absolute */
  constructor(dataFolder: string) {
    this.#root = dataFolder;
  }

  /** Host folder of a part; null for a lab without files. */
  folderOf(lab: Pick<LabRow, 'folder'>, part: Part): string | null {
    return lab.folder === null ? null : join(this.#root, lab.folder, part);
  }

  /** Begins an edition of a lab's own with the files of another folder, or with none. */
  async begin(labID: number, from: string | null): Promise<Edition> {
    const folder = posix.join(FOLDER, `${labID}-${randomUUID().slice(0, 8)}`);
    const edition = new Edition(this.#root, folder);
    try {
      for (const part of ['bundle', 'media']) {
        const target = join(this.#root, folder, part);
        if (from === null) await mkdir(target, { recursive: true, mode: 0o755 });
        else await linkTree(join(this.#root, from, part), target);
      }
      return edition;
    } catch (error) {
      await this.discard(folder);
      throw error;
    }
  }

  async discard(folder: string): Promise<void> {
    await rm(join(this.#root, folder), { recursive: true, force: true });
  }

  /** Files of a resource: one, or all of its folder, in order of their paths. */
  async entries(lab: Pick<LabRow, 'folder'>, path: string): Promise<BundleEntry[]> {
    const bundle = this.folderOf(lab, 'bundle');
    if (bundle === null) return [];
    const top = await lstat(join(bundle, path)).catch(() => undefined);
    if (top?.isFile()) return [{ path, sizeBytes: top.size }];
    if (!top?.isDirectory()) return [];
    const found = (
      await readdir(join(bundle, path), { recursive: true, withFileTypes: true })
    ).filter((entry) => entry.isFile());
    const entries = await Promise.all(
      found.map(async (entry) => ({
        path: join(entry.parentPath, entry.name).slice(bundle.length + 1),
        sizeBytes: (await stat(join(entry.parentPath, entry.name))).size,
      })),
    );
    return entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /**
   * Puts a picture or video into a folder, named by its content.
   * @returns its name
   */
  async addMedia(folder: string, source: string, extension: string): Promise<string> {
    const name = `${(await hashOf(source)).slice(0, 20)}.${extension}`;
    const media = join(this.#root, folder, 'media');
    await mkdir(media, { recursive: true, mode: 0o755 });
    await rename(source, join(media, name));
    return name;
  }

  /** A picture or video of the text; undefined when there is none of that name. */
  async openMedia(
    lab: Pick<LabRow, 'folder'>,
    name: string,
  ): Promise<{ stream: ReadStream; sizeBytes: number } | undefined> {
    const folder = this.folderOf(lab, 'media');
    if (folder === null) return undefined;
    const handle = await open(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
      () => undefined,
    );
    if (!handle) return undefined;
    const { size } = await handle.stat();
    return { stream: createReadStream('', { fd: handle }), sizeBytes: size };
  }

  /** Removes editions that no record names, of a process that ended in the middle. */
  async sweepOrphans(known: ReadonlySet<string>, nowMs = Date.now()): Promise<void> {
    const names = await readdir(join(this.#root, FOLDER)).catch(() => []);
    for (const name of names) {
      const folder = posix.join(FOLDER, name);
      if (known.has(folder)) continue;
      const found = await stat(join(this.#root, folder)).catch(() => undefined);
      if (found && nowMs - found.mtimeMs > ORPHAN_MS) await this.discard(folder);
    }
  }
}
