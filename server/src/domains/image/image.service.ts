/** What other domains may ask of images, and how a build's progress is written down and told. */
import type { Database, Executor } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import {
  findImages,
  listImageRows,
  updateImageBuild,
  upsertImage,
  type BuiltInImage,
  type ImageRow,
} from './image.queries.ts';

export { findImages, listImageRows, type ImageRow };

export type BuildMove = Parameters<typeof updateImageBuild>[2];

/** Writes down how far a built-in image's build is, and tells the pages that wait for it. */
export async function moveBuild(database: Database, slug: string, build: BuildMove): Promise<void> {
  await database.transaction(async (tx) => {
    await updateImageBuild(tx, slug, build);
    await notify(tx, 'image', slug);
  });
}

/** Puts a built-in image in place; its build state stays. @returns its id */
export const seedImage = (db: Executor, image: BuiltInImage): Promise<number> =>
  upsertImage(db, image);
