/** The mails of the platform, as an administrator looks after them. */
import { expect } from '@playwright/test';
import { test } from '../support/pages-only.ts';
import { PASSWORD } from '../support/platform.ts';

test('an administrator finds a mail, reads it, and sends one again that failed', async ({
  page,
  platform,
}) => {
  const login = { Username: 'admin', Password: PASSWORD };
  expect((await page.request.post('/api/v1/user/auth', { data: login })).status()).toBe(200);
  const asked = await page.request.post('/api/v1/user/captcha', {
    data: { Email: 'someone@example.edu' },
  });
  expect(asked.status()).toBe(202);
  await platform.sql(
    `insert into mail (recipient, language, template, subject, text, html, message_id, state, attempts, error)
     values ('other@example.edu', 'zh-CN', 'passwordChanged', '没有发出的邮件', 'text',
             '<p>hi</p><script>parent.document.title = "taken over"</script>', '<1@x>', 'failed', 9, '451 mailbox is busy')`,
  );
  await page.goto('/admin');
  await page
    .getByRole('navigation', { name: '管理导航' })
    .getByRole('link', { name: '邮件' })
    .click();
  const table = page.getByRole('table');
  await expect(table.getByRole('row').filter({ hasText: 'someone@example.edu' })).toContainText(
    '留在本机',
  );

  await page.getByRole('searchbox').fill('someone');
  await expect(table).not.toContainText('other@example.edu');
  await page.getByRole('button', { name: '查看“超立方注册验证码”' }).click();
  const dialog = page.getByRole('dialog', { name: '超立方注册验证码' });
  await expect(dialog.frameLocator('iframe').locator('.code')).toHaveText(/^\d{6}$/);
  await dialog.getByText('纯文本').click();
  await expect(dialog.getByLabel('邮件内容')).toContainText('您正在注册超立方账号');
  await page.keyboard.press('Escape');

  await page.getByRole('searchbox').fill('');
  await page.getByRole('combobox', { name: '状态' }).selectOption('没有发出');
  const failed = table.getByRole('row').filter({ hasText: '没有发出的邮件' });
  await expect(failed).toContainText('451 mailbox is busy');
  await expect(failed).toContainText('不再尝试');
  // What a mail says runs nothing here.
  await failed.getByRole('button', { name: /查看/ }).click();
  const frame = page.getByRole('dialog').frameLocator('iframe');
  await expect(frame.getByText('hi')).toBeVisible();
  expect(await page.title()).not.toContain('taken over');
  await page.keyboard.press('Escape');

  await failed.getByRole('button', { name: '重新发送' }).click();
  await expect(page.getByRole('log', { name: '提示' })).toContainText('马上会再发一次');
  await expect(failed).toBeHidden();
  await page.getByRole('combobox', { name: '状态' }).selectOption('留在本机');
  await expect(table.getByRole('row').filter({ hasText: '没有发出的邮件' })).toBeVisible();
});

test('a teacher has no such page', async ({ page }) => {
  const login = { Username: 'teacher', Password: PASSWORD };
  await page.request.post('/api/v1/user/auth', { data: login });
  await page.goto('/admin/mail');
  await expect(page).toHaveURL('/404');
});
