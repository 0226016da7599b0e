/** Those who run the place: accounts, class lists, domains and tags, and the record of it all. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, PASSWORD, test } from '../support/test.ts';

const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('log', { name: '提示' }).getByText(text);
const search = async (page: Page, keyword: string): Promise<void> => {
  await page.getByRole('searchbox', { name: /^按用户名/ }).fill(keyword);
  await expect(page).toHaveURL(new RegExp(`keyword=${encodeURIComponent(keyword)}`));
};

test('an admin finds, approves, disables and exports; the record shows it', async ({
  signIn,
  platform,
}) => {
  await platform.sql(
    `update user_account set apply_status = 1, applied_at = now(), organisation = '清华大学' where username = 'graduate'`,
  );
  const page = await signIn('admin');
  await page.goto('/admin/user');
  await page.getByRole('combobox', { name: '教师申请' }).selectOption({ label: '只看待审核' });
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: '审核申请…（研究生）' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('清华大学');
  await dialog.getByRole('button', { name: '不通过' }).click();
  await expect(dialog.getByText('请填写理由'), 'a rejection needs a reason').toBeVisible();
  await dialog.getByLabel('理由').fill('欢迎加入');
  await dialog.getByRole('button', { name: '通过', exact: true }).click();
  await expect(toast(page, /已通过/)).toBeVisible();
  await expect(page.getByText('没有符合条件的内容')).toBeVisible();

  const told = await signIn('graduate');
  await told.goto('/notification');
  await expect(told.getByText('教师申请已通过').first()).toBeVisible();

  // Disabled: out at once, and not in again.
  const student = await signIn('student2');
  await student.goto('/home');
  await page.goto('/admin/user');
  await search(page, 'student2');
  await page.getByRole('button', { name: '陈同学 的操作' }).click();
  await dialog.getByRole('button', { name: '停用…' }).click();
  await dialog.getByRole('button', { name: '停用', exact: true }).click();
  await expect(toast(page, /已停用/)).toBeVisible();
  await expect(page.getByRole('row', { name: /陈同学/ })).toContainText('已停用');
  expect((await student.request.get('/api/v1/usage')).status()).toBe(401);
  const again = await student.request.post('/api/v1/user/auth', {
    data: { Username: 'student2', Password: PASSWORD },
  });
  expect(again.ok()).toBe(false);
  await page.getByRole('button', { name: '陈同学 的操作' }).click();
  await dialog.getByRole('button', { name: '启用' }).click();
  await expect(page.getByRole('row', { name: /陈同学/ })).toContainText('正常');

  // One's own account cannot be disabled, and the button says why.
  await search(page, 'admin@');
  await page.getByRole('button', { name: '管理员 的操作' }).click();
  await expect(dialog.getByRole('button', { name: '停用…' })).toHaveAttribute(
    'title',
    '不能停用或删除自己的账号',
  );
  await page.keyboard.press('Escape');

  await search(page, 'student');
  await page.getByRole('button', { name: '导出' }).click();
  await dialog.getByLabel('手机').check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: '导出', exact: true }).click(),
  ]);
  const sheet = await readFile(await download.path());
  expect([download.suggestedFilename(), sheet.subarray(0, 2).toString()]).toEqual([
    'users.xlsx',
    'PK',
  ]);

  await page.goto('/admin/audit');
  await expect(page.getByRole('row', { name: /导出：用户/ })).toBeVisible();
  await page.getByRole('combobox', { name: '范围' }).selectOption({ label: '用户' });
  await page.getByRole('searchbox', { name: /^按人/ }).fill('graduate');
  const record = page.getByRole('row', { name: /修改：用户/ });
  await expect(record).toHaveCount(1);
  await record.getByRole('button', { name: /^查看/ }).click();
  await expect(dialog).toContainText('applyReason');
  await expect(dialog.getByRole('row', { name: /^type/ })).toContainText('2');
  await expect(dialog).toContainText('欢迎加入');
});

test('a page that is no more shows the last one; who lost a role sees what is left', async ({
  signIn,
}) => {
  const page = await signIn('admin');
  await page.goto('/admin/user?page=500&sort=username');
  await expect(page.getByRole('row', { name: /陈同学/ })).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/user\?sort=username$/);

  const teacher = await signIn('teacher');
  await teacher.goto('/admin/lab');
  const entries = teacher.getByRole('navigation', { name: '管理导航' });
  await expect(entries.getByRole('link', { name: '软件' })).toBeVisible();
  const giveRoles = async (Roles: readonly string[]): Promise<void> => {
    const { List } = (await (
      await page.request.get('/api/v1/user?role=admin&keyword=teacher')
    ).json()) as { List: { ID: number; Version: number }[] };
    const answer = await page.request.put(`/api/v1/user/${List[0]?.ID}/role?role=admin`, {
      data: { Roles, Version: List[0]?.Version },
    });
    expect(answer.status()).toBe(200);
  };
  await giveRoles([]);
  await entries.getByRole('link', { name: '软件' }).click();
  await expect(entries.getByRole('link', { name: '软件' })).toHaveCount(0);
  // The other tests know a teacher.
  await giveRoles(['teacher']);
});

test('an admin imports a class list after a preview, and a pupil sets a password', async ({
  signIn,
  browser,
  platform,
}) => {
  const page = await signIn('admin');
  await page.goto('/admin/user');
  await page.getByRole('button', { name: '导入名单…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('名单文件').setInputFiles({
    name: '名单.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      '用户名,邮箱,姓名,学号\nzhaoliu,zhaoliu@example.edu,赵六,2026001\nstudent,taken@example.edu,钱七,2026002\n',
    ),
  });
  await expect(dialog).toContainText('1 行有问题');
  await expect(dialog.getByRole('row', { name: /钱七/ })).toContainText('用户名已经有账号');
  await dialog.getByRole('button', { name: '建立 1 个账号并发邀请邮件' }).click();
  await expect(toast(page, /已建立 1 个账号/)).toBeVisible();
  await search(page, 'zhaoliu');
  await expect(page.getByRole('row', { name: /赵六/ })).toContainText('本科生');

  const [mail] = await platform.sql(
    `select text from mail where template = 'invitation' and recipient = 'zhaoliu@example.edu'`,
  );
  const [link = ''] = /http\S+#\S+/.exec(String(mail?.['text'])) ?? [];
  const context = await browser.newContext({ baseURL: platform.origin, locale: 'zh-CN' });
  const pupil = await context.newPage();
  const { pathname, hash } = new URL(link);
  await pupil.goto(pathname + hash);
  await pupil.getByLabel('新密码', { exact: true }).fill('my-own-pass-1');
  await pupil.getByLabel(/(?:再|确认)/).fill('my-own-pass-1');
  await pupil.keyboard.press('Enter');
  await expect
    .poll(async () =>
      (
        await context.request.post('/api/v1/user/auth', {
          data: { Username: 'zhaoliu', Password: 'my-own-pass-1' },
        })
      ).status(),
    )
    .toBe(200);
  await context.close();

  // Deleted again: what happens is shown, and the name has to be typed.
  await page.getByRole('button', { name: 'zhaoliu 的操作' }).click();
  await dialog.getByRole('button', { name: '删除…' }).click();
  await expect(dialog).toContainText('个人文件会删除');
  const confirm = dialog.getByRole('button', { name: '永久删除' });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('输入用户名 zhaoliu 以确认').fill('zhaoliu');
  await confirm.click();
  await expect(toast(page, '账号已删除')).toBeVisible();
  await expect(page.getByText('没有符合条件的内容')).toBeVisible();
});

test('a time administrator is given a centre; two admins do not overwrite each other', async ({
  signIn,
}) => {
  const page = await signIn('admin');
  await page.goto('/admin/user');
  await page.getByRole('button', { name: '超算中心' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('名称（中文）').fill('国家超算广州中心');
  await dialog.getByRole('button', { name: '添加' }).click();
  await expect(dialog.getByRole('listitem').last()).toContainText('国家超算广州中心');
  await dialog.getByRole('button', { name: '修改 国家超算广州中心 的名称' }).click();
  await dialog.getByLabel('名称（中文）').fill('国家超级计算广州中心');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog.getByRole('listitem').last()).toContainText('国家超级计算广州中心');
  await expect(dialog.getByLabel('名称（中文）'), 'the form adds again').toHaveValue('');
  await page.keyboard.press('Escape');

  await search(page, 'assistant');
  await page.getByRole('button', { name: '助教 的操作' }).click();
  await dialog.getByRole('button', { name: '分配角色…' }).click();
  await dialog.getByLabel('机时管理员').check();
  await dialog.getByLabel('国家超级计算广州中心').check();

  // Another admin changes the same account in this moment.
  const List = (await (
    await page.request.get('/api/v1/user?role=admin&keyword=assistant')
  ).json()) as { List: { ID: number; Version: number }[] };
  const [user] = List.List;
  await page.request.put(`/api/v1/user/${user?.ID}/role?role=admin`, {
    data: { Roles: ['teacher'], Version: user?.Version },
  });
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog.getByRole('alert')).toContainText('有人改过');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { name: /助教/ })).toContainText('教师');
  await page.getByRole('button', { name: '助教 的操作' }).click();
  await dialog.getByRole('button', { name: '分配角色…' }).click();
  await dialog.getByLabel('机时管理员').check();
  await dialog.getByLabel('国家超级计算广州中心').check();
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(page.getByRole('row', { name: /助教/ })).toContainText('国家超级计算广州中心');
});

test('what another admin deleted meanwhile is told of, and goes from the list', async ({
  signIn,
}) => {
  const page = await signIn('admin');
  const make = async (title: string): Promise<number> => {
    const answer = await page.request.post('/api/v1/domain?role=admin', {
      data: { TitleZh: title, Color: 1 },
    });
    return ((await answer.json()) as { ID: number }).ID;
  };
  const domainID = await make('不久的方向');
  await page.goto('/admin/domain');
  await page.getByRole('button', { name: '修改 不久的方向' }).click();
  await page.request.delete(`/api/v1/domain/${domainID}?role=admin`);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog.getByRole('alert')).toContainText('不存在或已被删除');
  await page.keyboard.press('Escape');
  await expect(page.getByText('不久的方向')).toHaveCount(0);

  await page.request.post('/api/v1/user/import?role=admin', {
    data: {
      Rows: [
        {
          Row: 2,
          Username: 'notlong',
          Email: 'notlong@example.edu',
          Nickname: '',
          RealName: '',
          StudentID: '',
          Organisation: '',
          Type: 4,
        },
      ],
    },
  });
  await page.goto('/admin/user?keyword=notlong');
  const { List } = (await (
    await page.request.get('/api/v1/user?role=admin&keyword=notlong')
  ).json()) as { List: { ID: number }[] };
  await page.getByRole('button', { name: 'notlong 的操作' }).click();
  await dialog.getByRole('button', { name: '停用…' }).click();
  await page.request.delete(`/api/v1/user/${List[0]?.ID}?role=admin&confirm=notlong`);
  await dialog.getByRole('button', { name: '停用', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('不存在或已被删除');
  await page.keyboard.press('Escape');
  await expect(page.getByText('没有符合条件的内容')).toBeVisible();
});

test('domains and tags: made, coloured, ordered by keyboard, deleted with what uses them shown', async ({
  signIn,
}) => {
  const page = await signIn('admin');
  await page.goto('/admin/domain');
  await page.getByRole('button', { name: '新建方向' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '创建' }).click();
  await expect(dialog.getByText('请填写名称')).toBeVisible();
  await dialog.getByLabel('名称（中文）').fill('量子计算');
  await dialog.getByLabel('琥珀').check();
  await dialog.getByRole('button', { name: '创建' }).click();
  const domains = page.getByRole('list', { name: '方向' }).getByRole('listitem');
  await expect(domains.last()).toContainText('量子计算');
  const before = await domains.count();
  const up = page.getByRole('button', { name: '上移 量子计算' });
  await up.focus();
  for (let place = before - 1; place > 0; place -= 1) {
    // One move is saved before the next.
    await expect(up).toHaveAttribute('aria-disabled', 'false');
    await page.keyboard.press('Enter');
    await expect(domains.nth(place - 1)).toContainText('量子计算');
  }
  await expect(toast(page, '顺序已保存').first()).toBeVisible();

  await page.getByRole('link', { name: '0 个标签（量子计算）' }).click();
  await page.getByRole('button', { name: '新建标签' }).click();
  await dialog.getByLabel('名称（中文）').fill('量子线路');
  await dialog.getByRole('button', { name: '创建' }).click();
  await expect(page.getByRole('list', { name: '标签' })).toContainText('量子线路');
  await page.getByRole('button', { name: '删除 量子线路' }).click();
  await expect(dialog).toContainText('没有内容在用');
  await dialog.getByRole('button', { name: '删除' }).click();
  await expect(page.getByText('这个方向还没有标签。')).toBeVisible();

  await page.getByRole('link', { name: '所有方向' }).click();
  await page.getByRole('button', { name: '删除 量子计算' }).click();
  await dialog.getByRole('button', { name: '删除' }).click();
  await expect(domains).toHaveCount(before - 1);
  // What uses a domain is shown before it goes.
  await domains.first().getByRole('button', { name: /^删除/ }).click();
  await expect(dialog).toContainText(/处在用/);
  await dialog.getByRole('button', { name: '取消' }).click();
});

test('the domains that a student chooses narrow the catalogues, wherever they sign in', async ({
  signIn,
}) => {
  const page = await signIn('student');
  await page.goto('/lab');
  const cards = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(page.getByRole('heading', { name: '第一个 MPI 程序' })).toBeVisible();
  const all = await cards.count();
  await page.goto('/settings');
  await page.getByRole('group', { name: '我关注的方向' }).getByLabel('性能优化').check();
  await expect(toast(page, /已保存/)).toBeVisible();

  const elsewhere = await signIn('student');
  await elsewhere.goto('/lab');
  await expect(elsewhere.getByText('只显示您关注的方向。')).toBeVisible();
  await expect
    .poll(async () => elsewhere.getByRole('main').getByRole('heading', { level: 2 }).count())
    .toBeLessThan(all);
  await elsewhere.getByRole('link', { name: '更改' }).click();
  await elsewhere.getByRole('group', { name: '我关注的方向' }).getByLabel('性能优化').uncheck();
  await expect(toast(elsewhere, /已保存/)).toBeVisible();
  await elsewhere.goto('/lab');
  await expect
    .poll(async () => elsewhere.getByRole('main').getByRole('heading', { level: 2 }).count())
    .toBe(all);
});
