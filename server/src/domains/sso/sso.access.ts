/** An identity belongs to the account that it opens. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findIdentitiesOf, type IdentityRow } from './sso.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    ownIdentity: IdentityRow;
  }
}

export const resolveOwnIdentities =
  (database: Database): Resolver<'ownIdentity'> =>
  async (ids, actor) =>
    new Map(
      actor.userID === null
        ? []
        : (await findIdentitiesOf(database, actor.userID, ids)).map((row) => [row.id, row]),
    );
