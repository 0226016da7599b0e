/** The remote desktop in a real browser: its picture, its clipboard, and what it survives. */
import type { Page } from '@playwright/test';
import { openSoftware, showAs, showTerminal, typeLine } from '../support/sessions.ts';
import { endUsage, expect, findLab, test } from '../support/test.ts';

const DESKTOP = 'Linux 桌面';

const state = (page: Page) => page.getByRole('status', { name: '桌面连接' });

/** How many colours the picture has: a desktop has many, a black screen one. */
const colours = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.desktop canvas');
    const context = canvas?.getContext('2d');
    if (canvas == null || context == null || canvas.width === 0) return 0;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set<number>();
    for (let index = 0; index < data.length; index += 4 * 97)
      seen.add(((data[index] ?? 0) << 16) | ((data[index + 1] ?? 0) << 8) | (data[index + 2] ?? 0));
    return seen.size;
  });

test('a desktop shows, follows the window, and gives the keyboard back', async ({ signIn }) => {
  const page = await signIn('student');
  await openSoftware(page, DESKTOP);
  await expect(state(page)).toContainText('已连接', { timeout: 60_000 });
  await expect.poll(() => colours(page), { timeout: 30_000 }).toBeGreaterThan(20);
  const width = (): Promise<number> =>
    page.evaluate(() => document.querySelector<HTMLCanvasElement>('.desktop canvas')?.width ?? 0);
  const before = await width();
  await page.getByText('环境', { exact: true }).first().click();
  await expect.poll(width).toBeGreaterThan(before);

  await page.locator('.desktop canvas').click();
  await expect(page.locator('.desktop canvas')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('.desktop canvas'), 'keys belong to the desktop').toBeFocused();
  await page.keyboard.press('Control+Alt+Home');
  await expect(page.locator('.desktop canvas')).not.toBeFocused();
  await expect(page.getByRole('toolbar', { name: '桌面工具' }).locator(':focus')).toHaveCount(1);
});

test('both clipboards carry Chinese and long texts', async ({ signIn }) => {
  const page = await signIn('student');
  await openSoftware(page, DESKTOP);
  await expect(state(page)).toContainText('已连接', { timeout: 60_000 });
  const long = '并行计算与消息传递 '.repeat(2000);
  await page.getByRole('button', { name: '剪贴板' }).first().click();
  await page.getByLabel('剪贴板的文字').fill(long);
  await page.getByRole('button', { name: '发送到桌面' }).click();
  const rows = await showTerminal(page);
  await typeLine(
    page,
    'export DISPLAY=:1; xclip -o -selection clipboard | tee /tmp/c | wc -m; head -c 27 /tmp/c; echo',
  );
  await expect(rows).toContainText(String(long.length));
  await expect(rows).toContainText('并行计算与消息传递');

  await typeLine(page, 'printf 桌面上的文字 | xclip -selection clipboard');
  await showAs(page, '桌面');
  await expect(page.getByLabel('剪贴板的文字')).toHaveValue('桌面上的文字');
});

test('kill -9 of the platform: the page says so, and the desktop is back by itself', async ({
  signIn,
  platform,
}) => {
  const page = await signIn('student');
  await openSoftware(page, DESKTOP);
  await expect(state(page)).toContainText('已连接', { timeout: 60_000 });
  await platform.kill();
  await expect(state(page)).toContainText(/连接已断开|连接失败|正在连接/);
  await expect(page.getByText(/连接不稳|连接中断/).first()).toBeVisible();
  await platform.start();
  await expect(state(page)).toContainText('已连接', { timeout: 60_000 });
  await expect.poll(() => colours(page), { timeout: 30_000 }).toBeGreaterThan(20);
});

test('a desktop that cannot be reached is said in words, with a way on', async ({ signIn }) => {
  const page = await signIn('student');
  await page.addInitScript(() => {
    // As when nothing listens there; the page's own sockets stay what they are.
    window.WebSocket = new Proxy(WebSocket, {
      construct: (Socket, [address, protocols]: [string, string]) =>
        new Socket(address.replace(/(\/proxy\/desktop\/.*)ws$/, '$1nothing'), protocols),
    });
  });
  await openSoftware(page, DESKTOP);
  await expect(page.getByText('连接服务器失败，请重试！')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: '重新连接' }).last()).toBeVisible();
});

test('a lab opens on a desktop, with its starter files', async ({ signIn }) => {
  const page = await signIn('student');
  await endUsage(page);
  const { id, tasks } = await findLab(page, '用 gdb 调试 MPI 程序');
  await page.goto(`/lab/${id}/desktop/task/${tasks[0]}`);
  await expect(state(page)).toContainText('已连接', { timeout: 120_000 });
  const rows = await showTerminal(page);
  await typeLine(
    page,
    'ls bundle_resource ~/bundle_resource 2>/dev/null | head -3; gdb --version | head -1',
  );
  await expect(rows).toContainText('GNU gdb');
  await endUsage(page);
});
