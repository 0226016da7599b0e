/**
 * Which part of the texts a piece of the program may show: a text that has not come yet would end
 * the page. The pieces are followed by their imports, as the build does it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEXT_PARTS, loadTexts, type TextPart } from '@hypercube/messages';
import { describe, expect, it } from 'vitest';
import { PAGES, pageOf, type PageName } from './pages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STATIC = /^(?:import|export)(?! type)[^;]*?from '(\.[^']+)'/gms;
const TEXTS = /(?:messages|[mM]essages\(\))\.(\w+)\b/g;
const PIECE = /import\('(\.[^']+)'\)/g;

/** A file and all that it imports at once. */
function graphOf(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const [, path = ''] of readFileSync(entry, 'utf8').matchAll(STATIC)) {
    const file = resolve(dirname(entry), path);
    if (/\.tsx?$/.test(file) && existsSync(file)) graphOf(file, seen);
  }
  return seen;
}

async function keysOf(...parts: readonly TextPart[]): Promise<Set<string>> {
  const loaded = await Promise.all(parts.map((part) => loadTexts('zh-CN', part)));
  return new Set(loaded.flatMap((texts) => Object.keys(texts)));
}

/** Rendered only within the admin area's frame, which waits for its texts. */
const STAFF_FRAME = 'domains/admin/InRole.tsx';

/** What is shown of texts that are not in those parts: `file: group`. */
async function strayTexts(entries: readonly string[], parts: readonly TextPart[]) {
  const [all, here] = await Promise.all([keysOf(...TEXT_PARTS), keysOf(...parts)]);
  const files = new Set(entries.flatMap((entry) => [...graphOf(entry)]));
  return [...files].flatMap((file) => {
    const name = relative(ROOT, file);
    if (name === STAFF_FRAME) return [];
    const used = [...readFileSync(file, 'utf8').matchAll(TEXTS)].map(([, key = '']) => key);
    return [...new Set(used)]
      .filter((key) => all.has(key) && !here.has(key))
      .map((key) => `${name}: ${key}`);
  });
}

const router = resolve(ROOT, 'app/router.tsx');
const shell = resolve(ROOT, 'app/Shell.tsx');
const piecesOf = (text: string, from: string): string[] =>
  [...text.matchAll(PIECE)].map(([, path = '']) => resolve(dirname(from), path));

/** The files of the pages by their names, as the router says them. */
function pageFiles(): [PageName, string][] {
  const text = readFileSync(router, 'utf8');
  const table = text.slice(text.indexOf('const COMPONENTS'), text.indexOf('const rootRoute'));
  const constants = new Map(
    [...text.matchAll(/^const (\w+) = lazyPage\([^;]*?import\('(\.[^']+)'\)/gms)].map(
      ([, name = '', path = '']) => [name, path],
    ),
  );
  return (Object.keys(PAGES) as PageName[])
    .filter((name) => name !== 'index')
    .map((name) => {
      const entry = new RegExp(
        String.raw`^  ${name}: (?:(\w+),|lazyPage\([^;]*?import\('(\.[^']+)'\))`,
        'ms',
      ).exec(table);
      const path = entry?.[2] ?? constants.get(entry?.[1] ?? '');
      if (path === undefined) throw new Error(`the router has no file for ${name}`);
      return [name, resolve(dirname(router), path)];
    });
}

describe('texts', () => {
  it('of the first script come with it', async () => {
    expect(await strayTexts([resolve(ROOT, 'main.tsx')], ['first'])).toEqual([]);
  });
  it('of the pieces of the frame come with the first page', async () => {
    const pieces = piecesOf(readFileSync(shell, 'utf8'), shell);
    expect(pieces.length).toBeGreaterThan(0);
    expect(await strayTexts(pieces, ['first', 'pages'])).toEqual([]);
  });
  it('of a page come with it', async () => {
    const open = pageFiles().filter(([name]) => pageOf(name).area !== 'admin');
    expect(open.length).toBeGreaterThan(10);
    const stray = await Promise.all(
      open.map(async ([name, file]) => {
        const texts = pageOf(name).texts ?? [];
        return (await strayTexts([file], ['first', 'pages', ...texts])).map(
          (found) => `${name}: ${found}`,
        );
      }),
    );
    expect(stray.flat()).toEqual([]);
  });
});
