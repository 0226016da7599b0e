/** What a browser tells of the pages that are looked at. */
import { expect } from '@playwright/test';
import { test } from '../support/pages-only.ts';
import { PASSWORD } from '../support/platform.ts';

test('a page is told of when it is opened and when it is left, with its own ids and address', async ({
  page,
  platform,
}) => {
  const told: string[] = [];
  page.on('request', (request) => {
    if (!request.url().includes('/api/v1/track')) return;
    const record = new URLSearchParams(request.postData() ?? '');
    const fields = ['Type', 'Field', 'URL', 'FromURL'].map((name) => record.getAll(name).join());
    told.push(fields.join(' '));
  });
  await page.request.post('/api/v1/user/auth', {
    data: { Username: 'student', Password: PASSWORD },
  });
  const first = '402 1 /problem/programming/1 ';
  await page.goto('/problem/programming/1');
  await expect.poll(() => told).toEqual([first]);
  // To a page of the same kind: the ids are those of the page that is shown.
  await page.evaluate(() => {
    history.pushState({}, '', '/problem/programming/2');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  const second = '402 2 /problem/programming/2 /problem/programming/1';
  await expect.poll(() => told).toEqual([first, first, second]);
  await page.getByRole('link', { name: '题库' }).click();
  const list = '401  /problem/programming /problem/programming/2';
  await expect.poll(() => told).toEqual([first, first, second, second, list]);
  await page.goto('/shortcuts');
  // What a page sends while it goes is seen where it arrives.
  await expect
    .poll(async () => {
      const rows = await platform.sql<{ url: string }>('select url from track_record');
      return rows.filter(({ url }) => url === '/problem/programming').length;
    })
    .toBe(2);
});
