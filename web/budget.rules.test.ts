/** The first load stays small: everything that home and the lab list need, compressed. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const BUDGET_BYTES = 210 * 1024;
const root = fileURLToPath(new URL('.', import.meta.url));

interface Chunk {
  readonly type: 'chunk';
  readonly fileName: string;
  readonly facadeModuleId: string | null;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  readonly moduleIds: readonly string[];
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> };
}

let folder: string;
let chunks: ReadonlyMap<string, Chunk>;
let html: string;

beforeAll(async () => {
  // The test's own environment would build the developers' edition of React.
  vi.stubEnv('NODE_ENV', 'production');
  folder = await mkdtemp(join(tmpdir(), 'hypercube-pages-'));
  const result = await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !('output' in output)) throw new Error('no build');
  const made = output.output.filter((file) => file.type === 'chunk') as unknown as Chunk[];
  chunks = new Map(made.map((chunk) => [chunk.fileName, chunk]));
  html = await readFile(join(folder, 'index.html'), 'utf8');
}, 120_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const chunkOf = (module: string): Chunk => {
  const found = [...chunks.values()].find((chunk) => chunk.facadeModuleId?.endsWith(module));
  if (found === undefined) throw new Error(`no chunk of its own for ${module}`);
  return found;
};

/** Chunks that load before the given ones can run, with their styles. */
function filesOf(first: readonly Chunk[]): Set<string> {
  const files = new Set<string>();
  const visit = (chunk: Chunk): void => {
    if (files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const name of chunk.imports) {
      const imported = chunks.get(name);
      if (imported) visit(imported);
    }
  };
  for (const chunk of first) visit(chunk);
  return files;
}

async function compressed(files: Iterable<string>): Promise<number> {
  const sizes = await Promise.all(
    [...files].map(async (file) => gzipSync(await readFile(join(folder, file))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const firstLoad = (): Set<string> =>
  filesOf([
    ...[...chunks.values()].filter((chunk) => chunk.isEntry),
    chunkOf('web/src/domains/lab/LabsPage.tsx'),
    chunkOf('web/src/app/widget/Widget.tsx'),
    chunkOf('messages/src/zh-CN/parts/first.ts'),
    chunkOf('messages/src/zh-CN/parts/pages.ts'),
  ]);

describe('the first load of a signed-in user', () => {
  it('is within the budget', async () => {
    const size = (await compressed(firstLoad())) + gzipSync(html).length;
    expect(size).toBeLessThan(BUDGET_BYTES);
    // A measure that lost its files would always be within the budget.
    expect(size).toBeGreaterThan(80 * 1024);
  });
  it('has one language, and none of the heavy parts', () => {
    const modules = [...firstLoad()].flatMap((file) => chunks.get(file)?.moduleIds ?? []);
    expect(modules.some((id) => id.includes('react-dom'))).toBe(true);
    expect(modules.some((id) => id.includes('messages/src/zh-CN'))).toBe(true);
    for (const heavy of [
      'messages/src/en-US',
      '/katex/',
      '/highlight.js/',
      '/react-markdown/',
      '/zod/',
      '/antd/',
    ]) {
      expect(modules.filter((id) => id.includes(heavy))).toEqual([]);
    }
  });
});

describe('the page itself', () => {
  it('tells which text chunk to begin with for each language', () => {
    for (const language of ['zh-CN', 'en-US']) {
      const { fileName } = chunkOf(`messages/src/${language}/parts/first.ts`);
      expect(html).toContain(`data-texts-${language.toLowerCase()}="/${fileName}"`);
    }
  });
  it('has no script of its own, which the policy would refuse', () => {
    const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>/g)];
    expect(inline).toEqual([]);
    expect(html).not.toMatch(/\son[a-z]+=|javascript:/);
  });
});
