/** The catalogue of software: found, narrowed, opened. */
import { findSoftware } from '../support/sessions.ts';
import { endUsage, expect, test } from '../support/test.ts';

test('a visitor reads the catalogue; opening asks to sign in', async ({ page }) => {
  await page.goto('/software');
  await expect(page.getByRole('heading', { level: 1, name: '软件' })).toBeVisible();
  await expect(page.getByRole('list', { name: '软件列表' }).getByRole('link')).not.toHaveCount(0);
  await page.getByRole('link', { name: /Linux 桌面/ }).click();
  await expect(page).toHaveURL(/\/login\?redirect=/);
});

test('type, tag, search and order narrow it, and live in the address', async ({ signIn }) => {
  const page = await signIn('student');
  await page.goto('/software');
  const list = page.getByRole('list', { name: '软件列表' });
  await expect(list.getByRole('link')).not.toHaveCount(1);
  await page.getByRole('link', { name: '网页 IDE', exact: true }).click();
  await expect(page).toHaveURL(/type=3/);
  await expect(list.getByRole('link')).toHaveCount(1);
  await page.goBack();
  await page.getByRole('searchbox', { name: '查找软件' }).fill('JupyterLab');
  await expect(page).toHaveURL(/keyword=JupyterLab/);
  await expect(list.getByRole('link')).toHaveCount(1);
  await page.getByRole('searchbox', { name: '查找软件' }).fill('没有这样的软件');
  await expect(page.getByRole('heading', { name: '没有符合条件的软件' })).toBeVisible();
});

test('the navigation has it after the labs, and the palette finds it', async ({ signIn }) => {
  const page = await signIn('student');
  await page.goto('/');
  const links = page.getByRole('navigation', { name: '主导航' }).getByRole('link');
  await expect(links).toHaveText(['首页', '实验', '课程', '软件', '题库', '资源', '建议']);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: '搜索或跳转' }).fill('JupyterLab');
  await page.getByRole('option', { name: /JupyterLab/ }).click();
  await expect(page).toHaveURL(/\/software\/notebook\/\d+$/);
  await endUsage(page);
});

test('another environment is not ended without a yes', async ({ signIn }) => {
  const page = await signIn('student');
  await endUsage(page);
  const [notebook, desktop] = [
    await findSoftware(page, 'JupyterLab 笔记本'),
    await findSoftware(page, 'Linux 桌面'),
  ];
  await page.goto(`/software/notebook/${notebook.id}`);
  await expect(page.locator('iframe[title^="笔记本"]')).toBeVisible({ timeout: 120_000 });
  const before = (await (await page.request.get('/api/v1/usage')).json()) as { ID: number };
  await page.goto(`/software/desktop/${desktop.id}`);
  await expect(page.getByRole('heading', { name: '您已经有一个环境' })).toBeVisible();
  await page.getByRole('button', { name: '先只读文档' }).click();
  const after = (await (await page.request.get('/api/v1/usage')).json()) as { ID: number };
  expect(after.ID).toBe(before.ID);
  await page.getByRole('button', { name: '打开环境' }).click();
  await page.getByRole('button', { name: '在本页使用它' }).click();
  await expect(page.locator('iframe[title^="笔记本"]')).toBeVisible();
  await endUsage(page);
});

test('the widget tells what the environment uses', async ({ signIn }) => {
  const page = await signIn('student');
  await endUsage(page);
  const { id } = await findSoftware(page, 'JupyterLab 笔记本');
  await page.goto(`/software/notebook/${id}`);
  await expect(page.locator('iframe[title^="笔记本"]')).toBeVisible({ timeout: 120_000 });
  await page.goto('/software');
  const widget = page.getByRole('region', { name: '环境', exact: true });
  await widget.getByRole('button', { name: /^环境：/ }).click();
  await expect(widget).toContainText(/CPU \d+%/);
  await expect(widget).toContainText(/内存 [\d.]+ MiB/);
  await expect(widget).toContainText(/网络 ↓ [\d.]+ (?:B|KiB|MiB)\/秒/);
  await endUsage(page);
});
