/** The personal computer: made, used, its home kept, deleted with its name typed. */
import { showTerminal, typeLine } from '../support/sessions.ts';
import { endUsage, expect, test } from '../support/test.ts';

test('a personal computer keeps its home from one start to the next, until it is deleted', async ({
  signIn,
}) => {
  test.setTimeout(300_000);
  const page = await signIn('student2');
  await endUsage(page);
  await page.goto('/personal-computer');
  await expect(page.getByRole('heading', { level: 1, name: '个人电脑' })).toBeVisible();
  await page.getByRole('button', { name: '创建我的电脑' }).click();

  const start = page.getByRole('button', { name: '打开环境' });
  await expect(start, 'nothing starts by itself').toBeVisible();
  await start.click();
  const connection = page.getByRole('status', { name: '桌面连接' });
  await expect(connection).toContainText('已连接', { timeout: 120_000 });
  await showTerminal(page);
  await typeLine(page, 'echo kept-by-home > ~/mine; echo kept-by-data > ~/data/e2e-computer');

  await page.getByRole('button', { name: '更多操作' }).first().click();
  await page.getByRole('menuitem', { name: '删除环境' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除环境' }).click();
  await page.getByRole('button', { name: '重新打开环境' }).click();
  // The page still shows the command line.
  await expect(page.getByRole('tab')).toHaveCount(1, { timeout: 120_000 });
  const rows = await showTerminal(page);
  await typeLine(page, 'cat ~/mine ~/data/e2e-computer');
  await expect(rows).toContainText('kept-by-home');
  await expect(rows).toContainText('kept-by-data');

  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await page.getByRole('button', { name: '删除这台电脑' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: '删除这台电脑' });
  await dialog.getByRole('textbox').fill(`${name}x`);
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox').fill(name);
  await confirm.click();
  await expect(page.getByRole('button', { name: '创建我的电脑' })).toBeVisible();
  await endUsage(page);
});
