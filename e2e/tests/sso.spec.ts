/** Signing on at another site, in a browser and against a real OpenID provider. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { startDemoProvider, type DemoProvider } from '../../server/src/testing/oidc-provider.ts';
import { PASSWORD, Platform, freePort } from '../support/platform.ts';

let provider: DemoProvider;
let platform: Platform;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  // Its port must be known to the provider before it starts, and the provider to it.
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const person = (sub: string, name: string, isVerified: boolean) => ({
    sub,
    preferred_username: sub,
    name,
    email: `${sub}@grid.example`,
    email_verified: isVerified,
    type: 'learner',
  });
  provider = await startDemoProvider({
    port: 0,
    clientID: 'hypercube',
    clientSecret: 'a-secret-of-the-test',
    callbacks: [`${origin}/login/arose`],
    people: [
      person('zhaolin', '赵琳同学', true),
      person('qianhao', '<img src=x onerror=alert(1)>', true),
    ],
    title: '国家网格',
  });
  platform = await Platform.create(
    {
      HC_ENGINE: 'off',
      HC_CAPTCHA: 'off',
      HC_SSO_AROSE_ISSUER: provider.issuer,
      HC_SSO_AROSE_CLIENT_ID: 'hypercube',
      HC_SSO_AROSE_CLIENT_SECRET: 'a-secret-of-the-test',
    },
    port,
  );
});
test.afterAll(async () => {
  await platform.dispose();
  await provider[Symbol.asyncDispose]();
});

const open = (page: Page, path: string) => page.goto(platform.origin + path);
const signOn = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name: '用国家网格账号登录' }).click();
  await page.getByRole('button', { name }).click();
};

test('the first time an account is made, the next time it opens, and leads where one wanted to go', async ({
  page,
  browser,
}) => {
  await open(page, '/settings');
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await expect(page.getByRole('link', { name: /超算互联网/ })).toHaveCount(0);
  await signOn(page, '赵琳同学');
  await expect(page.getByRole('heading', { level: 1, name: '关联账号' })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  const form = page.getByRole('form', { name: '创建新账号' });
  await expect(form.getByLabel('用户名')).toHaveValue('zhaolin');
  await expect(form.getByLabel('昵称')).toHaveValue('赵琳同学');
  await form.getByRole('button', { name: '创建并登录' }).click();
  await expect(page).toHaveURL(/\/settings$/);
  const identities = page.getByRole('region', { name: '第三方登录' });
  await expect(identities.getByText('赵琳同学')).toBeVisible();
  // It has no password to change; a mail can set one.
  await expect(page.getByRole('link', { name: '用邮件设置密码' })).toBeVisible();
  await expect(page.getByLabel('原密码')).toHaveCount(0);
  // The last way in stays.
  await identities.getByRole('button', { name: '解除国家网格账号' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '解除' }).click();
  await expect(page.getByText('这是登录这个账号的唯一方式')).toBeVisible();

  const elsewhere = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
  await open(elsewhere, '/login');
  await signOn(elsewhere, '赵琳同学');
  await expect(elsewhere.getByRole('button', { name: '用户菜单：赵琳同学' })).toBeVisible();
  await elsewhere.context().close();
});

test('the identity is linked to an account by its password, and unlinked again', async ({
  page,
}) => {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await open(page, '/login');
  await signOn(page, '<img src=x onerror=alert(1)>');
  // What the other site calls somebody is text, whatever it looks like.
  await expect(page.getByText('<img src=x onerror=alert(1)>').first()).toBeVisible();
  const form = page.getByRole('form', { name: '关联已有账号' });
  await form.getByLabel('用户名或邮箱').fill('student');
  await form.getByLabel('密码', { exact: true }).fill('not-the-password');
  await form.getByRole('button', { name: '关联并登录' }).click();
  await expect(form.getByRole('alert')).toContainText('用户名或密码不正确');
  await form.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await form.getByRole('button', { name: '关联并登录' }).click();
  await expect(page.getByRole('button', { name: /用户菜单：林/ })).toBeVisible();
  await open(page, '/settings');
  const identities = page.getByRole('region', { name: '第三方登录' });
  await identities.getByRole('button', { name: '解除国家网格账号' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '解除' }).click();
  await expect(identities.getByText('未关联')).toBeVisible();
  await identities.getByRole('button', { name: '关联国家网格账号' }).click();
  // The provider still knows who it is, or asks again; both lead back here.
  await expect(page).toHaveURL(/\/(?:settings|interaction)/);
  const ask = page.getByRole('button', { name: '<img src=x' });
  if (page.url().startsWith(provider.issuer)) await ask.click();
  await expect(identities.getByRole('button', { name: '解除国家网格账号' })).toBeVisible();
  expect(dialogs).toEqual([]);
});

test('whoever declines, or brings nothing, is back at the login page and told why', async ({
  page,
}) => {
  await open(page, '/login');
  await signOn(page, '取消 / Cancel');
  await expect(page).toHaveURL(/\/login\?err=arose$/);
  await expect(page.getByText('用国家网格账号登录没有成功')).toBeVisible();
  for (const [path, err] of [
    ['/login/arose', 'arose'],
    ['/login/scnet?code=made-up&state=made-up', 'scnet'],
  ] as const) {
    await open(page, path);
    await expect(page).toHaveURL(new RegExp(`/login\\?err=${err}$`));
  }
  await open(page, '/select');
  await expect(page).toHaveURL(/\/login$/);
});
