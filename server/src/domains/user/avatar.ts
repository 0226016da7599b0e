/** Pictures of people: made anew from what was sent, one file for each account. */
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SIZE_LIMITS } from '@hypercube/contract';
import type { IncomingFile } from '../../platform/http/upload.ts';
import { makePicture } from '../../platform/storage/pictures.ts';
import { Uploads } from '../../platform/storage/uploads.ts';

/** Side of the square, in pixels: sharp on dense screens where it is shown largest. */
const SIDE = 256;
export const AVATAR_TYPE = 'image/webp';

export class Avatars {
  readonly #folder: string;
  readonly #uploads: Uploads;

  /** @param dataFolder absolute */
  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'avatars');
    this.#uploads = new Uploads(dataFolder);
  }

  #path(userID: number): string {
    return join(this.#folder, `${userID}.webp`);
  }

  /**
   * Makes a picture of what is being sent, and puts it in the place of the one before.
   * @throws DomainError `upload_too_large`, `upload_type`
   */
  async receive(userID: number, file: IncomingFile): Promise<void> {
    await using workplace = await this.#uploads.workplace();
    const { path } = await this.#uploads.receive(file, SIZE_LIMITS.avatar, workplace);
    const picture = await makePicture(path, { fit: 'square', side: SIDE });
    const made = join(workplace.path, 'made');
    await writeFile(made, picture, { mode: 0o600 });
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // A reader sees the old picture or the new one, never a part.
    await rename(made, this.#path(userID));
  }

  /** The picture; undefined when there is none. */
  async read(userID: number): Promise<{ stream: Readable; sizeBytes: number } | undefined> {
    const handle = await open(this.#path(userID), 'r').catch(() => undefined);
    if (!handle) return undefined;
    const { size } = await handle.stat();
    return { stream: handle.createReadStream(), sizeBytes: size };
  }

  async remove(userID: number): Promise<void> {
    await rm(this.#path(userID), { force: true });
  }

  /** Removes the pictures of accounts that are gone. */
  async sweep(
    isThere: (userIDs: readonly number[]) => Promise<ReadonlySet<number>>,
  ): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = names.map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger);
    const left = await isThere(ids);
    for (const id of ids) if (!left.has(id)) await this.remove(id);
  }
}
