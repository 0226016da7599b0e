/** A platform without environments, for tests of pages alone: it starts in a moment and is each file's own. */
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { PASSWORD, Platform } from './platform.ts';

interface TestFixtures {
  /** Signs a new browser in. */
  signIn: (username: string) => Promise<Page>;
}

export const test = base.extend<TestFixtures, { platform: Platform }>({
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

  signIn: async ({ browser, platform }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (username) => {
      const context = await browser.newContext({ baseURL: platform.origin, locale: 'zh-CN' });
      contexts.push(context);
      const answer = await context.request.post('/api/v1/user/auth', {
        data: { Username: username, Password: PASSWORD },
      });
      expect(answer.status()).toBe(200);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});
