/** Reads sheets that people send: xlsx, xls and csv, as rows of text. Formulas are never computed. */
import { read, utils, type WorkSheet } from '@e965/xlsx';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { DomainError } from '../errors.ts';

/** Largest sheet that is read; it is held in memory as a whole, so it is small. */
export const SHEET_BYTES = 5 * 1024 * 1024;
/** The same unpacked: an xlsx is a zip, and one that grows a hundredfold is no list of people. */
const UNPACKED_BYTES = 40 * 1024 * 1024;
/** Columns beyond this are not a list of people either. */
const COLUMNS_MAX = 50;

const isZip = (bytes: Buffer): boolean =>
  bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';
/** A compound file, which is what xls is. */
const isCompound = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('hex') === 'd0cf11e0';

/** What older spreadsheets write in a Chinese system is GB 18030. */
function textOf(bytes: Buffer): string {
  if (bytes.includes(0)) throw new DomainError('sheet_unreadable');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** Counts what a zip really unpacks to, before something that holds it in memory reads it. */
async function checkUnpacked(bytes: Buffer): Promise<void> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    );
  });
  let total = 0;
  const count = (entry: Entry): Promise<void> =>
    new Promise((resolve, reject) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) {
          reject(error);
          return;
        }
        stream.on('error', reject);
        stream.on('end', resolve);
        stream.on('data', (part: Buffer) => {
          total += part.length;
          if (total > UNPACKED_BYTES) stream.destroy(new Error('it unpacks to too much'));
        });
      });
    });
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      count(entry).then(() => zip.readEntry(), reject);
    });
    zip.readEntry();
  });
}

/** How many rows there are down to the last one with something in it. */
const filledRows = (sheet: WorkSheet): number =>
  (sheet['!data'] ?? []).findLastIndex((row) =>
    // Sparse: a row or a cell that nobody wrote to is not there.
    Object.values(row ?? {}).some((cell) => cell.v !== undefined && cell.v !== ''),
  ) + 1;

/** The first sheet of a book. @param rowsMax how many rows are read of one that is packed; 0: all */
function sheetOf(bytes: Buffer, rowsMax: number): WorkSheet {
  const options = { cellFormula: false, cellHTML: false, dense: true };
  const book =
    isZip(bytes) || isCompound(bytes)
      ? read(bytes, { ...options, type: 'buffer', sheetRows: isZip(bytes) ? rowsMax : 0 })
      : read(textOf(bytes), { ...options, type: 'string', raw: true });
  const [first = ''] = book.SheetNames;
  const sheet = book.Sheets[first];
  if (!sheet) throw new DomainError('sheet_unreadable');
  return sheet;
}

/**
 * Rows of the first sheet; of each cell, the text that it shows.
 * @param rowsMax how many rows may be there, the heading included
 * @throws DomainError `sheet_unreadable`, `sheet_too_long`
 */
export async function readSheet(bytes: Buffer, rowsMax: number): Promise<string[][]> {
  try {
    if (isZip(bytes)) await checkUnpacked(bytes);
    let sheet = sheetOf(bytes, rowsMax + 1);
    // Spreadsheets leave empty rows below, by the thousand: whether those are empty, they tell themselves.
    if (filledRows(sheet) <= rowsMax && sheet['!fullref'] !== undefined) sheet = sheetOf(bytes, 0);
    const filled = filledRows(sheet);
    if (filled > rowsMax) throw new DomainError('sheet_too_long', { Limit: rowsMax - 1 });
    if (filled === 0) return [];
    const { e: last } = utils.decode_range(sheet['!ref'] ?? 'A1');
    const rows = utils.sheet_to_json<unknown[]>(sheet, {
      header: 1,
      raw: false,
      defval: '',
      blankrows: true,
      range: { s: { r: 0, c: 0 }, e: { r: filled - 1, c: Math.min(last.c, COLUMNS_MAX - 1) } },
    });
    return rows.map((row) =>
      row.slice(0, COLUMNS_MAX).map((cell) => (typeof cell === 'string' ? cell.trim() : '')),
    );
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('sheet_unreadable', {}, { cause: error });
  }
}
