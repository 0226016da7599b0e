/** A usage belongs to one user; to everybody else but the staff of the place it does not exist (404). */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findOwnUsageRows, findUsageRows, type UsageRow } from './usage.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    ownUsage: UsageRow;
    anyUsage: UsageRow;
  }
}

/** One's own usages, ended ones included: acting on those has answers of its own. */
export const resolveOwnUsages =
  (database: Database): Resolver<'ownUsage'> =>
  async (ids, actor) =>
    new Map(
      actor.userID === null
        ? []
        : (await findOwnUsageRows(database, ids, actor.userID)).map((row) => [row.id, row]),
    );

/** Anybody's, for routes that only those who run the place may call. */
export const resolveAnyUsages =
  (database: Database): Resolver<'anyUsage'> =>
  async (ids) =>
    new Map((await findUsageRows(database, ids)).map((row) => [row.id, row]));
