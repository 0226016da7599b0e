/** Machine time: a student applies, the centre answers, another centre sees nothing of it. */
import { readFile } from 'node:fs/promises';
import { expect, type Browser, type Page } from '@playwright/test';
import { test } from '../support/pages-only.ts';
import { PASSWORD, type Platform } from '../support/platform.ts';

const KEY = [
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ',
  '-----END OPENSSH PRIVATE KEY-----',
].join('\n');

async function signIn(browser: Browser, platform: Platform, username: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: platform.origin,
    locale: 'zh-CN',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const answer = await context.request.post('/api/v1/user/auth', {
    data: { Username: username, Password: PASSWORD },
  });
  expect(answer.status()).toBe(200);
  return context.newPage();
}

const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('log', { name: '提示' }).getByText(text);

/** Writes the form of an application; the account says the rest. */
async function write(page: Page, project: string, centre: string): Promise<void> {
  await page.getByLabel('课题名称').fill(project);
  await page.getByLabel('超算中心').selectOption({ label: centre });
  await page.getByLabel('CPU 核时').fill('128000');
  await page.getByLabel('用途说明').fill('在 512 个核上计算槽道流');
  await page.getByLabel('申请人姓名').fill('林同学');
}

test.beforeAll(async ({ platform }) => {
  await platform.sql(
    `with made as (insert into centre (name_zh, name_en) values ('北方超算', ''), ('南方超算', '') returning id, name_zh),
          who as (insert into user_role (user_id, role) select id, 'machine_admin' from user_account where username = 'graduate' returning user_id)
     insert into user_centre (user_id, centre_id)
     select u.id, m.id from made m join user_account u
         on u.username = case m.name_zh when '北方超算' then 'manager' else 'graduate' end`,
  );
  await platform.sql(
    `update user_account set organisation = '清华大学', phone = '13800138000' where username = 'student'`,
  );
});

test('a student applies, the centre gives the account, another centre sees nothing', async ({
  browser,
  platform,
}) => {
  const student = await signIn(browser, platform, 'student');
  await student.goto('/');
  await student
    .getByRole('navigation', { name: '主导航' })
    .getByRole('link', { name: '资源' })
    .click();
  await expect(student.getByText('北方超算')).toBeVisible();
  await student.getByRole('link', { name: '申请机时' }).click();
  await expect(student.getByLabel('单位'), 'filled in from the account').toHaveValue('清华大学');

  // Nothing is sent that is not complete, and leaving asks first.
  await student.getByRole('button', { name: '提交申请' }).click();
  await expect(student.getByRole('alert')).toContainText('请填写课题名称');
  await write(student, '槽道湍流', '北方超算');
  await student.getByRole('link', { name: '我的申请' }).click();
  await student.getByRole('dialog').getByRole('button', { name: '取消' }).click();
  await student.getByRole('button', { name: '提交申请' }).click();
  await expect(toast(student, /已提交/)).toBeVisible();
  await expect(student).toHaveURL('/resource/progress');
  const item = student.getByRole('region', { name: '槽道湍流' });
  await expect(item).toContainText('待审核');
  await expect(item).toContainText('128,000 核时');

  const south = await signIn(browser, platform, 'graduate');
  await south.goto('/admin/resource');
  await expect(south.getByText('用户提交申请后会出现在这里')).toBeVisible();
  const [row] = await platform.sql<{ id: number }>('select id from resource_apply');
  await south.goto(`/admin/resource/${row?.id}/view/pending`);
  await expect(south.getByRole('heading', { level: 1 })).toHaveText('找不到这个页面');

  const north = await signIn(browser, platform, 'manager');
  await north.goto('/admin');
  await north
    .getByRole('region', { name: '等我处理' })
    .getByRole('link', { name: /机时申请待处理/ })
    .click();
  await expect(north).toHaveURL(/\/admin\/resource\?status=1/);
  await north.getByRole('combobox', { name: '超算中心' }).selectOption({ label: '北方超算' });
  await north.getByRole('link', { name: '审核 槽道湍流' }).click();
  await expect(north.getByText('在 512 个核上计算槽道流')).toBeVisible();
  await north.getByRole('link', { name: '填写账户并通过' }).click();
  await north.getByLabel('SSH 地址').fill('login.north.example.edu');
  await north.getByLabel('SSH 用户名').fill('lin2026');
  await north.getByRole('button', { name: '通过', exact: true }).click();
  await expect(north.getByRole('alert')).toContainText('至少填写一项');
  await north.getByLabel('SSH 密码').fill('Geheim-1');
  await north.getByLabel('SSH 私钥').fill(KEY);
  await north.getByRole('button', { name: '通过', exact: true }).click();
  await expect(toast(north, /已通过/)).toBeVisible();
  // What is typed there is kept nowhere in the browser.
  const kept = await north.evaluate(() =>
    JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
  );
  expect(kept).not.toContain('Geheim-1');
  expect(kept).not.toContain('PRIVATE KEY');

  await student.goto('/notification');
  await student
    .getByRole('listitem')
    .filter({ hasText: '机时申请已通过' })
    .getByRole('button', { name: '查看', exact: true })
    .click();
  await expect(student).toHaveURL(`/resource/${row?.id}/account`);
  await expect(student.getByText('ssh lin2026@login.north.example.edu')).toBeVisible();
  await expect(student.getByText('Geheim-1')).toHaveCount(0);
  await student.getByRole('button', { name: '显示SSH 密码' }).click();
  await expect(student.getByText('Geheim-1')).toBeVisible();
  await student.getByRole('button', { name: '隐藏SSH 密码' }).click();
  await expect(student.getByText('Geheim-1')).toHaveCount(0);
  await student.getByRole('button', { name: '复制SSH 密码' }).click();
  await expect(toast(student, '已复制')).toBeVisible();
  expect(await student.evaluate(() => navigator.clipboard.readText())).toBe('Geheim-1');
  const [download] = await Promise.all([
    student.waitForEvent('download'),
    student.getByRole('button', { name: '下载私钥' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toBe(`${KEY}\n`);

  // An address with another state leads to the right one.
  await student.goto(`/resource/${row?.id}/edit/pending`);
  await expect(student).toHaveURL(`/resource/${row?.id}/edit/approved`);
  await expect(student.getByText('已经通过，不能再修改')).toBeVisible();

  const admin = await signIn(browser, platform, 'admin');
  await admin.goto('/admin/audit');
  const views = admin.getByRole('row', { name: /查看或导出：机时申请/ });
  await expect(views).toHaveCount(1);
  await expect(views).toContainText('student');
  for (const page of [student, south, north, admin]) await page.context().close();
});

test('a rejection says why; the application is changed, waits again, and is withdrawn', async ({
  browser,
  platform,
}) => {
  const student = await signIn(browser, platform, 'student');
  const south = await signIn(browser, platform, 'graduate');
  await student.goto('/resource/issue');
  await write(student, '分子动力学', '南方超算');
  await student.getByRole('button', { name: '提交申请' }).click();
  await expect(student).toHaveURL('/resource/progress');

  await south.goto('/admin/resource');
  await south.getByRole('link', { name: '审核 分子动力学' }).click();
  await south.getByRole('button', { name: '驳回…' }).click();
  const dialog = south.getByRole('dialog');
  await dialog.getByRole('button', { name: '驳回', exact: true }).click();
  await expect(dialog.getByText('请填写驳回理由')).toBeVisible();
  await dialog.getByLabel('驳回理由').fill('请写明规模');
  await dialog.getByRole('button', { name: '驳回', exact: true }).click();
  await expect(south).toHaveURL(/\/view\/rejected$/);
  // A rejected one is its applicant's to change.
  await south.goto(south.url().replace('/view/rejected', '/account/update/pending'));
  await expect(south.getByText('这份申请已被驳回')).toBeVisible();

  await student.reload();
  const item = student.getByRole('region', { name: '分子动力学' });
  await expect(item).toContainText('请写明规模');
  await item.getByRole('link', { name: '修改 分子动力学' }).click();
  await expect(student).toHaveURL(/\/edit\/rejected$/);
  await student.getByLabel('用途说明').fill('一百万个原子，十纳秒');
  await student.getByRole('button', { name: '保存并再次提交' }).click();
  await expect(student).toHaveURL('/resource/progress');
  await expect(item).toContainText('待审核');
  await item.getByText('经过').click();
  await expect(item.getByRole('listitem').first()).toContainText('修改后再次提交');

  await item.getByRole('button', { name: '撤回 分子动力学' }).click();
  await student.getByRole('dialog').getByRole('button', { name: '撤回', exact: true }).click();
  await expect(toast(student, '申请已撤回')).toBeVisible();
  await expect(item).toHaveCount(0);

  // Without a centre the list says why it is empty.
  await platform.sql(
    `delete from user_centre where user_id = (select id from user_account where username = 'graduate')`,
  );
  await south.goto('/admin/resource');
  await expect(south.getByText('您还没有负责的超算中心')).toBeVisible();
  for (const page of [student, south]) await page.context().close();
});
