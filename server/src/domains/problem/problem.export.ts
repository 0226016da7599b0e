/** The submissions to a problem as a sheet: chosen columns, in the words of a language, row by row. */
import type { Readable } from 'node:stream';
import {
  JudgeState,
  type JudgeVerdict,
  type Language,
  type ProgrammingLanguage,
  type SubmissionColumn,
} from '@hypercube/contract';
import { loadCatalogue, type AllTexts } from '@hypercube/messages';
import type pg from 'pg';
import { readCursor } from '../../platform/database/cursor.ts';
import type { Database } from '../../platform/database/database.ts';
import { momentCell, writeSheet } from '../../platform/sheet/write.ts';
import {
  submissionExportStatement,
  type SubmissionExportRow,
  type SubmissionFilter,
} from './problem.submission.queries.ts';

/** How a column is written. */
const cellsOf = ({
  problem: words,
}: AllTexts): Record<SubmissionColumn, (row: SubmissionExportRow) => string> => ({
  Number: (row) => String(row.id),
  StudentID: (row) => row.student_id ?? '',
  RealName: (row) => row.real_name ?? '',
  Nickname: (row) => row.nickname,
  Username: (row) => row.username,
  Language: (row) => words.languages[row.language as ProgrammingLanguage],
  Verdict: (row) =>
    row.verdict === null
      ? row.state === JudgeState.queued
        ? words.waitingState
        : words.judgingState
      : words.verdicts[row.verdict as JudgeVerdict],
  Passed: (row) => String(row.passed),
  Total: (row) => String(row.total),
  CpuMs: (row) => String(row.cpu_ms ?? ''),
  MemoryBytes: (row) => row.memory_bytes ?? '',
  CreatedAt: (row) => momentCell(row.created_at),
});

/** @param columns in the order in which they are to stand */
export async function exportSubmissions(
  { database, pool }: { readonly database: Database; readonly pool: pg.Pool },
  problemID: number,
  filter: Omit<SubmissionFilter, 'page' | 'pageSize'>,
  columns: readonly SubmissionColumn[],
  language: Language,
): Promise<Readable> {
  const catalogue = await loadCatalogue(language);
  const words = catalogue.problemAdmin;
  const cells = cellsOf(catalogue);
  const chosen = [...new Set(columns)];
  async function* lines(): AsyncGenerator<string[][]> {
    const statement = submissionExportStatement(database, problemID, filter);
    for await (const rows of readCursor<SubmissionExportRow>(pool, statement))
      yield rows.map((row) => chosen.map((column) => cells[column](row)));
  }
  return writeSheet(
    catalogue.problem.submissions,
    chosen.map((column) => words.columns[column]),
    lines(),
  );
}
