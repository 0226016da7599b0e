/** Shared specifications may be used by everybody who may open environments. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findSpecifications, type Specification } from './specification.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    specification: Specification;
  }
}

export const resolveSpecifications =
  (database: Database): Resolver<'specification'> =>
  async (ids) =>
    new Map(
      (await findSpecifications(database, ids))
        .filter((row) => row.isShared)
        .map((row) => [row.id, row]),
    );
