import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnswerOf, Usage, routes } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { World, until, type Person } from '../../testing/world.ts';

let world: World;
let student: Person;
let other: Person;

beforeAll(async () => {
  world = await World.create();
  student = await world.signIn('student');
  other = await world.signIn('student2');
});
afterAll(() => world[Symbol.asyncDispose]());
afterEach(async () => {
  const { Computer } = await read();
  if (Computer) await student.call('DELETE', `/computer/${Computer.ID}?confirm=${Computer.Name}`);
});

type Answer = AnswerOf<typeof routes.getComputer>;
const read = async (person = student): Promise<Answer> =>
  (await person.call<Answer>('GET', '/computer')).body;

async function make(person = student) {
  const { Specifications } = await read(person);
  return person.call<Answer & { Code: string }>('POST', '/computer', {
    SpecificationID: Specifications[0]?.ID,
  });
}
const start = (computerID: number | undefined, person = student) =>
  person.call<Usage & { Code: string }>('POST', '/usage', {
    RouteName: 'personalComputer',
    RoutePath: '/personal-computer',
    ComputerID: computerID,
    Replace: true,
  });
const homeOf = (computerID: number): string => join(world.folder, 'computers', String(computerID));
const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

test('one is made of a shared desktop specification, once', async () => {
  expect((await read()).Computer).toBeNull();
  const made = await make();
  expect([made.status, made.body.Computer?.Specification.Name]).toEqual([201, '桌面']);
  const second = await make();
  expect([second.status, second.body.Code]).toEqual([409, 'computer_exists']);
});

test('two at once make one', async () => {
  const answers = await Promise.all([make(), make(), make()]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
});

test('a notebook’s specification is refused', async () => {
  const [specification] = await world.sql<{ id: number }>(
    sql`select id from specification where slug = 'small'`,
  );
  const answer = await student.call<{ Code: string }>('POST', '/computer', {
    SpecificationID: specification?.id,
  });
  expect([answer.status, answer.body.Code]).toEqual([409, 'image_type_differs']);
});

test('its home is the same in every session, beside the personal files', async () => {
  const computer = (await make()).body.Computer;
  const first = await start(computer?.ID);
  expect([first.status, first.body.ComputerID, first.body.Type]).toEqual([200, computer?.ID, 1]);
  const home = homeOf(computer?.ID ?? 0);
  expect(world.engine.created.at(-1)?.nodes[0]?.mounts).toEqual([
    { source: home, target: '/home/learner', readOnly: false },
    expect.objectContaining({ target: '/home/learner/data', readOnly: false }),
  ]);
  await writeFile(join(home, 'notes.txt'), 'x'.repeat(5000));
  await student.call('DELETE', `/usage/${first.body.ID}`);
  const second = await start(computer?.ID);
  expect(second.body.ID).not.toBe(first.body.ID);
  expect(await readFile(join(home, 'notes.txt'), 'utf8')).toHaveLength(5000);
  const { Computer } = await read();
  expect(Computer?.HomeBytes).toBeGreaterThanOrEqual(5000);
  expect(Computer?.LastStartedAt).not.toBeNull();
});

test('deleting asks for its name, ends what runs, and takes the home but no personal file', async () => {
  const computer = (await make()).body.Computer;
  const { body: usage } = await start(computer?.ID);
  const home = homeOf(computer?.ID ?? 0);
  const personal = await world.system.files.folderOf(
    (
      await world.sql<{ id: number }>(sql`select id from user_account where username = 'student'`)
    )[0]?.id ?? 0,
  );
  await writeFile(join(personal, 'kept.txt'), 'kept');
  const refused = await student.call<{ Code: string }>(
    'DELETE',
    `/computer/${computer?.ID}?confirm=something`,
  );
  expect([refused.status, refused.body.Code]).toEqual([400, 'computer_name_differs']);
  expect(await exists(home)).toBe(true);

  await student.call('DELETE', `/computer/${computer?.ID}?confirm=${computer?.Name}`);
  expect((await read()).Computer).toBeNull();
  await until(
    () => world.engine.list(),
    (list) => !list.has(usage.ID),
  );
  await until(
    () =>
      world.sql<{ removed: boolean }>(
        sql`select removed_at is not null as removed from usage where id = ${usage.ID}`,
      ),
    ([row]) => row?.removed === true,
  );
  await world.system.sweep();
  expect(await exists(home)).toBe(false);
  expect(await readFile(join(personal, 'kept.txt'), 'utf8')).toBe('kept');
});

test('a home is not taken while its containers are still there', async () => {
  const computer = (await make()).body.Computer;
  await start(computer?.ID);
  const home = homeOf(computer?.ID ?? 0);
  await mkdir(join(home, 'work'), { recursive: true });
  await world.sql(sql`update computer set deleted_at = now() where id = ${computer?.ID}`);
  await world.system.sweep();
  expect(await exists(join(home, 'work'))).toBe(true);
  await world.sql(sql`update computer set deleted_at = null where id = ${computer?.ID}`);
});

test('somebody else’s does not exist', async () => {
  const computer = (await make()).body.Computer;
  expect((await start(computer?.ID, other)).status).toBe(404);
  const answer = await other.call('DELETE', `/computer/${computer?.ID}?confirm=${computer?.Name}`);
  expect(answer.status).toBe(404);
});
