/** Published software is open; drafts exist for their owner and for admins only. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { managesRow } from '../../platform/access/managed.ts';
import { findSoftware, type SoftwareRow } from './software.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    software: SoftwareRow;
    managedSoftware: SoftwareRow;
  }
}

export const resolveSoftware =
  (database: Database): Resolver<'software'> =>
  async (ids, actor) =>
    new Map(
      (await findSoftware(database, ids))
        .filter((row) => row.isPublished || managesRow(actor, row))
        .map((row) => [row.id, row]),
    );

export const resolveManagedSoftware =
  (database: Database): Resolver<'managedSoftware'> =>
  async (ids, actor) =>
    new Map(
      (await findSoftware(database, ids))
        .filter((row) => managesRow(actor, row))
        .map((row) => [row.id, row]),
    );
