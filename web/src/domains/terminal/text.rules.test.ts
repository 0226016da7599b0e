import { describe, expect, it } from 'vitest';
import { cleanPaste, cleanTitle, isReport, pasteLines, webAddress } from './text.ts';

describe('a paste', () => {
  it('brings no control characters: nothing in it ends the brackets around it', () => {
    expect(cleanPaste('ls\u001B[201~\rrm -rf data')).toBe('ls[201~\nrm -rf data');
    expect(cleanPaste('a\u0003b\u0000c\u007Fd\u009Be')).toBe('abcde');
  });
  it('keeps text, tabs and line ends', () => {
    expect(cleanPaste('并行\t一\r\n二\n🚀')).toBe('并行\t一\n二\n🚀');
  });
  it.each([
    ['one', 1],
    ['one\n', 1],
    ['one\ntwo', 2],
    ['one\ntwo\n', 2],
    ['', 1],
  ])('%j has %i lines', (text, lines) => expect(pasteLines(text)).toBe(lines));
});

describe('a title', () => {
  it('is one short plain line', () => {
    expect(cleanTitle('make\u0007\u202Etxt.exe')).toBe('make  txt.exe');
    expect(Array.from(cleanTitle('算'.repeat(100)))).toHaveLength(40);
    expect(cleanTitle('\u001B\u0000')).toBe('');
  });
});

describe('the terminal’s own answers', () => {
  it.each([
    '\u001B[?1;2c',
    '\u001B[>0;276;0c',
    '\u001B[24;80R',
    '\u001B[0n',
    '\u001B[?2026;2$y',
    '\u001B]11;rgb:ffff/ffff/ffff\u001B\\',
    '\u001BP1$r0m\u001B\\',
    '\u001B[?1;2c\u001B[24;80R',
  ])('are known: %j', (input) => expect(isReport(input)).toBe(true));
  it.each(['a', '\r', '\u001B', '\u001B[A', '\u001BOP', '\u001B[1;5C', '\u001B[3~', '并行', 'c'])(
    'are not keys: %j',
    (input) => expect(isReport(input)).toBe(false),
  );
});

describe('a link', () => {
  it('leads to the web and nowhere else', () => {
    expect(webAddress('https://www.mpi-forum.org/docs')).toBe('https://www.mpi-forum.org/docs');
    for (const text of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'x', ''])
      expect(webAddress(text)).toBeNull();
  });
});
