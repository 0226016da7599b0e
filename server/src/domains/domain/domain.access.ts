/** Domains and tags are open to everybody. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findDomains, type DomainRow } from './domain.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    domain: DomainRow;
  }
}

export const resolveDomains =
  (database: Database): Resolver<'domain'> =>
  async (ids) =>
    new Map((await findDomains(database, ids)).map((row) => [row.id, row]));
