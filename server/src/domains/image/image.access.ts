/**
 * Public images may be used by everybody who may open environments, one's own by oneself; an admin
 * looks after all. A version is reached only through its own image.
 */
import type { Resolver } from '../../platform/access/access.ts';
import { managesRow } from '../../platform/access/managed.ts';
import type { Database } from '../../platform/database/database.ts';
import { findImages, findVersions, type ImageRow, type ImageVersionRow } from './image.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    image: ImageRow;
    managedImage: ImageRow;
    imageVersion: ImageVersionRow;
  }
}

/** What somebody else has not finished yet is nobody's business. */
const isOpen = (row: ImageRow): boolean =>
  row.isPublic && (row.slug !== null || row.reference !== null);

export const resolveImages =
  (database: Database): Resolver<'image'> =>
  async (ids, actor) =>
    new Map(
      (await findImages(database, ids))
        .filter((row) => isOpen(row) || managesRow(actor, row))
        .map((row) => [row.id, row]),
    );

export const resolveManagedImages =
  (database: Database): Resolver<'managedImage'> =>
  async (ids, actor) =>
    new Map(
      (await findImages(database, ids))
        .filter((row) => managesRow(actor, row))
        .map((row) => [row.id, row]),
    );

export const resolveImageVersions =
  (database: Database): Resolver<'imageVersion'> =>
  async (ids, _actor, found) => {
    const image = found['imageID'] as ImageRow | undefined;
    return new Map(
      image ? (await findVersions(database, ids, image.id)).map((row) => [row.id, row]) : [],
    );
  };
