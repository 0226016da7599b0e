/** Settings in the browser: they hold at once, on every process, and for what already runs. */
import type { AnswerOf, Usage, routes } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { World, until, type Answer, type Person } from '../../testing/world.ts';

type Settings = AnswerOf<typeof routes.getSettings>;
type Outcome<T> = Answer<T & { Code?: string; Params?: Record<string, unknown> }>;

let world: World;
let admin: Person;
beforeEach(async () => {
  world = await World.create();
  admin = await world.signIn('admin', 'admin');
});
afterEach(() => world[Symbol.asyncDispose]());

const read = async (): Promise<Settings> => (await admin.call<Settings>('GET', '/setting')).body;
const set = (Version: number, Values: object, by = admin): Promise<Outcome<Settings>> =>
  by.call('PUT', '/setting', { Version, Values });
const open = (by: Person, changes: object = {}): Promise<Outcome<Usage>> =>
  by.call('POST', '/usage', {
    RouteName: 'x',
    RoutePath: '/x',
    ImageIDList: [notebookID],
    ...changes,
  });
let notebookID: number;
beforeEach(async () => {
  const [image] = await world.sql<{ id: number }>(sql`select id from image where type = 2`);
  notebookID = image?.id ?? 0;
});

describe('settings', () => {
  test('are the configuration’s until they are set, and remember who set them', async () => {
    const before = await read();
    expect(before).toMatchObject({ Version: 0, UpdatedAt: null, UpdatedBy: null });
    expect(before.Settings).toEqual(before.Defaults);
    expect(before.Defaults).toMatchObject({
      MaxSessions: null,
      QueueLimit: 500,
      HoldSeconds: 7200,
    });
    const { status, body } = await set(0, { MaxSessions: 7, HoldSeconds: 600 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      Version: 1,
      UpdatedBy: '管理员',
      UpdatedAt: world.clock.now().toISOString(),
      Settings: { ...before.Defaults, MaxSessions: 7, HoldSeconds: 600 },
      Defaults: before.Defaults,
    });
    // Those left out stay; null takes a limit away.
    expect((await set(1, { MaxSessions: null })).body.Settings).toEqual({
      ...before.Defaults,
      HoldSeconds: 600,
    });
    await world.restart();
    admin = await world.signIn('admin', 'admin');
    expect(await read()).toMatchObject({ Version: 2, Settings: { HoldSeconds: 600 } });
  });

  test('of somebody who has not seen the last change are not written', async () => {
    for (const version of [0, 1]) {
      const outcomes = await Promise.all([
        set(version, { QueueLimit: 10 }),
        set(version, { QueueLimit: 20 }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      const winner = outcomes[0].status === 200 ? 10 : 20;
      expect(await read()).toMatchObject({
        Version: version + 1,
        Settings: { QueueLimit: winner },
      });
    }
    expect((await set(7, { QueueLimit: 30 })).body.Code).toBe('changed_meanwhile');
  });

  test.each([
    { MaxSessions: 0 },
    { MaxSessions: 1.5 },
    { QueueLimit: 0 },
    { QueueLimit: null },
    { LifetimeSeconds: 599 },
    { HoldSeconds: 59 },
    { KeepSeconds: 3599 },
    { PersonalQuotaBytes: 1 },
    { UploadBytes: 1024 },
    { Nonsense: 1 },
  ])('%j is refused', async (values) => {
    const before = await read();
    const answer = await set(0, values);
    expect([answer.status, answer.body.Code]).toEqual([400, 'invalid_input']);
    expect(await read()).toEqual(before);
  });

  test('are the admins’', async () => {
    const teacher = await world.signIn('teacher', 'teacher');
    expect((await teacher.call('GET', '/setting')).status).toBe(403);
    expect((await set(0, { QueueLimit: 1 }, teacher)).status).toBe(403);
    expect((await read()).Version).toBe(0);
  });

  test('what an older release left there, or nobody may set, does not hold', async () => {
    await world.sql(sql`
      insert into setting (key, value) values ('settings', '{"QueueLimit": 0, "Old": true, "HoldSeconds": 900}')`);
    const { Settings: now, Defaults } = await read();
    expect(now).toEqual({ ...Defaults, HoldSeconds: 900 });
  });

  test('hold on every process at once, and after a lost connection too', async () => {
    const second = await world.second();
    const seen = async () => {
      const response = await second.app.inject({
        url: '/api/v1/environment/capacity?role=admin',
        headers: { cookie: admin.cookie ?? '' },
      });
      return (JSON.parse(response.body) as { MaxSessions: number | null }).MaxSessions;
    };
    try {
      expect(await seen()).toBe(null);
      await set(0, { MaxSessions: 3 });
      await until(seen, (value) => value === 3);
      // Changed while nobody could be told.
      await world.sql(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query like 'listen%'`);
      await world.sql(sql`update setting set value = '{"MaxSessions": 4}' where key = 'settings'`);
      await until(seen, (value) => value === 4);
    } finally {
      await second.close();
    }
  });
});

describe('what they limit', () => {
  test('environments at once, whatever races; paused ones count, one’s own does not', async () => {
    await set(0, { MaxSessions: 2 });
    const people = await Promise.all(
      ['student', 'student2', 'graduate', 'assistant', 'manager'].map((name) => world.signIn(name)),
    );
    const answers = await Promise.all(people.map((person) => open(person)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(3);
    for (const { status, body } of refused)
      expect([status, body.Code, body.Params]).toEqual([429, 'usage_sessions_full', { Limit: 2 }]);
    const inside = people.filter((_person, index) => answers[index]?.status === 200);
    const outside = people.find((_person, index) => answers[index]?.status !== 200);
    const [first] = inside;
    if (!first || !outside) throw new Error('nobody was let in');
    const own = answers.find(({ status }) => status === 200)?.body;
    await first.call('PUT', `/usage/${own?.ID}`, { Action: 'stop' });
    expect((await open(outside)).body.Code).toBe('usage_sessions_full');
    expect((await open(first, { Replace: true })).status).toBe(200);
    // Fewer than are open now: nobody is thrown out, and nobody loses what they have.
    await set(1, { MaxSessions: 1 });
    const kept = await first.call<Usage>('GET', '/usage');
    expect((await open(first, { Replace: true })).body.Code).toBe('usage_sessions_full');
    expect((await first.call<Usage>('GET', '/usage')).body).toMatchObject({
      ID: kept.body.ID,
      Phase: 'ready',
    });
  });

  test('how long a paused environment stays frozen', async () => {
    const student = await world.signIn('student');
    const { body } = await open(student);
    await student.call('PUT', `/usage/${body.ID}`, { Action: 'stop' });
    await set(0, { HoldSeconds: 60 });
    world.clock.advance(61);
    const held = await until(
      () => student.call<Usage>('GET', '/usage'),
      ({ body: now }) => now.IsHeld,
    );
    expect(held.body.Status).toBe(2);
  });

  test('how many may wait', async () => {
    await set(0, { QueueLimit: 1 });
    await world.sql(sql`update image set reference = null, build_state = 'building'`);
    const [one, two] = [await world.signIn('student'), await world.signIn('student2')];
    const waiting = await one.call<Usage>('POST', '/usage?wait=false', {
      RouteName: 'x',
      RoutePath: '/x',
      ImageIDList: [notebookID],
    });
    expect(waiting.body.Phase).toBe('queued');
    const refused = await open(two);
    expect([refused.body.Code, refused.body.Params]).toEqual(['usage_queue_full', { Limit: 1 }]);
  });
});
