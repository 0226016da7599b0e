/** The web IDE: its workbench opens, and the tool chain is at hand. */
import { openSoftware, showAs, showTerminal, typeLine } from '../support/sessions.ts';
import { endUsage, expect, test } from '../support/test.ts';

test('the workbench opens in the page, and compilers are on the path', async ({ signIn }) => {
  const page = await signIn('student');
  await openSoftware(page, '网页 IDE');
  const workbench = page.frameLocator('iframe[title^="网页 IDE"]').locator('.monaco-workbench');
  await expect(workbench).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText('连接良好').first()).toBeVisible({ timeout: 30_000 });
  const rows = await showTerminal(page);
  await typeLine(page, 'for t in gcc mpicc gdb make; do command -v $t; done');
  for (const tool of ['/gcc', '/mpicc', '/gdb', '/make']) await expect(rows).toContainText(tool);
  await showAs(page, '网页 IDE');
  await expect(workbench, 'it is as it was').toBeVisible();
  await endUsage(page);
});
