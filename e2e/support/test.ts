/** What every browser test starts from: a running platform, and people who sign in. */
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { PASSWORD, Platform } from './platform.ts';

interface WorkerFixtures {
  platform: Platform;
}
interface TestFixtures {
  /** Signs a new browser in. */
  signIn: (username: string, options?: { language?: 'zh-CN' | 'en-US' }) => Promise<Page>;
  /** Fails a test on an error in the page's console. */
  consoleErrors: string[];
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  platform: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const platform = await Platform.create();
      await platform.waitForImages();
      await use(platform);
      await platform.dispose();
    },
    { scope: 'worker', auto: true, timeout: 1_500_000 },
  ],

  baseURL: async ({ platform }, use) => use(platform.origin),

  // oxlint-disable-next-line no-empty-pattern
  consoleErrors: async ({}, use) => use([]),

  signIn: async ({ browser, platform, consoleErrors }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (username, { language = 'zh-CN' } = {}) => {
      const context = await browser.newContext({
        baseURL: platform.origin,
        locale: language,
        viewport: { width: 1440, height: 900 },
      });
      contexts.push(context);
      await context.addCookies([{ name: 'language', value: language, url: platform.origin }]);
      const answer = await context.request.post('/api/v1/user/auth', {
        data: { Username: username, Password: PASSWORD },
      });
      expect(answer.status()).toBe(200);
      const page = await context.newPage();
      // Jupyter complains in its frame when it is left in the middle of loading; that is not ours.
      page.on('pageerror', (error) => {
        if (!`${error.message} ${error.stack ?? ''}`.includes('/proxy/'))
          consoleErrors.push(error.message);
      });
      return page;
    });
    for (const context of contexts) await context.close();
  },
});

export { expect, PASSWORD };

/** Ends the current environment of a page's user, if there is one. */
export async function endUsage(page: Page): Promise<void> {
  const current = (await (await page.request.get('/api/v1/usage')).json()) as { ID: number } | null;
  if (current) await page.request.delete(`/api/v1/usage/${current.ID}`);
}

/** Id of a lab and of its tasks, by its Chinese title. */
export async function findLab(page: Page, title: string): Promise<{ id: number; tasks: number[] }> {
  const { List } = (await (await page.request.get('/api/v1/lab?pageSize=100')).json()) as {
    List: { ID: number; Title: string }[];
  };
  const id = List.find((lab) => lab.Title === title)?.ID ?? 0;
  const tasks = (await (await page.request.get(`/api/v1/lab/${id}/task`)).json()) as {
    List: { ID: number }[];
  };
  return { id, tasks: tasks.List.map((task) => task.ID) };
}
