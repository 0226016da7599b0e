/** Nothing jumps while a page loads: the sum of all layout shifts stays small. */
import type { Page } from '@playwright/test';
import { expect, findLab, test } from '../support/test.ts';

const MOST = 0.05;

/** Sums up the shifts of a page from its first paint on, as a slow laptop would see them. */
async function shiftOf(page: Page, path: string): Promise<number> {
  const device = await page.context().newCDPSession(page);
  await device.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(() => {
    const sum = { value: 0 };
    Object.assign(window, { layoutShift: sum });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) sum.value += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  // Pictures further down must not push what is read.
  await page.mouse.wheel(0, 800);
  await page.waitForLoadState('networkidle');
  return page.evaluate(
    () => (window as unknown as { layoutShift: { value: number } }).layoutShift.value,
  );
}

for (const width of [1350, 390]) {
  test(`the lists and a lab stand still while they load, ${width} px wide`, async ({ signIn }) => {
    const page = await signIn('student');
    await page.setViewportSize({ width, height: 900 });
    const { id } = await findLab(page, '第一个 MPI 程序');
    for (const path of ['/lab', `/lab/${id}`, '/software']) {
      const visit = await page.context().newPage();
      await visit.setViewportSize({ width, height: 900 });
      expect(await shiftOf(visit, path), path).toBeLessThan(MOST);
      await visit.close();
    }
  });
}
