/** Images that staff commit: from a running environment to a version that others open. */
import { randomUUID } from 'node:crypto';
import type { Image, ImageDetail, Usage } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../engines/containers/engine.ts';
import { World, until, type Answer, type Person } from '../../testing/world.ts';

let world: World;
let admin: Person;
let teacher: Person;
let student: Person;
let notebookID: number;

beforeEach(async () => {
  world = await World.create();
  admin = await world.signIn('admin', 'admin');
  teacher = await world.signIn('teacher', 'teacher');
  student = await world.signIn('student');
  const [image] = await world.sql<{ id: number }>(sql`select id from image where type = 2`);
  notebookID = image?.id ?? 0;
});
afterEach(() => world[Symbol.asyncDispose]());

type Outcome<T = Image> = Answer<T & { Code?: string; Params?: Record<string, unknown> }>;

async function open(by: Person = teacher, changes: object = {}): Promise<Usage> {
  const { status, body } = await by.call<Usage>('POST', '/usage', {
    RouteName: 'x',
    RoutePath: '/x',
    ImageIDList: [notebookID],
    ...changes,
  });
  expect(status).toBe(200);
  return body;
}
const commit = (usage: Usage, changes: object = {}, by: Person = teacher): Promise<Outcome> =>
  by.call('POST', '/image/commit', {
    UsageID: usage.ID,
    TitleZh: '我的环境',
    IsPublic: true,
    ...changes,
  });
const read = (imageID: number, by: Person = teacher): Promise<Outcome<ImageDetail>> =>
  by.call('GET', `/image/${imageID}`);
const settled = async (imageID: number): Promise<ImageDetail> =>
  (
    await until(
      () => read(imageID, admin),
      ({ body }) => body.State !== 'committing',
    )
  ).body;
/** Holds commits back until it is called. */
function hold(): () => void {
  let release: () => void = () => undefined;
  world.engine.commitGate = new Promise((resolve) => {
    release = resolve;
  });
  return () => {
    world.engine.commitGate = undefined;
    release();
  };
}
async function committed(changes: object = {}): Promise<{ usage: Usage; image: ImageDetail }> {
  const usage = await open();
  const { body } = await commit(usage, changes);
  return { usage, image: await settled(body.ID) };
}

describe('a commit', () => {
  test('goes step by step, keeps the session running, and others then open it', async () => {
    const usage = await open();
    const release = hold();
    const { status, body } = await commit(usage);
    expect(status).toBe(202);
    expect(body).toMatchObject({ State: 'committing', Steps: 4, Version: 0, SizeBytes: null });
    const saving = await until(
      () => read(body.ID),
      ({ body: now }) => now.StateText === 'saving',
    );
    expect(saving.body).toMatchObject({ State: 'committing', Step: 2, Versions: [] });
    // Unfinished, it is nobody else's business.
    expect((await read(body.ID, await world.signIn('teacher', 'teacher'))).status).toBe(200);
    expect((await admin.call('GET', `/image?keyword=我的环境`)).body).toMatchObject({ Total: 1 });
    expect(
      (
        await student.call('POST', '/usage', {
          RouteName: 'x',
          RoutePath: '/x',
          ImageIDList: [body.ID],
        })
      ).status,
    ).toBe(404);

    release();
    const image = await settled(body.ID);
    expect(image).toMatchObject({
      State: 'ready',
      Step: 4,
      StateText: '',
      Version: 1,
      SizeBytes: 2_000_000,
      Owner: '王老师',
      Contents: [{ Name: 'gcc', Version: '14.2' }],
      Versions: [{ Number: 1, IsCurrent: true, CreatedBy: '王老师', SizeBytes: 2_000_000 }],
    });
    const now = await teacher.call<Usage>('GET', '/usage');
    expect(now.body).toMatchObject({ ID: usage.ID, Phase: 'ready', Status: 1 });
    await open(student, { ImageIDList: [image.ID] });
    expect(world.engine.created.at(-1)?.nodes[0]?.image).toBe(`own/image-${image.ID}:1`);
    const log = await admin.call<{ Text: string; IsComplete: boolean }>(
      'GET',
      `/image/${image.ID}/log`,
    );
    expect(log.body.IsComplete).toBe(true);
    expect(log.body.Text).toMatch(/checking\n.*saving\n.*scrubbing\n.*measuring\n.*done/);
  });

  test('of a new version keeps what runs on the old one', async () => {
    const { usage, image } = await committed();
    await open(student, { ImageIDList: [image.ID] });
    await commit(usage, { ImageID: image.ID, TitleZh: '新名字', IsPublic: true });
    const next = await settled(image.ID);
    expect(next).toMatchObject({ TitleZh: '新名字', Version: 2, State: 'ready' });
    expect(next.Versions.map(({ Number: number, IsCurrent }) => [number, IsCurrent])).toEqual([
      [2, true],
      [1, false],
    ]);
    const rows = await world.sql<{ reference: string }>(
      sql`select nodes -> 0 ->> 'reference' as reference from usage order by id`,
    );
    expect(rows).toEqual([{ reference: 'notebook:1' }, { reference: `own/image-${image.ID}:1` }]);
    await open(await world.signIn('graduate'), { ImageIDList: [image.ID] });
    expect(world.engine.created.at(-1)?.nodes[0]?.image).toBe(`own/image-${image.ID}:2`);
  });

  test.each<[string, string, number, (usage: Usage) => Promise<object | undefined>]>([
    [
      'that is paused',
      'usage_not_running',
      409,
      async (usage) => {
        await teacher.call('PUT', `/usage/${usage.ID}`, { Action: 'stop' });
        return undefined;
      },
    ],
    [
      'that has ended',
      'usage_not_running',
      409,
      async (usage) => {
        await teacher.call('DELETE', `/usage/${usage.ID}`);
        return undefined;
      },
    ],
    [
      'with 299 seconds left',
      'commit_too_late',
      409,
      async () => {
        world.clock.advance(3301);
        return undefined;
      },
    ],
    ['with an unknown node', 'invalid_input', 400, async () => ({ Node: 'node9' })],
    ['with a long title', 'invalid_input', 400, async () => ({ TitleZh: '长'.repeat(51) })],
    ['into a built-in image', 'not_found', 404, async () => ({ ImageID: notebookID })],
    [
      'into an image of another type',
      'image_type_differs',
      409,
      async () => {
        const [desktop] = await world.sql<{ id: number }>(sql`
        insert into image (type, title_zh, title_en, owner_id)
        select 1, '桌面', '', id from user_account where username = 'teacher' returning id`);
        return { ImageID: desktop?.id };
      },
    ],
    [
      'while the engine is away',
      'engine_unavailable',
      409,
      async () => {
        world.engine.isReady = false;
        await until(
          () => world.sql<{ ready: boolean }>(sql`select is_engine_ready as ready from worker`),
          ([row]) => row?.ready === false,
        );
        return undefined;
      },
    ],
  ])('of an environment %s is refused: %s', async (_what, code, status, prepare) => {
    const usage = await open();
    const changes = await prepare(usage);
    const answer = await commit(usage, changes ?? {});
    expect([answer.status, answer.body.Code]).toEqual([status, code]);
    expect(world.engine.commits).toEqual([]);
  });

  test('with exactly 300 seconds left is let through', async () => {
    const usage = await open();
    world.clock.advance(3300);
    // The worker has to be heard of in the new time.
    const answer = await until(
      () => commit(usage),
      ({ body }) => body.Code !== 'engine_unavailable',
    );
    expect(answer.status).toBe(202);
  });

  test('into a built-in image is refused to an admin too', async () => {
    const usage = await open(admin);
    const answer = await commit(usage, { ImageID: notebookID }, admin);
    expect([answer.status, answer.body.Code]).toEqual([409, 'built_in']);
  });

  test('of somebody else’s environment, or by a learner, is refused', async () => {
    const usage = await open(student);
    expect((await commit(usage)).status).toBe(404);
    expect((await commit(usage, {}, student)).status).toBe(403);
  });

  test('two of one environment at once are one', async () => {
    const usage = await open();
    const release = hold();
    const answers = await Promise.all([commit(usage), commit(usage)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.Code).toBe('commit_under_way');
    release();
  });

  test('two of one image at once are one', async () => {
    const { usage, image } = await committed();
    const other = await open(admin);
    const release = hold();
    const answers = await Promise.all([
      commit(usage, { ImageID: image.ID }),
      commit(other, { ImageID: image.ID }, admin),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409]);
    release();
    expect(await settled(image.ID)).toMatchObject({ Version: 2, State: 'ready' });
    expect(world.engine.commits).toEqual([`image-${image.ID}:1`, `image-${image.ID}:2`]);
  });

  test.each([
    ['no_space', 'storage_full'],
    ['engine_unreachable', 'engine_unavailable'],
    ['engine_failed', 'commit_failed'],
  ] as const)('that fails with %s says why, and the version before stays', async (code, reason) => {
    const { usage, image } = await committed();
    const release = hold();
    await commit(usage, { ImageID: image.ID });
    await until(
      () => read(image.ID),
      ({ body }) => body.StateText === 'saving',
    );
    world.engine.failure = new EngineError(code, 'the engine said so');
    release();
    const failed = await settled(image.ID);
    world.engine.failure = undefined;
    expect(failed).toMatchObject({ State: 'failed', StateText: reason, Version: 1 });
    expect(failed.Versions).toHaveLength(1);
    await open(student, { ImageIDList: [image.ID] });
    // And it can be tried again.
    await commit(usage, { ImageID: image.ID });
    expect(await settled(image.ID)).toMatchObject({ State: 'ready', Version: 2 });
  });

  test('whose turn comes too late fails, and nothing is half there', async () => {
    const first = await open();
    const second = await open(admin);
    const release = hold();
    const one = await commit(first);
    await until(
      () => read(one.body.ID),
      ({ body }) => body.StateText === 'saving',
    );
    const two = await commit(second, {}, admin);
    world.clock.advance(3400);
    release();
    expect(await settled(two.body.ID)).toMatchObject({
      State: 'failed',
      StateText: 'commit_too_late',
      Version: 0,
      Versions: [],
    });
    expect(world.engine.commits).toEqual([`image-${one.body.ID}:1`]);
  });

  test('is done by the next worker when the first one dies', async () => {
    const usage = await open();
    const release = hold();
    const { body } = await commit(usage);
    await until(
      () => read(body.ID),
      ({ body: now }) => now.StateText === 'saving',
    );
    await world.restart();
    teacher = await world.signIn('teacher', 'teacher');
    admin = await world.signIn('admin', 'admin');
    release();
    expect(await settled(body.ID)).toMatchObject({ State: 'ready', Version: 1 });
    expect(world.engine.commits).toEqual([`image-${body.ID}:1`, `image-${body.ID}:1`]);
  });

  test('that a dead worker had taken is taken over at once', async () => {
    const usage = await open();
    await world.sql(sql`
      insert into image (type, title_zh, title_en, owner_id, build_state, build_steps, commit, claimed_by, claimed_until)
      select 2, '接手', '', user_id, 'committing', 4,
             jsonb_build_object('usageID', id, 'node', 'node1', 'userID', user_id, 'number', 1),
             ${randomUUID()}, now() + interval '10 years'
        from usage where id = ${usage.ID}`);
    const [row] = await world.sql<{ id: number }>(
      sql`select id from image where title_zh = '接手'`,
    );
    await world.sql(sql`select pg_notify('hc_image', '')`);
    expect(await settled(row?.id ?? 0)).toMatchObject({ State: 'ready', Version: 1 });
  });

  test('is given up with its image, and what it made goes', async () => {
    const usage = await open();
    const release = hold();
    const { body } = await commit(usage);
    await until(
      () => read(body.ID),
      ({ body: now }) => now.StateText === 'saving',
    );
    expect((await teacher.call('DELETE', `/image/${body.ID}`)).status).toBe(200);
    release();
    await until(
      async () => world.engine.images,
      (images) => images.has(`own/image-${body.ID}:1`),
    );
    // The next one finds nothing of it.
    const { image } = await committedFrom(usage);
    await until(
      async () => world.engine.images,
      (images) => !images.has(`own/image-${body.ID}:1`),
    );
    expect(world.engine.images.has(`own/image-${image.ID}:1`)).toBe(true);
  });

  const committedFrom = async (usage: Usage): Promise<{ image: ImageDetail }> => {
    const { body } = await commit(usage);
    return { image: await settled(body.ID) };
  };
});

describe('versions', () => {
  test('one may go back, and delete what nobody needs', async () => {
    const { usage, image } = await committed();
    await open(student, { ImageIDList: [image.ID] });
    await commit(usage, { ImageID: image.ID });
    const [second, first] = (await settled(image.ID)).Versions;
    const remove = (versionID: number | undefined): Promise<Outcome<ImageDetail>> =>
      teacher.call('DELETE', `/image/${image.ID}/version/${versionID}`);
    // A learner has the first one open.
    const refused = await remove(first?.ID);
    expect([refused.status, refused.body.Code]).toEqual([409, 'in_use']);
    expect(refused.body.Params).toMatchObject({ Dependents: [{ Kind: 'usage', Title: '林同学' }] });
    const back: Outcome<ImageDetail> = await teacher.call(
      'PUT',
      `/image/${image.ID}/version/${first?.ID}`,
      {},
    );
    expect(back.body).toMatchObject({ Version: 1 });
    expect((await remove(first?.ID)).body.Code).toBe('in_use');
    const left = await remove(second?.ID);
    expect(left.body.Versions.map(({ ID }) => ID)).toEqual([first?.ID]);
    await until(
      async () => world.engine.images,
      (images) => !images.has(`own/image-${image.ID}:2`),
    );
    expect(world.engine.images.has(`own/image-${image.ID}:1`)).toBe(true);
    // The next number is a new one, though the last is gone.
    await commit(usage, { ImageID: image.ID });
    expect((await settled(image.ID)).Versions[0]).toMatchObject({ IsCurrent: true });
  });

  test('are reached through their own image only', async () => {
    const { usage, image } = await committed();
    const { body } = await commit(usage);
    const other = await settled(body.ID);
    const foreign = await teacher.call(
      'PUT',
      `/image/${image.ID}/version/${other.Versions[0]?.ID}`,
      {},
    );
    expect(foreign.status).toBe(404);
  });
});

describe('an image', () => {
  const specification = async (by: Person, imageID: number): Promise<number> => {
    const { body } = await by.call<{ ID: number }>('POST', '/specification', {
      NameZh: '用它',
      ImageType: 2,
      IsShared: false,
      LifetimeSeconds: 3600,
    });
    const added = await by.call('POST', `/specification/${body.ID}/node`, {
      Name: 'node1',
      Cpus: 1,
      MemoryBytes: 536_870_912,
      DiskBytes: 1_073_741_824,
      ImageID: imageID,
    });
    expect(added.status).toBe(201);
    return body.ID;
  };

  test('that others built upon stays open to them, and stays', async () => {
    const { usage, image } = await committed();
    const texts = (IsPublic: boolean): Promise<Outcome> =>
      teacher.call('PUT', `/image/${image.ID}`, { TitleZh: '改', IsPublic });
    expect((await texts(false)).body).toMatchObject({ IsPublic: false, TitleZh: '改' });
    expect((await read(image.ID, student)).status).toBe(403);
    await texts(true);
    const used = await specification(admin, image.ID);
    const dependents = [{ Kind: 'specification', ID: used, Title: '用它' }];
    for (const refused of [
      await texts(false),
      await teacher.call<Outcome['body']>('DELETE', `/image/${image.ID}`),
      await commit(usage, { ImageID: image.ID, IsPublic: false }),
    ]) {
      expect([refused.status, refused.body.Code]).toEqual([409, 'in_use']);
      expect(refused.body.Params).toEqual({ Dependents: dependents });
    }
    expect((await read(image.ID)).body.Dependents).toEqual(dependents);
    await admin.call('DELETE', `/specification/${used}`);
    expect((await teacher.call('DELETE', `/image/${image.ID}`)).status).toBe(200);
    expect((await read(image.ID)).status).toBe(404);
    await until(
      async () => world.engine.images,
      (images) => !images.has(`own/image-${image.ID}:1`),
    );
  });

  test('with which somebody has an environment open stays; a specification of one’s own hides it', async () => {
    const { image } = await committed({ IsPublic: false });
    expect((await read(image.ID, admin)).status).toBe(200);
    await specification(teacher, image.ID);
    await world.sql(sql`update image set is_public = true where id = ${image.ID}`);
    const usage = await open(student, { ImageIDList: [image.ID] });
    await world.sql(sql`delete from specification_node where image_id = ${image.ID}`);
    const refused: Outcome = await teacher.call('DELETE', `/image/${image.ID}`);
    expect(refused.body.Params).toMatchObject({ Dependents: [{ Kind: 'usage', ID: usage.ID }] });
  });

  test('a built-in one is the admins’, and is not deleted', async () => {
    expect((await teacher.call('DELETE', `/image/${notebookID}`)).status).toBe(404);
    const refused: Outcome = await admin.call('DELETE', `/image/${notebookID}`);
    expect([refused.status, refused.body.Code]).toEqual([409, 'built_in']);
    expect((await teacher.call('POST', `/image/${notebookID}/rebuild`, {})).status).toBe(403);
    const { image } = await committed();
    const own: Outcome = await admin.call('POST', `/image/${image.ID}/rebuild`, {});
    expect([own.status, own.body.Code]).toEqual([409, 'not_built_in']);
    const asked: Outcome = await admin.call('POST', `/image/${notebookID}/rebuild`, {});
    expect(asked.status).toBe(202);
    // The engine of this test builds nothing; what is there stays in use.
    const after = await until(
      () => read(notebookID, admin),
      ({ body }) => body.State === 'failed',
    );
    expect(after.body).toMatchObject({ Version: 1 });
    await open(student);
  });

  test('lists are filtered and sorted', async () => {
    const { image } = await committed({ TitleZh: '甲 环境', IsPublic: false });
    const list = async (query: string, by: Person = teacher) =>
      (await by.call<{ List: Image[]; Total: number }>('GET', `/image?${query}`)).body;
    expect((await list('mine=true')).List.map(({ ID }) => ID)).toEqual([image.ID]);
    expect((await list('keyword=甲')).Total).toBe(1);
    expect((await list('type=3')).List.every(({ Type }) => Type === 3)).toBe(true);
    const sizes = (await list('sort=size')).List.map(({ SizeBytes }) => SizeBytes ?? 0);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    const others = await list('', admin);
    expect(others.List.some(({ ID, MayEdit }) => ID === image.ID && MayEdit)).toBe(true);
  });

  test('that vanished lets a queued start fail with the reason, and a stopped one go on', async () => {
    const { image } = await committed();
    const running = await open(student, { ImageIDList: [image.ID] });
    await student.call('PUT', `/usage/${running.ID}`, { Action: 'stop' });
    world.clock.advance(7201);
    await until(
      () => student.call<Usage>('GET', '/usage'),
      ({ body }) => body.IsHeld,
    );
    let release: () => void = () => undefined;
    world.engine.gate = new Promise((resolve) => {
      release = resolve;
    });
    const graduate = await world.signIn('graduate');
    await world.sql(
      sql`update usage set cpus = 8 where user_id = (select id from user_account where username = 'teacher')`,
    );
    await until(
      () =>
        graduate.call('POST', '/usage?wait=false', {
          RouteName: 'x',
          RoutePath: '/x',
          ImageIDList: [image.ID],
        }),
      ({ status }) => status === 200,
    );
    // Behind the rules' back, as a restored backup might.
    await world.sql(sql`delete from image where id = ${image.ID}`);
    await world.sql(sql`update usage set cpus = 1 where cpus = 8`);
    world.engine.gate = undefined;
    release();
    const failed = await until(
      () => graduate.call<Usage>('GET', '/usage'),
      ({ body }) => body.Phase === 'failed',
    );
    expect(failed.body.Reason).toEqual({ Code: 'image_missing', Params: { Image: image.ID } });
    const continued = await student.call<Usage>('PUT', `/usage/${running.ID}`, { Action: 'start' });
    expect(continued.body).toMatchObject({ Status: 1, IsHeld: false });
  });
});
