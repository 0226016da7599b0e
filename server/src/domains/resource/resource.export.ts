/** The list of applications as a sheet, in the words of a language, row by row. */
import type { Readable } from 'node:stream';
import { ResourceApplyStatus, type Language } from '@hypercube/contract';
import { loadCatalogue, type AllTexts } from '@hypercube/messages';
import type pg from 'pg';
import { readCursor } from '../../platform/database/cursor.ts';
import type { Database } from '../../platform/database/database.ts';
import { inLanguage } from '../../platform/language.ts';
import { momentCell, writeSheet } from '../../platform/sheet/write.ts';
import {
  exportStatement,
  type ExportRow,
  type ResourceFilter,
  type StaffScope,
} from './resource.queries.ts';

type Column = keyof AllTexts['resource']['sheet'];

/** How a column is written; in the order in which they stand there. */
function cellsOf(
  { resource: words }: AllTexts,
  language: Language,
): Record<Column, (row: ExportRow) => string> {
  const statuses: Readonly<Record<number, string>> = {
    [ResourceApplyStatus.pending]: words.statuses.pending,
    [ResourceApplyStatus.approved]: words.statuses.approved,
    [ResourceApplyStatus.rejected]: words.statuses.rejected,
  };
  return {
    project: (row) => row.project,
    applicantName: (row) => row.applicant_name,
    username: (row) => row.username,
    organisation: (row) => row.organisation,
    phone: (row) => row.phone,
    email: (row) => row.email,
    centre: (row) => inLanguage(language, row.centre_zh, row.centre_en),
    cpuHours: (row) => String(row.cpu_hours),
    purpose: (row) => row.purpose,
    software: (row) => inLanguage(language, row.software_zh ?? '', row.software_en ?? ''),
    status: (row) => statuses[row.status] ?? '',
    reason: (row) => row.reason ?? '',
    createdAt: (row) => momentCell(row.created_at),
    updatedAt: (row) => momentCell(row.updated_at),
  };
}

/** What staff look after, as the filter has it; account information is never in it. */
export async function exportSheet(
  { database, pool }: { readonly database: Database; readonly pool: pg.Pool },
  filter: ResourceFilter,
  scope: StaffScope,
  language: Language,
): Promise<Readable> {
  const catalogue = await loadCatalogue(language);
  const words = catalogue.resource;
  const cells = cellsOf(catalogue, language);
  const columns = Object.keys(cells) as Column[];
  async function* lines(): AsyncGenerator<string[][]> {
    for await (const rows of readCursor<ExportRow>(pool, exportStatement(database, filter, scope)))
      yield rows.map((row) => columns.map((column) => cells[column](row)));
  }
  return writeSheet(
    words.adminTitle,
    columns.map((column) => words.sheet[column]),
    lines(),
  );
}
