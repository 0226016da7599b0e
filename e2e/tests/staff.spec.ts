/** What teachers and those who run the place do without leaving the browser. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { endUsage, expect, findLab, test } from '../support/test.ts';

const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('log', { name: '提示' }).getByText(text);

test('a teacher makes a cluster’s specification, node by node, and sees it run', async ({
  signIn,
}) => {
  const page = await signIn('teacher');
  await endUsage(page);
  await page.goto('/admin/specification');
  await page.getByRole('button', { name: '新建规格' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '创建' }).click();
  await expect(dialog.getByRole('alert'), 'a missing name is told').toContainText('请填写名称');
  await dialog.getByLabel('名称（中文）').fill('双节点集群');
  await dialog.getByLabel('镜像类型').selectOption({ label: '笔记本' });
  await dialog.getByRole('button', { name: '创建' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '双节点集群' })).toBeVisible();

  for (const name of ['head', 'worker']) {
    await page.getByRole('button', { name: '添加节点' }).click();
    await dialog.getByLabel('节点名').fill(name);
    await dialog.getByLabel('处理器核数').fill('0.5');
    await dialog.getByLabel('内存').fill('512');
    await dialog.getByRole('button', { name: '保存' }).click();
    await expect(page.getByRole('list', { name: '节点' })).toContainText(name);
  }
  // A name that is taken is refused, and nothing that was typed is lost.
  await page.getByRole('button', { name: '添加节点' }).click();
  await dialog.getByLabel('节点名').fill('head');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog.getByRole('alert')).toContainText('head');
  await expect(dialog.getByLabel('节点名')).toHaveValue('head');
  await page.keyboard.press('Escape');

  const nodes = page.getByRole('list', { name: '节点' }).getByRole('listitem');
  await page.getByRole('button', { name: '上移 worker' }).click();
  await expect(nodes.first()).toContainText('worker');
  await page.getByRole('button', { name: '下移 worker' }).click();
  await expect(nodes.first()).toContainText('head');

  await page.getByRole('link', { name: '预览' }).click();
  await expect(page.getByRole('region', { name: '环境', exact: true })).toBeVisible();
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 90_000 });
  const usage = (await (await page.request.get('/api/v1/usage')).json()) as { Nodes: string[] };
  expect(usage.Nodes).toEqual(['head', 'worker']);
  await endUsage(page);
});

test('a teacher writes a lab with a task, a picture and a zip, publishes it, and a student opens it', async ({
  signIn,
}) => {
  const page = await signIn('teacher');
  await page.goto('/admin/lab');
  await page.getByRole('link', { name: '新建实验' }).click();
  await page.getByLabel('标题（中文）').fill('我的实验');
  await page.getByLabel('规格').selectOption({ index: 1 });
  await page.getByLabel('描述（中文）').fill('一个新的实验。');
  await page.getByRole('textbox', { name: '说明（中文）' }).fill('## 目标\n\n学会 **MPI**。');
  await page.getByRole('radio', { name: '预览' }).check({ force: true });
  await expect(page.getByRole('heading', { name: '目标' })).toBeVisible();
  await page.getByRole('button', { name: '创建', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: '我的实验' })).toBeVisible();

  // Without a task it cannot be published, and the reason is told.
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await expect(toast(page, /至少要有一个任务/)).toBeVisible();

  await page.getByRole('link', { name: '添加任务' }).click();
  await page.getByLabel('任务标题（中文）').fill('第一步');
  const editor = page.getByRole('textbox', { name: '任务内容（中文）' });
  await editor.fill('运行 `mpirun -n 2 hostname`。');
  // What was written outlives a reload before it is saved.
  await page.reload();
  await expect(page.getByLabel('任务标题（中文）')).toHaveValue('第一步');
  await expect(editor).toContainText('mpirun');
  await page.getByLabel('图片或视频').setInputFiles({
    name: '示意图.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  await expect(editor).toContainText('![示意图](media/');
  await page.getByRole('button', { name: '保存' }).click();
  await expect(toast(page, '已保存')).toBeVisible();
  const labID = /\/admin\/lab\/(\d+)\//.exec(page.url())?.[1] ?? '';

  await page.goto(`/admin/lab/${labID}/resource`);
  await page.getByLabel('资源名称（中文）').fill('起始代码');
  await page.getByLabel('文件', { exact: true }).setInputFiles({
    name: 'hello.c',
    mimeType: 'text/x-c',
    buffer: Buffer.from('int main(void) { return 0; }\n'),
  });
  await page.getByRole('button', { name: '上传资源' }).click();
  await expect(page.getByRole('list', { name: '资源' })).toContainText('hello.c');
  await page.getByRole('button', { name: '里面有什么' }).click();
  await expect(page.getByRole('dialog')).toContainText('hello.c');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: '发布', exact: true }).click();
  await expect(toast(page, /已发布/)).toBeVisible();

  const student = await signIn('student');
  const { tasks } = await findLab(student, '我的实验');
  expect(tasks).toHaveLength(1);
  await student.goto(`/lab/${labID}`);
  await expect(student.getByRole('heading', { level: 1, name: '我的实验' })).toBeVisible();
  await expect(student.getByRole('heading', { name: '目标' })).toBeVisible();

  await page.goto('/admin/lab');
  const row = page.getByRole('row', { name: /我的实验/ });
  await row.getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(row).toBeHidden();
});

test('a teacher makes an image from what runs, and an environment starts from it', async ({
  signIn,
}) => {
  test.setTimeout(300_000);
  const page = await signIn('teacher');
  await endUsage(page);
  await page.goto('/admin/image/creation/notebook');
  await page.getByRole('button', { name: '打开' }).click();
  await expect(page.getByText('连接良好')).toBeVisible({ timeout: 90_000 });
  await page.getByLabel('标题（中文）').fill('课程镜像');
  await page.getByRole('button', { name: '提交镜像' }).click();
  // The page of the image shows how far it is, and what came out.
  await expect(page.getByRole('heading', { level: 1, name: '课程镜像' })).toBeVisible();
  await expect(page.getByText('可用')).toBeVisible({ timeout: 180_000 });
  await expect(page.getByText('版本 1')).toBeVisible();
  const imageID = Number(/\/admin\/image\/(\d+)/.exec(page.url())?.[1]);
  const usage = (await (await page.request.get('/api/v1/usage')).json()) as { Phase: string };
  expect(usage.Phase, 'what runs was not disturbed').toBe('ready');

  await endUsage(page);
  const opened = await page.request.post('/api/v1/usage?role=teacher', {
    data: { RouteName: 'x', RoutePath: '/x', ImageIDList: [imageID] },
    timeout: 120_000,
  });
  expect(opened.status()).toBe(200);
  // In use, it cannot be deleted; afterwards it can.
  const inUse = await page.request.delete(`/api/v1/image/${imageID}?role=teacher`);
  expect([inUse.status(), ((await inUse.json()) as { Code: string }).Code]).toEqual([
    409,
    'in_use',
  ]);
  await endUsage(page);
  await expect
    .poll(
      async () => (await page.request.delete(`/api/v1/image/${imageID}?role=teacher`)).status(),
      {
        timeout: 60_000,
      },
    )
    .toBe(200);
});

test('staff end an environment with a reason, and its user reads it', async ({ signIn }) => {
  const student = await signIn('student');
  await endUsage(student);
  const { id, tasks } = await findLab(student, '第一个 MPI 程序');
  await student.goto(`/lab/${id}/notebook/task/${tasks[0]}`);
  await expect(student.getByText('连接良好')).toBeVisible({ timeout: 90_000 });

  const admin = await signIn('admin');
  await admin.goto('/admin/environment');
  const row = admin.getByRole('row', { name: /第一个 MPI 程序/ });
  await expect(row).toContainText('运行中');
  await row.getByRole('button', { name: '结束…' }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByRole('button', { name: '结束环境' }).click();
  await expect(dialog, 'a reason must be given').toContainText('请填写原因');
  await dialog.getByLabel('原因').fill('今晚维护');
  await dialog.getByRole('button', { name: '结束环境' }).click();
  await expect(toast(admin, '已结束 1 个环境')).toBeVisible();
  await expect(student.getByText(/管理员结束了/).first()).toBeVisible();
  await expect(student.getByText(/今晚维护/).first()).toBeVisible();
});

test('the list of environments filters by address, exports, and remembers its columns', async ({
  signIn,
}) => {
  const page = await signIn('admin');
  await page.goto('/admin/specification?imageType=1');
  await expect(page.getByRole('combobox', { name: '镜像类型' })).toHaveValue('1');
  await expect(page.getByRole('row', { name: /桌面/ }).first()).toBeVisible();
  await page.getByRole('searchbox').fill('没有这样的名字');
  await expect(page.getByText('没有符合条件的内容')).toBeVisible();
  await expect(page).toHaveURL(/keyword=/);
  await page.getByRole('button', { name: '清除条件' }).click();
  await expect(page.getByRole('row', { name: /笔记本/ }).first()).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '导出' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.charCodeAt(0), 'Excel needs the mark').toBe(0xfeff);
  expect(text).toContain('名称');
});

test('settings hold at once, refuse what makes no sense, and tell of a change meanwhile', async ({
  signIn,
}) => {
  const page = await signIn('admin');
  await page.goto('/admin/setting');
  const limits = page.getByRole('region', { name: '环境与文件的上限' });
  const limit = limits.getByLabel('排队人数上限');
  const before = await limit.inputValue();
  await limit.fill('0');
  await limits.getByRole('button', { name: '保存' }).click();
  await expect(limits.getByRole('alert')).toContainText('排队人数上限应在');
  await limit.fill('77');
  await limits.getByRole('button', { name: '保存' }).click();
  await expect(toast(page, '已保存')).toBeVisible();

  const other = await signIn('admin');
  await other.goto('/admin/setting');
  const others = other.getByRole('region', { name: '环境与文件的上限' });
  await expect(others.getByLabel('排队人数上限')).toHaveValue('77');
  await limit.fill('78');
  await limits.getByRole('button', { name: '保存' }).click();
  await expect(toast(page, '已保存').first()).toBeVisible();
  await others.getByLabel('排队人数上限').fill('79');
  await others.getByRole('button', { name: '保存' }).click();
  await expect(toast(other, /别人刚刚改过设置/)).toBeVisible();
  await others.getByRole('button', { name: '放弃修改' }).click();
  await others.getByLabel('排队人数上限').fill(before);
  await others.getByRole('button', { name: '保存' }).click();
  await expect(toast(other, '已保存')).toBeVisible();
});

test('learners see nothing of the admin area, a teacher only what is theirs', async ({
  signIn,
}) => {
  const student = await signIn('student');
  await student.goto('/admin');
  await expect(student).toHaveURL(/\/404$/);
  const teacher = await signIn('teacher');
  await teacher.goto('/admin');
  const navigation = teacher.getByRole('navigation', { name: '管理导航' });
  await expect(navigation.getByRole('link', { name: '镜像' })).toBeVisible();
  await expect(navigation.getByRole('link', { name: '设置' })).toHaveCount(0);
  await teacher.goto('/admin/setting');
  await expect(teacher).toHaveURL(/\/404$/);
});
