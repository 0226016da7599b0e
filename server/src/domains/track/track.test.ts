/** Page views: what is accepted, what study time they make, and what the dashboard shows of them. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Dashboard, StudyNext, StudyStatistics } from '@hypercube/contract';
import type { Person } from '../../testing/world.ts';
import { World } from '../../testing/world.ts';

let world: World;
let student: Person;
let admin: Person;

beforeAll(async () => {
  world = await World.create({ hasWorker: false });
  student = await world.signIn('student');
  admin = await world.signIn('admin', 'admin');
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await world.sql(sql`delete from track_record`);
  await world.sql(sql`delete from track_hour`);
});

const look = (person: Person, Type: number, more: object = {}) =>
  person.call('POST', '/track', { Type, SessionId: 'tab-1234567', ...more });
const study = async (person: Person): Promise<StudyStatistics> =>
  (await person.call<StudyStatistics>('GET', '/statistics/study?days=7')).body;

test('a browser’s form is taken, with its repeated fields; who it was comes from the login', async () => {
  const answer = await world.system.app.inject({
    method: 'POST',
    url: '/api/v1/track',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: student.cookie ?? '',
    },
    payload:
      'Type=102&Field=3&Field=7&SessionId=tab-1234567&URL=%2Flab%2F3&FromURL=%2Flab&UserId=999',
  });
  expect(answer.statusCode).toBe(202);
  await world.system.sweep();
  const rows = await world.sql<{
    type: number;
    fields: number[];
    username: string;
    url: string;
  }>(sql`
    select t.type, t.fields, u.username, t.url from track_record t left join user_account u on u.id = t.user_id`);
  expect(rows).toEqual([{ type: 102, fields: [3, 7], username: 'student', url: '/lab/3' }]);
});

test('visitors too; nothing of where they come from is kept', async () => {
  expect((await look(world.visitor(), 301)).status).toBe(202);
  await world.system.sweep();
  const [row] = await world.sql(sql`select * from track_record`);
  expect(row?.['user_id']).toBeNull();
  expect(Object.keys(row ?? {})).toEqual([
    'at',
    'type',
    'fields',
    'session_id',
    'user_id',
    'url',
    'from_url',
  ]);
});

test.each([
  [{ Type: 99 }],
  [{ Type: 700 }],
  [{ Field: [1, 2, 3, 4] }],
  [{ Field: ['x'] }],
  [{ SessionId: 'x' }],
  [{ Address: '1.2.3.4' }],
])('%j is refused', async (more) => {
  expect((await look(student, 101, more)).status).toBe(400);
});

test('other routes take no form', async () => {
  const answer = await world.system.app.inject({
    method: 'POST',
    url: '/api/v1/user/auth',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'Username=student&Password=demo-pass-1',
  });
  expect(answer.statusCode).toBe(415);
});

test('minutes of study: two tabs are one minute, of the page looked at last; every module adds up', async () => {
  // A whole minute, so that the views below fall into it.
  world.clock.advance(60 - (world.clock.unix % 60));
  await look(student, 101, { Field: [1] });
  world.clock.advance(10);
  await look(student, 101, { Field: [2], SessionId: 'tab-7654321' });
  world.clock.advance(20);
  await look(student, 301);
  world.clock.advance(60);
  await look(student, 101, { Field: [1] });
  await world.system.sweep();
  student = await world.signIn('student');
  const own = await study(student);
  expect(own.Modules.filter(({ Minutes }) => Minutes > 0)).toEqual([
    { Module: 'lab', Minutes: 1 },
    { Module: 'software', Minutes: 1 },
  ]);
  expect(own.TotalMinutes).toBe(2);
  expect(own.Days).toHaveLength(7);
  expect(own.Days.at(-1)?.Minutes).toBe(2);
  expect([own.Streak, own.LongestStreak]).toEqual([1, 1]);
  // Rolling up again counts nothing twice.
  await world.system.sweep();
  expect((await study(student)).TotalMinutes).toBe(2);
  expect((await study(await world.signIn('student2'))).TotalMinutes).toBe(0);
});

test('environments are counted by kind, with the time that they ran', async () => {
  const now = world.clock.now().toISOString();
  const [user] = await world.sql<{ id: number }>(
    sql`select id from user_account where username = 'student2'`,
  );
  const run = (type: number, daysAgo: number, minutes: number) =>
    world.sql(sql`
      insert into usage (user_id, type, title_zh, title_en, route_name, route_path, nodes, cpus, memory_bytes,
                         renewal_time, lifetime_seconds, phase, status, created_at, ready_at, ended_at, removed_at, cause)
      select ${user?.id}, ${type}::int, '环境', '', 'x', '/x', '[]', 1, 1, 0, 3600, 'ready', 2, t, t,
             t + ${minutes}::int * interval '1 minute', t, 'deleted'
        from (select ${now}::timestamptz - ${daysAgo}::int * interval '1 day' as t) s`);
  await run(1, 1, 30);
  await run(2, 1, 20);
  await run(2, 2, 25);
  await run(2, 40, 600);
  // The first day of seven counts from its midnight, as minutes do; the day before it does not.
  await run(3, 6, 10);
  await run(3, 7, 100);
  const own = await study(await world.signIn('student2'));
  expect(own.Environments).toEqual([
    { Type: 1, Count: 1, Minutes: 30 },
    { Type: 2, Count: 2, Minutes: 45 },
    { Type: 3, Count: 1, Minutes: 10 },
  ]);
});

test('what is next: the lab that was begun, at its first task not opened; then its neighbours', async () => {
  const next = async (person: Person): Promise<StudyNext> =>
    (await person.call<StudyNext>('GET', '/statistics/next')).body;
  const [domain] = await world.sql<{ id: number }>(sql`select min(id) as id from domain`);
  const tagged = async (title: string): Promise<number> =>
    (
      await world.sql<{ id: number }>(sql`
        insert into tag (domain_id, title_zh, title_en, color, sequence)
        values (${domain?.id}, ${title}, '', 1, 9) returning id`)
    )[0]?.id ?? 0;
  const make = async (title: string, sequence: number, tags: number[]): Promise<number> => {
    const [lab] = await world.sql<{ id: number }>(sql`
      insert into lab (type, title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed, specification_id, sequence, is_published)
      values (2, ${title}, '', '', '', '', '', 'ring', 1, (select min(id) from specification where image_type = 2), ${sequence}, true) returning id`);
    for (const tag of tags)
      await world.sql(sql`insert into lab_tag (lab_id, tag_id) values (${lab?.id}, ${tag})`);
    await world.sql(sql`
      insert into lab_task (lab_id, sequence, title_zh, title_en, content_zh, content_en, minutes)
      select ${lab?.id}, n, ${title} || n, '', '', '', 10 from generate_series(1, 3) n`);
    return lab?.id ?? 0;
  };
  await world.sql(sql`update lab set is_published = false`);
  const [one, two] = [await tagged('一'), await tagged('二')];
  const begun = await make('开始了', 5, [one, two]);
  await make('无关', 1, []);
  await make('一个共同', 3, [one]);
  await make('两个共同', 4, [one, two]);
  student = await world.signIn('student');
  const before = await next(student);
  expect(before.Begun).toEqual([]);
  expect(before.Fresh.map(({ Title }) => Title)).toEqual(['无关', '一个共同', '两个共同']);

  const tasks = await world.sql<{ id: number }>(
    sql`select id from lab_task where lab_id = ${begun} order by sequence`,
  );
  const open = (at: number) => look(student, 102, { Field: [begun, tasks[at]?.id] });
  await look(student, 101, { Field: [begun] });
  await open(0);
  await open(2);
  // Ids that name nothing, and a task of another lab, are not kept.
  await look(student, 102, { Field: [2_000_000_000, 1] });
  await world.system.sweep();
  const after = await next(student);
  expect(after.Begun).toMatchObject([
    {
      ID: begun,
      Title: '开始了',
      Minutes: 30,
      TaskCount: 3,
      Opened: 2,
      Task: { ID: tasks[1]?.id, Title: '开始了2' },
    },
  ]);
  expect(after.Fresh.map(({ Title }) => Title)).toEqual(['两个共同', '一个共同', '无关']);
  // Rolling up again says the same; another learner's steps are their own.
  await world.system.sweep();
  expect(await next(student)).toEqual(after);
  expect((await next(await world.signIn('student2'))).Begun).toEqual([]);
  // The last task: the lab is done, and no longer next.
  await open(1);
  await world.system.sweep();
  expect((await next(student)).Begun).toEqual([]);
});

test('the dashboard counts views and sessions by module, accounts, and what waits', async () => {
  await look(student, 101);
  await look(student, 102, { SessionId: 'tab-7654321' });
  await look(world.visitor(), 301);
  await world.system.sweep();
  admin = await world.signIn('admin', 'admin');
  const accounts = (await world.sql(sql`select 1 from user_account`)).length;
  for (const period of ['day', 'month', 'year']) {
    const { body } = await admin.call<Dashboard>('GET', `/dashboard?period=${period}`);
    expect(body.Visits.map(({ Module, Views, Sessions }) => [Module, Views, Sessions])).toEqual([
      ['lab', 2, 2],
      ['software', 1, 1],
    ]);
    expect(body.Structure.reduce((sum, { Count }) => sum + Count, 0)).toBe(accounts);
    expect(body.Regions.reduce((sum, { Count }) => sum + Count, 0)).toBe(accounts);
    expect(body.UsageHours).toHaveLength(body.Growth.length);
  }
  await world.sql(sql`update user_account set apply_status = 1 where username = 'student2'`);
  const now = await admin.call<Record<string, number>>('GET', '/dashboard/now');
  expect(now.body).toMatchObject({ TeacherApplications: 1, WithEnvironment: 0 });
});

test('a page that stays open is one view, also over the hour; one that is opened again is another', async () => {
  const visitor = world.visitor();
  const views = async (): Promise<number> => {
    await world.system.sweep();
    const rows = await world.sql<{ views: number }>(sql`select views from track_hour`);
    return rows.reduce((sum, row) => sum + row.views, 0);
  };
  const tell = (more: object = {}) => look(visitor, 301, { URL: '/software/2', ...more });
  // Two minutes before an hour is over.
  world.clock.advance((((58 * 60 - (world.clock.unix % 3600)) % 3600) + 3600) % 3600);
  await tell();
  for (let minute = 1; minute <= 4; minute += 1) {
    world.clock.advance(60);
    await tell();
    expect(await views(), `after ${minute} minutes`).toBe(1);
  }
  // Leaving is told as well, and another tab is another view.
  world.clock.advance(20);
  await tell();
  await tell({ SessionId: 'tab-7654321' });
  expect(await views()).toBe(2);
  world.clock.advance(600);
  await tell();
  expect(await views()).toBe(3);
});

test('hours of environments belong to the day in which they ran, over midnight and from before the range', async () => {
  await world.sql(sql`delete from usage`);
  const [user] = await world.sql<{ id: number }>(
    sql`select id from user_account where username = 'student2'`,
  );
  const now = world.clock.now();
  const midnight = sql`date_trunc('day', ${now}::timestamptz at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`;
  const run = (fromHours: number, untilHours: number) =>
    world.sql(sql`
      insert into usage (user_id, type, title_zh, title_en, route_name, route_path, nodes, cpus, memory_bytes,
                         renewal_time, lifetime_seconds, phase, status, created_at, ready_at, ended_at, removed_at, cause)
      select ${user?.id}, 1, '环境', '', 'x', '/x', '[]', 1, 1, 0, 3600, 'ready', 2, t, t, t + ${untilHours - fromHours}::int * interval '1 hour', t, 'deleted'
        from (select ${midnight} + ${fromHours}::int * interval '1 hour' as t) s`);
  await run(-25, -22);
  await run(-24 * 40, -24 * 29 + 5);
  const { body } = await admin.call<Dashboard>('GET', '/dashboard?period=day');
  const hours = body.UsageHours.map(({ Hours }) => Hours);
  expect(hours.slice(-3)).toEqual([1, 2, 0]);
  expect(hours[0], 'what began before the first day').toBe(5);
  expect(hours.reduce((sum, one) => sum + one, 0)).toBe(8);
  await world.sql(sql`delete from usage`);
});

test('growth counts who was there before the range', async () => {
  await world.sql(
    sql`update user_account set created_at = ${world.clock.now()} where username = 'student'`,
  );
  await world.sql(
    sql`update user_account set created_at = '2001-01-01' where username <> 'student'`,
  );
  const { body } = await admin.call<Dashboard>('GET', '/dashboard?period=day');
  const accounts = (await world.sql(sql`select 1 from user_account`)).length;
  expect(body.Growth).toHaveLength(30);
  expect(body.Growth[0]).toMatchObject({ New: 0, Total: accounts - 1 });
  expect(body.Growth.at(-1)).toMatchObject({ New: 1, Total: accounts });
});

test('old views go by month, hourly figures stay', async () => {
  await look(student, 101);
  await world.system.sweep();
  world.clock.advance(200 * 24 * 3600);
  await world.system.sweep();
  expect(await world.sql(sql`select 1 from track_record`)).toEqual([]);
  expect(await world.sql(sql`select 1 from track_hour`)).toHaveLength(1);
});
