/** The list of universities, at both of its addresses. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { World } from '../../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await World.create();
});
afterAll(() => world[Symbol.asyncDispose]());

interface List {
  List: { NameZh: string; NameEn: string; Region: string }[];
  Total: number;
}

test('visitors read it, with both names and the region', async () => {
  const { status, body } = await world.visitor().call<List>('GET', '/university.json');
  expect(status).toBe(200);
  expect(body.Total).toBe(body.List.length);
  expect(body.Total).toBeGreaterThan(10_000);
  expect(body.List).toContainEqual({
    NameZh: '清华大学',
    NameEn: 'Tsinghua University',
    Region: 'CN-BJ',
  });
  expect(body.List).toContainEqual({
    NameZh: 'University of Oxford',
    NameEn: 'University of Oxford',
    Region: 'GB',
  });
  for (const row of body.List) expect(row.NameZh && row.NameEn && row.Region).toBeTruthy();
});

test('it stands at the root too, and a copy that is still true is not sent again', async () => {
  const root = await world.system.app.inject({ url: '/university.json' });
  expect(root.statusCode).toBe(200);
  const again = await world.system.app.inject({
    url: '/university.json',
    headers: { 'if-none-match': String(root.headers['etag']) },
  });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe('');
});
