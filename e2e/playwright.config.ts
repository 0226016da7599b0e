import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { browserPath } from './support/browser.ts';

/** Beside the results, which are cleared at every start. */
const BROWSER_FOLDER = fileURLToPath(new URL('.browser', import.meta.url));

/** Real pages in the system's Chromium against the real platform, one at a time: it has one engine. */
export default defineConfig({
  testDir: './tests',
  outputDir: './test-results',
  fullyParallel: false,
  workers: 1,
  // Where nobody watches, a test that fails is tried once more; one that then passes is listed as flaky.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: browserPath(BROWSER_FOLDER),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
