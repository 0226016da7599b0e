/** What leaves the grading list: the grade sheet, and everything that was handed in as a zip. */
import { createReadStream, type ReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Language } from '@hypercube/contract';
import { loadCatalogue } from '@hypercube/messages';
import { ZipFile } from 'yazl';
import type { Database } from '../../platform/database/database.ts';
import { writeSheet } from '../../platform/sheet/write.ts';
import type { HomeworkFiles } from './homework.files.ts';
import { listAllScores } from './homework.score.queries.ts';
import { cellsOf, numberOrUsername, peopleOfSheet } from './homework.sheet.ts';
import { listExportedRows, type ExportedRow } from './homework.submission.queries.ts';

/** The grade sheet of a homework, as it is read back. */
export async function exportScores(
  database: Database,
  homeworkID: number,
  language: Language,
): Promise<Readable> {
  const { homeworkTold } = await loadCatalogue(language);
  const { StudentID, Name, Score, Comment } = homeworkTold.columns;
  const people = await listAllScores(database, homeworkID);
  const names = peopleOfSheet(people);
  async function* lines(): AsyncGenerator<string[][]> {
    yield people.map((person) => cellsOf(names, person));
  }
  return writeSheet(homeworkTold.sheet, [StudentID, Name, Score, Comment], lines());
}

/** A name that is one step of a path on every system, whatever somebody called themselves. */
export const stepOf = (text: string): string =>
  text
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[/\\:*?"<>|\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, '_')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
    .slice(0, 80) || '_';

/** Folders of learners, no two of which are one on any system. */
function foldersOf(rows: readonly ExportedRow[]): Map<number, string> {
  const taken = new Set<string>();
  return new Map(
    rows.map((row) => {
      const folder = stepOf(`${numberOrUsername({ ...row, id: row.userID })}_${row.name}`);
      const isTaken = taken.has(folder.toLowerCase());
      taken.add(folder.toLowerCase());
      return [row.userID, isTaken ? `${folder}_${row.username}` : folder];
    }),
  );
}

/** Another name for a file that is called like one before it. */
function freeName(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.');
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1)
    free = dot > 0 ? `${name.slice(0, dot)} (${count})${name.slice(dot)}` : `${name} (${count})`;
  taken.add(free.toLowerCase());
  return free;
}

/** Everything that was handed in, with a folder for each learner; read from the disk as it goes out. */
export async function exportSubmissions(
  database: Database,
  files: Pick<HomeworkFiles, 'pathOf'>,
  homeworkID: number,
  language: Language,
): Promise<Readable> {
  const { homeworkTold } = await loadCatalogue(language);
  const rows = await listExportedRows(database, homeworkID);
  const folders = foldersOf(rows);
  const zip = new ZipFile();
  const bytes = zip.outputStream as Readable;
  let current: ReadStream | undefined;
  // A file that went meanwhile would otherwise leave the answer open for ever.
  zip.on('error', (error: Error) => bytes.destroy(error));
  for (const row of rows) {
    const folder = folders.get(row.userID) ?? '';
    const taken = new Set<string>();
    if (row.text.trim() !== '')
      zip.addBuffer(
        Buffer.from(row.text),
        `${folder}/${freeName(`${homeworkTold.textFile}.md`, taken)}`,
      );
    // What is handed in is packed already: documents, PDFs and zips.
    for (const { name, stored } of row.files)
      zip.addReadStreamLazy(
        `${folder}/${freeName(stepOf(name), taken)}`,
        { compress: false },
        (give) => {
          current = createReadStream(files.pathOf(stored));
          give(null, current);
        },
      );
  }
  zip.end();
  // Whoever goes away leaves no file open.
  bytes.on('close', () => current?.destroy());
  return bytes;
}
