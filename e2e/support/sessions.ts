/** What the tests of desktops, terminals and web IDEs share. */
import type { Locator, Page } from '@playwright/test';
import { endUsage, expect } from './test.ts';

/** Id and kind of a software, by its Chinese title. */
export async function findSoftware(
  page: Page,
  title: string,
): Promise<{ id: number; type: number }> {
  const answer = await page.request.get('/api/v1/software?pageSize=100');
  const { List } = (await answer.json()) as {
    List: { ID: number; Type: number; Title: string }[];
  };
  const found = List.find((software) => software.Title === title);
  if (found === undefined) throw new Error(`no software called ${title}`);
  return { id: found.ID, type: found.Type };
}

const KINDS = ['', 'desktop', 'notebook', 'ide'];
const ROUTES = ['', 'softwareDetailDesktop', 'softwareDetailNotebook', 'softwareDetailWebIDE'];

/** Opens a software's environment through the API, and its page; the page is what is looked at. */
export async function openSoftware(page: Page, title: string): Promise<void> {
  await endUsage(page);
  const { id, type } = await findSoftware(page, title);
  const path = `/software/${KINDS[type]}/${id}`;
  const answer = await page.request.post('/api/v1/usage', {
    data: { SoftwareID: id, RouteName: ROUTES[type], RoutePath: path },
    timeout: 180_000,
  });
  expect(answer.status(), await answer.text()).toBe(200);
  await page.goto(path);
}

/** Shows the machine as something: as its desktop, notebook or web IDE, or as its command line. */
export const showAs = (page: Page, surface: string): Promise<void> =>
  page.getByRole('radiogroup', { name: '使用方式' }).getByText(surface, { exact: true }).click();

/** Shows the command line of the environment on the page, and waits for its prompt. */
export async function showTerminal(page: Page): Promise<Locator> {
  await showAs(page, '命令行');
  const rows = page.locator('.terminal-panel:not([hidden]) .xterm-rows');
  await expect(rows).toContainText(/[$#]/, { timeout: 30_000 });
  return rows;
}

/** Types a line into the terminal that is shown. */
export async function typeLine(page: Page, line: string): Promise<void> {
  await page.locator('.terminal-panel:not([hidden]) .xterm-screen').click();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

/** What the terminal shows, without the line ends that its width makes. */
export const shownText = async (rows: Locator): Promise<string> =>
  (await rows.locator('> div').allTextContents()).join('').replaceAll(/\s+/g, ' ');
