/** One's own account: profile, picture, address, preferences, devices. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { PASSWORD, Platform } from '../support/platform.ts';

let platform: Platform;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  platform = await Platform.create({ HC_ENGINE: 'off', HC_CAPTCHA: 'off' });
});
test.afterAll(() => platform.dispose());

/** A browser of its own in which somebody signs in by the page. */
async function logIn(browser: Browser, username: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: platform.origin, locale: 'zh-CN' });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('用户名或邮箱').fill(username);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('button', { name: /用户菜单|User menu/ })).toBeVisible();
  return page;
}

test('a profile is changed, and markup in it is text', async ({ browser }) => {
  const page = await logIn(browser, 'student');
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto('/settings');
  const form = page.getByRole('form', { name: '账号' });
  await form.getByLabel('手机号').fill('123');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form.getByRole('alert')).toContainText('手机号的格式不对');
  await form.getByLabel('手机号').fill('13800138000');
  await form.getByLabel('昵称').fill('<b>林同学');
  await form.getByLabel('单位').fill('<img src=x onerror=alert(1)>');
  await form.getByLabel('性别').selectOption('女');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('已保存')).toBeVisible();
  await expect(page.getByRole('button', { name: '用户菜单：<b>林同学' })).toBeVisible();
  await page.reload();
  await expect(form.getByLabel('单位')).toHaveValue('<img src=x onerror=alert(1)>');
  expect(dialogs).toEqual([]);
});

test('a picture is cropped by keys alone, and shows in the header', async ({ browser }) => {
  const page = await logIn(browser, 'graduate');
  await page.goto('/settings');
  // The left half is blue, the right one red.
  const file = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 600;
    canvas.height = 300;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.fillStyle = '#00f';
    context.fillRect(0, 0, 300, 300);
    context.fillStyle = '#f00';
    context.fillRect(300, 0, 300, 300);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  await page
    .getByLabel('头像')
    .and(page.locator('input'))
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(file, 'base64') });
  const dialog = page.getByRole('dialog', { name: '裁剪头像' });
  const area = dialog.getByRole('application');
  await expect(area.locator('img')).toBeVisible();
  // Also axe on the crop: sliders, keys and buttons have their names.
  const { violations } = await new AxeBuilder({ page }).include('dialog').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await area.focus();
  // To the right edge of the window comes the left edge of the picture: the blue half.
  for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowRight');
  await dialog.getByRole('button', { name: '使用' }).click();
  await expect(dialog).toBeHidden();
  const picture = page.getByRole('banner').locator('img.avatar');
  await expect(picture).toBeVisible();
  const colour = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0, 1, 1);
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
  });
  // Encoded, so not exactly the same blue.
  expect(colour[0]).toBeLessThan(40);
  expect(colour[2]).toBeGreaterThan(200);
  await page.getByRole('button', { name: '移除头像' }).click();
  await expect(picture).toBeHidden();

  await page
    .getByLabel('头像')
    .and(page.locator('input'))
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByText('这个文件不是能显示的图片')).toBeVisible();
});

test('the address changes by the code of a mail', async ({ browser }) => {
  const page = await logIn(browser, 'assistant');
  await page.goto('/settings');
  const form = page.getByRole('form', { name: '更换邮箱' });
  await form.getByLabel('新邮箱').fill('new@example.edu');
  await form.getByLabel('当前密码').fill('not-the-password');
  await form.getByRole('button', { name: '发送验证码' }).click();
  await expect(form.getByRole('alert')).toContainText('密码不正确');
  await form.getByLabel('新邮箱').fill('mistyped@example.edu');
  await form.getByLabel('当前密码').fill(PASSWORD);
  await form.getByRole('button', { name: '发送验证码' }).click();
  await expect(form.getByLabel('验证码', { exact: true })).toBeFocused();
  await form.getByRole('button', { name: '取消' }).click();
  await expect(form.getByRole('button', { name: /秒后可重发/ })).toBeVisible();
  // Another address need not wait for the one that was mistyped.
  await form.getByLabel('新邮箱').fill('new@example.edu');
  await form.getByRole('button', { name: '发送验证码' }).click();
  await expect(form.getByLabel('验证码', { exact: true })).toBeFocused();
  await expect(form.getByRole('button', { name: /秒后可重发/ })).toBeVisible();
  const [mail] = await platform.sql<{ text: string }>(
    `select text from mail where recipient = 'new@example.edu'`,
  );
  await form
    .getByLabel('验证码', { exact: true })
    .fill(/\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '');
  await form.getByRole('button', { name: '更换邮箱' }).click();
  await expect(form.getByText('现在是 new@example.edu')).toBeVisible();
});

test('language and theme follow their owner to another device', async ({ browser }) => {
  const here = await logIn(browser, 'manager');
  await here.goto('/settings');
  await here.getByRole('radio', { name: '深色' }).check();
  // Its texts come first, so it is not yet chosen when the click is over.
  await here.getByRole('radio', { name: 'English' }).click();
  await expect(here.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(async () => {
    const [row] = await platform.sql<{ language: string; theme: string }>(
      `select language, theme from user_account where username = 'manager'`,
    );
    expect(row).toEqual({ language: 'en-US', theme: 'dark' });
  }).toPass();
  const there = await logIn(browser, 'manager');
  await expect(there.locator('html')).toHaveAttribute('lang', 'en-US');
  await expect(there.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('what one wants to hear of is kept', async ({ browser }) => {
  const page = await logIn(browser, 'student2');
  await page.goto('/settings');
  const mail = page.getByRole('radiogroup', { name: '课程：邮件' });
  await mail.getByRole('radio', { name: '不发邮件' }).check();
  await page.getByRole('checkbox', { name: '系统：站内信' }).uncheck();
  // A mail tells of what is unread; of what is not in the list there is none to choose.
  await expect(page.getByText('关闭后也不发邮件')).toHaveCount(1);
  await expect(page.getByRole('radiogroup', { name: '系统：邮件' })).toHaveCount(0);
  await expect(async () => {
    const [row] = await platform.sql<{ choices: unknown }>(
      `select notification_choices as choices from user_account where username = 'student2'`,
    );
    expect(row?.choices).toMatchObject({
      course: { inbox: true, mail: 'off' },
      system: { inbox: false },
    });
  }).toPass();
  await page.reload();
  await expect(mail.getByRole('radio', { name: '不发邮件' })).toBeChecked();
});

test('a device is signed out from another one', async ({ browser }) => {
  const here = await logIn(browser, 'teacher');
  const there = await logIn(browser, 'teacher');
  await here.goto('/settings');
  const devices = here.getByRole('region', { name: '已登录的设备' });
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices.getByText('Linux 上的 Chromium')).toHaveCount(2);
  await expect(devices.getByText('这台设备')).toHaveCount(1);
  await devices.getByRole('button', { name: '退出其他所有设备' }).click();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await there.goto('/settings');
  await expect(there).toHaveURL(/\/login/);
});

for (const width of [390, 1440]) {
  test(`the settings fit ${width} pixels, in both themes`, async ({ browser }) => {
    const page = await logIn(browser, 'student2');
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/settings');
    await expect(page.getByRole('region', { name: '已登录的设备' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: '这台设备' })).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({
        path: test.info().outputPath(`settings-${width}-${colorScheme}.png`),
        fullPage: true,
      });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
}

/** By the menu, as people do. */
async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /用户菜单/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: '登录', exact: true })).toBeVisible();
}

/** Signs in on the page that one has, without loading it anew. */
async function logInHere(page: Page, username: string): Promise<void> {
  await page.getByRole('link', { name: '登录', exact: true }).click();
  await page.getByLabel('用户名或邮箱').fill(username);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('button', { name: /用户菜单/ })).toBeVisible();
}

test('who signs in next on a shared computer sees nothing of the one before', async ({
  browser,
}) => {
  const page = await logIn(browser, 'student');
  const sent = await page.request.post('/api/v1/suggestion', {
    data: { Title: '只给老师看的话', Content: '不公开', IsPublic: false },
  });
  expect(sent.status()).toBe(201);
  const suggestions = page.getByRole('navigation').first().getByRole('link', { name: '建议' });
  await suggestions.click();
  await expect(page.getByText('只给老师看的话')).toBeVisible();
  await page.getByRole('button', { name: '提建议' }).click();
  await page.getByLabel('标题').fill('还没有写完的');
  // The dialog closes, and the draft stays.
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('标题')).toHaveCount(0);
  await logOut(page);

  await logInHere(page, 'student2');
  // What is shown before the server has answered is what the page had kept.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/v1\/suggestion\?/, async (route) => {
    await held;
    await route.continue();
  });
  await suggestions.click();
  await expect(page.getByRole('heading', { name: '建议', exact: true })).toBeVisible();
  await expect(page.getByText('只给老师看的话')).toHaveCount(0);
  release();
  await page.getByRole('button', { name: '提建议' }).click();
  await expect(page.getByLabel('标题')).toHaveValue('');
});

test('signed out in another tab, one is led to the login and finds what one typed', async ({
  browser,
}) => {
  const page = await logIn(browser, 'student2');
  await page.goto('/settings');
  const nickname = page.getByRole('form', { name: '账号' }).getByLabel('昵称');
  await nickname.fill('还没保存的名字');
  const other = await page.context().newPage();
  await other.goto('/');
  await logOut(other);
  await expect(page).toHaveURL(/\/login\?redirect=\/settings$/);

  await logInHere(other, 'student2');
  await expect(page).toHaveURL(/\/settings$/);
  await expect(nickname).toHaveValue('还没保存的名字');

  // Somebody else in the other tab is somebody else in this one.
  await logOut(other);
  await logInHere(other, 'graduate');
  await expect(page).toHaveURL(/\/settings$/);
  await expect(page.locator('dl.profile')).toContainText('graduate');
  await expect(nickname).not.toHaveValue('还没保存的名字');
});
