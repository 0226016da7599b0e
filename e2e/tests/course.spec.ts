/** Courses: a teacher makes them, students join, an assistant helps; each hears of the other. */
import { expect, type Page } from '@playwright/test';
import { test } from '../support/pages-only.ts';
import { PASSWORD } from '../support/platform.ts';

const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('log', { name: '提示' }).getByText(text);
const bellOf = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^通知/ });

/** Makes and publishes a course in the browser. @returns its id */
async function makeCourse(page: Page, title: string, mode: string, code?: string): Promise<number> {
  await page.goto('/admin/course');
  await page.getByRole('link', { name: '新建课程' }).click();
  await page.getByLabel('标题（中文）').fill(title);
  await page.getByLabel('加入方式').selectOption({ label: mode });
  if (code !== undefined) {
    await page.getByRole('button', { name: '创建', exact: true }).click();
    await expect(page.getByRole('alert'), 'a missing code is told').toContainText('请填写邀请码');
    await page.getByLabel('邀请码', { exact: true }).fill(code);
  }
  await page.getByRole('textbox', { name: '说明（中文）' }).fill('## 安排\n\n每周一个实验。');
  await page.getByRole('button', { name: '创建', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await expect(toast(page, '已发布')).toBeVisible();
  return Number(/\/admin\/course\/(\d+)\/info$/.exec(page.url())?.[1]);
}

async function writeNotice(page: Page, title: string, content: string): Promise<void> {
  await page.getByRole('button', { name: '写通知' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '发布' }).click();
  await expect(dialog.getByRole('alert'), 'what is missing is told').toContainText('请填写标题');
  await dialog.getByLabel('标题（中文）').fill(title);
  await dialog.getByLabel('内容（中文）').fill(content);
  await dialog.getByRole('button', { name: '发布' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('list', { name: '通知', exact: true })).toContainText(title);
}

test('a student joins with a code and hears of a notice at once; the assistant knows this course alone', async ({
  signIn,
}) => {
  const teacher = await signIn('teacher');
  const courseID = await makeCourse(teacher, 'MPI 小班', '邀请码：输入邀请码才能加入', 'mpi2026');
  const otherID = await makeCourse(teacher, '别的课程', '公开：登录后点一下就加入');

  // A wrong code is told at its field, and so is one out of its time.
  const student = await signIn('student2');
  await student.goto('/course');
  await student.getByRole('link', { name: /MPI 小班/ }).click();
  await expect(student.getByRole('heading', { name: '安排' })).toBeVisible();
  const code = student.getByLabel('邀请码');
  await code.fill('mpi2025');
  await student.getByRole('button', { name: '加入课程' }).click();
  await expect(code).toHaveAccessibleDescription('邀请码错误');
  await teacher.goto(`/admin/course/${courseID}/permission`);
  await teacher.getByLabel('有效期结束').fill('2020-01-01T00:00');
  await teacher.getByRole('button', { name: '保存' }).click();
  await expect(toast(teacher, '已保存')).toBeVisible();
  await code.fill('mpi2026');
  await student.getByRole('button', { name: '加入课程' }).click();
  await expect(code).toHaveAccessibleDescription('请在有效期内加入课程');
  await teacher.getByLabel('有效期结束').fill('');
  await teacher.getByRole('button', { name: '保存' }).click();
  await expect(teacher.getByText('有未保存的修改')).toBeHidden();
  await student.getByRole('button', { name: '加入课程' }).click();
  await expect(student.getByText('您在这门课程里')).toBeVisible();

  // An assistant, added by name.
  const helpers = teacher.getByRole('region', { name: '助教' });
  await helpers.getByLabel('用户名或邮箱').fill('nobody');
  await helpers.getByRole('button', { name: '添加助教' }).click();
  await expect(helpers.getByLabel('用户名或邮箱')).toHaveAccessibleDescription(/没有用户名/);
  await helpers.getByLabel('用户名或邮箱').fill('graduate');
  await helpers.getByRole('button', { name: '添加助教' }).click();
  await expect(helpers.getByRole('list')).toContainText('graduate');

  const assistant = await signIn('graduate');
  await assistant.goto('/admin/course');
  await expect(assistant.getByRole('row', { name: /MPI 小班/ })).toBeVisible();
  await expect(assistant.getByRole('row', { name: /别的课程/ })).toHaveCount(0);
  await expect(assistant.getByRole('link', { name: '新建课程' })).toHaveCount(0);
  await expect(
    assistant.getByRole('row', { name: /MPI 小班/ }).getByRole('button', { name: '删除' }),
  ).toHaveCount(0);
  await assistant.goto(`/admin/course/${otherID}/notification`);
  await expect(assistant.getByRole('heading', { name: '找不到这个页面' })).toBeVisible();
  await assistant.goto(`/admin/course/${courseID}/permission`);
  await expect(assistant.getByText('只有课程的创建者和管理员可以修改这些')).toBeVisible();
  await expect(assistant.getByLabel('加入方式')).toHaveCount(0);

  // Notices of the assistant and of the teacher reach the student's open page and bell.
  await student.getByRole('link', { name: '通知', exact: true }).last().click();
  await expect(student.getByText('还没有通知')).toBeVisible();
  await assistant.getByRole('link', { name: '通知', exact: true }).last().click();
  await writeNotice(assistant, '第一次课', '周三晚上七点，机房见。');
  await expect(bellOf(student), 'pushed, not polled').toHaveAccessibleName(/条未读/);
  const notices = student.getByRole('list', { name: '通知', exact: true });
  await expect(notices).toContainText('周三晚上七点');
  await teacher.goto(`/admin/course/${courseID}/notification`);
  await teacher.getByRole('button', { name: '编辑 第一次课' }).click();
  const dialog = teacher.getByRole('dialog');
  await dialog.getByLabel('内容（中文）').fill('改到周四晚上七点。');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog).toBeHidden();
  await bellOf(student).click();
  const told = student.getByRole('list', { name: '通知列表' }).getByRole('listitem').first();
  await expect(told).toContainText('改到周四');
  await told.getByRole('button', { name: '查看' }).click();
  await expect(student).toHaveURL(new RegExp(`/course/${courseID}`));

  // Left, and nothing of the course's own shows any more.
  await student.getByRole('button', { name: '退出课程' }).click();
  await student.getByRole('dialog').getByRole('button', { name: '退出课程' }).click();
  await expect(student.getByLabel('邀请码')).toBeVisible();
  await expect(student.getByRole('navigation', { name: '课程内容' })).toHaveCount(0);
});

test('an application waits and is approved while the student looks; a visitor is asked to log in', async ({
  signIn,
  page: visitor,
}) => {
  const teacher = await signIn('teacher');
  const courseID = await makeCourse(teacher, '加速小班', '申请：由您、协作教师或助教审核');

  await visitor.goto(`/course/${courseID}`);
  await expect(visitor.getByRole('heading', { name: '安排' })).toBeVisible();
  await visitor.getByRole('link', { name: '登录后加入' }).click();
  await visitor.getByLabel(/用户名/).fill('student');
  await visitor.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await visitor.getByRole('button', { name: '登录', exact: true }).click();
  await expect(visitor).toHaveURL(new RegExp(`/course/${courseID}$`));
  const student = visitor;

  // Withdrawn, and applied again.
  await student.getByRole('button', { name: '申请加入' }).click();
  await student.getByRole('button', { name: '撤回申请' }).click();
  await student.getByRole('dialog').getByRole('button', { name: '撤回申请' }).click();
  await student.getByRole('button', { name: '申请加入' }).click();
  await expect(student.getByText('申请已提交，等待老师审核')).toBeVisible();

  await teacher.goto('/admin');
  await teacher.getByRole('link', { name: /加入课程的申请/ }).click();
  await expect(teacher.getByRole('row', { name: /MPI 编程实践/ })).toHaveCount(0);
  await teacher
    .getByRole('row', { name: /加速小班/ })
    .getByRole('link', { name: '1' })
    .click();
  await expect(teacher).toHaveURL(/state=waiting/);
  await teacher.getByRole('row').getByRole('checkbox').nth(1).check();
  await teacher.getByRole('button', { name: '通过 1 人' }).click();
  await teacher.getByRole('dialog').getByRole('button', { name: '通过' }).click();
  await expect(toast(teacher, '已通过 1 人')).toBeVisible();
  await expect(teacher.getByText('没有符合条件的内容')).toBeVisible();
  await expect(student.getByText('您在这门课程里'), 'told without a reload').toBeVisible();
  await student.getByRole('link', { name: '成员', exact: true }).click();
  await expect(student.getByRole('list', { name: '成员' }).getByRole('listitem')).toHaveCount(1);

  await student.goto('/course?joined=true');
  await expect(student.getByRole('link', { name: /加速小班/ })).toBeVisible();
  await expect(student.getByRole('link', { name: /MPI 编程实践/ })).toHaveCount(0);

  await student.goto('/home');
  await expect(
    student.getByRole('region', { name: '我的课程' }).getByRole('link', { name: /加速小班/ }),
  ).toBeVisible();

  // Found from anywhere by its name.
  await student.goto('/');
  await student.getByRole('button', { name: /搜索或跳转/ }).click();
  await student.getByRole('combobox').fill('加速小班');
  await student.getByRole('option', { name: '加速小班' }).click();
  await expect(student).toHaveURL(new RegExp(`/course/${courseID}$`));

  // Exported, and taken out.
  await teacher.getByRole('button', { name: '清除条件' }).click();
  await teacher.getByRole('button', { name: '导出' }).click();
  const [file] = await Promise.all([
    teacher.waitForEvent('download'),
    teacher.getByRole('dialog').getByRole('button', { name: '导出', exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  await teacher.getByRole('button', { name: /^移出 / }).click();
  await teacher.getByRole('dialog').getByRole('button', { name: '移出' }).click();
  await expect(toast(teacher, '已移出 1 人')).toBeVisible();

  // Hidden, then deleted: what goes with it is said first.
  await teacher.goto('/admin/course');
  const row = teacher.getByRole('row', { name: /加速小班/ });
  await row.getByRole('button', { name: '隐藏' }).click();
  await expect(row).toContainText('隐藏');
  await student.goto('/course');
  await expect(student.getByRole('list', { name: '课程列表' })).toBeVisible();
  await expect(student.getByRole('link', { name: /加速小班/ })).toHaveCount(0);
  await student.goto(`/course/${courseID}`);
  await student.getByRole('button', { name: '申请加入' }).click();
  await row.getByRole('button', { name: '删除' }).click();
  await expect(teacher.getByRole('dialog')).toContainText('1 个等待审核的申请');
  await teacher.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(row).toHaveCount(0);
  await student.reload();
  await expect(student.getByRole('heading', { name: '找不到这个页面' })).toBeVisible();
});

test('a draft that outlived a reload does not overwrite what somebody else saved meanwhile', async ({
  signIn,
}) => {
  const teacher = await signIn('teacher');
  const courseID = await makeCourse(teacher, '两人同改', '公开：登录后点一下就加入');
  const description = teacher.getByLabel('描述（中文）');
  await description.fill('老师写的');

  const admin = await signIn('admin');
  await admin.goto(`/admin/course/${courseID}/info`);
  await admin.getByLabel('描述（中文）').fill('管理员写的');
  await admin.getByRole('button', { name: '保存', exact: true }).click();
  await expect(toast(admin, '已保存')).toBeVisible();

  // The page now knows the newer course; what was typed is still a change of the older one.
  await teacher.reload();
  await expect(description).toHaveValue('老师写的');
  await teacher.getByRole('button', { name: '保存', exact: true }).click();
  await expect(teacher.getByRole('alert')).toContainText('有人改过它');
  await expect(description, 'nothing typed is lost').toHaveValue('老师写的');
  await teacher.getByRole('button', { name: '重新载入' }).click();
  await expect(description).toHaveValue('管理员写的');
});
