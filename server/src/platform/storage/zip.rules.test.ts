/** What people send as a zip, and what nobody should: nothing is written outside, nothing too much. */
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rawZip, zipOf, type RawEntry } from '../../testing/zips.ts';
import { unpackZip } from './zip.ts';

const LIMITS = { entries: 50, bytes: 3 * 1024 * 1024, ratio: 200 };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hypercube-zip-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function unpack(zip: Buffer, limits = LIMITS): Promise<number> {
  const path = join(folder, 'sent.zip');
  writeFileSync(path, zip);
  return unpackZip(path, zip.length, join(folder, 'out'), limits);
}

const unpacked = (): string[] =>
  readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' }).toSorted((a, b) =>
    a < b ? -1 : 1,
  );

test('files and folders come out as they went in', async () => {
  const size = await unpack(
    await zipOf({
      'src/main.c': 'int main;',
      '数据/第一.csv': '1,2',
      'leer/': '',
      'big.bin': 'x'.repeat(100_000),
    }),
  );
  expect(size).toBe(9 + 3 + 100_000);
  expect(unpacked()).toEqual(['big.bin', 'leer', 'src', 'src/main.c', '数据', '数据/第一.csv']);
  expect(readFileSync(join(folder, 'out/数据/第一.csv'), 'utf8')).toBe('1,2');
  expect(statSync(join(folder, 'out/src/main.c')).mode & 0o777).toBe(0o644);
});

test('names of Chinese Windows are read, and what macOS adds stays behind', async () => {
  // 数据.txt in GBK, without the flag that says UTF-8.
  const gbk = Buffer.from([0xca, 0xfd, 0xbe, 0xdd, 0x2e, 0x74, 0x78, 0x74]);
  await unpack(
    rawZip([
      { name: gbk, content: 'a', flags: 0 },
      { name: '__MACOSX/._a', content: 'b' },
      { name: 'x/.DS_Store', content: 'c' },
    ]),
  );
  expect(unpacked()).toEqual(['数据.txt']);
});

test('a mode with more rights than needed gives no rights', async () => {
  await unpack(rawZip([{ name: 'tool', content: 'x', mode: 0o104777 }]));
  expect(statSync(join(folder, 'out/tool')).mode & 0o7777).toBe(0o644);
});

const zeros = Buffer.alloc(2 * 1024 * 1024);
const many: RawEntry[] = Array.from({ length: 51 }, (_, index) => ({ name: `f${index}` }));

test.each<[string, string, readonly RawEntry[]]>([
  ['a way up', 'traversal', [{ name: '../outside' }]],
  ['a way up further in', 'traversal', [{ name: 'a/../../outside' }]],
  ['a way up that comes back', 'traversal', [{ name: 'a/../b' }]],
  ['an absolute path', 'traversal', [{ name: '/etc/passwd' }]],
  ['a drive letter', 'traversal', [{ name: 'C:/windows' }]],
  ['a backslash', 'traversal', [{ name: '..\\outside' }]],
  ['a share of Windows', 'traversal', [{ name: '\\\\host\\share' }]],
  ['a link', 'link', [{ name: 'way', content: '/etc', mode: 0o120777 }]],
  [
    'a link, then a file through it',
    'link',
    [{ name: 'd', content: '/tmp', mode: 0o120777 }, { name: 'd/f' }],
  ],
  ['a device', 'link', [{ name: 'null', mode: 0o020666 }]],
  ['a named pipe', 'link', [{ name: 'pipe', mode: 0o010666 }]],
  ['an encrypted file', 'encrypted', [{ name: 'secret', flags: 0x801, isDeflated: true }]],
  ['two of one name', 'name', [{ name: 'a' }, { name: 'a' }]],
  ['two that differ in case', 'name', [{ name: 'Read.me' }, { name: 'read.ME' }]],
  ['two folders that differ in case', 'name', [{ name: 'Src/a' }, { name: 'src/b' }]],
  ['two that differ in how an accent is written', 'name', [{ name: 'é' }, { name: 'e\u0301' }]],
  ['a file that is a folder too', 'name', [{ name: 'a' }, { name: 'a/b' }]],
  ['a folder that is a file too', 'name', [{ name: 'a/b' }, { name: 'a' }]],
  ['a control sign', 'name', [{ name: 'a\nb' }]],
  ['a null byte', 'name', [{ name: 'a\0.txt' }]],
  ['a sign that turns the text', 'name', [{ name: 'a\u202Egnp.exe' }]],
  ['an empty part', 'name', [{ name: 'a//b' }]],
  ['a name of only spaces', 'name', [{ name: ' ' }]],
  ['a name that is no text', 'name', [{ name: Buffer.from([0xff, 0xfe, 0xff]), flags: 0x800 }]],
  ['a name that is too long', 'name', [{ name: 'x'.repeat(256) }]],
  ['a path that is too long', 'name', [{ name: 'abc/'.repeat(150) + 'x' }]],
  ['nothing at all', 'empty', []],
  ['only folders', 'empty', [{ name: 'a/' }]],
  ['too many', 'too_many', many],
  [
    'what unpacks to far more than it is',
    'ratio',
    [{ name: 'zeros', content: zeros, isDeflated: true }],
  ],
  [
    'many that are far more together',
    'too_large',
    Array.from({ length: 40 }, (_, index) => ({
      name: `r${index}`,
      content: Buffer.alloc(100_000, `${index}abc`),
    })),
  ],
  [
    'one that says it is smaller than it is',
    'damaged',
    [{ name: 'liar', content: zeros, isDeflated: true, declaredSize: 10 }],
  ],
  ['one whose checksum differs', 'damaged', [{ name: 'bad', content: 'x', crc: 1 }]],
])('%s is refused: %s', async (_what, reason, entries) => {
  await expect(unpack(rawZip(entries))).rejects.toMatchObject({
    code: 'zip_refused',
    params: { Reason: reason },
  });
  expect(existsSync(join(folder, 'outside'))).toBe(false);
  expect(readdirSync(folder).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
    existsSync(join(folder, 'out')) ? ['out', 'sent.zip'] : ['sent.zip'],
  );
});

test.each([
  ['no zip', Buffer.from('this is no zip, but it has some length to it')],
  ['an empty file', Buffer.alloc(0)],
])('%s is refused', async (_what, content) => {
  await expect(unpack(content)).rejects.toMatchObject({ params: { Reason: 'damaged' } });
});

test('a zip that ends in the middle is refused', async () => {
  const whole = await zipOf({ a: 'x'.repeat(10_000), b: 'y' });
  for (const length of [whole.length - 10, whole.length >> 1])
    await expect(unpack(whole.subarray(0, length))).rejects.toMatchObject({
      params: { Reason: 'damaged' },
    });
});

test('the count is what is there, whatever the end of the zip says', async () => {
  const zip = rawZip(many);
  zip.writeUInt16LE(1, zip.length - 14);
  zip.writeUInt16LE(1, zip.length - 12);
  // Only the one that it admits to is read.
  await unpack(zip).catch(() => undefined);
  expect(existsSync(join(folder, 'out')) ? unpacked().length : 0).toBeLessThanOrEqual(1);
});
