/** Settings in the browser: what an administrator sets, a visitor sees; and what goes wrong is said. */
import { expect, type Locator, type Page } from '@playwright/test';
import { Postman } from '../../server/src/testing/postman.ts';
import { test as pagesOnly } from '../support/pages-only.ts';
import { PASSWORD, freePort } from '../support/platform.ts';

const test = pagesOnly.extend<{ admin: Page }, { postman: Postman }>({
  postman: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      await using postman = await Postman.open();
      await use(postman);
    },
    { scope: 'worker' },
  ],
  admin: async ({ page }, use) => {
    const login = { Username: 'admin', Password: PASSWORD };
    expect((await page.request.post('/api/v1/user/auth', { data: login })).status()).toBe(200);
    await page.goto('/admin/setting');
    await use(page);
  },
});

const section = (page: Page, name: string): Locator => page.getByRole('region', { name });
const saved = (page: Page): Locator => page.getByRole('log', { name: '提示' }).getByText('已保存');
async function save(page: Page, part: Locator): Promise<void> {
  await part.getByRole('button', { name: '保存' }).click();
  await expect(saved(page).first()).toBeVisible();
}
/** A visitor of their own, with what each page asked for. */
async function visit(page: Page, path: string): Promise<Page> {
  const context = await page.context().browser()?.newContext();
  if (!context) throw new Error('no browser');
  const visitor = await context.newPage();
  await visitor.goto(new URL(path, page.url()).href);
  return visitor;
}

test('what the site is called, by whom it is backed and what its footer says', async ({
  admin,
}) => {
  const site = section(admin, '站点');
  await site.getByLabel('站点名称（中文）').fill('并行<学堂>');
  await site.getByLabel('站点名称（英文）').fill('Parallel Academy');
  await site.getByLabel('首页大标题（中文）').fill('动手学并行');
  await site.getByRole('button', { name: '添加支持单位' }).click();
  // Nothing is saved by halves: what is wrong is said where it is.
  await site.getByRole('button', { name: '保存' }).click();
  await expect(site.getByRole('alert')).toContainText('请填写名称');
  const supporters = site.getByRole('group', { name: '支持单位' });
  await supporters.getByLabel('名称（中文）').fill('某大学');
  await supporters.getByLabel('网址').fill('https://example.edu/');
  await supporters.getByLabel('标志').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  await expect(supporters.getByRole('button', { name: '去掉标志' })).toBeVisible();
  await site.getByLabel('页脚文字（中文）').fill('某大学超算中心');
  await site.getByRole('button', { name: '添加链接' }).click();
  const links = site.getByRole('group', { name: '页脚链接' });
  await links.getByLabel('标题（中文）').fill('隐私');
  await links.getByLabel('网址').fill('https://example.edu/privacy');
  await site.getByLabel('ICP 备案号').fill('京ICP备12345678号-1');
  await save(admin, site);
  await expect(site).toContainText('由 管理员 于');
  // The administrator's own page follows at once.
  await expect(admin.getByRole('banner')).toContainText('并行<学堂>');
  await expect(admin).toHaveTitle('设置 · 并行<学堂>');

  const visitor = await visit(admin, '/');
  await expect(visitor).toHaveTitle(/ · 并行<学堂>$/);
  await expect(visitor.getByRole('banner')).toContainText('并行<学堂>Parallel Academy');
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('动手学并行');
  const backed = visitor.getByRole('region', { name: '支持单位' });
  await expect(backed.getByRole('link', { name: '某大学' })).toHaveAttribute(
    'href',
    'https://example.edu/',
  );
  await backed.scrollIntoViewIfNeeded();
  await expect(backed.locator('img')).toHaveJSProperty('naturalWidth', 1);
  const footer = visitor.getByRole('contentinfo');
  await expect(footer).toContainText('某大学超算中心');
  await expect(footer.getByRole('link', { name: '隐私' })).toBeVisible();
  await expect(footer.getByRole('link', { name: '京ICP备12345678号-1' })).toBeVisible();
  // It came with the page itself: right from the first paint, and nothing moved.
  const bare = await (await visitor.request.get('/')).text();
  expect(bare).toContain('<title>并行&lt;学堂&gt; Parallel Academy</title>');
  expect(bare).not.toContain('并行<学堂>');
  await visitor.context().close();

  await site.getByRole('button', { name: '恢复为配置里的值…' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: '恢复', exact: true }).click();
  await expect(admin.getByRole('log', { name: '提示' })).toContainText('已恢复为配置里的值');
  await expect(admin.getByRole('banner')).toContainText('超立方');
  await expect(site.getByLabel('站点名称（中文）')).toHaveValue('超立方');
});

test('who may register is said before one types, and held by the server', async ({ admin }) => {
  const registration = section(admin, '注册');
  await registration.getByLabel('自行注册').selectOption('只限指定邮箱');
  await registration.getByLabel('邮箱域名').fill('*.edu.cn\na@b');
  await registration.getByRole('button', { name: '保存' }).click();
  await expect(registration.getByRole('alert')).toContainText('“a@b”不是邮箱域名');
  await registration.getByLabel('邮箱域名').fill('*.edu.cn');
  await registration.getByLabel('教师').uncheck();
  await save(admin, registration);
  const visitor = await visit(admin, '/register');
  await expect(visitor.getByText('只有这些邮箱可以注册：*.edu.cn')).toBeVisible();
  await expect(visitor.getByLabel('身份').getByRole('option')).not.toContainText(['教师']);
  await visitor.getByLabel('邮箱', { exact: true }).fill('a@example.com');
  await expect(visitor.getByRole('button', { name: '获取验证码' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await visitor.getByLabel('邮箱', { exact: true }).fill('a@pku.edu.cn');
  await visitor.getByRole('button', { name: '获取验证码' }).click();
  await expect(visitor.getByText('验证码已发到 a@pku.edu.cn')).toBeVisible();

  await registration.getByLabel('自行注册').selectOption('关闭');
  await registration.getByRole('button', { name: '保存' }).click();
  await expect(registration.getByText('有未保存的修改')).toBeHidden();
  await visitor.reload();
  await expect(visitor.getByText('这里现在不开放自行注册')).toBeVisible();
  await expect(visitor.getByLabel('用户名')).toHaveCount(0);
  const asked = await visitor.request.post('/api/v1/user/captcha', {
    data: { Email: 'a@pku.edu.cn' },
  });
  expect(asked.status()).toBe(403);
  await visitor.context().close();
});

test('a mail server is tried with a real mail, and its own answer is shown', async ({
  admin,
  postman,
}) => {
  const mail = section(admin, '邮件服务器');
  const trial = mail.getByRole('button', { name: '发一封测试邮件给我' });
  await expect(trial).toHaveAttribute('aria-disabled', 'true');
  await mail.getByLabel('启用').check();
  await mail.getByLabel('服务器', { exact: true }).fill('127.0.0.1');
  await mail.getByLabel('端口').fill(String(await freePort()));
  await mail.getByLabel('发件人地址').fill('no-reply@hpc.example.edu');
  await save(admin, mail);
  await trial.click();
  await expect(mail.getByRole('status')).toContainText('没有发出');
  await expect(mail.getByRole('status')).toContainText('ECONNREFUSED');
  await mail.getByLabel('端口').fill(String(postman.port));
  await mail.getByRole('button', { name: '保存' }).click();
  await expect(mail.getByText('有未保存的修改')).toBeHidden();
  await trial.click();
  await expect(mail.getByRole('status')).toContainText('收下了发给 admin@hypercube.local');
  expect(postman.received.map(({ to }) => to)).toEqual([['admin@hypercube.local']]);
});

test('a secret is written and never read; what was typed outlives a change by somebody else', async ({
  admin,
}) => {
  const mail = section(admin, '邮件服务器');
  await mail.getByLabel('用户名').fill('hpc');
  await mail.getByLabel('密码', { exact: true }).fill('a-secret-of-ours');
  const sent = admin.waitForResponse((response) => response.request().method() === 'PUT');
  await mail.getByRole('button', { name: '保存' }).click();
  expect(await (await sent).text()).not.toContain('a-secret-of-ours');
  await expect(mail.getByLabel('密码', { exact: true })).toHaveValue('');
  await expect(mail).toContainText('已保存，不会再显示；留空就不改');
  // The password belongs to that name.
  await mail.getByLabel('用户名').fill('other');
  await expect(mail).toContainText('改了它所属的地址或用户名，请重新填写');
  await mail.getByRole('button', { name: '保存' }).click();
  await expect(mail.getByRole('alert')).toContainText('请填写密码或密钥');
  await mail.getByRole('button', { name: '放弃修改' }).click();

  const retention = section(admin, '保留多久');
  await retention.getByLabel('单次访问记录（天）').fill('90');
  const { Groups } = (await (await admin.request.get('/api/v1/setting?role=admin')).json()) as {
    Groups: { retention: { Version: number } };
  };
  await admin.request.put('/api/v1/setting/retention?role=admin', {
    data: { Version: Groups.retention.Version, Values: { TrackDays: 180, MailDays: 12 } },
  });
  await retention.getByRole('button', { name: '保存' }).click();
  await expect(admin.getByRole('log', { name: '提示' })).toContainText('别人刚刚改过设置');
  // It stays to be read, and nobody is told to load again what is loaded.
  await expect(retention).toContainText('请检查后再保存一次');
  await expect(retention).not.toContainText('请重新载入');
  // Theirs is loaded, ours is still here.
  await expect(retention.getByLabel('发出的邮件（天）')).toHaveValue('12');
  await expect(retention.getByLabel('单次访问记录（天）')).toHaveValue('90');
  await admin.getByRole('link', { name: '超立方' }).click();
  const dialog = admin.getByRole('dialog', { name: '离开这一页？' });
  await dialog.getByRole('button', { name: '取消' }).click();
  await retention.getByRole('button', { name: '保存' }).click();
  await expect(retention.getByText('有未保存的修改')).toBeHidden();
});

test('the sections are reached from the page’s own navigation', async ({ admin }) => {
  await admin.setViewportSize({ width: 390, height: 844 });
  const sections = admin.getByRole('navigation', { name: '设置的各部分' });
  await sections.getByRole('link', { name: '人机验证' }).click();
  const heading = admin.getByRole('heading', { name: '人机验证' });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
