/** A notification exists for those who were told; what staff sent exists for all who may send. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findOwn, findSent, type SentRow } from './notification.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    ownNotification: { readonly id: number };
    sentNotification: SentRow;
  }
}

export const resolveOwnNotifications =
  (database: Database): Resolver<'ownNotification'> =>
  async (ids, actor) =>
    actor.userID === null || ids.length === 0
      ? new Map()
      : new Map((await findOwn(database, actor.userID, ids)).map((id) => [id, { id }]));

export const resolveSentNotifications =
  (database: Database): Resolver<'sentNotification'> =>
  async (ids) =>
    new Map((await findSent(database, ids)).map((row) => [row.id, row]));
