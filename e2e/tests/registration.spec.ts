/** Coming in with the human check on: registration, a forgotten password, by hand and by keyboard. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect, type APIRequestContext, type Page } from '@playwright/test';
import { solvePuzzle } from '../../web/src/domains/captcha/sha256.ts';
import { PASSWORD, Platform } from '../support/platform.ts';

const test = base.extend<{ admin: APIRequestContext }, { platform: Platform }>({
  platform: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const platform = await Platform.create({ HC_CAPTCHA: 'slider', HC_ENGINE: 'off' });
      await use(platform);
      await platform.dispose();
    },
    { scope: 'worker', timeout: 300_000 },
  ],

  baseURL: async ({ platform }, use) => use(platform.origin),

  /** Somebody who may read the mails, signed in as a program that does the work of the check. */
  admin: async ({ playwright, platform }, use) => {
    const request = await playwright.request.newContext({ baseURL: platform.origin });
    const scene = { Scene: 'ic_activity' };
    const asked = await request.post('/api/v1/captcha/challenge', {
      data: { Kind: 'work', ...scene },
    });
    const { SessionId, Salt, Puzzles, Bits } = (await asked.json()) as {
      SessionId: string;
      Salt: string;
      Puzzles: number;
      Bits: number;
    };
    const Nonces = Array.from({ length: Puzzles }, (_, index) => solvePuzzle(Salt, index, Bits));
    const passed = await request.post('/api/v1/captcha/answer', {
      data: { SessionId, ...scene, Nonces },
    });
    const answer = await request.post('/api/v1/user/auth', {
      data: { Username: 'admin', Password: PASSWORD, Captcha: await passed.json() },
    });
    expect(answer.status()).toBe(200);
    await use(request);
    await request.dispose();
  },
});

/** The text of the newest mail to an address, once it is there. */
async function readMail(admin: APIRequestContext, to: string): Promise<string> {
  let text = '';
  await expect
    .poll(async () => {
      const list = await admin.get(`/api/v1/mail?role=admin&keyword=${to}`);
      const { List } = (await list.json()) as { List: { ID: number; State: string }[] };
      const [row] = List;
      if (row?.State !== 'captured') return false;
      const mail = await admin.get(`/api/v1/mail/${row.ID}?role=admin`);
      text = ((await mail.json()) as { Text: string }).Text;
      return true;
    })
    .toBe(true);
  return text;
}

/** Drags the handle as a hand does, to where only the server knows the gap. */
async function drag(page: Page, platform: Platform, beside = 0): Promise<void> {
  const handle = page.locator('.captcha-handle');
  await expect(page.locator('.captcha-piece')).toBeVisible();
  const [row] = await platform.sql<{ gap: number }>(
    `select (secret ->> 'gap')::int as gap from captcha_challenge
      where secret ->> 'kind' = 'slider' order by created_at desc limit 1`,
  );
  const box = await handle.boundingBox();
  const rail = await page.locator('.captcha-rail').boundingBox();
  if (!row || !box || !rail) throw new Error('there is no slider');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const way = ((row.gap + beside) * rail.width) / 320;
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 60; step += 1) {
    const share = 1 - (1 - step / 60) ** 2;
    await page.mouse.move(x + way * share, y + Math.sin(step) * 2);
  }
  await page.mouse.up();
}

/** Fills everything but the code. */
async function fillForm(page: Page, username: string): Promise<void> {
  await page.getByLabel('用户名', { exact: true }).fill(username);
  await page.getByLabel('邮箱', { exact: true }).fill(`${username}@example.edu`);
  await page.getByLabel('密码', { exact: true }).fill('new-pass-1');
  await page.getByLabel('再输入一次密码').fill('new-pass-1');
  await page.getByLabel('昵称').fill('新来的同学');
  await page.getByLabel('手机号').fill('13800138000');
  await page.getByLabel('性别').selectOption('女');
}

test('a newcomer registers: picks a university, drags the slider, types the code, and is in', async ({
  page,
  platform,
  admin,
}) => {
  await page.goto('/login?redirect=/software');
  await page.getByRole('link', { name: '注册' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '注册' })).toBeVisible();
  await fillForm(page, 'newcomer');
  await page.getByLabel('身份').selectOption('研究生');
  // The organisation is found by its English name and shown by its Chinese one.
  const organisation = page.getByRole('combobox', { name: '单位' });
  await organisation.pressSequentially('tsinghua univ');
  await expect(
    page.getByRole('listbox', { name: '单位' }).getByRole('option').first(),
  ).toContainText('清华大学');
  await organisation.press('ArrowDown');
  await organisation.press('Enter');
  await expect(organisation).toHaveValue('清华大学');

  await page.getByRole('button', { name: '获取验证码' }).click();
  const dialog = page.getByRole('dialog', { name: '请完成验证' });
  await drag(page, platform, 40);
  await expect(dialog.getByText('没有对上').first()).toBeVisible();
  await drag(page, platform);
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/验证码已发到 newcomer@example.edu/)).toBeVisible();
  await expect(page.getByRole('button', { name: /秒后可重发/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  // Whoever has mistyped the address need not wait to send to the right one.
  const address = page.getByLabel('邮箱', { exact: true });
  await address.fill('newcomer2@example.edu');
  const send = page.getByRole('button', { name: '获取验证码' });
  await expect(send).toBeVisible();
  await expect(send).not.toHaveAttribute('aria-disabled', 'true');
  await address.fill('newcomer@example.edu');
  await expect(page.getByRole('button', { name: /秒后可重发/ })).toBeVisible();
  const [code = ''] = /\d{6}/.exec(await readMail(admin, 'newcomer@example.edu')) ?? [];

  // A wrong code is told beside its field, and nothing that was typed is lost.
  await page.getByLabel('邮箱验证码').fill(code === '111111' ? '222222' : '111111');
  await page.getByRole('button', { name: '注册' }).click();
  await drag(page, platform);
  await expect(page.getByRole('alert')).toContainText('验证码不正确');
  await expect(page.getByLabel('昵称')).toHaveValue('新来的同学');
  await page.getByLabel('邮箱验证码').fill(code);
  await page.getByRole('button', { name: '注册' }).click();
  await drag(page, platform);
  await expect(page).toHaveURL('/software');
  const session = (await (await page.request.get('/api/v1/user/auth')).json()) as object;
  expect(session).toMatchObject({ Username: 'newcomer', Type: 3, Status: 0 });
});

test('what cannot be registered is told while typing, beside its field', async ({ page }) => {
  await page.goto('/register');
  await page.getByLabel('用户名', { exact: true }).fill('Student');
  await page.getByLabel('邮箱', { exact: true }).fill('teacher@hypercube.local');
  await page.getByLabel('密码', { exact: true }).fill('new-pass-1');
  await page.getByLabel('再输入一次密码').fill('new-pass-2');
  await page.getByRole('button', { name: '注册' }).click();
  const summary = page.getByRole('alert');
  await expect(summary).toContainText('两次输入的密码不一致');
  await expect(summary).toContainText('这个用户名已被使用');
  await expect(summary).toContainText('这个邮箱已被使用');
  await expect(page.getByLabel('用户名', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('用户名', { exact: true }).fill('somebody-new');
  await expect(page.getByText('可以使用')).toBeVisible();
  // A reload keeps what was typed, and no password.
  await page.reload();
  await expect(page.getByLabel('用户名', { exact: true })).toHaveValue('somebody-new');
  await expect(page.getByLabel('密码', { exact: true })).toHaveValue('');
});

test('a university is chosen by keys, and what is chosen is in view', async ({ page }) => {
  await page.goto('/register');
  const field = page.getByRole('combobox', { name: '单位' });
  await field.fill('大学');
  const options = page.getByRole('listbox', { name: '单位' }).getByRole('option');
  await expect(options).toHaveCount(20);
  for (let step = 0; step < 15; step += 1) await field.press('ArrowDown');
  await expect(options.and(page.locator('[aria-selected="true"]'))).toBeInViewport({ ratio: 0.9 });
  await field.press('Escape');
  await expect(options).toHaveCount(0);
});

test('a forgotten password is set anew by keyboard alone, and the link works once', async ({
  page,
  admin,
}) => {
  await page.goto('/login');
  await page.getByRole('link', { name: '忘记密码？' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '重设密码' })).toBeVisible();
  await page.getByLabel('用户名或邮箱').focus();
  await page.keyboard.type('graduate');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: '请完成验证' });
  await expect(dialog.getByRole('button', { name: /不用拖动/ })).toBeVisible();
  // Close, another picture, and the way without dragging: three presses of Tab.
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  for (let press = 0; press < 5 && !(await focused()).startsWith('不用拖动'); press += 1)
    await page.keyboard.press('Tab');
  expect(await focused()).toContain('不用拖动');
  await page.keyboard.press('Enter');
  await expect(page.getByText('请查看邮箱')).toBeVisible();
  await expect(dialog).toBeHidden();

  const text = await readMail(admin, 'graduate@hypercube.local');
  const [link = ''] = /http\S+/.exec(text) ?? [];
  await page.goto(link);
  await expect(page.getByRole('heading', { name: '设置新密码' })).toBeVisible();
  expect(page.url(), 'the secret leaves the address').not.toContain('#');
  await page.getByLabel('新密码', { exact: true }).fill('brand-new-1');
  await page.getByLabel('再输入一次新密码').fill('brand-new-1');
  await page.getByRole('button', { name: '设置新密码' }).click();
  await expect(page.getByRole('heading', { name: '密码已修改' })).toBeVisible();

  // In the same tab, where only the part behind the # is new.
  await page.goto(link);
  await expect(page).not.toHaveURL(/#/);
  await page.getByLabel('新密码', { exact: true }).fill('another-one-1');
  await page.getByLabel('再输入一次新密码').fill('another-one-1');
  await page.getByRole('button', { name: '设置新密码' }).click();
  await expect(page.getByRole('alert')).toContainText('链接已失效');
  await page.getByRole('link', { name: '重新申请链接' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '重设密码' })).toBeVisible();

  // An account that is not there gets the same words.
  await page.getByLabel('用户名或邮箱').fill('nobody-here');
  await page.getByRole('button', { name: '发送链接' }).click();
  await dialog.getByRole('button', { name: /不用拖动/ }).click();
  await expect(page.getByText('请查看邮箱')).toBeVisible();
});

test('a teacher whose application waits is told so at login, and a wrong password in place', async ({
  page,
  platform,
}) => {
  await platform.sql(`update user_account set apply_status = 1 where username = 'teacher'`);
  await page.goto('/login');
  await page.getByLabel('用户名或邮箱').fill('teacher');
  await page.getByLabel('密码', { exact: true }).fill('wrong-pass-1');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await drag(page, platform);
  await expect(page.getByRole('alert')).toContainText('用户名或密码不正确');
  await expect(page.getByLabel('用户名或邮箱')).toHaveValue('teacher');
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await drag(page, platform);
  await expect(page.getByRole('log', { name: '提示' })).toContainText('教师身份正在审核');
  await expect(page).toHaveURL('/');
  // The notice goes by; the settings say how it stands.
  await page.goto('/settings');
  const identity = page.locator('dl.profile');
  await expect(identity).toContainText('教师正在审核；通过之前按学生使用');
  await platform.sql(`update user_account set apply_status = 3 where username = 'teacher'`);
  await page.reload();
  await expect(identity).toContainText('教师没有通过审核，按学生使用');
});

test('the external check lets in where it is set up: its script, its widget, its word', async ({
  browser,
}) => {
  // Stands in for the provider's own answer to the server.
  const asked: URLSearchParams[] = [];
  const provider = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      asked.push(new URLSearchParams(body));
      response.end(JSON.stringify({ Code: 100, Message: '' }));
    });
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const { port } = provider.address() as AddressInfo;
  const platform = await Platform.create({
    HC_CAPTCHA: 'aliyun',
    HC_CAPTCHA_APP_KEY: 'FFFF0N000000',
    HC_CAPTCHA_ACCESS_KEY_ID: 'key-id',
    HC_CAPTCHA_ACCESS_KEY_SECRET: 'key-secret',
    HC_CAPTCHA_ENDPOINT: `http://127.0.0.1:${port}/`,
    HC_ENGINE: 'off',
  });
  const context = await browser.newContext({ baseURL: platform.origin, locale: 'zh-CN' });
  try {
    const page = await context.newPage();
    await page.route('https://g.alicdn.com/AWSC/AWSC/awsc.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.AWSC = { use: (name, loaded) => loaded('loaded', { init(options) {
          const button = document.createElement('button');
          button.textContent = [name, options.appkey, options.scene, options.language].join(' ');
          button.onclick = () => options.success({ sessionId: 's', sig: 'g', token: 't' });
          document.getElementById(options.renderTo).append(button);
          return { reset() {} };
        } }) };`,
      }),
    );
    await page.goto('/login');
    await page.getByLabel('用户名或邮箱').fill('student');
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await page.getByRole('button', { name: 'ic FFFF0N000000 ic_activity cn' }).click();
    await expect(page).toHaveURL('/');
    expect(asked.map((one) => [one.get('Token'), one.get('Sig'), one.get('SessionId')])).toEqual([
      ['t', 'g', 's'],
    ]);
  } finally {
    await context.close();
    await platform.dispose();
    provider.close();
  }
});
