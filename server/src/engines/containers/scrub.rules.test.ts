import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scrubFolder } from './scrub.ts';

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hypercube-scrub-'));
  root = join(folder, 'root');
  for (const path of [
    'home/a/.ssh/id',
    'home/a/.bash_history',
    'home/a/history.txt',
    'home/b/.cache/x/y',
    'home/b/project/.ssh/kept',
    'tmp/one',
    'etc/passwd',
  ]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'x');
  }
  mkdirSync(join(folder, 'precious/.ssh'), { recursive: true });
  writeFileSync(join(folder, 'precious/.ssh/id'), 'x');
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = (): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted((a, b) => (a < b ? -1 : 1));

test('takes out what a pattern names, at its depth and nowhere else', async () => {
  await scrubFolder(root, ['home/*/.ssh', 'home/*/.*_history', 'home/*/.cache', 'tmp/*', 'none/x']);
  expect(files()).toEqual(['etc/passwd', 'home/a/history.txt', 'home/b/project/.ssh/kept']);
  expect(existsSync(join(root, 'tmp'))).toBe(true);
});

test('a star stands for a part of one name, and other signs for themselves', async () => {
  writeFileSync(join(root, 'home/a/axb'), 'x');
  writeFileSync(join(root, 'home/a/a.b'), 'x');
  await scrubFolder(root, ['home/a/a.b', 'home/*/h*y.txt']);
  expect(files()).toContain('home/a/axb');
  expect(files()).not.toContain('home/a/a.b');
  expect(files()).not.toContain('home/a/history.txt');
});

test('a link is taken out and never followed', async () => {
  symlinkSync(join(folder, 'precious'), join(root, 'home/evil'));
  symlinkSync(join(folder, 'precious'), join(root, 'home/a/.cache'));
  symlinkSync(join(folder, 'precious/.ssh'), join(root, 'home/b/.ssh'));
  await scrubFolder(root, ['home/*/.ssh/id', 'home/*/.ssh', 'home/*/.cache/.ssh', 'home/*/.cache']);
  expect(existsSync(join(folder, 'precious/.ssh/id'))).toBe(true);
  expect(existsSync(join(root, 'home/evil'))).toBe(true);
  expect(files()).not.toContain('home/a/.cache');
  expect(files()).not.toContain('home/b/.ssh');
});
