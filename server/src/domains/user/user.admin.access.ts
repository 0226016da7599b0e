/** Which accounts and centres staff may reach; whether they may at all, their permission items say. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  findCentres,
  findManagedUsers,
  type CentreListRow,
  type ManagedUserRow,
} from './user.admin.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    managedUser: ManagedUserRow;
    centre: CentreListRow;
  }
}

/** Any account, for those who look after all of them. */
export const resolveManagedUsers =
  (database: Database): Resolver<'managedUser'> =>
  async (ids, actor) =>
    actor.roles.includes('admin')
      ? new Map((await findManagedUsers(database, ids)).map((row) => [row.id, row]))
      : new Map();

export const resolveCentres =
  (database: Database): Resolver<'centre'> =>
  async (ids) =>
    new Map((await findCentres(database, ids)).map((row) => [row.id, row]));
