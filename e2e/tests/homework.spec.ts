/** Homework: set by a teacher, handed in by a student, corrected, reset, and its grade sheet. */
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { test } from '../support/pages-only.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj << >> endobj\ntrailer << >>\n%%EOF\n');
const TITLE = '用环传递一个令牌';

const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('log', { name: '提示' }).getByText(text);
const bellOf = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^通知/ });

/** A moment as a field for date and time has it. */
const local = (days: number): string => {
  const at = new Date(Date.now() + days * 86_400_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

async function idOfCourse(page: Page): Promise<number> {
  const answer = await page.request.get('/api/v1/course?joined=true&keyword=并行程序设计入门');
  const { List } = (await answer.json()) as { List: { ID: number }[] };
  return List[0]?.ID ?? 0;
}

/** Sets a homework with an attachment in the browser. */
async function setHomework(page: Page, courseID: number): Promise<void> {
  await page.goto(`/admin/course/${courseID}/homework`);
  await page.getByRole('link', { name: '布置作业' }).click();
  await page.getByRole('button', { name: '创建', exact: true }).click();
  await expect(page.getByRole('alert'), 'what is missing is told').toContainText('请填写标题');
  await page.getByLabel('标题（中文）').fill(TITLE);
  await page.getByLabel('截止时间').fill(local(7));
  await page.getByRole('textbox', { name: '题目（中文）' }).fill('## 要求\n\n用四个进程。');
  const attachments = page.getByLabel('添加文件');
  await attachments.setInputFiles({ name: '题目.exe', mimeType: 'x/x', buffer: PDF });
  await expect(page.getByRole('alert').last(), 'a kind that is not taken').toContainText(/mp4/);
  await attachments.setInputFiles({ name: '题目.pdf', mimeType: 'application/pdf', buffer: PDF });
  await expect(page.getByRole('button', { name: '移除 题目.pdf' })).toBeVisible();
  await page.getByLabel('发布', { exact: true }).check();
  await page.getByRole('button', { name: '创建', exact: true }).click();
  await expect(toast(page, '作业已发布')).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(TITLE) })).toContainText('已发布');
}

test('a homework goes from the teacher to the student and back, and its sheet changes nothing', async ({
  signIn,
}) => {
  const teacher = await signIn('teacher');
  const courseID = await idOfCourse(teacher);
  const student = await signIn('student');
  await student.goto('/home');
  await setHomework(teacher, courseID);
  await expect(bellOf(student), 'pushed, not polled').toHaveAccessibleName(/条未读/);

  // From the personal home to what is due, with the attachment.
  await student.goto('/home');
  await student
    .getByRole('list', { name: '要交的作业' })
    .getByRole('link', { name: TITLE })
    .click();
  await expect(student.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
  await expect(student.getByRole('heading', { name: '要求' })).toBeVisible();
  const [fetched] = await Promise.all([
    student.waitForEvent('download'),
    student.getByRole('link', { name: '下载 题目.pdf' }).click(),
  ]);
  expect(await readFile(await fetched.path())).toEqual(PDF);

  // Neither a text nor a file is nothing to hand in; a hostile name is told.
  await student.getByRole('button', { name: '提交作业' }).click();
  await expect(student.getByRole('alert')).toContainText('请填写正文');
  const own = student.getByRole('region', { name: '我的提交' });
  await own.getByLabel('添加文件').setInputFiles({
    name: 'a\u202Efdp.pdf',
    mimeType: 'application/pdf',
    buffer: PDF,
  });
  await expect(own.getByRole('alert').last()).toContainText(/文件名|名称/);
  await own
    .getByLabel('添加文件')
    .setInputFiles({ name: '报告.pdf', mimeType: 'application/pdf', buffer: PDF });
  await expect(own.getByRole('button', { name: '移除 报告.pdf' })).toBeVisible();
  // A draft outlives a reload.
  await student.reload();
  await expect(own.getByRole('button', { name: '移除 报告.pdf' })).toBeVisible();
  await student.getByRole('button', { name: '提交作业' }).click();
  await expect(toast(student, '作业已提交')).toBeVisible();
  await expect(own).toContainText('已提交');

  // It waits on the first page of the admin area, one press from the grading list.
  await teacher.goto('/admin');
  await expect(teacher.getByRole('link', { name: /待批改的作业/ })).toBeVisible();
  await teacher
    .getByRole('list', { name: '待批改的作业' })
    .getByRole('link', { name: TITLE })
    .click();
  await expect(teacher.getByRole('row', { name: /student\b/ })).toContainText('已提交');
  await teacher
    .getByRole('link', { name: /^批改 / })
    .last()
    .click();
  await teacher.getByRole('spinbutton', { name: '分数' }).fill('101');
  await teacher.getByRole('button', { name: '保存分数' }).click();
  await expect(teacher.getByRole('alert')).toContainText('0 到 100');
  await teacher.getByRole('spinbutton', { name: '分数' }).fill('92.5');
  await teacher.getByRole('textbox', { name: '评语' }).fill('=很好');
  await teacher.keyboard.press('Control+Enter');
  await expect(toast(teacher, /分数已保存/)).toBeVisible();
  await expect(teacher.getByRole('region', { name: '修改记录' })).toContainText('无 → 92.5');

  // The student's bell tells, and what is corrected is closed.
  await student.goto('/notification');
  await expect(student.getByText(`的作业“${TITLE}”已批改`).first()).toBeVisible();
  await student.goto('/home');
  await expect(student.getByRole('link', { name: TITLE })).toHaveCount(0);
  await student.goto(`/course/${courseID}?tab=homework`);
  await expect(student.getByRole('list', { name: '作业列表' })).toContainText('92.5 / 100');
  await student.getByRole('link', { name: TITLE }).click();
  await expect(student.getByRole('region', { name: '批改结果' })).toContainText('92.5 / 100');
  await expect(own).toContainText('已经批改，不能再改');
  await expect(own.getByRole('button')).toHaveCount(0);

  // The grade sheet, as it was exported, changes nothing.
  await teacher.getByRole('link', { name: '批改', exact: true }).click();
  const [sheet] = await Promise.all([
    teacher.waitForEvent('download'),
    teacher.getByRole('button', { name: '导出' }).click(),
  ]);
  expect(sheet.suggestedFilename()).toBe(`${TITLE}.xlsx`);
  await teacher.getByRole('button', { name: '导入成绩' }).click();
  const dialog = teacher.getByRole('dialog');
  await dialog.getByLabel('成绩表（xlsx、xls）').setInputFiles({
    name: '成绩.xlsx',
    mimeType: 'application/octet-stream',
    buffer: await readFile(await sheet.path()),
  });
  await expect(dialog).toContainText(/0 行会改，\d+ 行没有变化，0 行有问题/);
  await expect(dialog.getByRole('button', { name: '写入 0 个改动' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await dialog.getByRole('button', { name: '取消' }).click();

  // A reset opens it again.
  await teacher.getByRole('link', { name: /^查看 林同学/ }).click();
  await teacher.getByRole('button', { name: '重置' }).click();
  await teacher.getByRole('dialog').getByRole('button', { name: '重置' }).click();
  await expect(toast(teacher, /已重置/)).toBeVisible();
  await student.reload();
  await own.getByRole('button', { name: '修改提交' }).click();
  await own.getByRole('textbox', { name: '正文' }).fill('补充说明');
  await own.getByRole('button', { name: '重新提交' }).click();
  await expect(toast(student, '作业已提交')).toBeVisible();
  await expect(own).toContainText('补充说明');
});

test('an upload is cancelled and leaves nothing; late work is told before and marked', async ({
  signIn,
}) => {
  const teacher = await signIn('teacher');
  const courseID = await idOfCourse(teacher);
  const set = await teacher.request.post(`/api/v1/course/${courseID}/homework?role=teacher`, {
    data: {
      TitleZh: '迟到的作业',
      DueAt: new Date(Date.now() - 3_600_000).toISOString(),
      IsPublished: true,
    },
  });
  const { ID } = (await set.json()) as { ID: number };
  const student = await signIn('student');
  await student.goto(`/course/${courseID}/homework/${ID}`);
  const own = student.getByRole('region', { name: '我的提交' });
  await expect(own).toContainText('现在提交会标记为逾期');

  // The network holds it back: it can be stopped, and another one be chosen.
  await student.route('**/submission/file?*', () => undefined);
  const file = { name: '报告.pdf', mimeType: 'application/pdf', buffer: PDF };
  await own.getByLabel('添加文件').setInputFiles(file);
  await expect(own.getByRole('progressbar')).toBeVisible();
  await expect(
    own.getByRole('button', { name: '提交作业' }),
    'a file on its way is waited for',
  ).toHaveAttribute('aria-disabled', 'true');
  await own.getByRole('button', { name: '取消上传' }).click();
  await expect(own.getByRole('progressbar')).toHaveCount(0);
  await expect(own.getByRole('button', { name: /^移除/ })).toHaveCount(0);
  await student.unroute('**/submission/file?*');
  await own.getByLabel('添加文件').setInputFiles(file);
  await expect(own.getByRole('button', { name: '移除 报告.pdf' })).toBeVisible();

  // Leaving asks, since it is not handed in.
  await student.getByRole('link', { name: '并行程序设计入门' }).first().click();
  const asked = student.getByRole('dialog');
  await expect(asked).toBeVisible();
  await asked.getByRole('button', { name: '取消' }).click();
  await own.getByRole('button', { name: '提交作业' }).click();
  await expect(own).toContainText('逾期提交');

  // Taken back, it may be handed in again.
  await own.getByRole('button', { name: '撤回提交' }).click();
  await student.getByRole('dialog').getByRole('button', { name: '撤回提交' }).click();
  await expect(toast(student, '提交已撤回')).toBeVisible();
  await expect(own.getByRole('button', { name: '提交作业' })).toBeVisible();
});
