/** The command line: what it survives, and that nothing printed in it can act on the page. */
import { openSoftware, showTerminal, shownText, typeLine } from '../support/sessions.ts';
import { endUsage, expect, findLab, test } from '../support/test.ts';

const NOTEBOOK = 'JupyterLab 笔记本';

test('a terminal survives a reload with its shell and its scroll-back', async ({ signIn }) => {
  const page = await signIn('student');
  await openSoftware(page, NOTEBOOK);
  let rows = await showTerminal(page);
  await typeLine(page, 'answer=$((6*7)); echo first-$answer');
  await expect(rows).toContainText('first-42');
  await page.reload();
  rows = await showTerminal(page);
  await expect(rows).toContainText('first-42');
  await typeLine(page, 'echo second-$answer');
  await expect(rows).toContainText('second-42');
});

test('two tabs see one terminal', async ({ signIn }) => {
  const page = await signIn('student');
  await openSoftware(page, NOTEBOOK);
  await showTerminal(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  const rows = await showTerminal(other);
  await typeLine(page, 'echo seen-by-$((1+1))');
  await expect(rows).toContainText('seen-by-2');
});

test('kill -9 of the platform: no line is lost, none comes twice, and what is typed meanwhile arrives', async ({
  signIn,
  platform,
}) => {
  const page = await signIn('student');
  await openSoftware(page, NOTEBOOK);
  const rows = await showTerminal(page);
  await typeLine(
    page,
    'clear; for i in $(seq 1 60); do printf "<%s>" $i; sleep 0.2; done; read word; echo got-$word',
  );
  await expect(rows).toContainText('<5>');
  await platform.kill();
  const typed = 'typed-without-a-link';
  await page.keyboard.type(typed);
  await platform.start();
  const all = Array.from({ length: 60 }, (_unused, index) => `<${index + 1}>`).join('');
  await expect
    // What is typed shows between what is printed, where and in how many pieces is chance.
    .poll(async () => (await shownText(rows)).match(/<\d+>/g)?.join(''), {
      timeout: 60_000,
    })
    .toBe(all);
  await page.keyboard.press('Enter');
  await expect(rows).toContainText(`got-${typed}`);
});

test('the notebook behind the command line does not take the keyboard', async ({ signIn }) => {
  const page = await signIn('student');
  await openSoftware(page, NOTEBOOK);
  const notebook = page.frameLocator('iframe[title^="笔记本"]');
  await expect(notebook.locator('.jp-Launcher, .jp-LabShell').first()).toBeVisible({
    timeout: 60_000,
  });
  const rows = await showTerminal(page);
  await typeLine(page, 'clear; echo ready-to-$((40 + 2))');
  await expect(rows).toContainText('ready-to-42');
  // What JupyterLab does when it has started, or has been loaded anew.
  await notebook.locator('body').evaluate((body) => {
    body.tabIndex = -1;
    window.focus();
    body.focus();
    body.querySelector<HTMLElement>('button, [tabindex]')?.focus();
  });
  await page.keyboard.type('echo still-$((40 + 2))');
  await page.keyboard.press('Enter');
  await expect(rows).toContainText('still-42');
});

test('nothing that is printed reads the clipboard, writes it, or moves the page', async ({
  signIn,
}) => {
  const page = await signIn('student');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSoftware(page, NOTEBOOK);
  const rows = await showTerminal(page);
  await page.evaluate(() => navigator.clipboard.writeText('mine'));
  const before = page.url();
  const title = await page.title();
  await typeLine(
    page,
    String.raw`printf '\033]52;c;%s\007\033[8;10;10t\033]0;<img src=x onerror=alert(1)>\007done-%s\n' "$(echo theirs | base64)" 1; read wait`,
  );
  await expect(rows).toContainText('done-1');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('mine');
  expect(page.url()).toBe(before);
  expect(await page.title()).toBe(title);
  await expect(page.getByRole('tab', { name: /<img src=x/ }), 'the title is only text').toHaveCount(
    1,
  );
});

test('the keyboard leaves the terminal; several lines are asked about once', async ({ signIn }) => {
  const page = await signIn('student');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSoftware(page, NOTEBOOK);
  const rows = await showTerminal(page);
  await typeLine(page, 'cat');
  await page.keyboard.press('Control+Alt+Home');
  await expect(page.getByRole('tab', { selected: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.evaluate(() => navigator.clipboard.writeText('eins\nzwei\n'));
  await page.keyboard.press('Control+Shift+V');
  const dialog = page.getByRole('dialog', { name: '粘贴 2 行？' });
  await expect(dialog).toContainText('eins');
  await dialog.getByRole('button', { name: '粘贴', exact: true }).click();
  await expect(rows).toContainText('zwei');
  await page.evaluate(() => navigator.clipboard.writeText('drei\nvier\n'));
  await page.keyboard.press('Control+Shift+V');
  await expect(rows).toContainText('vier');
  await expect(dialog).toHaveCount(0);
});

test('terminals are opened, searched, renamed and closed', async ({ signIn }) => {
  const page = await signIn('student');
  await openSoftware(page, NOTEBOOK);
  await showTerminal(page);
  await page.getByRole('button', { name: '新终端' }).click();
  await expect(page.getByRole('tab')).toHaveCount(2);
  const rows = page.locator('.terminal-panel:not([hidden]) .xterm-rows');
  await expect(rows).toContainText('$', { timeout: 30_000 });
  await typeLine(page, 'echo needle');
  await page.keyboard.press('Control+Shift+F');
  await page.getByLabel('在终端里查找').fill('haystack');
  await page.keyboard.press('Enter');
  await expect(page.locator('.terminal-search').getByText('没有找到').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { selected: true }).focus();
  await page.keyboard.press('F2');
  await page.getByLabel('名字').fill('编译');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: '编译' })).toBeVisible();
  await page.getByRole('tab', { name: '编译' }).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: '关闭终端' }).click();
  await expect(page.getByRole('tab')).toHaveCount(1);
  await page.reload();
  await showTerminal(page);
  await expect(page.getByRole('tab'), 'it is gone in the environment as well').toHaveCount(1);
  await endUsage(page);
});

test('a terminal opens on another node of a cluster', async ({ signIn }) => {
  const page = await signIn('student');
  await endUsage(page);
  const { id, tasks } = await findLab(page, '三个节点上的 MPI');
  const path = `/lab/${id}/notebook/task/${tasks[0]}`;
  const answer = await page.request.post('/api/v1/usage', {
    data: { LabID: id, TaskID: tasks[0], RouteName: 'notebookLabTaskDetail', RoutePath: path },
    timeout: 180_000,
  });
  expect(answer.status(), await answer.text()).toBe(200);
  await page.goto(path);
  await showTerminal(page);
  await page.getByRole('button', { name: '在哪个节点打开新终端' }).click();
  await page.getByRole('menuitem', { name: '在 node2 上打开' }).click();
  const rows = page.locator('.terminal-panel:not([hidden]) .xterm-rows');
  await expect(rows).toContainText('$', { timeout: 30_000 });
  await typeLine(page, 'echo on-$(hostname)');
  await expect(rows).toContainText('on-node2');
  await endUsage(page);
});
