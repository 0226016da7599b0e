/** Public images may be used by everybody who may open environments. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findImages, type ImageRow } from './image.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    image: ImageRow;
  }
}

export const resolveImages =
  (database: Database): Resolver<'image'> =>
  async (ids) =>
    new Map(
      (await findImages(database, ids)).filter((row) => row.isPublic).map((row) => [row.id, row]),
    );
