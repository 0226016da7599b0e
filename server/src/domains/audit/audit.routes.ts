import type { Language, QueryOf, routes } from '@hypercube/contract';
import { loadCatalogue } from '@hypercube/messages';
import type pg from 'pg';
import { readCursor } from '../../platform/database/cursor.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { XLSX_TYPE, momentCell, writeSheet } from '../../platform/sheet/write.ts';
import { presentAudit, presentAuditDetail } from './audit.present.ts';
import {
  exportStatement,
  listAuditKinds,
  listAuditPersons,
  listAuditRows,
  type AuditFilter,
  type ExportedAudit,
} from './audit.queries.ts';

type Filters = QueryOf<typeof routes.exportAudit>;

const filterOf = (query: Filters): AuditFilter => ({
  keyword: query.keyword,
  person: query.person,
  kind: query.kind,
  outcome: query.outcome,
  from: query.from === undefined ? undefined : new Date(query.from),
  to: query.to === undefined ? undefined : new Date(query.to),
  sort: query.sort,
});

export function auditHandlers({
  database,
  pool,
}: {
  readonly database: Database;
  /** For the connection of its own on which an export reads. */
  readonly pool: pg.Pool;
}): HandlersOf<'listAudit' | 'listAuditPersons' | 'exportAudit' | 'getAudit'> {
  async function* lines(filter: AuditFilter): AsyncGenerator<string[][]> {
    for await (const rows of readCursor<ExportedAudit>(pool, exportStatement(database, filter)))
      yield rows.map((row) => [
        momentCell(row.at),
        `${row.nickname} (${row.username})`,
        row.role,
        row.address,
        row.action,
        row.things.map(({ Kind, ID, Title }) => `${Kind} ${ID ?? ''} ${Title}`.trim()).join('; '),
        row.changes
          .map(({ Field, Before, After }) => `${Field}: ${Before ?? ''} → ${After ?? ''}`)
          .join('; '),
        row.code ?? '',
        row.request_id,
      ]);
  }

  const sheet = async (filter: AuditFilter, language: Language) => {
    const { audit: words } = await loadCatalogue(language);
    const heading = [
      words.at,
      words.person,
      words.role,
      words.address,
      words.action,
      words.things,
      words.changes,
      words.outcome,
      words.requestID,
    ];
    return writeSheet(words.title, heading, lines(filter));
  };

  return {
    listAudit: async ({ query }) => {
      const { rows, total } = await listAuditRows(
        database,
        filterOf(query),
        query.page,
        query.pageSize,
      );
      return { List: rows.map(presentAudit), Total: total };
    },

    listAuditPersons: async () => {
      const [persons, kinds] = await Promise.all([
        listAuditPersons(database),
        listAuditKinds(database),
      ]);
      return {
        List: persons.map(({ id, username, nickname }) => ({
          ID: id,
          Username: username,
          Nickname: nickname,
        })),
        Total: persons.length,
        Kinds: kinds,
      };
    },

    exportAudit: async ({ query, reply }) => {
      reply.headers({
        'content-type': XLSX_TYPE,
        'content-disposition': 'attachment; filename="audit.xlsx"',
        'cache-control': 'no-store',
      });
      return sheet(filterOf(query), query.lang);
    },

    getAudit: async ({ scoped }) => presentAuditDetail(scoped.auditID),
  };
}
