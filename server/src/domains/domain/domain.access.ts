/** Domains and tags are open to everybody; a tag is found only under its own domain. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findDomains, findTags, type DomainRow, type TagRow } from './domain.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    domain: DomainRow;
    tag: TagRow;
  }
}

export const resolveDomains =
  (database: Database): Resolver<'domain'> =>
  async (ids) =>
    new Map((await findDomains(database, ids)).map((row) => [row.id, row]));

export const resolveTags =
  (database: Database): Resolver<'tag'> =>
  async (ids, _actor, found) => {
    const domain = found['domainID'] as DomainRow | undefined;
    return new Map(
      (await findTags(database, ids))
        .filter((row) => domain === undefined || row.domainID === domain.id)
        .map((row) => [row.id, row]),
    );
  };
