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
  /** Audits that cost points, as `category: id (score) title`. */
  readonly lost: readonly string[];
  /** Addresses that the page fetched. */
  readonly fetched: readonly string[];
}

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));
let chrome: LaunchedChrome | undefined;

const calls = {
  async open(): Promise<void> {
    chrome = await launch({
      ...(CHROMIUM === undefined ? {} : { chromePath: CHROMIUM }),
      chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      logLevel: 'error',
    });
  },

  async judge({ url, cookie, device }: { url: string; cookie: string; device: 'desktop' | 'mobile' }): Promise<Judgement> {
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
    if (!result) throw new Error(`${url}: no report`);
    const { lhr } = result;
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.code} ${lhr.runtimeError.message}`);
    const scores = Object.fromEntries(
      CATEGORIES.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]),
    ) as Record<Category, number>;
    const lost = CATEGORIES.flatMap((name) =>
      (lhr.categories[name]?.auditRefs ?? []).flatMap(({ id, weight }) => {
        const audit = lhr.audits[id];
        const score = audit?.score ?? null;
        if (weight === 0 || score === null || score >= 0.9) return [];
        return [`${name}: ${id} (${Math.round(score * 100)}) ${audit?.displayValue ?? audit?.title ?? ''}`.trim()];
      }),
    );
    const details = lhr.audits['network-requests']?.details;
    const items = details?.type === 'table' ? details.items : [];
    return { scores, lost, fetched: items.map((item) => String(item['url'])) };
  },

  async close(): Promise<void> {
    chrome?.kill();
    chrome = undefined;
  },
};
export type LighthouseCalls = typeof calls;

answerCalls(calls);
