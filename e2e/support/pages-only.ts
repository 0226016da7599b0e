/** A platform without environments, for tests of pages alone: it starts in a moment and is each file's own. */
import { test as base } from '@playwright/test';
import { Platform } from './platform.ts';

export const test = base.extend<object, { platform: Platform }>({
  platform: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const platform = await Platform.create({ HC_ENGINE: 'off' });
      await use(platform);
      await platform.dispose();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ platform }, use) => use(platform.origin),
});
