import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BoundedLog, logFiles } from './bounded-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hypercube-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (path: string): string =>
  logFiles(path)
    .map((file) => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return '';
      }
    })
    .join('');

test('keeps the end of what was written, and never more than a mebibyte', () => {
  const path = join(folder, 'deep', 'build.log');
  const log = new BoundedLog(path);
  for (let line = 0; line < 60_000; line += 1) log.write(`line ${line} ${'x'.repeat(40)}`);
  const text = read(path);
  expect(text.endsWith(`line 59999 ${'x'.repeat(40)}\n`)).toBe(true);
  expect(text.length).toBeLessThanOrEqual(1024 * 1024);
  expect(text.length).toBeGreaterThan(400 * 1024);
  log.write('y'.repeat(5_000_000));
  log.end();
  expect(Buffer.byteLength(read(path))).toBeLessThanOrEqual(1024 * 1024);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('begins anew', () => {
  const path = join(folder, 'build.log');
  const first = new BoundedLog(path);
  for (let line = 0; line < 20_000; line += 1) first.write(`old ${'x'.repeat(40)}`);
  first.end();
  const second = new BoundedLog(path);
  second.write('new');
  second.end();
  expect(read(path)).toBe('new\n');
});
