import { SessionType, type Usage } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { World, until, type Person } from '../../testing/world.ts';

let world: World;
let student: Person;

beforeAll(async () => {
  world = await World.create();
  student = await world.signIn('student');
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => void world.engine.executed.splice(0));

async function open(slug: string, language = 'zh-CN', person = student): Promise<Usage> {
  const [software] = await world.sql<{ id: number }>(
    sql`select id from software where slug = ${slug}`,
  );
  const { body } = await person.call<Usage>('POST', `/usage?lang=${language}`, {
    RouteName: 'x',
    RoutePath: '/x',
    SoftwareID: software?.id,
    Replace: true,
  });
  return body;
}
const reminders = async () => world.engine.executed.map(({ command }) => command);
const told = (count: number) => until(reminders, (list) => list.length >= count);

test('other kinds of session have the page beside them and are not told', async () => {
  const other = await world.signIn('student2');
  const desk = await open('desk');
  const book = await open('book', 'zh-CN', other);
  expect(book.Type).toBe(SessionType.notebook);
  world.clock.advance(desk.Lifetime - 100);
  await told(1);
  expect(world.engine.executed.map(({ usageID }) => usageID)).toEqual([desk.ID]);
});

test('a desktop is told once that five minutes are left, and again after a renewal', async () => {
  // The clock has just jumped: a new worker gives a sign of life at once.
  await world.restart();
  const usage = await open('desk');
  expect(usage.Type).toBe(SessionType.desktop);
  world.clock.advance(usage.Lifetime - 299);
  expect(await told(1)).toEqual([
    ['session-message', expect.stringContaining('5 分钟'), expect.stringContaining('data')],
  ]);
  await student.call('POST', `/usage/${usage.ID}/renewal`, {});
  world.clock.advance(usage.Lifetime - 200);
  expect(await told(2)).toHaveLength(2);
  await world.restart();
  // The next one is told after the worker has had its turns; the old one was not told again.
  const next = await open('desk', 'en-US');
  world.clock.advance(next.Lifetime - 100);
  const all = await told(3);
  expect(all).toHaveLength(3);
  expect(all[2]?.[1]).toContain('5 minutes');
});
