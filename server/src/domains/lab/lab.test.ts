import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnswerOf, Domain, LabDetail, LabSummary, routes } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { World, type Person } from '../../testing/world.ts';

let world: World;
let student: Person;
const statements: string[] = [];
let labID: number;

beforeAll(async () => {
  world = await World.create({
    hasWorker: false,
    onQuery: (statement) => void statements.push(statement),
  });
  student = await world.signIn('student');
  labID = (await list('')).List[0]?.ID ?? 0;
});
afterAll(() => world[Symbol.asyncDispose]());

type Page = { List: LabSummary[]; Total: number };
const list = async (query: string): Promise<Page> =>
  (await student.call<Page>('GET', `/lab?${query}`)).body;

describe('the catalogue', () => {
  test('a lab shows its texts in the language asked for', async () => {
    const zh = (await list('')).List[0];
    expect(zh).toMatchObject({
      Title: '环形通信',
      TaskCount: 2,
      Minutes: 30,
      Cover: { Kind: 'ring', Seed: 1 },
      Domain: { Title: '并行' },
    });
    const en = (await list('lang=en-US')).List[0];
    expect(en).toMatchObject({
      Title: 'Ring exchange',
      Domain: { Title: 'Parallel' },
      Tags: [{ Title: 'MPI' }],
    });
  });

  test.each([
    ['keyword=环形', 1],
    ['keyword=通信', 1],
    ['keyword=环', 1],
    ['keyword=RING', 1],
    ['keyword=exch', 1],
    ['keyword=传递数据', 1],
    ['keyword=不存在的词', 0],
    ['keyword=%25', 0],
    ['type=2', 1],
    ['type=1', 0],
    ['page=9', 1],
    ['sort=latest', 1],
    ['sort=hottest&keyword=环', 1],
  ])('%s finds %d', async (query, total) => {
    expect((await list(query)).Total).toBe(total);
  });

  test('domains and tags filter', async () => {
    const { body } = await student.call<{ List: Domain[] }>('GET', '/domain');
    const [domain] = body.List;
    const [mpi, openmp] = domain?.Tags ?? [];
    expect((await list(`domains=${domain?.ID}`)).Total).toBe(1);
    expect((await list(`tags=${mpi?.ID},${openmp?.ID}`)).Total).toBe(1);
    expect((await list(`tags=${openmp?.ID}`)).Total).toBe(0);
  });

  test.each([
    'page=0',
    'pageSize=101',
    'sort=random',
    'type=7',
    'domains=x',
    `keyword=${'x'.repeat(101)}`,
    'unknown=1',
    'lang=fr',
  ])('%s is refused', async (query) => {
    const { status, body } = await student.call('GET', `/lab?${query}`);
    expect([status, body['Code']]).toEqual([400, 'invalid_input']);
  });

  test('list and detail take the same number of statements at 10 and at 1,000 labs', async () => {
    const count = async (path: string): Promise<number> => {
      statements.length = 0;
      expect((await student.call('GET', path)).status).toBe(200);
      return statements.length;
    };
    const fill = (from: number, to: number) =>
      world.sql(sql`
      insert into lab (type, title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed, specification_id, is_published, sequence)
      select 2, '批量 ' || n, 'Bulk ' || n, '', '', '', '', 'ring', n, (select specification_id from lab limit 1), true, 1000 + n from generate_series(${from}::int, ${to}::int) n`);
    await fill(1, 9);
    const paths = [
      '/lab?pageSize=100',
      '/lab?pageSize=100&keyword=Bulk',
      `/lab/${labID}`,
      `/lab/${labID}/task`,
    ];
    const few = [];
    for (const path of paths) few.push(await count(path));
    await fill(10, 1000);
    const many = [];
    for (const path of paths) many.push(await count(path));
    expect(many).toEqual(few);
    expect((await list('pageSize=100')).List).toHaveLength(100);
    await world.sql(sql`delete from lab where slug is null`);
  });

  test('an unpublished lab exists for nobody here', async () => {
    await world.sql(sql`update lab set is_published = false`);
    expect((await list('')).Total).toBe(0);
    expect((await student.call('GET', `/lab/${labID}`)).status).toBe(404);
    await world.sql(sql`update lab set is_published = true`);
  });
});

describe('a lab', () => {
  test('has its text, its facts and its tasks', async () => {
    const { body } = await student.call<LabDetail>('GET', `/lab/${labID}?lang=en-US`);
    expect(body.Content).toBe('# Ring\n');
    expect(body.Specification).toMatchObject({
      Name: 'Small',
      LifetimeSeconds: 3600,
      Nodes: [{ Name: 'node1', Cpus: 2 }],
    });
    const tasks = await student.call<{ List: { ID: number; Title: string }[] }>(
      'GET',
      `/lab/${labID}/task`,
    );
    expect(tasks.body.List.map(({ Title }) => Title)).toEqual(['你好', '环']);
    const task = await student.call('GET', `/lab/${labID}/task/${tasks.body.List[1]?.ID}`);
    expect(task.body['Content']).toBe('# ring 任务\n');
  });

  test.each(['/lab/999999', '/lab/abc', '/lab/0', '/lab/-1', '/lab/99999999999999'])(
    '%s is not there',
    async (path) => {
      expect([400, 404]).toContain((await student.call('GET', path)).status);
    },
  );

  test('a task is reached through its own lab only', async () => {
    const [other] = await world.sql<{ id: number }>(sql`
      insert into lab (type, title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed, specification_id, is_published, sequence)
      select type, '另一个', 'Other', '', '', '', '', 'ring', 2, specification_id, true, 99 from lab where id = ${labID} returning id`);
    const tasks = await student.call<{ List: { ID: number }[] }>('GET', `/lab/${labID}/task`);
    expect(
      (await student.call('GET', `/lab/${other?.id}/task/${tasks.body.List[0]?.ID}`)).status,
    ).toBe(404);
    await world.sql(sql`delete from lab where id = ${other?.id}`);
  });

  test('a picture cannot run scripts, and its name cannot leave the folder', async () => {
    const { status, headers } = await student.call('GET', `/lab/${labID}/media/ring.svg`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('image/svg+xml');
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(headers['x-content-type-options']).toBe('nosniff');
    for (const name of [
      '..%2f..%2fhypercube.pid',
      '%2e%2e%2fbundle%2fring.c',
      'x%00.svg',
      'none.svg',
    ]) {
      expect([400, 404], name).toContain(
        (await student.call('GET', `/lab/${labID}/media/${name}`)).status,
      );
    }
  });
});

describe('copying starter files', () => {
  let home: string;
  beforeEach(async () => {
    const [row] = await world.sql<{ id: number }>(
      sql`select id from user_account where username = 'student'`,
    );
    home = join(world.folder, 'files', String(row?.id));
    await rm(home, { recursive: true, force: true });
  });
  const copy = (body: object = {}) =>
    student.call<{ Code?: string; Params?: { Names: string[] }; Copied: string[] }>(
      'POST',
      `/lab/${labID}/resource/copy`,
      body,
    );

  test('is refused where the personal folder is full, and nothing is written', async () => {
    const admin = await world.signIn('admin', 'admin');
    const [user] = await world.sql<{ id: number }>(
      sql`select id from user_account where username = 'student'`,
    );
    const folder = await world.system.files.folderOf(user?.id ?? 0);
    execFileSync('fallocate', ['-l', '70MiB', join(folder, 'large.bin')]);
    const { body } = await admin.call<AnswerOf<typeof routes.getSettings>>('GET', '/setting');
    const limited = await admin.call<{ Version: number }>('PUT', '/setting/limits', {
      Version: body.Groups.limits.Version,
      Values: { PersonalQuotaBytes: 64 * 1024 * 1024 },
    });
    const refused = await copy();
    expect([refused.status, refused.body.Code]).toEqual([409, 'storage_full']);
    expect(await readdir(folder)).toEqual(['large.bin']);
    await rm(join(folder, 'large.bin'));
    expect((await copy()).status).toBe(200);
    await admin.call('PUT', '/setting/limits', {
      Version: limited.body.Version,
      Values: { PersonalQuotaBytes: 5 * 1024 ** 3 },
    });
    await rm(folder, { recursive: true });
  });

  test('brings them to a folder of the lab, owned by the learner', async () => {
    const { body } = await copy();
    expect(body).toEqual({
      Folder: 'ring',
      Copied: ['ring.c', 'data/in.txt'],
      Kept: [],
      Renamed: [],
    });
    expect(await readFile(join(home, 'ring/data/in.txt'), 'utf8')).toBe('1 2 3\n');
    expect((await lstat(join(home, 'ring/ring.c'))).uid).toBe(
      process.getuid?.() === 0 ? 1000 : process.getuid?.(),
    );
  });

  test('never overwrites without being told', async () => {
    await copy();
    await writeFile(join(home, 'ring/ring.c'), 'mine');
    const refused = await copy();
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      Code: 'copy_conflict',
      Params: { Names: ['ring.c', 'data/in.txt'] },
    });
    expect(await readFile(join(home, 'ring/ring.c'), 'utf8')).toBe('mine');

    expect((await copy({ OnConflict: 'keep' })).body).toMatchObject({
      Copied: [],
      Kept: ['ring.c', 'data/in.txt'],
    });
    expect(await readFile(join(home, 'ring/ring.c'), 'utf8')).toBe('mine');

    expect((await copy({ OnConflict: 'rename' })).body).toMatchObject({
      Renamed: [
        { From: 'ring.c', To: 'ring (1).c' },
        { From: 'data/in.txt', To: 'data/in (1).txt' },
      ],
    });
    expect(await readFile(join(home, 'ring/ring.c'), 'utf8')).toBe('mine');

    await copy({ OnConflict: 'replace' });
    expect(await readFile(join(home, 'ring/ring.c'), 'utf8')).toContain('int main');
    expect((await readdir(join(home, 'ring'))).toSorted()).toEqual([
      'data',
      'ring (1).c',
      'ring.c',
    ]);
  });

  test.each([
    ['the folder of the lab', 'ring'],
    ['a folder below', 'ring/data'],
  ])('a link in place of %s is not followed', async (_what, place) => {
    const outside = join(world.folder, 'outside');
    await mkdir(outside, { recursive: true });
    await mkdir(join(home, place, '..'), { recursive: true });
    await symlink(outside, join(home, place));
    const { status, body } = await copy({ OnConflict: 'replace' });
    expect([status, body.Code]).toEqual([409, 'copy_unsafe']);
    expect(await readdir(outside)).toEqual([]);
  });

  test('a link in place of a file is replaced, its target stays as it was', async () => {
    const target = join(world.folder, 'precious');
    await writeFile(target, 'precious');
    await mkdir(join(home, 'ring'), { recursive: true });
    await symlink(target, join(home, 'ring/ring.c'));
    await copy({ OnConflict: 'replace' });
    expect(await readFile(target, 'utf8')).toBe('precious');
    expect((await lstat(join(home, 'ring/ring.c'))).isSymbolicLink()).toBe(false);
  });

  test.runIf(process.getuid?.() === 0)(
    'a full disk is told, and nothing is left half-done',
    async () => {
      await mkdir(home, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k,nr_inodes=6', 'tmpfs', home]);
      try {
        const { status, body } = await copy();
        expect([status, body.Code]).toEqual([409, 'storage_full']);
        const left = (await readdir(home, { recursive: true, withFileTypes: true })).filter(
          (entry) => entry.isFile(),
        );
        expect(left).toEqual([]);
      } finally {
        execFileSync('umount', [home]);
      }
    },
  );

  test('files of another lab cannot be named', async () => {
    const { status } = await student.call('POST', `/lab/${labID}/resource/copy`, {
      ResourceIDList: [999_999],
    });
    expect(status).toBe(404);
  });
});
