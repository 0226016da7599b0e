import type { Database } from '../../platform/database/database.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { presentDomain, presentTag } from './domain.present.ts';
import { listDomainRows, listTagRows, listTagRowsOf } from './domain.queries.ts';

export const domainHandlers = (database: Database): HandlersOf<'listDomains' | 'listTags'> => ({
  listDomains: async ({ query }) => {
    const [domains, tags] = await Promise.all([listDomainRows(database), listTagRows(database)]);
    return {
      List: domains.map((row) => presentDomain(row, tags, query.lang)),
      Total: domains.length,
    };
  },
  listTags: async ({ scoped, query }) => {
    const rows = await listTagRowsOf(database, scoped.domainID);
    return { List: rows.map((row) => presentTag(row, query.lang)), Total: rows.length };
  },
});
