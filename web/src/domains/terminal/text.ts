/** What a terminal takes in and gives out, made harmless. */

/** Longest title that a tab shows. */
const TITLE_LENGTH = 40;

/**
 * The text of a paste: no control characters but tabs and line ends. An escape character would end
 * the brackets in which a shell keeps pasted text apart from typed text.
 */
export const cleanPaste = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '').replaceAll(/\r\n?/g, '\n');

/** Lines of a paste; a line end after the last one begins no other. */
export const pasteLines = (text: string): number => text.replace(/\n$/, '').split('\n').length;

/** A title that a program set: one short line without signs that turn the reading direction. */
export function cleanTitle(title: string): string {
  const plain = title.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').trim();
  return Array.from(plain).slice(0, TITLE_LENGTH).join('');
}

const REPORT =
  // oxlint-disable-next-line no-control-regex -- these answers are made of control characters
  /^(?:\u001B\[[?>=]?[\d;]*[cnRytuxI-O]|\u001B\[\?[\d;]*\$y|\u001B\](?:4;\d+|1\d);rgb:[\da-f/]+(?:\u0007|\u001B\\)|\u001BP[01]\$r[^\u001B]*\u001B\\|\u001BP[!>|][^\u001B]*\u001B\\)+$/;

/**
 * Whether some input is the terminal's own answer to a program's question (what it is, where its
 * cursor stands) and no key. Such an answer is right once, from one screen, and at the time.
 */
export const isReport = (input: string): boolean => REPORT.test(input);

/** A link that may be opened: of the web, nothing else. */
export function webAddress(text: string): string | null {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}
