import type { Usage, UsageEvent } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../engines/containers/engine.ts';
import { notifyUsers } from '../notification/notification.service.ts';
import { forgetEarlierBoot } from './usage.boot.ts';
import { World, until, type Answer, type Person } from '../../testing/world.ts';

let world: World;
let student: Person;
let body: { LabID: number; TaskID: number; RouteName: string; RoutePath: string };

beforeEach(async () => {
  world = await World.create({
    environment: { HC_START_TIMEOUT_SECONDS: '5', HC_QUEUE_LIMIT: '3', HC_KEEP_SECONDS: '3600' },
  });
  student = await world.signIn('student');
  const [task] = await world.sql<{ id: number; lab_id: number }>(
    sql`select id, lab_id from lab_task order by id limit 1`,
  );
  body = {
    LabID: task?.lab_id ?? 0,
    TaskID: task?.id ?? 0,
    RouteName: 'notebookLabTaskDetail',
    RoutePath: '/lab/1/notebook/task/1',
  };
});
afterEach(() => world[Symbol.asyncDispose]());

type Failure = { Code: string; Params: Record<string, unknown> };
const open = (person = student, extra: object = {}, query = ''): Promise<Answer<Usage & Failure>> =>
  person.call('POST', `/usage${query}`, { ...body, ...extra });
const current = async (person = student): Promise<Usage | null> =>
  (await person.call<Usage | null>('GET', '/usage')).body;
const history = async (person = student) =>
  (
    await person.call<{ List: { Cause: string; Reason: Failure | null }[]; Total: number }>(
      'GET',
      '/usage/history',
    )
  ).body.List;
const nextPhase = (phase: string, person = student) =>
  until(
    () => current(person),
    (usage) => usage?.Phase === phase,
  );
const gone = (person = student) =>
  until(
    () => current(person),
    (usage) => usage === null,
  );

describe('opening', () => {
  test('answers when it is ready, with a full countdown and where to go', async () => {
    const { status, body: usage } = await open();
    expect(status).toBe(200);
    expect(usage).toMatchObject({
      Status: 1,
      Phase: 'ready',
      Remaining: 3600,
      RenewalTime: world.clock.unix,
      RouteName: body.RouteName,
      RoutePath: body.RoutePath,
      Title: '环形通信',
    });
    expect(usage.ProxyPath).toBe(
      `/proxy/notebook/${Buffer.from(usage.Host).toString('base64url')}/${Buffer.from(usage.IP).toString('base64url')}/`,
    );
    expect(Object.keys(usage.PhaseTimes)).toEqual([
      'queued',
      'creating',
      'starting',
      'waiting',
      'ready',
    ]);
    expect(await current()).toMatchObject({ ID: usage.ID, Phase: 'ready' });
  });

  test('the container gets the limits, the learner’s folder and the read-only bundle', async () => {
    await open();
    const [spec] = world.engine.created;
    expect(spec?.nodes[0]).toMatchObject({
      user: '1000:1000',
      limits: { cpus: 2, memoryBytes: 1024 * 1024 * 1024, pids: 256, diskBytes: 512 * 1024 * 1024 },
      mounts: [
        { target: '/home/jovyan/data', readOnly: false },
        { target: '/home/jovyan/bundle_resource', readOnly: true },
      ],
    });
  });

  test('at once with wait=false; the start goes on by itself', async () => {
    const { body: usage } = await open(student, {}, '?wait=false');
    expect(['queued', 'creating', 'starting', 'waiting']).toContain(usage.Phase);
    expect(usage.Remaining).toBeNull();
    expect((await nextPhase('ready'))?.ID).toBe(usage.ID);
  });

  test('a second one is refused with the first, until the user replaces it', async () => {
    const first = await open();
    const refused = await open();
    expect([refused.status, refused.body.Code]).toEqual([409, 'usage_exists']);
    expect(refused.body.Params['Usage']).toMatchObject({ ID: first.body.ID });
    const second = await open(student, { Replace: true });
    expect(second.body.ID).not.toBe(first.body.ID);
    expect((await history())[0]?.Cause).toBe('replaced');
    await until(
      () => world.engine.list(),
      (list) => !list.has(first.body.ID),
    );
  });

  test('two at once make one', async () => {
    const answers = await Promise.all([open(), open(), open()]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      answers
        .filter(({ status }) => status === 409)
        .every(({ body: failure }) => failure.Code === 'usage_exists'),
    ).toBe(true);
  });

  test.each([
    ['no resource', { LabID: undefined, TaskID: undefined }, 400],
    ['a task without its lab', { LabID: undefined }, 404],
    ['a lab without a task', { TaskID: undefined }, 400],
    ['two resources', { SpecificationID: 1 }, 400],
    ['an unknown lab', { LabID: 999_999 }, 404],
    ['an unknown task', { TaskID: 999_999 }, 404],
    ['a route to another site', { RoutePath: '//evil.example' }, 400],
    ['a route with a backslash', { RoutePath: '/\\evil.example' }, 400],
    ['an unknown field', { Status: 1 }, 400],
    ['an oversized field', { RouteName: 'x'.repeat(61) }, 400],
  ])('%s is refused and nothing is made', async (_what, change, status) => {
    expect((await open(student, change)).status).toBe(status);
    expect(await world.sql(sql`select id from usage`)).toEqual([]);
  });

  test('by image, and by specification', async () => {
    const [image] = await world.sql<{ id: number }>(sql`select id from image`);
    const [specification] = await world.sql<{ id: number }>(sql`select id from specification`);
    const base = { RouteName: 'x', RoutePath: '/x' };
    expect(
      (await student.call('POST', '/usage', { ...base, ImageIDList: [image?.id] })).body,
    ).toMatchObject({ Phase: 'ready' });
    expect(
      (
        await student.call('POST', '/usage', {
          ...base,
          SpecificationID: specification?.id,
          Replace: true,
        })
      ).body,
    ).toMatchObject({ Phase: 'ready' });
    expect((await student.call('POST', '/usage', { ...base, ImageIDList: [999] })).status).toBe(
      404,
    );
  });
});

describe('a start that fails says why, and holds nothing', () => {
  test.each([
    ['the engine has no space', new EngineError('no_space', 'x'), 'start_no_space'],
    ['the engine broke', new EngineError('engine_failed', 'x'), 'start_failed'],
  ])('%s', async (_what, failure, code) => {
    world.engine.failure = failure;
    expect((await open()).body.Code).toBe(code);
    expect(await current()).toMatchObject({ Phase: 'failed', Reason: { Code: code } });
    world.engine.failure = undefined;
    // Trying again needs no clearing up.
    expect((await open()).body.Phase).toBe('ready');
    expect((await history())[0]).toMatchObject({ Cause: 'failed', Reason: { Code: code } });
  });

  test('an image that was deleted', async () => {
    world.engine.images.clear();
    expect((await open()).body).toMatchObject({ Code: 'image_missing' });
  });

  test('an image whose build failed', async () => {
    await world.sql(sql`update image set reference = null, build_state = 'failed'`);
    expect((await open()).body.Code).toBe('image_build_failed');
  });

  test('a container that never answers', async () => {
    world.engine.isSilent = true;
    expect((await open()).body).toMatchObject({ Code: 'start_timed_out', Params: { Seconds: 5 } });
    await until(
      () => world.engine.list(),
      (list) => list.size === 0,
    );
  });

  test.each([
    [137, true, 'start_out_of_memory'],
    [1, false, 'start_died'],
  ])('a container that dies with %d while starting', async (exitCode, isOutOfMemory, code) => {
    world.engine.isSilent = true;
    const answer = open();
    const usage = await nextPhase('waiting');
    world.engine.die(usage?.ID ?? 0, exitCode, isOutOfMemory);
    expect((await answer).body.Code).toBe(code);
  });

  test('no engine at all: the site works, sessions say why not', async () => {
    world.engine.isReady = false;
    await world.restart();
    expect((await student.call('GET', '/lab')).status).toBe(200);
    expect((await open()).body).toMatchObject({
      Code: 'engine_unavailable',
      Params: { Reason: 'the test switched it off' },
    });
  });

  test('more than the host has can never start', async () => {
    await world.sql(sql`update specification_node set cpus = 64`);
    expect((await open()).body).toMatchObject({ Code: 'usage_too_large', Params: { Cpus: 64 } });
  });
});

describe('the queue', () => {
  test('waits in order for room, shows the position, is bounded, and moves up', async () => {
    await world.sql(sql`update specification_node set cpus = 8`);
    const names = ['student', 'student2', 'graduate', 'teacher', 'assistant'];
    const people = await Promise.all(names.map((name) => world.signIn(name)));
    const [first, second, third, fourth, fifth] = people as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ];
    await open(first);
    for (const person of [second, third, fourth])
      expect((await open(person, {}, '?wait=false')).body.Phase).toBe('queued');
    expect([
      (await current(second))?.Position,
      (await current(third))?.Position,
      (await current(fourth))?.Position,
    ]).toEqual([1, 2, 3]);
    expect((await open(fifth)).body).toMatchObject({
      Code: 'usage_queue_full',
      Params: { Limit: 3 },
    });

    const cancelled = await current(third);
    expect((await third.call('DELETE', `/usage/${cancelled?.ID}`)).status).toBe(200);
    expect((await current(fourth))?.Position).toBe(2);
    expect((await history(third))[0]?.Cause).toBe('cancelled');

    await first.call('DELETE', `/usage/${(await current(first))?.ID}`);
    await nextPhase('ready', second);
    expect((await current(fourth))?.Position).toBe(1);
  });

  test('a queued start shows the build that it waits for, and starts when the image is there', async () => {
    await world.sql(
      sql`update image set reference = null, build_state = 'building', build_step = 3, build_steps = 9, build_text = 'gcc'`,
    );
    await open(student, {}, '?wait=false');
    expect(await current()).toMatchObject({
      Phase: 'queued',
      Build: { State: 'building', Step: 3, Steps: 9, Text: 'gcc' },
    });
    await world.sql(sql`update image set reference = 'notebook:1', build_state = 'ready'`);
    await nextPhase('ready');
  });

  test('a start that is admitted while it is being shown does not break the answer', async () => {
    // Between reading the row and counting the queue the worker may have admitted it.
    const asked = Array.from({ length: 5 }, () => student.call('GET', '/usage'));
    const [opened, ...shown] = await Promise.all([open(student, {}, '?wait=false'), ...asked]);
    expect([opened.status, ...shown.map(({ status }) => status)]).toEqual(Array(6).fill(200));
  });

  test('a start can be cancelled in the middle', async () => {
    let openGate: () => void = () => undefined;
    world.engine.gate = new Promise((resolve) => (openGate = resolve));
    const answer = open();
    const usage = await nextPhase('starting');
    expect((await student.call('DELETE', `/usage/${usage?.ID}`)).status).toBe(200);
    openGate();
    expect((await answer).body.Code).toBe('usage_expired');
    await until(
      () => world.engine.list(),
      (list) => list.size === 0,
    );
  });
});

describe('pause, continue, renew, delete', () => {
  let usageID: number;
  beforeEach(async () => {
    usageID = (await open()).body.ID;
  });
  const act = (action: string) =>
    student.call<Usage & Failure>('PUT', `/usage/${usageID}`, { Action: action });
  const renew = () => student.call<Usage & Failure>('POST', `/usage/${usageID}/renewal`, {});

  test('a pause stops the countdown, a continue begins a full one', async () => {
    world.clock.advance(1000);
    const paused = await act('stop');
    expect(paused.body).toMatchObject({ Status: 2, Remaining: null, IsHeld: false });
    expect((await world.engine.inspect(usageID))[0]?.state).toBe('paused');
    world.clock.advance(3600);
    expect(await current()).toMatchObject({ Status: 2 });
    expect((await act('start')).body).toMatchObject({
      Status: 1,
      Remaining: 3600,
      RenewalTime: world.clock.unix,
    });
    expect((await world.engine.inspect(usageID))[0]?.state).toBe('running');
  });

  test('a stop of a stopped and a start of a running one have codes of their own', async () => {
    expect((await act('start')).body.Code).toBe('usage_already_running');
    await act('stop');
    expect([(await act('stop')).status, (await act('stop')).body.Code]).toEqual([
      409,
      'usage_not_running',
    ]);
    expect((await act('explode')).status).toBe(400);
  });

  test('a frozen one is stopped after the hold time, and continues from its files', async () => {
    await act('stop');
    world.clock.advance(7201);
    await until(current, (usage) => usage?.IsHeld === true);
    expect((await world.engine.inspect(usageID))[0]?.state).toBe('exited');
    expect((await act('start')).body).toMatchObject({ Status: 1, Phase: 'ready', IsHeld: false });
    expect((await world.engine.inspect(usageID))[0]?.state).toBe('running');
  });

  test('a stopped one that nobody continues goes, with the cause', async () => {
    await act('stop');
    world.clock.advance(7201);
    await until(current, (usage) => usage?.IsHeld === true);
    world.clock.advance(3601);
    await gone();
    expect((await history())[0]?.Cause).toBe('abandoned');
  });

  test.each([
    [3540, 200, undefined],
    [3541, 409, 'usage_renewal_too_late'],
    [3600, 409, 'usage_expired'],
  ])('a renewal after %d s answers %d', async (seconds, status, code) => {
    world.clock.advance(seconds);
    await current();
    const answer = await renew();
    expect([answer.status, answer.body.Code, answer.body.Remaining]).toEqual([
      status,
      code,
      status === 200 ? 3600 : undefined,
    ]);
  });

  test('a paused one is not renewed', async () => {
    await act('stop');
    expect((await renew()).body.Code).toBe('usage_not_running');
  });

  test('at zero everything goes and the cause is kept', async () => {
    world.clock.advance(3600);
    expect(await current()).toBeNull();
    await until(
      () => world.engine.list(),
      (list) => list.size === 0,
    );
    expect((await history())[0]?.Cause).toBe('expired');
    expect((await act('stop')).body.Code).toBe('usage_expired');
    // The place is free at once; the worker only has to be heard of after the jump.
    await until(
      () => student.call<{ Engine: { IsReady: boolean } }>('GET', '/site'),
      ({ body: site }) => site.Engine.IsReady,
    );
    expect((await open()).status).toBe(200);
  });

  test('a delete frees everything; a second one changes nothing', async () => {
    expect((await student.call('DELETE', `/usage/${usageID}`)).status).toBe(200);
    expect(await current()).toBeNull();
    await until(
      () => world.engine.list(),
      (list) => list.size === 0,
    );
    expect((await student.call('DELETE', `/usage/${usageID}`)).status).toBe(200);
    expect((await history()).map(({ Cause }) => Cause)).toEqual(['deleted']);
  });

  test.each([
    [137, true, 'out_of_memory', 'start_out_of_memory'],
    [139, false, 'crashed', 'start_died'],
  ])(
    'a container that dies with %d ends it with the cause',
    async (exitCode, isOutOfMemory, cause, code) => {
      world.engine.die(usageID, exitCode, isOutOfMemory);
      await gone();
      expect((await history())[0]).toMatchObject({ Cause: cause, Reason: { Code: code } });
    },
  );

  test('somebody else’s usage does not exist', async () => {
    const other = await world.signIn('student2');
    for (const call of [
      other.call('PUT', `/usage/${usageID}`, { Action: 'stop' }),
      other.call('POST', `/usage/${usageID}/renewal`, {}),
      other.call('DELETE', `/usage/${usageID}`),
      other.call('GET', `/usage/${usageID}/container`),
      other.call('POST', `/usage/${usageID}/ticket`, {}),
    ]) {
      expect((await call).status).toBe(404);
    }
    expect((await current())?.Status).toBe(1);
  });

  test('the nodes are listed with their figures; unknown is null, never 0', async () => {
    const { body: nodes } = await student.call<{ List: object[] }>(
      'GET',
      `/usage/${usageID}/container`,
    );
    expect(nodes.List).toEqual([
      expect.objectContaining({
        Name: 'node1',
        State: 'running',
        CpuSeconds: 1,
        MemoryBytes: 1024,
      }),
    ]);
    await student.call('DELETE', `/usage/${usageID}`);
    const { body: after } = await student.call<{ List: object[] }>(
      'GET',
      `/usage/${usageID}/container`,
    );
    expect(after.List).toEqual([
      expect.objectContaining({ State: 'missing', CpuSeconds: null, MemoryBytes: null }),
    ]);
  });
});

describe('the disk, where the engine cannot limit it', () => {
  const limit = 512 * 1024 * 1024;
  const looks = (count: number) =>
    until(
      async () => world.engine.diskLooks.length,
      (length) => length >= count,
    );
  /** Turns of the worker without any time passing: its pause is begun in one that saw it run. */
  const turnWorker = async (usageID: number) => {
    for (const Action of ['stop', 'start']) {
      await student.call('PUT', `/usage/${usageID}`, { Action });
    }
  };

  test('a usage that writes too much ends with the cause, and its container goes', async () => {
    world.engine.diskBytes = limit;
    const { body: usage } = await open();
    await looks(1);
    // Just at the limit it runs on: only what runs is looked at again.
    for (const count of [2, 3]) {
      world.clock.advance(10);
      await looks(count);
    }
    expect(await current()).toMatchObject({ ID: usage.ID, Phase: 'ready' });
    world.engine.diskBytes = limit + 1;
    world.clock.advance(10);
    await gone();
    expect(await history()).toMatchObject([{ Cause: 'out_of_disk', Reason: null }]);
    await until(
      () => world.engine.list(),
      (list) => list.size === 0,
    );
  });

  test('it is looked at no oftener than every ten seconds, and not while it is paused', async () => {
    const { body: usage } = await open();
    await looks(1);
    world.clock.advance(9);
    await turnWorker(usage.ID);
    await turnWorker(usage.ID);
    expect(world.engine.diskLooks).toEqual([usage.ID]);
    await student.call('PUT', `/usage/${usage.ID}`, { Action: 'stop' });
    world.clock.advance(1);
    const second = await world.signIn('student2');
    const { body: other } = await open(second);
    await looks(2);
    expect(world.engine.diskLooks).toEqual([usage.ID, other.ID]);
  });

  test('a look that fails ends nothing, and the next one counts', async () => {
    const { body: usage } = await open();
    await looks(1);
    world.engine.failure = new EngineError('timed_out', 'x');
    world.engine.diskBytes = limit + 1;
    for (const count of [2, 3]) {
      world.clock.advance(10);
      await looks(count);
    }
    expect(await current()).toMatchObject({ ID: usage.ID, Phase: 'ready' });
    world.engine.failure = undefined;
    world.clock.advance(10);
    await gone();
    expect((await history())[0]?.Cause).toBe('out_of_disk');
  });

  test('an engine that limits it exactly is not asked', async () => {
    world.engine.diskLimit = 'exact';
    world.engine.diskBytes = limit + 1;
    await world.restart();
    const { body: usage } = await open();
    await turnWorker(usage.ID);
    world.clock.advance(10);
    await turnWorker(usage.ID);
    expect(world.engine.diskLooks).toEqual([]);
    expect(await current()).toMatchObject({ ID: usage.ID, Phase: 'ready' });
  });
});

describe('restarts', () => {
  test('a ready session is adopted, wherever its container answers now', async () => {
    const { body: usage } = await open();
    await world.engine.stop(usage.ID);
    await world.engine.start(usage.ID);
    await world.restart();
    expect(await current()).toMatchObject({ ID: usage.ID, Phase: 'ready' });
    const [state] = await world.engine.inspect(usage.ID);
    const [row] = await world.sql<{ address: string }>(sql`select address from usage`);
    expect(row?.address).toBe(`${state?.ip}:8888`);
  });

  test('what is gone is ended as lost, what nobody knows is removed', async () => {
    const { body: usage } = await open();
    const spec = world.engine.created[0];
    await world.engine.remove(usage.ID);
    if (spec) await world.engine.create({ ...spec, usageID: 4711 });
    await world.restart();
    expect(await current()).toBeNull();
    expect((await history())[0]?.Cause).toBe('lost');
    await until(
      () => world.engine.list(),
      (list) => list.size === 0,
    );
  });

  test('after a restart of the machine its addresses are nobody’s, until the worker has looked', async () => {
    const { body: usage } = await open();
    const { database } = world.system.handle;
    const addressOf = async (): Promise<string | null | undefined> =>
      (await world.sql<{ address: string | null }>(sql`select address from usage`))[0]?.address;
    expect(await forgetEarlierBoot(database, 'first')).toBe(0);
    expect(await forgetEarlierBoot(database, 'first')).toBe(0);
    expect(await addressOf()).not.toBeNull();
    expect(await forgetEarlierBoot(database, 'second')).toBe(1);
    expect(await addressOf()).toBeNull();
    // It runs all the same, as on a machine whose engine was started before us.
    await world.restart();
    const [state] = await world.engine.inspect(usage.ID);
    expect(await addressOf()).toBe(`${state?.ip}:8888`);
  });

  test('a start in the middle goes on', async () => {
    let openGate: () => void = () => undefined;
    world.engine.gate = new Promise((resolve) => (openGate = resolve));
    await open(student, {}, '?wait=false');
    await nextPhase('starting');
    // As after kill -9: the claim is still there, its owner is not.
    await world.sql(
      sql`update usage set claimed_by = gen_random_uuid(), claimed_until = now() + interval '100 years'`,
    );
    openGate();
    world.engine.gate = undefined;
    await world.restart();
    expect(await nextPhase('ready')).toMatchObject({ Status: 1, Remaining: 3600 });
  });
});

describe('pushed to open pages', () => {
  test('every change arrives, and how the last one ended', async () => {
    const host = await world.listen();
    const abort = new AbortController();
    const response = await fetch(`http://${host}/api/v1/usage/events`, {
      headers: { cookie: student.cookie ?? '' },
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const next = async (isDone: (event: UsageEvent) => boolean): Promise<UsageEvent> => {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const line = text.slice(0, end);
          text = text.slice(end + 2);
          const event = line.startsWith('data: ')
            ? (JSON.parse(line.slice(6)) as UsageEvent)
            : undefined;
          if (event && isDone(event)) return event;
        } else text += (await reader?.read())?.value ?? '';
      }
    };
    expect(await next(() => true)).toEqual({ Usage: null, Ended: null, Unread: 0 });
    const [account] = await world.sql<{ id: number }>(
      sql`select id from user_account where username = 'student'`,
    );
    await notifyUsers(world.system.handle.database, {
      userIDs: [account?.id ?? 0],
      kind: 'system',
      titleZh: '通知',
      titleEn: '',
      contentZh: '内容',
      contentEn: '',
    });
    expect((await next((event) => event.Unread === 1)).Usage).toBeNull();
    const { body: usage } = await open();
    expect((await next((event) => event.Usage?.Phase === 'ready')).Usage?.ID).toBe(usage.ID);
    await student.call('PUT', `/usage/${usage.ID}`, { Action: 'stop' });
    await next((event) => event.Usage?.Status === 2);
    await student.call('DELETE', `/usage/${usage.ID}`);
    expect(await next((event) => event.Usage === null)).toMatchObject({
      Ended: { ID: usage.ID, Cause: 'deleted' },
    });
    abort.abort();
    await until(
      async () => world.system.events.openStreams,
      (count) => count === 0,
    );
  });

  test('a visitor gets no stream', async () => {
    expect((await world.visitor().call('GET', '/usage/events')).status).toBe(401);
  });
});
