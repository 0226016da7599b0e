/** Who may reach which account: people their own, and everybody the pictures of the others. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  findLoginSessionsOf,
  findPictured,
  findUser,
  type LoginSessionRow,
  type UserRow,
} from './user.queries.ts';

export type ScopedUser = UserRow & { roles: string[] };

/** An account of which only the picture is asked. */
export interface Pictured {
  readonly id: number;
  readonly avatarAt: Date;
}

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    self: ScopedUser;
    pictured: Pictured;
    ownDevice: LoginSessionRow;
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

/** Accounts that have a picture; the others have none to ask for. */
export const resolvePictured =
  (database: Database): Resolver<'pictured'> =>
  async (ids) =>
    new Map(
      (await findPictured(database, ids)).flatMap(({ id, avatarAt }) =>
        avatarAt === null ? [] : [[id, { id, avatarAt }]],
      ),
    );

/** A login session belongs to its user; nobody else can name it. */
export const resolveOwnDevices =
  (database: Database): Resolver<'ownDevice'> =>
  async (ids, actor) =>
    new Map(
      actor.userID === null
        ? []
        : (await findLoginSessionsOf(database, actor.userID, ids)).map((row) => [row.id, row]),
    );
