/** Pictures of supporters: made anew from what was sent, shown to everybody. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { API_BASE, SITE_LIMITS } from '@hypercube/contract';
import type { IncomingFile } from '../../platform/http/upload.ts';
import { makePicture } from '../../platform/storage/pictures.ts';
import { Uploads } from '../../platform/storage/uploads.ts';

/** Longest side, in pixels: sharp on dense screens where it is shown. */
const SIDE = 480;
/** A picture that the settings do not name goes after this, milliseconds. */
const LOOSE_MS = 24 * 3600 * 1000;
export const LOGO_TYPE = 'image/webp';

/** Where a browser finds one. */
export const logoPath = (name: string): string => `${API_BASE}/site/logo/${name}`;

export class Logos {
  readonly #folder: string;
  readonly #uploads: Uploads;

  /** @param dataFolder absolute */
  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'logos');
    this.#uploads = new Uploads(dataFolder);
  }

  /** Keeps a picture under a new name. @throws DomainError `upload_too_large`, `upload_type` */
  async receive(file: IncomingFile): Promise<string> {
    await using workplace = await this.#uploads.workplace();
    const { path } = await this.#uploads.receive(file, SITE_LIMITS.logo, workplace);
    const picture = await makePicture(path, { fit: 'inside', side: SIDE });
    const name = `${randomUUID()}.webp`;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(join(this.#folder, name), picture, { flag: 'wx', mode: 0o600 });
    return name;
  }

  async has(name: string): Promise<boolean> {
    const found = await stat(join(this.#folder, name)).catch(() => undefined);
    return found?.isFile() ?? false;
  }

  /** The picture; undefined when there is none of this name. */
  async read(name: string): Promise<{ stream: Readable; sizeBytes: number } | undefined> {
    const path = join(this.#folder, name);
    const found = await stat(path).catch(() => undefined);
    return found?.isFile() ? { stream: createReadStream(path), sizeBytes: found.size } : undefined;
  }

  /** Removes those that nobody named for a day. */
  async sweep(named: ReadonlySet<string>, now: Date): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      if (named.has(name)) continue;
      const found = await stat(join(this.#folder, name)).catch(() => undefined);
      if (found && found.mtimeMs < now.getTime() - LOOSE_MS)
        await rm(join(this.#folder, name), { force: true });
    }
  }
}
