/** Signing in and the shell around every page. */
import { expect, findLab, PASSWORD, test } from '../support/test.ts';

test('a wrong password is told beside the form, and nothing typed is lost', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('用户名或邮箱').fill('student');
  await page.getByLabel('密码', { exact: true }).fill('not-the-password');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expect(page.getByLabel('用户名或邮箱')).toHaveValue('student');
  await expect(page).toHaveURL(/\/login/);
});

for (const redirect of [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
]) {
  test(`a redirect to ${redirect} stays on this site`, async ({ page, platform }) => {
    await page.goto(`/login?redirect=${encodeURIComponent(redirect)}`);
    await page.getByLabel('用户名或邮箱').fill('student');
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await expect(page.getByRole('button', { name: /林/ }).first()).toBeVisible();
    expect(new URL(page.url()).origin).toBe(platform.origin);
  });
}

test('whoever is signed in finds no page to come in by', async ({ signIn }) => {
  const page = await signIn('student');
  for (const path of ['/login', '/register']) {
    await page.goto(path);
    await expect(page).toHaveURL(/:\d+\/$/);
  }
});

test('a login that ended elsewhere sends to sign-in and back', async ({ signIn }) => {
  const page = await signIn('graduate');
  await page.goto('/lab');
  const link = page.getByRole('link', { name: /OpenMP 归约/ }).first();
  await expect(link).toBeVisible();
  await page.request.delete('/api/v1/user/auth');
  // Whichever call notices first, the page's own or the one behind the link.
  await expect(async () => {
    if (await link.isVisible()) await link.click({ timeout: 1000 });
    await expect(page).toHaveURL(/\/login\?redirect=/, { timeout: 3000 });
  }).toPass();
});

test('language and theme change without losing the page, and are kept', async ({ signIn }) => {
  const page = await signIn('student');
  await page.goto('/lab?sort=latest');
  await page
    .getByRole('button', { name: /EN|English/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Labs' })).toBeVisible();
  await expect(page).toHaveURL(/sort=latest/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Labs' })).toBeVisible();
});

test('an unknown address leads to the not-found page, which leads home', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page).toHaveURL(/\/404$/);
  await page.getByRole('main').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/$/);
});

test('the catalogue filters, searches and sorts in the address', async ({ signIn }) => {
  const page = await signIn('student');
  await page.goto('/lab');
  await page
    .getByRole('searchbox', { name: '查找实验' })
    .or(page.getByLabel('查找实验'))
    .first()
    .fill('缓存');
  await expect(page).toHaveURL(/keyword=/);
  await expect(page.getByRole('link', { name: /矩阵乘法与缓存/ }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: /矩阵乘法与缓存/ }).first()).toBeVisible();
  await page.goto('/lab?keyword=没有这样的实验');
  await expect(page.getByText('没有符合条件的实验')).toBeVisible();
});

test('the command palette opens a lab by keyboard alone', async ({ signIn }) => {
  const page = await signIn('student');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox');
  await expect(box).toBeFocused();
  await box.fill('矩阵');
  await expect(page.getByRole('option', { name: /矩阵乘法与缓存/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '矩阵乘法与缓存' })).toBeVisible();
});

test('a changed password works and the old one does not', async ({ signIn, page }) => {
  const own = await signIn('manager');
  await own.goto('/settings');
  await own.getByLabel('原密码').fill(PASSWORD);
  await own.getByLabel('新密码', { exact: true }).fill('another-1');
  await own.getByLabel('再输入一次新密码').fill('another-1');
  await own.getByRole('button', { name: '修改密码' }).click();
  await expect(own.getByText('密码已修改').first()).toBeVisible();
  expect(
    (
      await page.request.post('/api/v1/user/auth', {
        data: { Username: 'manager', Password: PASSWORD },
      })
    ).status(),
  ).toBe(400);
  expect(
    (
      await page.request.post('/api/v1/user/auth', {
        data: { Username: 'manager', Password: 'another-1' },
      })
    ).status(),
  ).toBe(200);
});

test('on a phone everything is reachable and nothing scrolls sideways', async ({ signIn }) => {
  const page = await signIn('student');
  await page.setViewportSize({ width: 390, height: 844 });
  const { id, tasks } = await findLab(page, '第一个 MPI 程序');
  for (const path of [
    '/',
    '/lab',
    `/lab/${id}`,
    `/lab/${id}/notebook/task/${tasks[0]}`,
    '/settings',
    '/home',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth),
      path,
    ).toBeLessThanOrEqual(390);
  }
});

test('session content cannot be framed or scripted into the platform’s pages', async ({ page }) => {
  const answer = await page.request.get('/');
  expect(answer.headers()['content-security-policy']).toContain("script-src 'self'");
  expect(answer.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
});
