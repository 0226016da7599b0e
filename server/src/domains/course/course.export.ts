/** The members of a course as a sheet: chosen columns, in the words of a language, row by row. */
import type { Readable } from 'node:stream';
import type { Language, MemberColumn } from '@hypercube/contract';
import { loadCatalogue, type AllTexts } from '@hypercube/messages';
import type pg from 'pg';
import { readCursor } from '../../platform/database/cursor.ts';
import type { Database } from '../../platform/database/database.ts';
import { momentCell, writeSheet } from '../../platform/sheet/write.ts';
import {
  memberExportStatement,
  type MemberExportRow,
  type MemberFilter,
} from './course.people.queries.ts';

/** How a column is written. */
const cellsOf = (catalogue: AllTexts): Record<MemberColumn, (row: MemberExportRow) => string> => ({
  StudentID: (row) => row.student_id ?? '',
  RealName: (row) => row.real_name ?? '',
  Nickname: (row) => row.nickname,
  Username: (row) => row.username,
  Organisation: (row) => row.organisation ?? '',
  Email: (row) => row.email,
  State: (row) => catalogue.courseTold.states[row.role === 'waiting' ? 'waiting' : 'joined'],
  AppliedAt: (row) => momentCell(row.applied_at),
  JoinedAt: (row) => momentCell(row.joined_at),
});

/** @param columns in the order in which they are to stand */
export async function exportMembers(
  { database, pool }: { readonly database: Database; readonly pool: pg.Pool },
  courseID: number,
  filter: MemberFilter,
  columns: readonly MemberColumn[],
  language: Language,
): Promise<Readable> {
  const catalogue = await loadCatalogue(language);
  const words = catalogue.courseTold;
  const cells = cellsOf(catalogue);
  const chosen = [...new Set(columns)];
  async function* lines(): AsyncGenerator<string[][]> {
    const statement = memberExportStatement(database, courseID, filter);
    for await (const rows of readCursor<MemberExportRow>(pool, statement))
      yield rows.map((row) => chosen.map((column) => cells[column](row)));
  }
  return writeSheet(
    words.sheet,
    chosen.map((column) => words.columns[column]),
    lines(),
  );
}
