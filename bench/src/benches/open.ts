/**
 * From `POST /usage` until the learner sees it — a drawn desktop, the web IDE's workbench — against
 * the same container started by hand and opened at its own address. The two take turns, one
 * container at a time. The notebook has a bench of its own, `kernel`.
 */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from '@playwright/test';
import { ByHand } from '../kit/by-hand.ts';
import { Platform } from '../kit/platform.ts';
import { progress, type Result, type Row } from '../kit/report.ts';
import { Screen } from '../kit/rfb.ts';
import { median } from '../kit/statistics.ts';
import { until } from '../kit/waiting.ts';

const ROUNDS = 5;
const LIMIT = 1.3;
/** How often the server of a fresh container is asked whether it answers. */
const PROBE_MS = 10;
/** Height of the desktop's panel, in pixels. */
const PANEL = 30;
/**
 * An empty screen has one colour, and one with icons some dozens; panel and wallpaper have more
 * than this each.
 */
const FEW_COLOURS = 100;
const VIEWPORT = { width: 1280, height: 800 } as const;
const SHOWN_MS = 60_000;
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

/** Different colours between two lines, by every ninth pixel. */
function colours(screen: Screen, from: number, to: number): number {
  const found = new Set<number>();
  for (let y = from; y < to; y += 3) {
    for (let x = 0; x < screen.width; x += 3)
      found.add(screen.pixels.readUInt32LE((y * screen.width + x) * 4) & 0xffffff);
  }
  return found.size;
}

/** Connects as a page would, and waits until panel and wallpaper are drawn. */
async function desktopShown(base: string, cookie: string): Promise<void> {
  const screen = await Screen.connect(`${base}ws`, cookie === '' ? {} : { cookie }, true);
  const isDrawn = (): boolean =>
    colours(screen, 0, PANEL) > FEW_COLOURS && colours(screen, PANEL, screen.height) > FEW_COLOURS;
  try {
    await screen.update(false);
    // What changes next comes by itself; a desktop that stays empty is one that failed.
    const limit = setTimeout(() => screen.close(), SHOWN_MS);
    while (!isDrawn()) await screen.update(true);
    clearTimeout(limit);
  } finally {
    screen.close();
  }
}

/** Opens the page in a browser that knows nothing yet, and waits for the editor. */
async function workbenchShown(browser: Browser, base: string, cookie: string): Promise<void> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const [name = '', value = ''] = cookie.split('=');
    if (cookie !== '') await context.addCookies([{ name, value, url: base }]);
    const page = await context.newPage();
    await page.goto(base, { waitUntil: 'commit' });
    await page.waitForSelector('.monaco-workbench', { timeout: SHOWN_MS });
  } finally {
    await context.close();
  }
}

export async function benchOpen(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'containers', images: ['desktop', 'ide'] });
  if (!platform.engine)
    throw new Error(
      'the rival is started through the platform’s own podman, which is not what runs here',
    );
  const byHand = new ByHand(platform.engine.socketPath, platform.engine.diskLimit === 'exact');
  const cookie = await platform.signIn('student');
  const browser = await chromium.launch({
    ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
    args: ['--no-proxy-server'],
  });
  const kinds = [
    {
      what: 'desktop drawn',
      software: 'linux-desktop',
      port: 7070,
      path: '/desktop/',
      shown: desktopShown,
    },
    {
      what: 'web IDE’s workbench visible',
      software: 'web-ide',
      port: 8080,
      path: '/',
      shown: (base: string, as: string) => workbenchShown(browser, base, as),
    },
  ];
  const rows: Row[] = [];
  const figures: Record<string, unknown> = {};
  try {
    for (const { what, software, port, path, shown } of kinds) {
      const opened = await platform.software(software);
      const ours = async (): Promise<number> => {
        const began = performance.now();
        const session = await platform.openSession(cookie, opened);
        await shown(platform.origin + session.path, cookie);
        const elapsed = performance.now() - began;
        await platform.closeSession(cookie, session.usageID);
        return elapsed;
      };
      const rival = async (): Promise<number> => {
        const spec = await platform.worker.call('lastSpec', undefined);
        await byHand.remove();
        const began = performance.now();
        const origin = `http://${await byHand.start(spec)}:${port}`;
        await until(
          'the container answers',
          () =>
            fetch(`${origin}/healthz`).then(
              ({ ok }) => ok,
              () => false,
            ),
          Boolean,
          { everyMs: PROBE_MS },
        );
        await shown(origin + path, '');
        const elapsed = performance.now() - began;
        await byHand.remove();
        return elapsed;
      };
      const series = { ours: [] as number[], rival: [] as number[] };
      for (let round = 0; round <= ROUNDS; round += 1) {
        // The first round fills the page cache, and tells the rival what to start.
        const order = round % 2 === 0 ? (['ours', 'rival'] as const) : (['rival', 'ours'] as const);
        for (const party of order) {
          const elapsed = party === 'ours' ? await ours() : await rival();
          if (round > 0) series[party].push(elapsed);
        }
        if (round > 0)
          progress(
            `open: ${what}, ${round} of ${ROUNDS}: ${seconds(series.ours.at(-1))}, by hand ${seconds(series.rival.at(-1))}`,
          );
      }
      const [mine, theirs] = [median(series.ours), median(series.rival)];
      figures[what] = series;
      rows.push({
        bench: 'open',
        what: `${what}, p50 of ${ROUNDS} starts`,
        measured: `${seconds(mine)} = ${(mine / theirs).toFixed(2)} ×`,
        against: `${seconds(theirs)} (same container by hand)`,
        target: `≤ ${LIMIT} × by hand`,
        isMet: mine <= LIMIT * theirs,
      });
    }
  } finally {
    await browser.close();
    await byHand.remove();
    byHand.close();
  }
  return { rows, figures };
}

const seconds = (ms: number | undefined): string => `${((ms ?? Number.NaN) / 1000).toFixed(2)} s`;
