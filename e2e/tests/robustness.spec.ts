/** What sessions survive: dead engines and containers, lost nodes, full folders, many tabs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { containersOf, cutPower, processesOf } from '../support/machine.ts';
import { endUsage, expect, findLab, test } from '../support/test.ts';

/** Opens something through the API and its page afterwards. */
async function open(
  page: Page,
  body: Record<string, unknown>,
  path: string,
): Promise<{ id: number }> {
  await endUsage(page);
  const answer = await page.request.post('/api/v1/usage', {
    data: { RouteName: 'x', RoutePath: path, ...body },
    timeout: 120_000,
  });
  expect(answer.status()).toBe(200);
  await page.goto(path);
  return { id: ((await answer.json()) as { ID: number }).ID };
}

async function openLab(page: Page, title: string): Promise<{ id: number; path: string }> {
  const { id, tasks } = await findLab(page, title);
  const path = `/lab/${id}/notebook/task/${tasks[0]}`;
  return { path, ...(await open(page, { LabID: id, TaskID: tasks[0] }, path)) };
}

/** The main process of the platform's container that has a host name. */
function mainProcessOf(dataFolder: string, hostname: string): number {
  const found = containersOf(dataFolder).find(
    (pid) =>
      execFileSync('nsenter', ['-t', String(pid), '-u', 'hostname'], {
        encoding: 'utf8',
      }).trim() === hostname,
  );
  if (found === undefined) throw new Error(`no container is called ${hostname}`);
  return found;
}

test('ten tabs: every one shows the countdown, and a renewal in one shows in all', async ({
  signIn,
}) => {
  const page = await signIn('student');
  await page.context().addInitScript(() => {
    window.BroadcastChannel = class extends BroadcastChannel {
      override postMessage(message: unknown): void {
        const { dataset } = document.documentElement;
        dataset['posts'] = String(Number(dataset['posts'] ?? 0) + 1);
        super.postMessage(message);
      }
    };
  });
  await openLab(page, '第一个 MPI 程序');
  const tabs = [page];
  while (tabs.length < 10) {
    const tab = await page.context().newPage();
    // A browser on the engine's own machine drops what it loads while a container's network comes.
    await expect(async () => void (await tab.goto('/lab'))).toPass();
    tabs.push(tab);
  }
  const widget = (tab: Page) => tab.getByRole('region', { name: '环境', exact: true });
  for (const tab of tabs.slice(1)) await expect(widget(tab)).toContainText(/\d\d:\d\d/);
  const last = tabs.at(-1) ?? page;
  await widget(last)
    .getByRole('button', { name: /^环境：/ })
    .click();
  await widget(last).getByRole('button', { name: '暂停' }).click();
  for (const tab of tabs.slice(1)) await expect(widget(tab)).toContainText('已暂停');
  await expect(page.getByRole('heading', { name: '环境已暂停' })).toBeVisible();
  // Each tells what it learned itself, and nobody repeats what they were told.
  for (const tab of tabs)
    expect(Number(await tab.locator('html').getAttribute('data-posts'))).toBeLessThan(30);
  await endUsage(page);
});

test('the engine’s daemon is killed: what runs goes on, and the next environment opens', async ({
  signIn,
  platform,
}) => {
  const page = await signIn('student');
  const { path } = await openLab(page, '第一个 MPI 程序');
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 60_000 });
  const daemons = processesOf(platform.dataFolder, 'system service');
  expect(daemons.length).toBeGreaterThan(0);
  for (const pid of daemons) process.kill(pid, 'SIGKILL');
  await page.reload();
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 60_000 });
  await expect(page.frameLocator('iframe').getByRole('menubar').first()).toBeVisible({
    timeout: 60_000,
  });
  // Deleting and opening need the daemon: it is started again by itself.
  await endUsage(page);
  await page.goto(path);
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 90_000 });
  await endUsage(page);
});

test('the programs of a session are killed: the page says why it ended, and opens a new one', async ({
  signIn,
  platform,
}) => {
  const page = await signIn('student');
  await openLab(page, '第一个 MPI 程序');
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 60_000 });
  for (const pid of containersOf(platform.dataFolder)) process.kill(pid, 'SIGKILL');
  await expect(page.getByText('环境已结束')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/主程序意外退出/).first()).toBeVisible();
  await page.getByRole('button', { name: '重新打开环境' }).click();
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 90_000 });
  await endUsage(page);
});

test('the machine loses its power: the page says that the environment is gone, a new one opens, the files are there', async ({
  signIn,
  platform,
}) => {
  test.skip(process.getuid?.() !== 0, 'clears away what a restart of the machine would');
  const page = await signIn('student');
  await openLab(page, '第一个 MPI 程序');
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 60_000 });
  const [owner] = await platform.sql<{ id: number }>(
    `select id from user_account where username = 'student'`,
  );
  const file = join(platform.dataFolder, 'files', String(owner?.id), 'before.txt');
  writeFileSync(file, '断电之前');

  await cutPower(platform);
  await expect(page.getByText(/连接不稳|连接中断/).first()).toBeVisible({ timeout: 30_000 });
  await platform.start();
  await expect(page.getByText('环境已结束')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/运行它的机器重启过/).first()).toBeVisible();
  await page.getByRole('button', { name: '重新打开环境' }).click();
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 90_000 });
  const frame = page.frameLocator('iframe[title^="笔记本"]');
  await expect(frame.getByText('before.txt')).toBeVisible({ timeout: 60_000 });
  rmSync(file);
  await endUsage(page);
});

test('a node of a cluster dies: it comes back, ssh reaches it again, and its user is told', async ({
  signIn,
  platform,
}) => {
  const page = await signIn('student');
  const { id } = await openLab(page, '三个节点上的 MPI');
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 60_000 });
  const [row] = await platform.sql<{ nodes: { name: string }[] }>(
    'select nodes from usage where id = $1',
    [id],
  );
  const [first = '', second = ''] = row?.nodes.map(({ name }) => name) ?? [];
  const before = mainProcessOf(platform.dataFolder, second);
  process.kill(before, 'SIGKILL');
  await expect(page.getByRole('alert').filter({ hasText: second })).toContainText(
    '它已经重新启动',
    { timeout: 60_000 },
  );
  expect(mainProcessOf(platform.dataFolder, second)).not.toBe(before);
  // As the learner, from the node that opens: the new one answers under its old name.
  const ssh = ['-m', '-n', '-u', '-p', '-S', '1000', '-G', '1000', '--'];
  const opened = String(mainProcessOf(platform.dataFolder, first));
  await expect
    .poll(
      () =>
        spawnSync(
          'nsenter',
          ['-t', opened, ...ssh, 'env', 'HOME=/home/jovyan', 'ssh', second, 'hostname'],
          { encoding: 'utf8', timeout: 10_000 },
        ).stdout.trim(),
      { timeout: 60_000 },
    )
    .toBe(second);
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 60_000 });
  await endUsage(page);
});

test('a full personal folder is told, and its user still gets in', async ({ signIn, platform }) => {
  const page = await signIn('student2');
  const { id } = await openLab(page, '第一个 MPI 程序');
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 60_000 });
  await platform.sql(
    `with changed as (update usage set storage_bytes = 6442450944, storage_base = 6442450944, version = version + 1
       where id = $1 returning id, user_id)
     select pg_notify('hc_usage', id || ' ' || user_id) from changed`,
    [id],
  );
  await expect(page.getByRole('alert').filter({ hasText: '个人空间不足！' })).toBeVisible();
  await endUsage(page);
});
