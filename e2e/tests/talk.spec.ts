/** What users and those who run the place say to each other: suggestions, replies, notifications. */
import { expect, test } from '../support/test.ts';

/** One red pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

test('a student suggests, staff answer, and each hears of the other without reloading', async ({
  signIn,
}) => {
  const student = await signIn('student');
  const admin = await signIn('admin');
  await admin.goto('/admin');
  const adminBell = admin.getByRole('link', { name: /^通知/ }).first();
  await expect(adminBell).toBeVisible();

  await student.goto('/suggestion');
  await student.getByRole('button', { name: '提建议' }).first().click();
  const dialog = student.getByRole('dialog');
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog.getByRole('alert'), 'what is missing is told').toContainText('标题');
  await dialog.getByLabel('标题').fill('终端里的字太小');
  await dialog.getByLabel('内容').fill('在 4K 屏幕上看不清 <img src=x onerror=alert(1)>');
  await dialog
    .getByLabel('添加图片')
    .setInputFiles({ name: '../../截图 <b>.png', mimeType: 'image/png', buffer: PIXEL });
  await expect(dialog.getByRole('img', { name: '第 1 张图片' })).toBeVisible();
  // What was typed is still there after a reload.
  await student.reload();
  await student.getByRole('button', { name: '提建议' }).first().click();
  await expect(dialog.getByLabel('标题')).toHaveValue('终端里的字太小');
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog).toBeHidden();

  await expect(adminBell, 'pushed, not polled').toHaveAccessibleName(/条未读/);
  await adminBell.click();
  const told = admin.getByRole('list', { name: '通知列表' }).getByRole('listitem').first();
  await expect(told).toContainText('终端里的字太小');
  await told.getByRole('button', { name: '查看' }).click();
  await expect(admin.getByRole('heading', { level: 1, name: '终端里的字太小' })).toBeVisible();
  await expect(admin.getByText('<img src=x onerror=alert(1)>')).toBeVisible();

  await student.getByRole('link', { name: '终端里的字太小' }).click();
  await expect(student.getByText('还没有回复。')).toBeVisible();
  await admin.getByLabel('回复内容').fill('右键菜单里可以调字号');
  await admin.getByRole('button', { name: '发送' }).click();
  const conversation = student.getByRole('list', { name: '对话' });
  await expect(conversation).toContainText('右键菜单里可以调字号');
  await expect(conversation).toContainText('工作人员');
  await student.getByLabel('回复内容').fill('找到了，谢谢');
  await student.getByRole('button', { name: '发送' }).click();
  await expect(admin.getByRole('list', { name: '对话' })).toContainText('找到了，谢谢');

  // Deleted while the student writes: told, and what was typed stays.
  await student.getByLabel('回复内容').fill('还有一件事');
  await admin.getByRole('button', { name: '删除' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(admin).toHaveURL(/\/admin\/suggestion$/);
  await expect(student.getByText('这条建议已被删除')).toBeVisible();
  await expect(student.getByLabel('回复内容')).toHaveValue('还有一件事');
});

test('staff send to everybody; the bell counts, and reading it clears it in every tab', async ({
  signIn,
}) => {
  const student = await signIn('student2');
  await student.goto('/');
  const second = await student.context().newPage();
  await second.goto('/software');
  const admin = await signIn('admin');
  await admin.goto('/admin/notification');
  await admin.getByRole('button', { name: '发送通知' }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByLabel('中文标题').fill('周六停机');
  await dialog.getByLabel('中文内容').fill('周六 8 点到 10 点维护');
  await dialog.getByLabel('英文标题').fill('Maintenance');
  await dialog.getByLabel('打开的页面').fill('//elsewhere.example');
  await dialog.getByRole('button', { name: '发送', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('只能是站内路径');
  await dialog.getByLabel('打开的页面').fill('/software');
  await dialog.getByRole('button', { name: '发送', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(admin.getByRole('row', { name: /周六停机/ })).toContainText('已发送');

  const bellOf = (page: typeof student) =>
    page.getByRole('banner').getByRole('link', { name: /^通知/ });
  await expect(bellOf(student)).toHaveAccessibleName(/条未读/);
  await expect(bellOf(second)).toHaveAccessibleName(/条未读/);
  await bellOf(student).click();
  await student.getByRole('button', { name: '全部标为已读' }).click();
  await expect(bellOf(student)).toHaveAccessibleName('通知');
  await expect(bellOf(second)).toHaveAccessibleName('通知');

  await admin
    .getByRole('row', { name: /周六停机/ })
    .getByRole('button', { name: '撤回' })
    .click();
  await admin.getByRole('dialog').getByRole('button', { name: '撤回' }).click();
  await expect(student.getByText('周六停机')).toHaveCount(0);
});
