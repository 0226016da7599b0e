/** What goes while somebody is at it: told, and nothing that was typed goes with it. */
import { expect, type Page } from '@playwright/test';
import { test } from '../support/pages-only.ts';

/** Id of the first one of a list. */
async function firstID(page: Page, list: string): Promise<number> {
  const answer = await page.request.get(`/api/v1${list}`);
  const { List } = (await answer.json()) as { List: { ID: number }[] };
  return List[0]?.ID ?? 0;
}

test('a problem that is taken back leaves its code to who was writing it', async ({ signIn }) => {
  const student = await signIn('student');
  const admin = await signIn('admin');
  const problemID = await firstID(student, '/problem?keyword=向量求和');
  const publish = async (IsPublished: boolean): Promise<void> => {
    const answer = await admin.request.put(`/api/v1/problem/${problemID}/publish?role=admin`, {
      data: { IsPublished },
    });
    expect(answer.status()).toBe(200);
  };
  await student.goto(`/problem/programming/${problemID}`);
  const editor = student.getByRole('textbox', { name: 'C 代码' });
  await editor.click();
  await student.keyboard.press('ControlOrMeta+A');
  await student.keyboard.insertText('int main(void) { return 7; }');
  await publish(false);
  await student.getByRole('button', { name: '提交', exact: true }).click();
  await expect(student.getByRole('alert')).toContainText('已被收回或删除');
  await expect(editor).toContainText('return 7;');
  await publish(true);
  await student.reload();
  await expect(editor).toContainText('return 7;');
  await expect(student.getByRole('alert')).toHaveCount(0);
});

test('a homework that is taken back leaves its text to who was writing it', async ({ signIn }) => {
  const student = await signIn('student');
  const teacher = await signIn('teacher');
  const courseID = await firstID(student, '/course?joined=true&keyword=并行程序设计入门');
  const made = await teacher.request.post(`/api/v1/course/${courseID}/homework?role=teacher`, {
    data: {
      TitleZh: '半途收回的作业',
      TitleEn: '',
      ContentZh: '',
      ContentEn: '',
      OpenAt: null,
      DueAt: new Date(Date.now() + 86_400_000).toISOString(),
      MaxScore: 100,
      IsPublished: true,
      AttachmentIDList: [],
    },
  });
  expect(made.status()).toBe(201);
  const { ID, Version } = (await made.json()) as { ID: number; Version: number };
  await student.goto(`/course/${courseID}/homework/${ID}`);
  const text = student.getByRole('textbox', { name: '正文' });
  await text.click();
  await student.keyboard.insertText('写了一个晚上的答案');
  const path = `/api/v1/course/${courseID}/homework/${ID}/publish?role=teacher`;
  const taken = await teacher.request.put(path, { data: { IsPublished: false, Version } });
  expect(taken.status()).toBe(200);
  await student.getByRole('button', { name: '提交作业' }).click();
  await expect(student.getByText('这份作业现在打不开了')).toBeVisible();
  await expect(text).toContainText('写了一个晚上的答案');
});

test('a notification that is being written outlives a key that closes its dialog', async ({
  signIn,
}) => {
  const admin = await signIn('admin');
  await admin.goto('/admin/notification');
  const dialog = admin.getByRole('dialog');
  const begin = admin.getByRole('button', { name: '发送通知' }).first();
  await begin.click();
  await dialog.getByLabel('中文标题').fill('停机维护');
  await dialog.getByLabel('中文内容').fill('周六全天');
  await dialog.getByLabel('定时发送').check();
  await admin.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await begin.click();
  await expect(dialog.getByLabel('中文内容')).toHaveValue('周六全天');
  await dialog.getByLabel('发送时间').fill('2199-01-01T08:00');
  await dialog.getByRole('button', { name: '发送', exact: true }).click();
  await expect(dialog).toBeHidden();
  // For how many it will be is not known yet, which is not the same as for nobody.
  const row = admin.getByRole('row', { name: /停机维护/ });
  await expect(row).toContainText('待发送');
  await expect(row).not.toContainText('0 / 0');
  await begin.click();
  await expect(dialog.getByLabel('中文标题')).toHaveValue('');
  await admin.keyboard.press('Escape');
  await row.getByRole('button', { name: '取消发送' }).click();
  await dialog.getByRole('button', { name: '取消发送' }).click();
  await expect(row).toHaveCount(0);
});

test('who empties the last page of a list stands on the one before it', async ({
  signIn,
  platform,
}) => {
  // Other tests may have sent some.
  await platform.sql('delete from notification');
  const admin = await signIn('admin');
  const student = await signIn('student2');
  for (let number = 1; number <= 21; number += 1) {
    const sent = await admin.request.post('/api/v1/notification?role=admin', {
      data: {
        TitleZh: `第 ${number} 条`,
        ContentZh: '内容',
        Audience: 'users',
        Names: ['student2'],
      },
    });
    expect(sent.status()).toBe(201);
  }
  await student.goto('/notification?page=2');
  await student.getByRole('button', { name: '删除: 第 1 条', exact: true }).click();
  await expect(student).toHaveURL(/\/notification$/);
  await expect(student.getByRole('list', { name: '通知列表' }).getByRole('listitem')).toHaveCount(
    20,
  );
  await admin.goto('/admin/notification?page=2');
  await admin.getByRole('button', { name: '撤回' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: '撤回' }).click();
  await expect(admin).toHaveURL(/\/admin\/notification$/);
  await expect(admin.getByRole('row', { name: /第 21 条/ })).toBeVisible();
});
