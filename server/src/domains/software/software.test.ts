import type { ManagedSoftware, SoftwareDetail, SoftwareSummary, Usage } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { World, type Person } from '../../testing/world.ts';

let world: World;
let student: Person;
let teacher: Person;
let admin: Person;
const statements: string[] = [];

beforeAll(async () => {
  world = await World.create({ onQuery: (statement) => void statements.push(statement) });
  student = await world.signIn('student');
  teacher = await world.signIn('teacher', 'teacher');
  admin = await world.signIn('admin', 'admin');
});
afterAll(() => world[Symbol.asyncDispose]());

type Page = { List: SoftwareSummary[]; Total: number };
const list = async (query: string): Promise<Page> =>
  (await student.call<Page>('GET', `/software?${query}`)).body;

/** What a teacher sends to add one. */
async function fields(changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const [specification] = await world.sql<{ id: number }>(
    sql`select id from specification where slug = 'desk'`,
  );
  return {
    Type: 1,
    TitleZh: '新软件',
    CoverKind: 'ring',
    SpecificationID: specification?.id,
    IsPublished: false,
    ...changes,
  };
}

describe('the catalogue', () => {
  test.each([
    ['', ['桌面软件', '笔记本软件', '编辑器']],
    ['type=2', ['笔记本软件']],
    ['type=4', []],
    ['keyword=桌面', ['桌面软件']],
    ['keyword=editor', ['编辑器']],
    ['keyword=不存在的词', []],
    ['pageSize=1&page=2', ['笔记本软件']],
  ])('%s shows %j', async (query, titles) => {
    expect((await list(query)).List.map(({ Title }) => Title)).toEqual(titles);
  });

  test('filters by tag and domain, and says how many match beyond the last page', async () => {
    const [tag] = await world.sql<{ id: number }>(sql`select id from tag where slug = 'mpi'`);
    const [domain] = await world.sql<{ id: number }>(sql`select id from domain`);
    expect((await list(`tags=${tag?.id}`)).Total).toBe(2);
    expect((await list(`domains=${domain?.id}`)).Total).toBe(3);
    expect(await list('page=9')).toEqual({ List: [], Total: 3 });
  });

  test('visitors read the list, and need to sign in for the rest', async () => {
    const visitor = world.visitor();
    expect((await visitor.call('GET', '/software')).status).toBe(200);
    const [first] = (await list('')).List;
    expect((await visitor.call('GET', `/software/${first?.ID}`)).status).toBe(401);
  });

  test('a page takes one statement whatever it shows', async () => {
    await list('pageSize=1');
    statements.length = 0;
    await list('pageSize=1');
    const one = statements.filter((statement) => statement.includes('"software"')).length;
    statements.length = 0;
    await list('pageSize=3');
    expect(statements.filter((statement) => statement.includes('"software"')).length).toBe(one);
  });

  test('a software has its text and what it runs on, in the language asked for', async () => {
    const [first] = (await list('')).List;
    const { body } = await student.call<SoftwareDetail>('GET', `/software/${first?.ID}?lang=en-US`);
    expect(body).toMatchObject({
      Title: 'Desk software',
      Content: '## Desk software\n',
      Specification: { Name: 'Desk', Nodes: [{ Name: 'node1', Cpus: 1 }] },
    });
  });
});

test.each([
  ['桌面软件', 1, 'desktop'],
  ['笔记本软件', 2, 'notebook'],
  ['编辑器', 3, 'ide'],
])('%s opens as its own kind of session', async (title, type, kind) => {
  const item = (await list('')).List.find(({ Title }) => Title === title);
  const { status, body } = await student.call<Usage>('POST', '/usage', {
    RouteName: 'softwareDetail',
    RoutePath: `/software/${kind}/${item?.ID}`,
    SoftwareID: item?.ID,
    Replace: true,
  });
  expect([status, body.Type, body.SoftwareID, body.Title]).toEqual([200, type, item?.ID, title]);
  expect(body.ProxyPath).toContain(`/proxy/${kind}/`);
  expect(body.TerminalPath).toContain('/proxy/terminal/');
  expect((await list('')).List.find(({ ID }) => ID === item?.ID)?.Uses).toBe(1);
});

describe('staff', () => {
  test('a draft is its owner’s alone until it is published', async () => {
    const made = await teacher.call<ManagedSoftware>('POST', '/software', await fields());
    expect([made.status, made.body.IsPublished, made.body.Owner]).toEqual([
      201,
      false,
      expect.any(String),
    ]);
    const path = `/software/${made.body.ID}`;
    expect((await student.call('GET', path)).status).toBe(404);
    expect((await teacher.call('GET', path)).status).toBe(200);
    expect((await admin.call('GET', `${path}/managed`)).status).toBe(200);
    const { body } = await teacher.call<ManagedSoftware>('PUT', path, {
      ...(await fields({ IsPublished: true, TitleZh: '新名字' })),
      Version: made.body.Version,
    });
    expect([body.Title, body.Version]).toEqual(['新名字', made.body.Version + 1]);
    expect((await list('keyword=新名字')).Total).toBe(1);
    expect((await teacher.call('DELETE', path)).status).toBe(200);
    expect((await student.call('GET', path)).status).toBe(404);
  });

  test('two people who change the same: the second is told, and nothing of theirs is written', async () => {
    const made = await teacher.call<ManagedSoftware>('POST', '/software', await fields());
    const change = async (TitleZh: string) =>
      admin.call<ManagedSoftware & { Code: string }>('PUT', `/software/${made.body.ID}`, {
        ...(await fields({ TitleZh })),
        Version: made.body.Version,
      });
    expect((await change('甲')).status).toBe(200);
    const second = await change('乙');
    expect([second.status, second.body.Code]).toEqual([409, 'changed_meanwhile']);
    const { body } = await admin.call<ManagedSoftware>('GET', `/software/${made.body.ID}/managed`);
    expect(body.Title).toBe('甲');
  });

  test.each([
    ['a type that the specification is not', { Type: 2 }, 409],
    ['an empty title', { TitleZh: '  ' }, 400],
    ['a title of 31 characters', { TitleZh: '字'.repeat(31) }, 400],
    ['an unknown specification', { SpecificationID: 999_999 }, 404],
    ['an unknown tag', { TagIDList: [999_999] }, 404],
    ['fields of the server', { Uses: 5 }, 400],
  ])('%s is refused', async (_what, change, status) => {
    const before = (await list('')).Total;
    expect((await teacher.call('POST', '/software', await fields(change))).status).toBe(status);
    expect((await list('')).Total).toBe(before);
  });

  test('what came with the platform is the admins’, and its order too', async () => {
    const items = (await list('')).List;
    const [first] = items;
    expect((await teacher.call('DELETE', `/software/${first?.ID}`)).status).toBe(404);
    const SoftwareIDList = items.map(({ ID }) => ID).toReversed();
    expect((await teacher.call('PUT', '/software/sequence', { SoftwareIDList })).status).toBe(403);
    expect((await admin.call('PUT', '/software/sequence', { SoftwareIDList })).status).toBe(200);
    expect((await list('')).List.map(({ ID }) => ID)).toEqual(SoftwareIDList);
  });

  test('the managed list is one’s own, or everybody’s for an admin', async () => {
    await teacher.call('POST', '/software', await fields({ TitleZh: '清单' }));
    type Rows = { List: ManagedSoftware[]; Total: number };
    const own = (await teacher.call<Rows>('GET', '/software/managed')).body;
    expect(own.List.every(({ Owner }) => Owner !== null)).toBe(true);
    const all = (await admin.call<Rows>('GET', '/software/managed?sort=title')).body;
    expect(all.Total).toBeGreaterThan(own.Total);
    const drafts = (await admin.call<Rows>('GET', '/software/managed?state=draft')).body;
    expect(drafts.List.every(({ IsPublished }) => !IsPublished)).toBe(true);
  });
});
