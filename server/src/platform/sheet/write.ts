/**
 * Writes sheets as xlsx (Office Open XML), row by row: what is read from a cursor goes out as it
 * comes, and memory stays flat however long the list is. Every cell is text, so that nothing in it
 * is ever computed: a cell that begins with `=` is shown, not run.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export const XLSX_TYPE = `${TYPES}.sheet`;
/** A moment as people read it. Whose clock it is says the cell itself: a sheet travels. */
export const momentCell = (date: Date | null): string =>
  date === null ? '' : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Longest text of a cell (the format's own limit). */
const CELL_MAX = 32_767;
/** How much text is gathered before it is passed on. */
const PIECE_LENGTH = 64 * 1024;

const CONTENT_TYPES = `${DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`;
const PACKAGE = `${DECLARATION}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const WORKBOOK_PARTS = `${DECLARATION}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;
/** Style 0 is text (`@`), so that a cell stays text when somebody edits it; style 1 is the heading's. */
const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="49" fontId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
// Control characters and halves of pairs are no XML; a reader would call the whole file damaged.
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(NOT_XML, '')
    .slice(0, CELL_MAX)
    .replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '');

/** What a spreadsheet would take for a formula once the sheet is saved as CSV (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
/** A telephone number may begin with a plus: digits alone are no formula. */
const PLAIN_NUMBER = /^[+-]?\d+$/;

/** A text as a cell holds it. */
export const neutral = (text: string): string =>
  FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;

const rowXml = (cells: readonly string[], style: 0 | 1): string =>
  `<row>${cells
    .map((cell) =>
      cell === ''
        ? `<c s="${style}"/>`
        : `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(neutral(cell))}</t></is></c>`,
    )
    .join('')}</row>`;

async function* sheetXml(
  heading: readonly string[],
  rows: AsyncIterable<readonly (readonly string[])[]>,
): AsyncGenerator<string> {
  yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${Math.max(1, heading.length)}" width="20" customWidth="1"/></cols><sheetData>`;
  let piece = rowXml(heading, 1);
  for await (const part of rows) {
    for (const row of part) {
      piece += rowXml(row, 0);
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
    }
  }
  yield `${piece}</sheetData></worksheet>`;
}

/**
 * A sheet as a stream of bytes.
 * @param name of the sheet, as its tab shows it
 * @param rows in parts, as they are read
 */
export function writeSheet(
  name: string,
  heading: readonly string[],
  rows: AsyncIterable<readonly (readonly string[])[]>,
): Readable {
  const zip = new ZipFile();
  const workbook = `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(name.replaceAll(/[\\/?*[\]:]/g, ' ').slice(0, 31))}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  const add = (text: string, path: string): void => zip.addBuffer(Buffer.from(text), path);
  add(CONTENT_TYPES, '[Content_Types].xml');
  add(PACKAGE, '_rels/.rels');
  add(workbook, 'xl/workbook.xml');
  add(WORKBOOK_PARTS, 'xl/_rels/workbook.xml.rels');
  add(STYLES, 'xl/styles.xml');
  const sheet = Readable.from(sheetXml(heading, rows), { objectMode: false });
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  const bytes = zip.outputStream as Readable;
  // A reader that fails would otherwise leave the answer open for ever, and one that goes away the cursor.
  sheet.on('error', (error) => bytes.destroy(error));
  bytes.on('close', () => sheet.destroy());
  return bytes;
}
