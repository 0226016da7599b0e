/** Who may reach which account: in this pages, only one's own. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findUser, type UserRow } from './user.queries.ts';

export type ScopedUser = UserRow & { roles: string[] };

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    self: ScopedUser;
  }
}

/** One's own account; anybody else's does not exist. */
export const resolveSelf =
  (database: Database): Resolver<'self'> =>
  async (ids, actor) => {
    const found = new Map<number, ScopedUser>();
    const own = ids.find((id) => id === actor.userID);
    const row = own === undefined ? undefined : await findUser(database, own);
    if (row) found.set(row.id, row);
    return found;
  };
