/** Judges pages with Lighthouse in a process of its own; the browser is the system's Chromium. */
import { existsSync } from 'node:fs';
import { launch, type LaunchedChrome } from 'chrome-launcher';
import lighthouse, { desktopConfig } from 'lighthouse';
import { answerCalls } from '../kit/calls.ts';

export const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Judgement {
  /** 0 to 100. */
  readonly scores: Readonly<Record<Category, number>>;
  /** What cost points: the audit's name and how it reads, such as `performance: speed-index` → `1.4 s`. */
  readonly lost: Readonly<Record<string, string>>;
  /** Addresses that the page fetched. */
  readonly fetched: readonly string[];
}

export interface Page {
  readonly url: string;
  readonly cookie: string;
  readonly device: 'desktop' | 'mobile';
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

/** From here on Lighthouse marks an audit green. */
const GOOD = 0.9;
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
let chrome: LaunchedChrome | undefined;

/**
 * One run of Lighthouse. On a busy machine it now and then misses the page's first trace event; it
 * then says so itself and asks to be run again.
 */
async function run({ url, cookie, device }: Page, isLast: boolean): Promise<Report | undefined> {
  if (!chrome) throw new Error('the browser is not open');
  const result = await lighthouse(
    url,
    {
      port: chrome.port,
      onlyCategories: [...CATEGORIES],
      extraHeaders: { cookie },
      output: 'json',
      logLevel: 'error',
    },
    device === 'desktop' ? desktopConfig : undefined,
  );
  const error = result?.lhr.runtimeError;
  if (!error) return result?.lhr;
  if (isLast) throw new Error(`${url}: ${error.code} ${error.message}`);
  return undefined;
}

const calls = {
  async open(): Promise<void> {
    chrome = await launch({
      ...(CHROMIUM === undefined ? {} : { chromePath: CHROMIUM }),
      chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      logLevel: 'error',
    });
  },

  async judge(page: Page): Promise<Judgement> {
    const lhr = (await run(page, false)) ?? (await run(page, true));
    if (!lhr) throw new Error(`${page.url}: no report`);
    const scores = Object.fromEntries(
      CATEGORIES.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]),
    ) as Record<Category, number>;
    const lost = Object.fromEntries(
      CATEGORIES.flatMap((name) =>
        (lhr.categories[name]?.auditRefs ?? []).flatMap(({ id, weight }) => {
          const audit = lhr.audits[id];
          const score = audit?.score ?? null;
          if (weight === 0 || score === null || score >= GOOD) return [];
          return [[`${name}: ${id}`, audit?.displayValue ?? audit?.title ?? '']];
        }),
      ),
    );
    const details = lhr.audits['network-requests']?.details;
    const items = details?.type === 'table' ? details.items : [];
    return {
      scores,
      lost,
      fetched: items.flatMap(({ url: fetched }) => (typeof fetched === 'string' ? [fetched] : [])),
    };
  },

  async close(): Promise<void> {
    chrome?.kill();
    chrome = undefined;
  },
};
export type LighthouseCalls = typeof calls;

answerCalls(calls);
