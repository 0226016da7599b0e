/** Programming problems on the real judge: a student solves one, a teacher makes one. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { zipOf } from '../support/zip.ts';

// The tests may take long for the judge’s sake; what cannot be pressed is told soon nevertheless.
test.use({ actionTimeout: 30_000 });

/** The judge becomes ready after the environments, once its own image is. */
async function waitForJudge(page: Page): Promise<void> {
  await expect
    .poll(
      async () =>
        ((await (await page.request.get('/api/v1/problem/judge')).json()) as { IsReady: boolean })
          .IsReady,
      { timeout: 900_000, intervals: [1000] },
    )
    .toBe(true);
}

/** Writes over what the editor holds. */
async function write(page: Page, label: string, code: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(code);
}

const WRONG = `#include <stdio.h>
int main(void) {
  fprintf(stderr, "<img src=x onerror=alert(1)>\\n");
  puts("1 2 3");
  return 0;
}
`;
const RIGHT = `#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  long long *a = malloc(n * sizeof *a), b;
  for (int i = 0; i < n; i++) if (scanf("%lld", &a[i]) != 1) return 1;
  for (int i = 0; i < n; i++) { if (scanf("%lld", &b) != 1) return 1; printf("%lld ", a[i] + b); }
  return 0;
}
`;

test('a student solves a problem: wrong first, then right, and it counts', async ({
  signIn,
  platform,
  consoleErrors,
}) => {
  test.setTimeout(1_000_000);
  // The walk through all pages left some of the student's submissions.
  await platform.sql('delete from problem_submission');
  await platform.sql('delete from problem_progress');
  const page = await signIn('student');
  await waitForJudge(page);
  await page.goto('/problem');
  await page.getByRole('link', { name: '进入编程题' }).click();
  await page.getByRole('link', { name: '向量求和' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '向量求和' })).toBeVisible();
  await expect(page.getByText('样例输入 1')).toBeVisible();
  await page.getByRole('combobox', { name: '语言' }).selectOption({ label: 'C' });
  const result = page.getByRole('region', { name: '结果', exact: true });

  await write(page, 'C 代码', 'int main(void) { return x; }');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(result).toContainText('编译错误', { timeout: 60_000 });
  await expect(result.getByText(/main\.c:1/).first()).toBeVisible();

  await write(page, 'C 代码', WRONG);
  await page.getByRole('button', { name: '提交', exact: true }).click();
  await expect(result).toContainText('答案错误', { timeout: 60_000 });
  // The example says where, as text; of a hidden test there is the verdict alone.
  await expect(result.getByRole('row').nth(1)).toContainText('第 1 个词应是 11，实际是 1');
  await expect(result.getByRole('row').nth(1)).toContainText('<img src=x onerror=alert(1)>');
  await expect(result.getByRole('row').nth(3)).not.toContainText('应是');

  // The draft outlives a reload.
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'C 代码' })).toContainText('1 2 3');

  await write(page, 'C 代码', RIGHT);
  await page.getByText('自己的输入').first().click();
  await page.getByRole('textbox', { name: '自己的输入' }).fill('2\n1 2\n30 40\n');
  await page.getByRole('button', { name: '运行', exact: true }).click();
  await expect(result).toContainText('31 42', { timeout: 60_000 });
  await page.getByRole('button', { name: '提交', exact: true }).click();
  await expect(result).toContainText('通过 5 / 5 个测试', { timeout: 60_000 });

  await page.getByRole('link', { name: '我的提交' }).click();
  // A run is no submission.
  await expect(page.getByText('第 1–3 项，共 3 项')).toBeVisible();
  await page.getByRole('button', { name: '查看' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('a[i] + b');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.goto('/problem/programming?state=solved');
  await expect(page.getByRole('row', { name: /向量求和/ })).toContainText('已解决');
  await expect(page.getByRole('row', { name: /矩阵乘法/ })).toHaveCount(0);
  await page.goto('/statistics');
  await expect(page.locator('.figure', { hasText: '解决的题目' })).toContainText('1');
  expect(consoleErrors).toEqual([]);
});

test('a teacher makes a problem, is told what is wrong with its tests, checks and publishes it', async ({
  signIn,
  consoleErrors,
}) => {
  test.setTimeout(1_000_000);
  const page = await signIn('teacher');
  await waitForJudge(page);
  await page.goto('/admin/programming-problem');
  await page.getByRole('link', { name: '新建编程题' }).click();
  await page.getByLabel('标题（中文）').fill('两数之差');
  await page.getByRole('textbox', { name: '题面（中文）' }).fill('给定 $a$ 和 $b$，求 $a-b$。');
  await page.getByRole('group', { name: '语言', exact: true }).getByLabel('Python').check();
  await page.getByLabel('编辑哪种语言').selectOption({ label: 'Python' });
  await write(page, 'Python 参考代码', 'a, b = map(int, input().split())\nprint(a - b)\n');
  await page.getByRole('button', { name: '创建', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: '两数之差' })).toBeVisible();
  const toasts = page.getByRole('log', { name: '提示' });
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await expect(toasts.getByText('这道题还没有测试数据，请先上传')).toBeVisible();

  const upload = async (files: Readonly<Record<string, string>>): Promise<void> => {
    await page
      .getByLabel('测试包文件')
      .setInputFiles({ name: 'tests.zip', mimeType: 'application/zip', buffer: zipOf(files) });
    await page.getByRole('button', { name: '上传', exact: true }).click();
  };
  await upload({ 'input1.txt': '5 3', 'output1.txt': '2', 'input2.txt': '1 1' });
  await expect(page.getByRole('alert')).toContainText('少了一对里的这个文件（output2.txt）');
  await upload({
    'input1.txt': '5 3',
    'output1.txt': '2',
    'input2.txt': '1 1',
    'output2.txt': '0',
  });
  await expect(toasts.getByText('收下了 2 组测试')).toBeVisible();
  await expect(page.getByText(/^2 组，共/)).toBeVisible();

  await page.getByRole('button', { name: '核对 · Python' }).click();
  await expect(page.getByRole('row', { name: /Python/ })).toContainText('通过 2 / 2 个测试', {
    timeout: 60_000,
  });
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await expect(toasts.getByText('已发布，大家可以看到了')).toBeVisible();

  const student = await signIn('graduate');
  await student.goto('/problem/programming?keyword=两数之差');
  await student.getByRole('link', { name: '两数之差' }).click();
  // The list has a choice of languages too.
  await expect(student.getByRole('heading', { level: 1, name: '两数之差' })).toBeVisible();
  await student.getByRole('combobox', { name: '语言' }).selectOption({ label: 'Python' });
  await write(student, 'Python 代码', 'a, b = map(int, input().split())\nprint(a - b)\n');
  await student.keyboard.press('ControlOrMeta+Enter');
  await expect(student.getByRole('region', { name: '结果', exact: true })).toContainText(
    '通过 2 / 2 个测试',
    { timeout: 60_000 },
  );

  await page.getByRole('link', { name: '提交', exact: true }).click();
  await expect(page.getByRole('row', { name: /提交 #/ })).toContainText('通过');
  expect(consoleErrors).toEqual([]);
});
