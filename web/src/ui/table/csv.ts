/** Tables as files that spreadsheets open. */

/** A cell that a spreadsheet would take for a formula is made text by an apostrophe (OWASP, CSV injection). */
const safe = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const cell = (value: string): string => {
  const text = safe(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Comma-separated values (RFC 4180) with a byte order mark, without which Excel reads Chinese wrongly. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;

/** Hands a text to the browser as a download. */
export function download(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has its own hold on the data by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
