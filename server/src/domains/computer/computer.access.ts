/** A personal computer belongs to one user; to everybody else it does not exist. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findComputers, type ComputerRow } from './computer.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    ownComputer: ComputerRow;
  }
}

export const resolveOwnComputers =
  (database: Database): Resolver<'ownComputer'> =>
  async (ids, actor) =>
    new Map(
      actor.userID === null
        ? []
        : (await findComputers(database, ids, actor.userID)).map((row) => [row.id, row]),
    );
