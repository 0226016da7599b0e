/** What sessions survive, and what every page shows of them. */
import type { Page } from '@playwright/test';
import { endUsage, expect, findLab, test } from '../support/test.ts';

const LAB = '第一个 MPI 程序';

/** Opens an environment through the API; the pages are what is looked at. */
async function open(page: Page): Promise<{ id: number; path: string; proxy: string }> {
  await endUsage(page);
  const { id, tasks } = await findLab(page, LAB);
  const path = `/lab/${id}/notebook/task/${tasks[0]}`;
  const answer = await page.request.post('/api/v1/usage', {
    data: { LabID: id, TaskID: tasks[0], RouteName: 'notebookLabTaskDetail', RoutePath: path },
    timeout: 120_000,
  });
  expect(answer.status()).toBe(200);
  const usage = (await answer.json()) as { ID: number; ProxyPath: string };
  return { id: usage.ID, path, proxy: usage.ProxyPath };
}

const widget = (page: Page) => page.getByRole('region', { name: '环境', exact: true });
const handle = (page: Page) => widget(page).getByRole('button', { name: /^环境：/ });

test('the widget: click, keyboard, drag, and every action', async ({ signIn }) => {
  const page = await signIn('student');
  await open(page);
  await page.goto('/lab');
  // "1:00:00" is wider, and what hangs on its right edge moves when it becomes "59:59".
  await expect(handle(page)).toContainText(/笔记本运行中.*59:\d\d/);

  const before = await widget(page).boundingBox();
  await handle(page).hover();
  await page.mouse.down();
  await page.mouse.move((before?.x ?? 0) - 200, (before?.y ?? 0) - 150, { steps: 8 });
  await page.mouse.up();
  const after = await widget(page).boundingBox();
  expect((before?.x ?? 0) - (after?.x ?? 0)).toBeGreaterThan(100);
  await expect(handle(page), 'a drag does not open the menu').toHaveAttribute(
    'aria-expanded',
    'false',
  );

  await handle(page).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await widget(page).boundingBox())?.x).toBeLessThan(after?.x ?? 0);
  await page.keyboard.press('Enter');
  await expect(handle(page)).toHaveAttribute('aria-expanded', 'true');

  await widget(page).getByRole('button', { name: '暂停' }).click();
  await expect(handle(page)).toContainText('已暂停');
  await widget(page).getByRole('button', { name: '继续' }).click();
  await expect(handle(page)).toContainText('运行中');
  await widget(page).getByRole('button', { name: '续期' }).click();
  await expect(widget(page)).toContainText(/59:\d\d|60:00|1:00:00/);
  await widget(page).getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除环境' }).click();
  await expect(handle(page)).toContainText('没有环境');
});

test('the widget is not on pages that have the environment themselves', async ({ signIn }) => {
  const page = await signIn('student');
  const { path } = await open(page);
  await page.goto(path);
  await expect(page.locator('iframe[title^="笔记本"]')).toBeVisible({ timeout: 60_000 });
  await expect(handle(page)).toHaveCount(0);
  await page.goto('/404');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(handle(page)).toHaveCount(0);
  await endUsage(page);
});

test('a second tab shows the same countdown and follows at once', async ({ signIn }) => {
  const first = await signIn('student');
  await open(first);
  await first.goto('/');
  const second = await first.context().newPage();
  await second.goto('/lab');
  const seconds = async (page: Page): Promise<number> => {
    const [, minutes = '0', rest = '0'] =
      /(\d+):(\d\d)/.exec((await handle(page).textContent()) ?? '') ?? [];
    return Number(minutes) * 60 + Number(rest);
  };
  for (const page of [first, second]) await expect(handle(page)).toContainText(/\d+:\d\d/);
  const [one, two] = await Promise.all([seconds(first), seconds(second)]);
  expect(Math.abs(one - two)).toBeLessThanOrEqual(1);
  await handle(first).click();
  await widget(first).getByRole('button', { name: '暂停' }).click();
  await expect(handle(second)).toContainText('已暂停');
  await endUsage(first);
  await expect(handle(second)).toContainText('没有环境');
});

test('an environment that comes to zero is cleared, and the page says why', async ({
  signIn,
  platform,
}) => {
  const page = await signIn('student');
  const { path } = await open(page);
  await page.goto(path);
  await expect(page.locator('iframe[title^="笔记本"]')).toBeVisible({ timeout: 60_000 });
  await platform.setRemaining('student', 2);
  await expect(page.getByText('环境已结束').first()).toBeVisible();
  await expect(page.getByText(/时间到了/).first()).toBeVisible();
  await page.goto('/home');
  await expect(page.getByText('时间到了').first()).toBeVisible();
});

test('kill -9 and a restart of the platform: the session is adopted, the kernel remembers, no orphan stays', async ({
  signIn,
  platform,
}) => {
  const page = await signIn('student');
  const { path, proxy } = await open(page);
  const made = (await (
    await page.request.post(`${proxy}api/kernels`, {
      data: {},
      headers: { 'x-xsrftoken': await xsrf(page, proxy) },
    })
  ).json()) as { id: string };
  await page.goto(path);
  await expect(page.locator('iframe[title^="笔记本"]')).toBeVisible({ timeout: 60_000 });

  await platform.kill();
  await expect(page.getByText(/连接不稳|连接中断/).first()).toBeVisible({ timeout: 30_000 });
  await platform.start();
  await expect(page.getByText('连接良好').first()).toBeVisible({ timeout: 60_000 });
  const kernels = (await (await page.request.get(`${proxy}api/kernels`)).json()) as {
    id: string;
  }[];
  expect(kernels.map(({ id }) => id)).toContain(made.id);

  await endUsage(page);
  await expect
    .poll(
      async () => (await platform.sql('select id from usage where removed_at is null')).length,
      { timeout: 30_000 },
    )
    .toBe(0);
});

/** Jupyter's own protection against forged requests; the cookie comes with its page. */
async function xsrf(page: Page, proxy: string): Promise<string> {
  await page.request.get(`${proxy}lab`);
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === '_xsrf')?.value ?? '';
}

test('Ctrl-C ends cleanly, and the second start serves at once and keeps everything', async ({
  signIn,
  platform,
}) => {
  const page = await signIn('student2');
  await open(page);
  await platform.interrupt();
  expect(platform.output).toContain('Stopping');
  expect(platform.output).not.toContain('while stopping');
  await expect(platform.serverPid(), 'the data folder was given back').rejects.toThrow();
  await platform.start();
  expect(platform.output).not.toContain('These passwords');
  const current = (await (await page.request.get('/api/v1/usage')).json()) as {
    Phase: string;
  } | null;
  expect(current?.Phase).toBe('ready');
  await endUsage(page);
});

test('a page that waits shows the steps, and a start can be cancelled', async ({
  signIn,
  platform,
}) => {
  const page = await signIn('student');
  await endUsage(page);
  await platform.waitForImages();
  // As on a machine whose image is still being built.
  const [image] = await platform.sql<{ reference: string }>(
    `select reference from image where slug = 'notebook'`,
  );
  await platform.sql(
    `update image set reference = null, build_state = 'building', build_step = 3, build_steps = 20, build_text = 'installing gcc' where slug = 'notebook'`,
  );
  try {
    const { id, tasks } = await findLab(page, LAB);
    await page.goto(`/lab/${id}/notebook/task/${tasks[0]}`);
    const start = page.getByRole('button', { name: '打开环境' });
    const steps = page.getByRole('list', { name: '启动进度' });
    await expect(start.or(steps).first()).toBeVisible();
    if (await start.isVisible()) await start.click();
    await expect(steps).toBeVisible();
    await expect(page.getByText('第 3 / 20 步')).toBeVisible();
    await page.goto('/lab');
    await expect(handle(page)).toContainText(/正在排队|正在启动/);
    await page.goBack();
    await expect(page.getByText('第 3 / 20 步')).toBeVisible();
    await page.getByRole('button', { name: '取消启动' }).click();
    await expect(
      page.getByText('已取消启动').or(page.getByText('还没有打开环境')).first(),
    ).toBeVisible();
  } finally {
    await platform.sql(
      `update image set reference = $1, build_state = 'ready' where slug = 'notebook'`,
      [image?.reference],
    );
  }
});

test('somebody else’s environment does not open', async ({ signIn }) => {
  const owner = await signIn('student');
  const { proxy } = await open(owner);
  const other = await signIn('student2');
  expect((await other.request.get(`${proxy}lab`)).status()).toBe(404);
  await endUsage(owner);
});
