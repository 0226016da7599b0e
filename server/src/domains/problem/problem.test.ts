import type { ManagedProblem, ProblemDetail, ProblemSummary } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { World, type Person } from '../../testing/world.ts';
import { rawZip, zipOf } from '../../testing/zips.ts';
import { makeProblem, problemFields, send, tests } from '../../testing/problems.ts';

let world: World;
let student: Person;
let other: Person;
let teacher: Person;
let admin: Person;
const statements: string[] = [];

beforeAll(async () => {
  world = await World.create({ onQuery: (statement) => void statements.push(statement) });
  student = await world.signIn('student');
  other = await world.signIn('student2');
  teacher = await world.signIn('teacher', 'teacher');
  admin = await world.signIn('admin', 'admin');
});
afterAll(() => world[Symbol.asyncDispose]());

type Page<T> = { List: T[]; Total: number };
const list = async (person: Person, query: string): Promise<Page<ProblemSummary>> =>
  (await person.call<Page<ProblemSummary>>('GET', `/problem?${query}`)).body;
const titles = async (query: string): Promise<string[]> =>
  (await list(student, query)).List.map(({ Title }) => Title);

describe('a problem', () => {
  test('is a draft until it has tests and is published; then visitors read it', async () => {
    const made = await teacher.call<ManagedProblem>('POST', '/problem', problemFields());
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ IsPublished: false, TestCount: 0, Tests: null, Checks: [] });
    const address = `/problem/${made.body.ID}`;
    expect((await student.call('GET', address)).status).toBe(404);
    const early = await teacher.call('PUT', `${address}/publish`, { IsPublished: true });
    expect([early.status, early.body['Code']]).toEqual([409, 'tests_missing']);

    const sent = await teacher.upload<ManagedProblem>(`${address}/tests`, await tests());
    expect(sent.status).toBe(200);
    expect(sent.body.Tests?.Pairs).toEqual([
      { Number: 1, InputBytes: 3, OutputBytes: 1 },
      { Number: 2, InputBytes: 5, OutputBytes: 2 },
      { Number: 3, InputBytes: 3, OutputBytes: 1 },
    ]);
    expect((await teacher.call('PUT', `${address}/publish`, { IsPublished: true })).status).toBe(
      200,
    );

    const { status, body } = await world.visitor().call<ProblemDetail>('GET', address);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      Title: '两数之和',
      Content: '求和 $a+b$',
      CpuMs: 1000,
      WallMs: 4000,
      TestCount: 3,
      Languages: [1, 3],
      MyState: null,
      IsManaged: false,
      Samples: [{ Input: '1 2', Output: '3', IsCut: false }],
      DefaultCodes: [
        { Language: 1, Code: '// C' },
        { Language: 3, Code: '# Python' },
      ],
    });
    // The solution and the other tests are nobody's but the staff's.
    expect(JSON.stringify(body)).not.toMatch(/Reference|10 20/);
    expect((await teacher.call<ProblemDetail>('GET', address)).body.IsManaged).toBe(true);
  });

  test('cuts long examples, and says so', async () => {
    const long = '7 '.repeat(5000);
    const problem = await makeProblem(teacher, {}, { 'input1.txt': long, 'output1.txt': '35000' });
    const { body } = await student.call<ProblemDetail>('GET', `/problem/${problem.ID}`);
    expect(body.Samples[0]?.IsCut).toBe(true);
    expect(body.Samples[0]?.Input).toHaveLength(4096);
  });

  test('is changed by who read its present state, and nobody overwrites another', async () => {
    const problem = await makeProblem(teacher);
    const change = problemFields({ TitleZh: '改名', Difficulty: 3, Version: problem.Version });
    const { body } = await teacher.call<ManagedProblem>('PUT', `/problem/${problem.ID}`, change);
    expect(body).toMatchObject({ TitleZh: '改名', Difficulty: 3 });
    const late = await admin.call('PUT', `/problem/${problem.ID}`, change);
    expect([late.status, late.body['Code']]).toEqual([409, 'changed_meanwhile']);
  });

  test.each([
    ['no language', { Codes: [] }],
    ['a language twice', { Codes: [{ Language: 1 }, { Language: 1 }] }],
    ['a title that is too long', { TitleZh: '长'.repeat(31) }],
    ['too much time', { CpuMs: 60_001 }],
    ['too many examples', { SampleCount: 6 }],
  ])('with %s is refused', async (_what, changes) => {
    const { status, body } = await teacher.call('POST', '/problem', problemFields(changes));
    expect([status, body['Code']]).toEqual([400, 'invalid_input']);
  });

  test('tells what goes with it, and goes with its tests', async () => {
    const problem = await makeProblem(teacher);
    await send(student, problem.ID, 'sum');
    const { body } = await teacher.call('GET', `/problem/${problem.ID}/dependent`);
    expect(body).toEqual({ Submissions: 1, Learners: 1, Solved: 1 });
    expect((await teacher.call('DELETE', `/problem/${problem.ID}`)).status).toBe(200);
    expect((await student.call('GET', `/problem/${problem.ID}`)).status).toBe(404);
  });

  test('of another teacher is unknown to a teacher, and an admin looks after all', async () => {
    const problem = await makeProblem(admin, { TitleZh: '管理员的题' });
    expect((await teacher.call('GET', `/problem/${problem.ID}/managed`)).status).toBe(404);
    expect((await teacher.call('DELETE', `/problem/${problem.ID}`)).status).toBe(404);
    const managed = async (person: Person): Promise<string[]> =>
      (
        await person.call<Page<ManagedProblem>>('GET', '/problem/managed?pageSize=100')
      ).body.List.map(({ Title }) => Title);
    expect(await managed(teacher)).not.toContain('管理员的题');
    expect(await managed(admin)).toContain('管理员的题');
  });
});

describe('the tests', () => {
  test('come back as they were sent', async () => {
    const problem = await makeProblem(teacher);
    const { status, headers } = await teacher.call('GET', `/problem/${problem.ID}/tests`);
    expect([status, headers['content-type']]).toEqual([200, 'application/zip']);
    expect((await student.call('GET', `/problem/${problem.ID}/tests`)).status).toBe(403);
  });

  test.each([
    ['a folder', { 'tests/input1.txt': '1', 'tests/output1.txt': '1' }, 'folder', 'tests/'],
    ['a missing output', { 'input1.txt': '1' }, 'pair', 'output1.txt'],
    [
      'a gap',
      { 'input1.txt': '', 'output1.txt': '', 'input3.txt': '', 'output3.txt': '' },
      'gap',
      'input2.txt',
    ],
    ['a stray file', { 'input1.txt': '', 'output1.txt': '', 'run.sh': '' }, 'foreign', 'run.sh'],
  ])('with %s are refused by name, and those before stay', async (_what, files, reason, name) => {
    const problem = await makeProblem(teacher);
    const { status, body } = await teacher.upload(`/problem/${problem.ID}/tests`, {
      name: 'tests.zip',
      content: await zipOf(files as unknown as Record<string, string>),
    });
    expect([status, body['Code'], body['Params']]).toEqual([
      400,
      'tests_refused',
      { Reason: reason, Name: name },
    ]);
    const { body: now } = await teacher.call<ManagedProblem>(
      'GET',
      `/problem/${problem.ID}/managed`,
    );
    expect(now.TestCount).toBe(3);
  });

  test('that are a bomb, a link or no zip are refused', async () => {
    const problem = await makeProblem(teacher);
    const upload = (name: string, content: Buffer) =>
      teacher.upload(`/problem/${problem.ID}/tests`, { name, content });
    const bomb = rawZip([
      { name: 'input1.txt', content: Buffer.alloc(40 * 1024 * 1024), isDeflated: true },
      { name: 'output1.txt', content: '1' },
    ]);
    expect((await upload('bomb.zip', bomb)).body).toMatchObject({
      Code: 'zip_refused',
      Params: { Reason: 'ratio', Name: 'input1.txt' },
    });
    const link = rawZip([{ name: 'input1.txt', content: '/etc/passwd', mode: 0o120777 }]);
    expect((await upload('link.zip', link)).body['Code']).toBe('zip_refused');
    expect((await upload('tests.zip', Buffer.from('no zip'))).body['Code']).toBe('zip_refused');
    expect((await upload('tests.rar', Buffer.from('x'))).body['Code']).toBe('upload_type');
  });
});

describe('the catalogue', () => {
  test('filters by difficulty, language, keyword and how far one is', async () => {
    const easy = await makeProblem(teacher, { TitleZh: '筛选甲', Difficulty: 1 });
    const hard = await makeProblem(teacher, {
      TitleZh: '筛选乙',
      Difficulty: 3,
      Codes: [{ Language: 6, DefaultCode: '', ReferenceCode: '' }],
    });
    expect(await titles('keyword=筛选')).toEqual(['筛选甲', '筛选乙']);
    expect(await titles('keyword=筛选&difficulty=3')).toEqual(['筛选乙']);
    expect(await titles('keyword=筛选&language=6')).toEqual(['筛选乙']);
    expect(await titles('keyword=筛选&language=8')).toEqual([]);
    await send(student, easy.ID, 'sum');
    await send(student, hard.ID, 'print 0', 6);
    expect(await titles('keyword=筛选&state=solved')).toEqual(['筛选甲']);
    expect(await titles('keyword=筛选&state=tried')).toEqual(['筛选乙']);
    expect(await titles('keyword=筛选&state=untried')).toEqual([]);
    expect((await list(other, 'keyword=筛选&state=untried')).Total).toBe(2);
    expect((await list(world.visitor(), 'keyword=筛选&state=untried')).Total).toBe(2);
    const [first] = (await list(student, 'keyword=筛选甲')).List;
    expect(first).toMatchObject({ MyState: 'solved', Tried: 1, Solved: 1 });
  });

  test('a page takes one statement whatever it shows', async () => {
    await list(student, 'pageSize=1');
    const count = async (query: string): Promise<number> => {
      statements.length = 0;
      await list(student, query);
      return statements.filter((statement) => statement.includes('"problem"')).length;
    };
    expect(await count('pageSize=1')).toBe(1);
    expect(await count('pageSize=100')).toBe(1);
  });

  test('says how far one is by difficulty', async () => {
    const progress = async (person: Person) =>
      (
        await person.call<{ List: { Difficulty: number; Total: number; Solved: number }[] }>(
          'GET',
          '/problem/progress',
        )
      ).body.List;
    const before = (await progress(other)).find(({ Difficulty }) => Difficulty === 2);
    const problem = await makeProblem(teacher, { Difficulty: 2 });
    await send(other, problem.ID, 'sum');
    const after = (await progress(other)).find(({ Difficulty }) => Difficulty === 2);
    expect(after?.Total).toBe((before?.Total ?? 0) + 1);
    expect(after?.Solved).toBe((before?.Solved ?? 0) + 1);
    expect((await progress(world.visitor())).every(({ Solved }) => Solved === 0)).toBe(true);
  });
});

describe('study statistics', () => {
  test('count a problem once, on the day on which it was solved first', async () => {
    const graduate = await world.signIn('graduate');
    const read = async () =>
      (
        await graduate.call<{
          Days: { Day: string; Solved: number }[];
          Problems: { Solved: number; SolvedEver: number };
        }>('GET', '/statistics/study?days=7')
      ).body;
    const problem = await makeProblem(teacher);
    await send(graduate, problem.ID, 'print 0');
    expect((await read()).Problems).toEqual({ Solved: 0, SolvedEver: 0 });
    await send(graduate, problem.ID, 'sum');
    await send(graduate, problem.ID, 'sum');
    const { Problems, Days } = await read();
    expect(Problems).toEqual({ Solved: 1, SolvedEver: 1 });
    expect(Days.at(-1)?.Solved).toBe(1);
  });
});

test('an account takes its submissions and its progress with it, shown first; its problems move', async () => {
  const [made] = await world.sql<{ id: number }>(sql`
    insert into user_account (username, email, nickname, password_hash, type)
    select 'gone-soon', 'gone@example.edu', '将离开', password_hash, 2 from user_account where username = 'teacher'
    returning id`);
  for (const role of ['student', 'teacher'])
    await world.sql(sql`insert into user_role (user_id, role) values (${made?.id}, ${role})`);
  const problem = await makeProblem(teacher);
  const theirs = await makeProblem(await world.signIn('gone-soon', 'teacher'), {
    TitleZh: '留下的题',
  });
  await send(await world.signIn('gone-soon'), problem.ID, 'sum');
  const { body } = await admin.call<{ List: { Kind: string; Title: string; Fate: string }[] }>(
    'GET',
    `/user/${made?.id}/dependents`,
  );
  expect(body.List).toEqual([
    { ID: theirs.ID, Kind: 'problem', Title: '留下的题', Fate: 'moved' },
    { ID: problem.ID, Kind: 'problemSubmission', Title: '两数之和', Fate: 'removed' },
  ]);
  const gone = await admin.call('DELETE', `/user/${made?.id}?confirm=gone-soon`);
  expect(gone.status).toBe(200);
  const [left] = await world.sql<{ count: number }>(
    sql`select (select count(*) from problem_submission where problem_id = ${problem.ID})::int + (select count(*) from problem_progress where problem_id = ${problem.ID})::int as count`,
  );
  expect(left?.count).toBe(0);
  const managed = await admin.call<ManagedProblem>('GET', `/problem/${theirs.ID}/managed`);
  expect(managed.body.Owner).not.toBeNull();
});
