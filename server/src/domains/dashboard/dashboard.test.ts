/** What staff see: their overview by role, live figures by the stream, and the maps. */
import { sql } from 'drizzle-orm';
import { API_BASE, type DashboardNow, type Overview } from '@hypercube/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { World, until, type Person } from '../../testing/world.ts';

let world: World;
let admin: Person;
let teacher: Person;
let statements: string[] = [];
const streams: AbortController[] = [];

beforeAll(async () => {
  world = await World.create({
    hasWorker: false,
    onQuery: (statement) => void statements.push(statement),
  });
  admin = await world.signIn('admin', 'admin');
  teacher = await world.signIn('teacher', 'teacher');
});
afterAll(() => world[Symbol.asyncDispose]());
afterEach(() => {
  for (const stream of streams.splice(0)) stream.abort();
});

const overview = async (person: Person): Promise<Overview> =>
  (await person.call<Overview>('GET', '/dashboard/overview')).body;
const waiting = ({ Waiting }: Overview): Record<string, number> =>
  Object.fromEntries(Waiting.map(({ Kind, Count }) => [Kind, Count]));
const idOf = async (username: string): Promise<number> => {
  const [row] = await world.sql<{ id: number }>(
    sql`select id from user_account where username = ${username}`,
  );
  return row?.id ?? 0;
};
/** Labs made by somebody, each changed a minute after the one before. */
const makeLabs = async (owner: number | null, title: string, count: number): Promise<void> => {
  await world.sql(sql`
    insert into lab (type, title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed, specification_id, sequence, owner_id, updated_at)
    select 2, ${title} || n, '', '', '', '', '', 'ring', 1, (select min(id) from specification where image_type = 2), 99, ${owner}::int,
           timestamptz '2030-01-01' + n * interval '1 minute'
      from generate_series(1, ${count}::int) n`);
};

describe('the overview', () => {
  test('a teacher sees their own labs, what is shared, and nothing of the place', async () => {
    await makeLabs(await idOf('teacher'), '教师的实验', 7);
    await makeLabs(null, '别人的实验', 3);
    const own = await overview(teacher);
    expect(own.Modules.map(({ Module }) => Module)).toEqual([
      'lab',
      'software',
      'course',
      'problem',
      'image',
      'specification',
    ]);
    const [labs] = own.Modules;
    expect(labs?.Total).toBe(7);
    expect(labs?.Recent.map(({ Title, State }) => [Title, State])).toEqual(
      [7, 6, 5, 4, 3].map((number) => [`教师的实验${number}`, 'draft']),
    );
    expect(Object.keys(waiting(own))).toEqual(['courseApplication', 'homework', 'failedImage']);
    const all = await overview(admin);
    expect(all.Modules.map(({ Module }) => Module)).toContain('environment');
    const [count] = await world.sql<{ n: number }>(sql`select count(*)::int as n from lab`);
    expect(all.Modules[0]?.Total).toBe(count?.n);
  });

  test('each count is that of the list to which it leads', async () => {
    const all = await overview(admin);
    const totalOf = async (path: string): Promise<number> =>
      (await admin.call<{ Total: number }>('GET', path)).body.Total;
    const paths = {
      lab: '/lab/managed',
      software: '/software/managed',
      course: '/course/managed',
      problem: '/problem/managed',
      image: '/image',
      specification: '/specification',
      environment: '/environment',
      resource: '/resource/managed',
    };
    for (const { Module, Total } of all.Modules)
      expect([Module, Total]).toEqual([Module, await totalOf(paths[Module])]);
    for (const { Module, Total } of (await overview(teacher)).Modules) {
      const { body } = await teacher.call<{ Total: number }>('GET', paths[Module]);
      expect([Module, Total]).toEqual([Module, body.Total]);
    }
  });

  test('what waits is told to whom it waits for', async () => {
    await world.sql(sql`update user_account set apply_status = 1 where username = 'graduate'`);
    await world.sql(sql`
      insert into suggestion (user_id, title, content, is_public, created_at, updated_at)
      values (${await idOf('student')}, '建议', '内容', true, now(), now())`);
    await world.sql(sql`
      insert into course_person (course_id, user_id, role, applied_at)
      select id, ${await idOf('student')}, 'waiting', now() from course where slug = 'mpi-practice'`);
    await world.sql(sql`
      insert into image (type, title_zh, title_en, build_state, owner_id)
      values (2, '教师的镜像', '', 'failed', ${await idOf('teacher')}), (2, '别人的镜像', '', 'failed', null)`);
    await world.sql(sql`
      insert into mail (recipient, language, template, subject, text, html, message_id, state)
      values ('x@example.edu', 'zh-CN', 'passwordChanged', 's', 't', 'h', '<1@x>', 'failed')`);
    expect(waiting(await overview(admin))).toEqual({
      teacherApplication: 1,
      courseApplication: 1,
      homework: 0,
      suggestion: 1,
      failedImage: 2,
      queuedEnvironment: 0,
      failedMail: 1,
      resourceApplication: 0,
    });
    expect(waiting(await overview(teacher))).toEqual({
      courseApplication: 1,
      homework: 0,
      failedImage: 1,
    });
    const { body } = await teacher.call<{ Total: number }>('GET', '/image?state=failed&mine=true');
    expect(body.Total).toBe(1);
  });

  test('a machine admin sees the applications of their centres only', async () => {
    expect(await overview(await world.signIn('manager', 'machine_admin'))).toEqual({
      Modules: [{ Module: 'resource', Total: 0, Recent: [] }],
      Waiting: [{ Kind: 'resourceApplication', Count: 0 }],
    });
  });

  test('an assistant sees the courses that they assist only', async () => {
    const own = await overview(await world.signIn('assistant', 'assistant'));
    expect(own.Modules.map(({ Module, Total }) => [Module, Total])).toEqual([['course', 1]]);
    expect(own.Modules[0]?.Recent.map(({ Title, State }) => [Title, State])).toEqual([
      ['并行课程', 'published'],
    ]);
    // Somebody waits, in the course of the same teacher that they do not assist.
    expect(own.Waiting).toEqual([
      { Kind: 'courseApplication', Count: 0 },
      { Kind: 'homework', Count: 0 },
    ]);
  });

  test('a role that the account lacks sees nothing', async () => {
    const student = await world.signIn('student');
    for (const role of ['student', 'teacher', 'admin'])
      expect((await student.call('GET', `/dashboard/overview?role=${role}`)).status).toBe(403);
    const { body } = await teacher.call<{ Code: string }>('GET', '/dashboard/overview?role=admin');
    expect(body.Code).toBe('forbidden');
  });

  test('two statements, however much there is', async () => {
    const count = async (): Promise<number> => {
      await overview(admin);
      statements = [];
      await overview(admin);
      return statements.length;
    };
    const before = await count();
    await makeLabs(null, '更多', 200);
    expect(await count()).toBe(before);
    expect(before).toBeLessThanOrEqual(2);
  });
});

/** Opens the stream and reads its events of one name. */
async function listen(
  host: string,
  person: Person,
  query: string,
): Promise<{ status: number; next: (name: string) => Promise<unknown> }> {
  const abort = new AbortController();
  streams.push(abort);
  const response = await fetch(`http://${host}${API_BASE}/usage/events?${query}`, {
    headers: { cookie: person.cookie ?? '' },
    signal: abort.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (name: string): Promise<unknown> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const [head = '', data = ''] = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        if (head === `event: ${name}`) return JSON.parse(data.slice('data: '.length));
      } else {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) return 'the stream ended';
        text += value;
      }
    }
  };
  return { status: response.status, next };
}

describe('live figures', () => {
  let host: string;
  beforeAll(async () => {
    host = await world.listen();
  });

  test('two admins are told of a change by one reading', async () => {
    const query = 'role=admin&live=dashboard';
    const [one, other] = [await listen(host, admin, query), await listen(host, admin, query)];
    const first = (await one.next('dashboard')) as DashboardNow;
    expect(await other.next('dashboard')).toEqual(first);
    expect(first).toEqual((await admin.call('GET', '/dashboard/now')).body);
    statements = [];
    const student = await world.signIn('student');
    await student.call('POST', '/suggestion', { Title: '新建议', Content: '内容', IsPublic: true });
    const told = { ...first, OpenSuggestions: first.OpenSuggestions + 1 };
    // The student who came is online as well.
    const now = async (stream: typeof one): Promise<number> => {
      for (;;) {
        const event = (await stream.next('dashboard')) as DashboardNow;
        if (event.OpenSuggestions === told.OpenSuggestions) return event.OpenSuggestions;
      }
    };
    await Promise.all([now(one), now(other)]);
    const readings = statements.filter((statement) => statement.includes('"WithEnvironment"'));
    expect(readings.length).toBeLessThanOrEqual(2);
    // Nobody follows any more: nothing is read for anybody.
    for (const stream of streams.splice(0)) stream.abort();
    await until(
      async () => world.system.events.openStreams,
      (count) => count === 0,
    );
  });

  test('not for those who may not read them, nor in a role that they lack', async () => {
    for (const [person, role] of [
      [teacher, 'teacher'],
      [teacher, 'admin'],
      [admin, 'student'],
    ] as const) {
      const { status } = await listen(host, person, `role=${role}&live=dashboard`);
      expect(status).toBe(403);
    }
    expect((await listen(host, admin, 'role=admin&live=everything')).status).toBe(400);
  });

  test('who stops being an admin is cut off', async () => {
    const id = await idOf('graduate');
    await world.sql(sql`insert into user_role (user_id, role) values (${id}, 'admin')`);
    const graduate = await world.signIn('graduate', 'admin');
    const stream = await listen(host, graduate, 'role=admin&live=dashboard');
    await stream.next('dashboard');
    const { body } = await admin.call<{ List: { ID: number; Version: number }[] }>(
      'GET',
      '/user?keyword=graduate',
    );
    const Version = body.List.find(({ ID }) => ID === id)?.Version;
    expect((await admin.call('PUT', `/user/${id}/role`, { Roles: [], Version })).status).toBe(200);
    expect(await stream.next('never')).toBe('the stream ended');
    expect((await listen(host, graduate, 'role=admin&live=dashboard')).status).toBe(403);
  });
});

test.each(['china', 'world'])('the map of %s is sent once and kept', async (name) => {
  const { status, headers, body } = await admin.call<{ features: unknown[] }>(
    'GET',
    `/dashboard/map/${name}`,
  );
  expect(status).toBe(200);
  expect(body.features.length).toBeGreaterThan(30);
  const again = await admin.call('GET', `/dashboard/map/${name}`, undefined, {
    'if-none-match': String(headers['etag']),
  });
  expect([again.status, again.body]).toEqual([304, null]);
});

test('no other file is a map', async () => {
  for (const name of ['README', 'china.json', '..%2Ftags', 'moon'])
    expect((await admin.call('GET', `/dashboard/map/${name}`)).status).toBe(400);
  expect((await teacher.call('GET', '/dashboard/map/china')).status).toBe(403);
});
