/** What those who run the place see: maps, figures that move, their own index, and in which role. */
import { expect, test } from '../support/test.ts';

test('where users come from is a picture with a name, and a table that says the same', async ({
  signIn,
  consoleErrors,
}) => {
  const admin = await signIn('admin');
  const { ID } = (await (await admin.request.get('/api/v1/user/auth')).json()) as { ID: number };
  const answer = await admin.request.put(`/api/v1/user/${ID}`, {
    data: { Organisation: '清华大学' },
  });
  expect(answer.status()).toBe(200);
  await admin.goto('/admin');
  for (const [title, row] of [
    ['分布在中国哪些地方？', '北京'],
    ['分布在哪些国家？', '中国'],
  ] as const) {
    const chart = admin.getByRole('region', { name: title });
    // Drawn: the picture holds something, whatever it is drawn on.
    await expect(chart.getByRole('img', { name: title }).locator('canvas')).toBeVisible();
    await chart.getByText('表', { exact: true }).click();
    await expect(chart.getByRole('row', { name: new RegExp(row) })).toContainText(/\d/);
    const [file] = await Promise.all([
      admin.waitForEvent('download'),
      chart.getByRole('button', { name: `导出：${title}` }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^(china|world)\.csv$/);
  }
  expect(consoleErrors).toEqual([]);
});

test('without a readable map there are bars, and the page says why', async ({ signIn }) => {
  const admin = await signIn('admin');
  await admin.route('**/dashboard/map/china*', (route) =>
    route.fulfill({ json: { type: 'FeatureCollection', features: [{}] } }),
  );
  await admin.route('**/dashboard/map/world*', (route) => route.fulfill({ status: 404, json: {} }));
  await admin.goto('/admin');
  for (const title of ['分布在中国哪些地方？', '分布在哪些国家？']) {
    const chart = admin.getByRole('region', { name: title });
    await expect(chart).toContainText('改用条形图');
    await chart.getByText('表', { exact: true }).click();
    await expect(chart.getByRole('table')).toBeVisible();
  }
});

test('a live figure moves without a reload and without being asked for', async ({ signIn }) => {
  const admin = await signIn('admin');
  const student = await signIn('student');
  let asked = 0;
  admin.on('request', (request) => {
    if (request.url().includes('/dashboard/now')) asked += 1;
  });
  const stream = admin.waitForResponse((response) => response.url().includes('live=dashboard'));
  await admin.goto('/admin');
  await stream;
  const figure = admin.locator('.figure', { hasText: '处理中的建议' }).locator('dd');
  await expect(figure).toHaveText(/^\d+$/);
  const before = Number(await figure.textContent());
  const askedBefore = asked;
  await student.request.post('/api/v1/suggestion', {
    data: { Title: '图表再大一些', Content: '在投影上看不清', IsPublic: false },
  });
  await expect(figure).toHaveText(String(before + 1));
  expect(asked, 'pushed, not polled').toBe(askedBefore);
});

test('two tabs have one stream: the one that waits is told by the one that holds it', async ({
  signIn,
}) => {
  const first = await signIn('admin');
  const context = first.context();
  const streams: string[] = [];
  context.on('response', (response) => {
    if (response.url().includes('/usage/events')) streams.push(response.url());
  });
  const isLive = (): boolean => streams.at(-1)?.includes('live=dashboard') ?? false;
  await first.goto('/software');
  await expect.poll(() => streams.length).toBe(1);
  expect(isLive(), 'nobody shows the figures').toBe(false);
  const second = await context.newPage();
  await second.goto('/admin');
  await expect.poll(isLive, 'asked for as soon as one tab shows them').toBe(true);
  await first.goto('/admin');
  await expect.poll(isLive).toBe(true);
  const figures = [first, second].map((page) =>
    page.locator('.figure', { hasText: '处理中的建议' }).locator('dd'),
  );
  for (const figure of figures) await expect(figure).toHaveText(/^\d+$/);
  // Whatever moves from here on is pushed.
  await context.route('**/dashboard/now*', (route) => route.abort());
  const before = Number(await figures[0]?.textContent());
  const student = await signIn('student2');
  await student.request.post('/api/v1/suggestion', {
    data: { Title: '两个标签页', Content: '内容', IsPublic: false },
  });
  for (const figure of figures) await expect(figure).toHaveText(String(before + 1));
  await first.goto('/software');
  await second.goto('/software');
  await expect.poll(isLive, 'nobody shows them any more').toBe(false);
});

test('a teacher has an index of their own: what they made, what waits, what they can begin', async ({
  signIn,
}) => {
  const teacher = await signIn('teacher');
  const labs = (await (await teacher.request.get('/api/v1/specification?role=teacher')).json()) as {
    List: { ID: number; ImageType: number }[];
  };
  await teacher.request.post('/api/v1/lab?role=teacher', {
    data: {
      Type: 2,
      TitleZh: '索引里的实验',
      CoverKind: 'ring',
      SpecificationID: labs.List.find(({ ImageType }) => ImageType === 2)?.ID,
    },
  });
  await teacher.goto('/admin');
  const module = teacher.getByRole('region', { name: '实验', exact: true });
  await expect(module).toContainText('草稿');
  await module.getByRole('link', { name: '索引里的实验' }).click();
  await expect(teacher).toHaveURL(/\/admin\/lab\/\d+\/info$/);
  await teacher.goBack();
  // Nothing of the place as a whole.
  await expect(teacher.getByRole('heading', { name: '数据' })).toHaveCount(0);
  await expect(teacher.getByRole('region', { name: '打开的环境' })).toHaveCount(0);
  await teacher
    .getByRole('navigation', { name: '常用操作' })
    .getByRole('link', { name: '新建实验' })
    .click();
  await expect(teacher).toHaveURL(/\/admin\/lab\/creation$/);
});

test('what waits leads into the list of what waits', async ({ signIn }) => {
  const admin = await signIn('admin');
  const student = await signIn('student2');
  await student.request.post('/api/v1/suggestion', {
    data: { Title: '等人看的建议', Content: '内容', IsPublic: false },
  });
  await admin.goto('/admin');
  await admin
    .getByRole('region', { name: '等我处理' })
    .getByRole('link', { name: /建议处理中/ })
    .click();
  await expect(admin).toHaveURL(/\/admin\/suggestion\?status=1/);
  await expect(admin.getByRole('row', { name: /等人看的建议/ })).toBeVisible();
});

test('who has two roles sees which one acts, and changes it by keyboard', async ({ signIn }) => {
  const admin = await signIn('admin');
  const { List } = (await (
    await admin.request.get('/api/v1/user?role=admin&keyword=teacher')
  ).json()) as { List: { ID: number; Username: string; Version: number }[] };
  const user = List.find(({ Username }) => Username === 'teacher');
  const given = await admin.request.put(`/api/v1/user/${user?.ID}/role?role=admin`, {
    data: { Roles: ['teacher', 'machine_admin'], CentreIDList: [], Version: user?.Version },
  });
  expect(given.status()).toBe(200);

  const teacher = await signIn('teacher');
  await teacher.goto('/admin/lab');
  const role = teacher.getByLabel('当前身份');
  await expect(role).toHaveValue('teacher');
  await role.focus();
  await teacher.keyboard.press('ArrowDown');
  await expect(role).toHaveValue('machine_admin');
  // The page says that it does not open, and the entries are those of the role.
  await expect(
    teacher.getByRole('heading', { level: 1, name: '这个身份打不开本页' }),
  ).toBeVisible();
  const entries = teacher.getByRole('navigation', { name: '管理导航' });
  await expect(entries.getByRole('link', { name: '实验', exact: true })).toHaveCount(0);
  // What a page asks is asked in that role.
  const asked = teacher.waitForRequest(/dashboard\/overview/);
  await entries.getByRole('link', { name: '首页' }).click();
  expect(new URL((await asked).url()).searchParams.get('role')).toBe('machine_admin');
  await teacher.reload();
  await expect(role, 'kept in this tab').toHaveValue('machine_admin');
  await teacher.goto('/admin/lab');
  await teacher.getByRole('button', { name: '换成教师' }).click();
  await expect(teacher.getByRole('heading', { level: 1, name: '实验' })).toBeVisible();
  await expect(role).toHaveValue('teacher');
});

test('a learner is told where to go on', async ({ signIn }) => {
  const student = await signIn('student');
  await student.goto('/statistics');
  const next = student.getByRole('region', { name: '接下来学什么' });
  await next.getByRole('link').first().click();
  await expect(student).toHaveURL(/\/lab\/\d+/);
});
