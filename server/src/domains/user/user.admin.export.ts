/** The list of accounts as a sheet: chosen columns, in the words of a language, row by row. */
import type { Readable } from 'node:stream';
import { ROLES, type Gender, type Language, type UserColumn } from '@hypercube/contract';
import { loadCatalogue, type AllTexts } from '@hypercube/messages';
import type pg from 'pg';
import { readCursor } from '../../platform/database/cursor.ts';
import type { Database } from '../../platform/database/database.ts';
import { momentCell, writeSheet } from '../../platform/sheet/write.ts';
import { exportStatement, type ExportRow, type UserFilter } from './user.admin.queries.ts';

/** How a column is written. */
function cellsOf(catalogue: AllTexts): Record<UserColumn, (row: ExportRow) => string> {
  const words = catalogue.userAdmin;
  const types: Partial<Record<number, string>> = words.types;
  const statuses: Partial<Record<number, string>> = words.statuses;
  return {
    Username: (row) => row.username,
    Nickname: (row) => row.nickname,
    RealName: (row) => row.real_name ?? '',
    Email: (row) => row.email,
    Phone: (row) => row.phone ?? '',
    Gender: (row) => (row.gender === null ? '' : words.genders[row.gender as Gender]),
    Organisation: (row) => row.organisation ?? '',
    StudentID: (row) => row.student_id ?? '',
    Type: (row) => types[row.type] ?? '',
    Roles: (row) =>
      ROLES.filter((role) => row.roles.includes(role))
        .map((role) => words.roles[role])
        .join(', '),
    Status: (row) => statuses[row.apply_status] ?? '',
    State: (row) => (row.disabled_at === null ? words.active : words.disabled),
    CreatedAt: (row) => momentCell(row.created_at),
    LastSeenAt: (row) => momentCell(row.last_seen_at),
  };
}

/** @param columns in the order in which they are to stand */
export async function exportSheet(
  { database, pool }: { readonly database: Database; readonly pool: pg.Pool },
  filter: UserFilter,
  columns: readonly UserColumn[],
  language: Language,
): Promise<Readable> {
  const catalogue = await loadCatalogue(language);
  const words = catalogue.userAdmin;
  const cells = cellsOf(catalogue);
  const chosen = [...new Set(columns)];
  async function* lines(): AsyncGenerator<string[][]> {
    for await (const rows of readCursor<ExportRow>(pool, exportStatement(database, filter)))
      yield rows.map((row) => chosen.map((column) => cells[column](row)));
  }
  return writeSheet(
    words.title,
    chosen.map((column) => words.columns[column]),
    lines(),
  );
}
