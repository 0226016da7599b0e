/** The page on which a problem is solved, without a judge. */
import { expect } from '@playwright/test';
import { test } from '../support/pages-only.ts';
import { PASSWORD } from '../support/platform.ts';

test.use({ viewport: { width: 390, height: 844 }, locale: 'zh-CN' });

test('on a phone one thing scrolls: what is read and written, to the last button', async ({
  page,
}) => {
  await page.request.post('/api/v1/user/auth', {
    data: { Username: 'student', Password: PASSWORD },
  });
  await page.goto('/problem/programming/1');
  await expect(page.getByText('样例输入 1')).toBeVisible();
  await expect(page.locator('.cm-content')).toBeVisible();
  const heights = await page.evaluate(() => [
    document.documentElement.scrollHeight,
    document.documentElement.clientHeight,
  ]);
  expect(heights[0], 'the page itself ends where the window does').toBe(heights[1]);
  await page.getByRole('button', { name: '提交', exact: true }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('button', { name: '提交', exact: true })).toBeInViewport();
});
