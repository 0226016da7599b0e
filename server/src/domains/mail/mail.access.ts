/** Mails: the permission items decide who may; there is nothing between mails. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findMails, type MailRow } from './mail.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    mail: MailRow;
  }
}

export const resolveMails =
  (database: Database): Resolver<'mail'> =>
  async (ids) =>
    new Map((await findMails(database, ids)).map((row) => [row.id, row]));
