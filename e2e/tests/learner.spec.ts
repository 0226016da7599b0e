/** The main job: a learner computes in a real container, and nothing that they made is lost. */
import type { FrameLocator, Page } from '@playwright/test';
import { endUsage, expect, findLab, PASSWORD, test } from '../support/test.ts';

const notebook = (page: Page): FrameLocator => page.frameLocator('iframe[title^="笔记本"]');

/** Types a cell into a notebook and runs it. */
async function runCell(page: Page, code: string): Promise<void> {
  const frame = notebook(page);
  const cell = frame.locator('.jp-Notebook .jp-Cell').last().getByRole('textbox').first();
  await cell.click();
  await cell.pressSequentially(code);
  // JupyterLab drops a cell that is run before its kernel has answered.
  await expect(frame.getByText(/Python 3.*\| (空闲|Idle)/)).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press('Shift+Enter');
}

test('sign in, run MPI on four ranks, pause, continue, renew, lose the network, come back, find the file', async ({
  page,
  platform,
}) => {
  test.setTimeout(420_000);

  await test.step('a visitor who opens a lab is asked to sign in, and comes to the lab afterwards', async () => {
    await page.goto('/lab');
    await expect(page).toHaveURL(/\/login\?redirect=(?:%2F|\/)lab$/);
    await page.getByLabel('用户名或邮箱').fill('student');
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: '实验' })).toBeVisible();
  });

  await test.step('finds the lab, opens its task, and the notebook is there', async () => {
    await page
      .getByRole('link', { name: /第一个 MPI 程序/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { level: 1, name: '第一个 MPI 程序' })).toBeVisible();
    await page
      .getByRole('link', { name: /开始实验/ })
      .or(page.getByRole('button', { name: /开始实验/ }))
      .first()
      .click();
    const start = page.getByRole('button', { name: '打开环境' });
    const frame = page.locator('iframe[title^="笔记本"]');
    await expect(start.or(frame).first()).toBeVisible();
    if (await start.isVisible()) await start.click();
    await expect(frame).toBeVisible({ timeout: 60_000 });
    await expect(notebook(page).getByText('Python 3').first()).toBeVisible({ timeout: 60_000 });
  });

  await test.step('copies the starter files; a second copy asks first', async () => {
    await page.getByRole('button', { name: '把起始文件复制到 data' }).click();
    await expect(page.getByText(/复制到 data\/first-mpi/)).toBeVisible();
    await page.getByRole('button', { name: '把起始文件复制到 data' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('有些文件已经在您的 data 里');
    await dialog.getByRole('button', { name: '保留我的，只复制其余的' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('runs a parallel program on four ranks and writes a file', async () => {
    const frame = notebook(page);
    await frame
      .getByTitle(/Python 3/)
      .first()
      .click();
    await expect(frame.locator('.jp-Notebook')).toBeVisible();
    const program = `#include <mpi.h>
#include <stdio.h>
int main(int c, char **v) {
  int r, n;
  MPI_Init(&c, &v);
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  printf("rank-%d-of-%d\\n", r, n);
  MPI_Finalize();
}
`;
    // Encoded, so that the editor closes no bracket and no quote of it by itself.
    const shell = `import base64, subprocess; open('/home/jovyan/data/e2e.c', 'wb').write(base64.b64decode('${Buffer.from(program).toString('base64')}')); print(subprocess.run('cd /home/jovyan/data && mpicc e2e.c -o e2e && mpirun -n 4 ./e2e', shell=True, capture_output=True, text=True).stdout)`;
    await runCell(page, shell);
    for (const rank of [0, 1, 2, 3])
      await expect(frame.locator('.jp-OutputArea').first()).toContainText(`rank-${rank}-of-4`, {
        timeout: 60_000,
      });
    await runCell(page, 'answer = 6 * 7');
  });

  await test.step('pauses and continues; the memory of the program is still there', async () => {
    await page.getByRole('button', { name: '暂停', exact: true }).click();
    await expect(page.getByText('环境已暂停').first()).toBeVisible();
    await page
      .getByRole('button', { name: /继续使用|继续/ })
      .first()
      .click();
    await expect(page.getByText('环境已暂停')).toHaveCount(0);
    await runCell(page, 'print("kept", answer)');
    await expect(notebook(page).getByText('kept 42')).toBeVisible({ timeout: 60_000 });
  });

  await test.step('is warned at five minutes and renews with one click', async () => {
    await platform.setRemaining('student', 290);
    await expect(page.getByText('还剩不到 5 分钟').first()).toBeVisible();
    await page.getByRole('button', { name: '续期 1 小时' }).first().click();
    await expect(page.getByText(/^(?:59:\d\d|1:00:00|60:00)$/).first()).toBeVisible();
    await expect(page.getByText('还剩不到 5 分钟')).toHaveCount(0);
  });

  await test.step('under a minute a renewal is refused, and the page says why', async () => {
    await platform.setRemaining('student', 45);
    await expect(page.getByRole('button', { name: '续期 1 小时' }).first()).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await platform.setRemaining('student', 3000);
  });

  await test.step('loses the network, is told, and goes on when it is back', async () => {
    await page.context().setOffline(true);
    await expect(page.getByText(/连接不稳|连接中断/).first()).toBeVisible({ timeout: 30_000 });
    await page.context().setOffline(false);
    await expect(page.getByText('连接良好').first()).toBeVisible({ timeout: 30_000 });
    await runCell(page, 'print("still", answer)');
    await expect(notebook(page).getByText('still 42')).toBeVisible({ timeout: 60_000 });
  });

  await test.step('reloads in the middle; the same environment is there', async () => {
    await page.reload();
    await expect(page.locator('iframe[title^="笔记本"]')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('连接良好').first()).toBeVisible({ timeout: 60_000 });
  });

  await test.step('deletes the environment and finds the file in the next one', async () => {
    // JupyterLab takes the keyboard when it has started, and an open menu closes then.
    await expect(async () => {
      await page.getByRole('button', { name: '更多操作' }).click();
      await page.getByRole('menuitem', { name: '删除环境' }).click({ timeout: 2000 });
    }).toPass();
    await page.getByRole('dialog').getByRole('button', { name: '删除环境' }).click();
    await expect(page.locator('iframe[title^="笔记本"]')).toHaveCount(0);
    const { id, tasks } = await findLab(page, 'OpenMP 归约与数据竞争');
    const opened = await page.request.post('/api/v1/usage', {
      data: {
        LabID: id,
        TaskID: tasks[0],
        RouteName: 'notebookLabTaskDetail',
        RoutePath: `/lab/${id}/notebook/task/${tasks[0]}`,
      },
      timeout: 120_000,
    });
    const usage = (await opened.json()) as { ProxyPath: string };
    const listed = (await (
      await page.request.get(`${usage.ProxyPath}api/contents/data`)
    ).json()) as { content: { name: string }[] };
    expect(listed.content.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['e2e.c', 'e2e', 'first-mpi']),
    );
    await endUsage(page);
  });
});
