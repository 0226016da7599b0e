/** WCAG 2.2 AA by axe on every page, in both languages and both themes. */
import AxeBuilder from '@axe-core/playwright';
import { endUsage, expect, findLab, test } from '../support/test.ts';

for (const language of ['zh-CN', 'en-US'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test(`every page, ${language}, ${theme}`, async ({ signIn, consoleErrors }) => {
      test.setTimeout(180_000);
      const page = await signIn('student', { language });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      const { id, tasks } = await findLab(page, '第一个 MPI 程序');
      for (const path of [
        '/',
        '/lab',
        '/lab?keyword=zzzz',
        `/lab/${id}`,
        `/lab/${id}/notebook/task/${tasks[1]}`,
        '/home',
        '/settings',
        '/shortcuts',
        '/404',
      ]) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await page.waitForLoadState('networkidle').catch(() => undefined);
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
          .exclude('iframe')
          .analyze();
        expect(
          violations.map(
            ({ id: rule, nodes }) =>
              `${path} ${rule}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
          ),
        ).toEqual([]);
      }
      await endUsage(page);
      await page.context().clearCookies({ name: 'hc_login' });
      await page.goto('/login');
      await expect(page.getByRole('button', { name: /登录|Sign in|Log in/ }).first()).toBeVisible();
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
        .analyze();
      expect(violations.map(({ id: rule }) => rule)).toEqual([]);
      expect(consoleErrors).toEqual([]);
    });
  }
}
