/** What staff do with specifications and their nodes. */
import type { Specification } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { World, type Answer, type Person } from '../../testing/world.ts';

const MEBIBYTE = 1024 * 1024;

let world: World;
let admin: Person;
let teacher: Person;
let student: Person;
let notebookID: number;
let desktopID: number;
const statements: string[] = [];

beforeAll(async () => {
  world = await World.create({
    hasWorker: false,
    onQuery: (statement) => void statements.push(statement),
  });
  admin = await world.signIn('admin', 'admin');
  teacher = await world.signIn('teacher', 'teacher');
  student = await world.signIn('student');
  const images = await world.sql<{ id: number; type: number }>(sql`select id, type from image`);
  notebookID = images.find(({ type }) => type === 2)?.id ?? 0;
  desktopID = images.find(({ type }) => type === 1)?.id ?? 0;
});
afterAll(() => world[Symbol.asyncDispose]());

type Outcome = Answer<Specification & { Code?: string; Params?: Record<string, unknown> }>;
type List = { List: Specification[]; Total: number };

const fields = (changes: object = {}) => ({
  NameZh: '两核',
  NameEn: 'Two cores',
  IsShared: false,
  LifetimeSeconds: 3600,
  ...changes,
});
const make = async (by: Person = teacher, changes: object = {}): Promise<Specification> => {
  const { status, body }: Outcome = await by.call(
    'POST',
    '/specification',
    fields({ ImageType: 2, ...changes }),
  );
  expect(status).toBe(201);
  return body;
};
const node = (changes: object = {}) => ({
  Name: 'node1',
  Cpus: 1,
  MemoryBytes: 512 * MEBIBYTE,
  DiskBytes: 1024 * MEBIBYTE,
  ImageID: notebookID,
  ...changes,
});
const addNode = (row: Specification, changes: object = {}): Promise<Outcome> =>
  teacher.call('POST', `/specification/${row.ID}/node`, node(changes));
/** A specification with a node that a published lab uses. */
async function inUse(): Promise<{ row: Specification; labID: number }> {
  const made = await make(teacher, { IsShared: true });
  const { body } = await addNode(made);
  const lab = await teacher.call<{ ID: number }>('POST', '/lab', {
    Type: 2,
    TitleZh: '用它的实验',
    CoverKind: 'ring',
    SpecificationID: made.ID,
  });
  await teacher.call('POST', `/lab/${lab.body.ID}/task`, { TitleZh: '任务' });
  const published = await teacher.call('PUT', `/lab/${lab.body.ID}/publish`, {
    IsPublished: true,
  });
  expect(published.status).toBe(200);
  return { row: body, labID: lab.body.ID };
}

describe('a specification', () => {
  test('belongs to whoever made it', async () => {
    const row = await make();
    expect(row).toMatchObject({
      Name: '两核',
      Owner: '王老师',
      IsBuiltIn: false,
      MayEdit: true,
      Nodes: [],
    });
    const { body } = await admin.call<Specification>('GET', `/specification/${row.ID}?lang=en-US`);
    expect(body).toMatchObject({ Name: 'Two cores', MayEdit: true });
    const changed: Outcome = await teacher.call(
      'PUT',
      `/specification/${row.ID}`,
      fields({ NameZh: '改名' }),
    );
    expect(changed.body).toMatchObject({ NameZh: '改名' });
  });

  test('is seen by others when it is shared, and changed by nobody else', async () => {
    const row = await make(admin);
    const read = () => teacher.call<Specification>('GET', `/specification/${row.ID}`);
    expect((await read()).status).toBe(404);
    await admin.call('PUT', `/specification/${row.ID}`, fields({ IsShared: true }));
    expect((await read()).body).toMatchObject({ MayEdit: false, Owner: '管理员' });
    const changes: [Parameters<Person['call']>[0], string, object?][] = [
      ['PUT', '', fields()],
      ['DELETE', ''],
      ['POST', '/node', node()],
    ];
    for (const [method, path, body] of changes)
      expect((await teacher.call(method, `/specification/${row.ID}${path}`, body)).status).toBe(
        404,
      );
    expect((await student.call('GET', `/specification/${row.ID}`)).status).toBe(403);
  });

  test('a built-in one is the admins’', async () => {
    const { body } = await teacher.call<List>('GET', '/specification?pageSize=100');
    const [used] = await world.sql<{ id: number }>(
      sql`select specification_id as id from lab where slug is not null`,
    );
    const builtIn = body.List.find(({ ID }) => ID === used?.id);
    expect(builtIn).toMatchObject({ IsBuiltIn: true, Owner: null, MayEdit: false });
    expect((await teacher.call('DELETE', `/specification/${builtIn?.ID}`)).status).toBe(404);
    const refused: Outcome = await admin.call('DELETE', `/specification/${builtIn?.ID}`);
    expect([refused.status, refused.body.Code]).toEqual([409, 'in_use']);
    expect(refused.body.Params).toMatchObject({
      Dependents: [
        { Kind: 'lab', Title: '环形通信' },
        { Kind: 'software', Title: '笔记本软件' },
      ],
    });
  });

  test.each([
    ['no name', { NameZh: '  ' }],
    ['a long name', { NameZh: '长'.repeat(31) }],
    ['a short lifetime', { LifetimeSeconds: 599 }],
    ['a long lifetime', { LifetimeSeconds: 604_801 }],
    ['no image type', { ImageType: 4 }],
  ])('with %s is refused', async (_what, changes) => {
    const answer: Outcome = await teacher.call(
      'POST',
      '/specification',
      fields({ ImageType: 2, ...changes }),
    );
    expect([answer.status, answer.body.Code]).toEqual([400, 'invalid_input']);
  });

  test('lists are filtered, and cost the same however many there are', async () => {
    const mine = await make(teacher, { NameZh: '独一无二' });
    const list = async (query: string) =>
      (await teacher.call<List>('GET', `/specification?${query}`)).body;
    expect((await list('keyword=独一')).List.map(({ ID }) => ID)).toEqual([mine.ID]);
    expect((await list('imageType=3&mine=true')).Total).toBe(0);
    expect(
      (await list('mine=true&pageSize=100')).List.every(({ Owner }) => Owner === '王老师'),
    ).toBe(true);
    const count = async () => {
      statements.length = 0;
      await list('pageSize=100');
      return statements.length;
    };
    const few = await count();
    await world.sql(sql`
      insert into specification (name_zh, name_en, image_type, is_shared)
      select 'n' || n, '', 2, true from generate_series(1, 80) n`);
    expect(await count()).toBe(few);
    const names = (await list('sort=name&pageSize=100')).List.map(({ NameZh }) => NameZh);
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
    await world.sql(
      sql`delete from specification where name_zh like 'n%' and owner_id is null and slug is null`,
    );
  });
});

describe('nodes', () => {
  test('get what follows from their size', async () => {
    const row = await make();
    const small = await addNode(row);
    expect(small.status).toBe(201);
    await addNode(row, { Name: 'node2', MemoryBytes: 4096 * MEBIBYTE, Cpus: 0.1 });
    const rows = await world.sql(sql`
      select name, shm_bytes::float8 as shm, pids, cpus from specification_node
       where specification_id = ${row.ID} order by sequence`);
    expect(rows).toEqual([
      { name: 'node1', shm: 256 * MEBIBYTE, pids: 512, cpus: 1 },
      { name: 'node2', shm: 1024 * MEBIBYTE, pids: 512, cpus: 0.1 },
    ]);
  });

  test('are at most three, whatever races', async () => {
    const row = await make();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((Name) => addNode(row, { Name, MemoryBytes: 128 * MEBIBYTE })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.Code === 'too_many_nodes')).toHaveLength(2);
    const { body } = await teacher.call<Specification>('GET', `/specification/${row.ID}`);
    expect(body.Nodes.map(({ SequenceNumber }) => SequenceNumber)).toEqual([1, 2, 3]);
  });

  test.each<[string, string, number, object]>([
    ['a name that is taken', 'node_name_taken', 409, {}],
    ['an image of another type', 'image_type_differs', 409, { Name: 'b', ImageID: -1 }],
    ['more cores than the host has', 'usage_too_large', 409, { Name: 'b', Cpus: 7.5 }],
    [
      'more memory than the host has',
      'usage_too_large',
      409,
      { Name: 'b', MemoryBytes: 8192 * MEBIBYTE },
    ],
    ['an image that is not there', 'not_found', 404, { Name: 'b', ImageID: 999_999 }],
    ['capitals in its name', 'invalid_input', 400, { Name: 'Node' }],
    ['a digit first', 'invalid_input', 400, { Name: '1node' }],
    ['a hyphen last', 'invalid_input', 400, { Name: 'node-' }],
    ['an option for a name', 'invalid_input', 400, { Name: '--privileged' }],
    ['a long name', 'invalid_input', 400, { Name: 'n'.repeat(31) }],
    ['too little memory', 'invalid_input', 400, { Name: 'b', MemoryBytes: 1 }],
    ['no cores', 'invalid_input', 400, { Name: 'b', Cpus: 0 }],
  ])('with %s are refused: %s', async (_what, code, status, changes) => {
    const row = await make();
    await addNode(row);
    const ImageID = 'ImageID' in changes && changes.ImageID === -1 ? { ImageID: desktopID } : {};
    const answer = await addNode(row, { ...changes, ...ImageID });
    expect([answer.status, answer.body.Code]).toEqual([status, code]);
    const { body } = await teacher.call<Specification>('GET', `/specification/${row.ID}`);
    expect(body.Nodes).toHaveLength(1);
  });

  test('are changed one by one, and keep their own name', async () => {
    const row = await make();
    const { body } = await addNode(row);
    const [first] = body.Nodes;
    const change = (changes: object): Promise<Outcome> =>
      teacher.call('PUT', `/specification/${row.ID}/node/${first?.ID}`, node(changes));
    expect((await change({ Cpus: 2 })).body.Nodes).toMatchObject([{ Name: 'node1', Cpus: 2 }]);
    await addNode(row, { Name: 'node2' });
    expect((await change({ Name: 'node2' })).body.Code).toBe('node_name_taken');
    expect((await change({ Cpus: 7.5 })).body.Code).toBe('usage_too_large');
    // A node is reached through its own specification only.
    const other = await make();
    const foreign = await teacher.call('DELETE', `/specification/${other.ID}/node/${first?.ID}`);
    expect(foreign.status).toBe(404);
  });

  test('are ordered all at once, and close up when one goes', async () => {
    const row = await make();
    for (const Name of ['a', 'b']) await addNode(row, { Name });
    const { body } = await addNode(row, { Name: 'c' });
    const [a, b, c] = body.Nodes.map(({ ID }) => ID);
    const order = (NodeIDList: unknown[]): Promise<Outcome> =>
      teacher.call('PUT', `/specification/${row.ID}/node/sequence`, { NodeIDList });
    expect((await order([a, b])).body.Code).toBe('order_incomplete');
    expect((await order([a, b, b])).body.Code).toBe('order_incomplete');
    const names = ({ body: { Nodes } }: Outcome) =>
      Nodes.map(({ Name, SequenceNumber }) => `${SequenceNumber}${Name}`);
    expect(names(await order([c, a, b]))).toEqual(['1c', '2a', '3b']);
    expect(names(await teacher.call('DELETE', `/specification/${row.ID}/node/${a}`))).toEqual([
      '1c',
      '2b',
    ]);
  });
});

test('what vanishes while it is being named is not found', async () => {
  const row = await make();
  await world.sql(sql`
    create function vanish() returns trigger language plpgsql as $$
    begin delete from image where id = new.image_id; return new; end $$`);
  await world.sql(sql`
    create trigger vanish before insert on specification_node for each row execute function vanish()`);
  const [image] = await world.sql<{ id: number }>(sql`
    insert into image (type, title_zh, title_en, reference) values (2, '消失', '', 'x:1') returning id`);
  try {
    const answer = await addNode(row, { ImageID: image?.id });
    expect([answer.status, answer.body.Code]).toEqual([404, 'not_found']);
  } finally {
    await world.sql(sql`drop function vanish cascade`);
  }
});

describe('a specification in use', () => {
  test('by a published lab keeps a node and stays shared; drafts do not hold it', async () => {
    const { row, labID } = await inUse();
    const [only] = row.Nodes;
    const takeOut = (): Promise<Outcome> =>
      teacher.call('DELETE', `/specification/${row.ID}/node/${only?.ID}`);
    const unshare = (): Promise<Outcome> =>
      teacher.call('PUT', `/specification/${row.ID}`, fields({ IsShared: false }));
    const remove = (): Promise<Outcome> => teacher.call('DELETE', `/specification/${row.ID}`);
    const dependents = [{ Kind: 'lab', ID: labID, Title: '用它的实验' }];
    for (const refused of [await takeOut(), await unshare(), await remove()]) {
      expect([refused.status, refused.body.Code]).toEqual([409, 'in_use']);
      expect(refused.body.Params).toEqual({ Dependents: dependents });
    }
    await teacher.call('PUT', `/lab/${labID}/publish`, { IsPublished: false });
    expect((await unshare()).status).toBe(200);
    expect((await takeOut()).body.Nodes).toEqual([]);
    // But it cannot go while anything names it.
    expect((await remove()).body.Params).toEqual({ Dependents: dependents });
    await teacher.call('DELETE', `/lab/${labID}`);
    expect((await remove()).status).toBe(200);
    expect((await teacher.call('GET', `/specification/${row.ID}`)).status).toBe(404);
  });

  test('by software and by a computer is told as well', async () => {
    const row = await make(admin, { IsShared: true });
    await admin.call('POST', `/specification/${row.ID}/node`, node());
    const software = await admin.call<{ ID: number }>('POST', '/software', {
      Type: 2,
      TitleZh: '软件',
      CoverKind: 'ring',
      SpecificationID: row.ID,
      IsPublished: true,
    });
    expect(software.status).toBe(201);
    await world.sql(sql`
      insert into computer (user_id, specification_id, name)
      select id, ${row.ID}, '我的电脑' from user_account where username = 'graduate'`);
    const refused: Outcome = await admin.call('DELETE', `/specification/${row.ID}`);
    expect(refused.body.Params).toMatchObject({
      Dependents: [
        { Kind: 'computer', Title: '我的电脑' },
        { Kind: 'software', ID: software.body.ID, Title: '软件' },
      ],
    });
  });

  test('a publication and the loss of the last node cannot both win', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { row, labID } = await inUse();
      await teacher.call('PUT', `/lab/${labID}/publish`, { IsPublished: false });
      const [published, taken] = await Promise.all([
        teacher.call('PUT', `/lab/${labID}/publish`, { IsPublished: true }),
        teacher.call('DELETE', `/specification/${row.ID}/node/${row.Nodes[0]?.ID}`),
      ]);
      expect([published.status, taken.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    }
  });
});
