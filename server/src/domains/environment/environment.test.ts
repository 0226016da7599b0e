/** What those see and do who run the place. */
import { hostname } from 'node:os';
import type { AnswerOf, Environment, Usage, UsageEvent, routes } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { World, until, type Answer, type Person } from '../../testing/world.ts';

type List = { List: Environment[]; Total: number };
type Capacity = AnswerOf<typeof routes.getCapacity>;

let world: World;
let admin: Person;
let student: Person;
let graduate: Person;
let waiting: Person;
const statements: string[] = [];
const usages: Record<string, Usage> = {};

beforeAll(async () => {
  world = await World.create({ onQuery: (statement) => void statements.push(statement) });
  admin = await world.signIn('admin', 'admin');
  student = await world.signIn('student');
  graduate = await world.signIn('graduate');
  waiting = await world.signIn('student2');
  const [task] = await world.sql<{ id: number; lab_id: number }>(
    sql`select id, lab_id from lab_task order by id limit 1`,
  );
  const open = async (by: Person, query = ''): Promise<Usage> => {
    const { status, body } = await by.call<Usage>('POST', `/usage${query}`, {
      RouteName: 'x',
      RoutePath: '/x',
      LabID: task?.lab_id,
      TaskID: task?.id,
    });
    expect(status).toBe(200);
    return body;
  };
  usages['student'] = await open(student);
  world.clock.advance(10);
  usages['graduate'] = await open(graduate);
  await graduate.call('PUT', `/usage/${usages['graduate'].ID}`, { Action: 'stop' });
  await world.sql(sql`update image set reference = null, build_state = 'building'`);
  usages['waiting'] = await open(waiting, '?wait=false');
  world.clock.advance(4);
  await until(
    () => admin.call<Capacity>('GET', '/environment/capacity'),
    ({ body }) => body.Workers.length > 0,
  );
});
afterAll(() => world[Symbol.asyncDispose]());

const list = async (query = ''): Promise<List> =>
  (await admin.call<List>('GET', `/environment?${query}`)).body;
const names = (of: List): string[] => of.List.map(({ User }) => User.Username);

describe('the list', () => {
  test('shows who has what, where, and for how long', async () => {
    const { List: rows, Total } = await list('sort=oldest');
    expect(Total).toBe(3);
    expect(rows).toMatchObject([
      {
        ID: usages['student']?.ID,
        User: { Username: 'student', Nickname: '林同学' },
        Title: '环形通信',
        Type: 2,
        Status: 1,
        Phase: 'ready',
        Position: null,
        Nodes: ['node1'],
        Machine: hostname(),
        Remaining: 3586,
      },
      { User: { Username: 'graduate' }, Status: 2, Phase: 'ready', Remaining: null },
      {
        User: { Username: 'student2' },
        Phase: 'queued',
        Position: 1,
        Machine: null,
        ReadyAt: null,
      },
    ]);
    expect((await list('sort=oldest&lang=en-US')).List[0]?.Title).toBe('Ring exchange');
  });

  test.each([
    ['state=running', ['student']],
    ['state=paused', ['graduate']],
    ['state=queued', ['student2']],
    ['state=starting', []],
    ['state=failed', []],
    ['type=1', []],
    ['type=2&sort=oldest', ['student', 'graduate', 'student2']],
    ['keyword=graduate', ['graduate']],
    ['keyword=林同', ['student']],
    ['keyword=环形&sort=latest', ['student2', 'graduate', 'student']],
    ['keyword=Ring&state=paused', ['graduate']],
    ['keyword=%25', []],
    ['sort=deadline&pageSize=1', ['student']],
    ['sort=oldest&pageSize=1&page=2', ['graduate']],
    ['sort=memory&page=9', []],
  ])('%s shows %j', async (query, expected) => {
    expect(names(await list(query))).toEqual(expected);
  });

  test('costs the same however many there are', async () => {
    const count = async () => {
      // What the worker asks meanwhile does not count.
      statements.length = 0;
      await list('pageSize=100');
      return statements.filter((statement) => statement.includes('"nickname"')).length;
    };
    const few = await count();
    await world.sql(sql`
      insert into user_account (username, email, nickname, type, password_hash)
      select 'bulk-' || n, n || '@x', 'n' || n, 4, '' from generate_series(1, 60) n`);
    await world.sql(sql`
      insert into usage (user_id, phase, failed_at, renewal_time, lifetime_seconds, type, title_zh, title_en, route_name, route_path, nodes, cpus, memory_bytes, created_at, removed_at)
      select id, 'failed', now(), 0, 3600, 2, '批量', '', 'x', '/x', '[]', 1, 1, now(), now() from user_account where username like 'bulk-%'`);
    expect((await list('pageSize=100')).List).toHaveLength(63);
    expect(await count()).toBe(few);
    await world.sql(sql`delete from user_account where username like 'bulk-%'`);
  });

  test.each(['student', 'teacher', 'machine_admin'] as const)('is not for a %s', async (role) => {
    const account = role === 'machine_admin' ? 'manager' : role;
    const person = await world.signIn(account, role);
    expect((await person.call('GET', '/environment')).status).toBe(403);
    expect((await person.call('GET', '/environment/capacity')).status).toBe(403);
    const end = await person.call('POST', `/environment/${usages['student']?.ID}/end`, {
      Reason: 'x',
    });
    expect(end.status).toBe(403);
  });
});

test('the capacity is what is there, what is taken, and who waits', async () => {
  const { body } = await admin.call<Capacity>('GET', '/environment/capacity');
  expect(body).toMatchObject({
    Running: 1,
    Paused: 1,
    Starting: 0,
    Queued: 1,
    OldestWaitSeconds: 4,
    Cpus: { Reserved: 4, Limit: 8 },
    MemoryBytes: { Limit: 8192 * 1024 * 1024 },
    MaxSessions: null,
    Workers: [{ Machine: hostname(), Engine: 'local 1', IsReady: true, Reason: null }],
  });
  expect(body.MemoryBytes.Free).toBeLessThanOrEqual(body.MemoryBytes.Host);
  expect(body.DiskBytes.Free).toBeLessThanOrEqual(body.DiskBytes.Host);
  expect(body.DiskBytes.Free).toBeGreaterThan(0);
  expect(body.Cpus.Host).toBeGreaterThan(0);
});

describe('ending', () => {
  const end = (id: number | undefined, Reason: string): Promise<Answer> =>
    admin.call('POST', `/environment/${id}/end`, { Reason });

  test('needs a reason', async () => {
    for (const reason of ['', '  ', '长'.repeat(201)])
      expect((await end(usages['student']?.ID, reason)).status).toBe(400);
    expect((await end(999_999, 'x')).status).toBe(404);
  });

  test('tells its user why, and frees everything; a second time it is over', async () => {
    const id = usages['student']?.ID;
    expect((await end(id, ' 今晚维护，请保存 ')).status).toBe(200);
    expect((await student.call('GET', '/usage')).body).toBe(null);
    const history = await student.call<{ List: UsageEvent['Ended'][] }>('GET', '/usage/history');
    expect(history.body.List[0]).toMatchObject({
      ID: id,
      Cause: 'ended_by_staff',
      Reason: { Code: 'ended_by_staff', Params: { Text: '今晚维护，请保存' } },
    });
    await until(
      async () => world.engine.usages,
      (running) => !running.has(id ?? 0),
    );
    const again = await end(id, 'x');
    expect([again.status, again.body['Code']]).toEqual([409, 'usage_expired']);
  });

  test('two admins at once end it once', async () => {
    const answers = await Promise.all([
      end(usages['graduate']?.ID, '甲'),
      end(usages['graduate']?.ID, '乙'),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('works on what still waits', async () => {
    expect((await end(usages['waiting']?.ID, '太忙')).status).toBe(200);
    expect((await list()).Total).toBe(0);
  });
});
