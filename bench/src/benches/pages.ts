/**
 * The pages of the production build, served by our own server to somebody who is signed in: what
 * the first load weighs, and what Lighthouse says of it.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { startWorker } from '../kit/calls.ts';
import { fillLabs } from '../kit/filling.ts';
import { Platform } from '../kit/platform.ts';
import { progress, type Result, type Row } from '../kit/report.ts';
import { median } from '../kit/statistics.ts';
import type { Category, Judgement, LighthouseCalls } from '../workers/lighthouse.worker.ts';

const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url));
const LIMIT_BYTES = 210_000;
const LEAST: Readonly<Record<Category, number>> = {
  performance: 90,
  accessibility: 100,
  'best-practices': 100,
};
/** Performance moves from run to run, so its median counts; the phone's figures are only told. */
const RUNS = { desktop: 3, mobile: 1 } as const;
const LABS = 60;

/** Built files that a page fetched and what they weigh compressed. */
async function weigh(
  fetched: readonly string[],
  origin: string,
): Promise<{ path: string; bytes: number }[]> {
  const paths = new Set(
    fetched
      .filter((address) => address.startsWith(`${origin}/`))
      .map((address) => new URL(address).pathname)
      .map((path) => (path === '/' ? '/index.html' : path)),
  );
  const built = [...paths].filter((path) => existsSync(join(DIST, path)));
  return Promise.all(
    built.map(async (path) => {
      const content = await readFile(join(DIST, path));
      // Fonts and pictures are compressed already and are sent as they are.
      const isText = /\.(?:js|css|html|svg|json|txt)$/.test(path);
      return {
        path,
        bytes: isText ? (await promisify(gzip)(content, { level: 9 })).length : content.length,
      };
    }),
  );
}

/** Figures of several runs as one: the middle of each score. */
function combine(runs: readonly Judgement[]): Judgement {
  const middle = (category: Category): number => median(runs.map(({ scores }) => scores[category]));
  return {
    scores: {
      performance: middle('performance'),
      accessibility: middle('accessibility'),
      'best-practices': middle('best-practices'),
    },
    lost: Object.assign({}, ...runs.map(({ lost }) => lost)) as Judgement['lost'],
    fetched: [...new Set(runs.flatMap(({ fetched }) => fetched))],
  };
}

export async function benchPages(): Promise<Result> {
  if (!existsSync(join(DIST, 'index.html'))) throw new Error('web/dist is missing: npm run build');
  await using platform = await Platform.start({ kind: 'none' });
  await using browser = startWorker<LighthouseCalls>('lighthouse');
  await fillLabs(platform, LABS);
  const cookie = await platform.signIn('student');
  const [lab] = await platform.sql('select id from lab where slug is not null order by id limit 1');
  const pages = { home: '/', 'lab list': '/lab', 'lab detail': `/lab/${String(lab?.['id'])}` };
  const rows: Row[] = [];
  const figures: Record<string, unknown> = {};
  await browser.call('open', undefined);
  try {
    for (const [name, path] of Object.entries(pages)) {
      for (const device of ['desktop', 'mobile'] as const) {
        const runs: Judgement[] = [];
        for (let run = 0; run < RUNS[device]; run += 1) {
          progress(`pages: ${name}, ${device}, ${run + 1} of ${RUNS[device]}`);
          runs.push(await browser.call('judge', { url: platform.origin + path, cookie, device }));
        }
        const judgement = combine(runs);
        const { scores, lost } = judgement;
        figures[`${name}, ${device}`] = { scores, lost, runs: runs.map((run) => run.scores) };
        for (const [audit, reading] of Object.entries(lost)) progress(`  ${audit}: ${reading}`);
        if (name === 'home' && device === 'desktop') {
          const files = await weigh(judgement.fetched, platform.origin);
          const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
          figures['first load'] = { bytes, files };
          rows.push({
            bench: 'pages',
            what: `first load of home, signed in, gzip (${files.length} files)`,
            measured: `${(bytes / 1000).toFixed(1)} kB`,
            against: 'limit',
            target: `≤ ${LIMIT_BYTES / 1000} kB`,
            isMet: bytes <= LIMIT_BYTES,
          });
        }
        rows.push({
          bench: 'pages',
          what: `Lighthouse, ${name}, ${device}`,
          measured: Object.values(scores).map(Math.round).join(' / '),
          against: 'performance / accessibility / best practices',
          target: device === 'desktop' ? `≥ ${Object.values(LEAST).join(' / ')}` : 'told only',
          isMet:
            device === 'desktop'
              ? (Object.keys(LEAST) as Category[]).every(
                  (category) => scores[category] >= LEAST[category],
                )
              : null,
        });
      }
    }
  } finally {
    await browser.call('close', undefined);
  }
  return { rows, figures };
}
