/** What staff do with labs: drafts, tasks, files; and what learners see of it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, utimes } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { LabResource, LabTaskSummary, ManagedLab, ManagedLabTask } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { World, until, type Answer, type Person } from '../../testing/world.ts';
import { rawZip, zipOf } from '../../testing/zips.ts';

let world: World;
let admin: Person;
let teacher: Person;
let student: Person;
let specificationID: number;
let tagIDs: number[];

beforeAll(async () => {
  world = await World.create();
  admin = await world.signIn('admin', 'admin');
  teacher = await world.signIn('teacher', 'teacher');
  student = await world.signIn('student');
  const [specification] = await world.sql<{ id: number }>(
    sql`select id from specification where slug is not null and image_type = 2 order by id`,
  );
  specificationID = specification?.id ?? 0;
  tagIDs = (await world.sql<{ id: number }>(sql`select id from tag order by id`)).map(
    ({ id }) => id,
  );
});
afterAll(() => world[Symbol.asyncDispose]());

type List<T> = { List: T[]; Total: number };
const fields = (changes: object = {}) => ({
  Type: 2,
  TitleZh: '并行排序',
  TitleEn: 'Parallel sorting',
  CoverKind: 'tree',
  SpecificationID: specificationID,
  TagIDList: tagIDs.slice(0, 1),
  ...changes,
});

async function make(by: Person = teacher, changes: object = {}): Promise<ManagedLab> {
  const { status, body } = await by.call<ManagedLab>('POST', '/lab', fields(changes));
  expect(status).toBe(201);
  return body;
}
async function addTask(lab: ManagedLab, title = '第一步'): Promise<ManagedLabTask> {
  const { status, body } = await teacher.call<ManagedLabTask>('POST', `/lab/${lab.ID}/task`, {
    TitleZh: title,
    ContentZh: '# 做',
    Minutes: 10,
  });
  expect(status).toBe(201);
  return body;
}
async function published(): Promise<{ lab: ManagedLab; task: ManagedLabTask }> {
  const lab = await make();
  const task = await addTask(lab);
  const { status } = await teacher.call('PUT', `/lab/${lab.ID}/publish`, { IsPublished: true });
  expect(status).toBe(200);
  return { lab, task };
}
const folderOf = async (lab: ManagedLab): Promise<string | null> => {
  const [row] = await world.sql<{ folder: string | null }>(
    sql`select folder from lab where id = ${lab.ID}`,
  );
  return row?.folder ?? null;
};
const send = (
  lab: ManagedLab,
  name: string,
  content: Buffer | string,
  query = '',
): Promise<Answer<LabResource & { Code?: string; Params?: object }>> =>
  teacher.upload(`/lab/${lab.ID}/resource?type=2&title=代码${query}`, { name, content });
/** Everything that lies below the data folder of labs and of uploads. */
const filesLeft = async (): Promise<string[]> =>
  (
    await Promise.all(
      ['labs', 'uploads'].map((folder) =>
        readdir(join(world.folder, folder), { recursive: true }).catch(() => []),
      ),
    )
  ).flat();

describe('a draft', () => {
  test('exists for whoever made it and for admins only', async () => {
    const lab = await make();
    expect(lab).toMatchObject({
      Title: '并行排序',
      IsPublished: false,
      IsBuiltIn: false,
      Owner: '王老师',
      TaskCount: 0,
      Version: 1,
    });
    expect((await student.call('GET', `/lab/${lab.ID}`)).status).toBe(404);
    expect((await teacher.call('GET', `/lab/${lab.ID}`)).status).toBe(200);
    expect((await admin.call('GET', `/lab/${lab.ID}/managed`)).status).toBe(200);
    const list = await student.call<List<unknown>>('GET', '/lab?keyword=并行排序');
    expect(list.body.Total).toBe(0);
  });

  test('is published when it has a task, and then is found by its words', async () => {
    const lab = await make();
    const publish = (IsPublished: boolean) =>
      teacher.call('PUT', `/lab/${lab.ID}/publish`, { IsPublished });
    const refused = await publish(true);
    expect([refused.status, refused.body['Code']]).toEqual([409, 'lab_incomplete']);
    const task = await addTask(lab, '独特的步骤');
    expect((await publish(true)).status).toBe(200);
    const found = await student.call<List<{ ID: number }>>('GET', '/lab?keyword=独特');
    expect(found.body.List.map(({ ID }) => ID)).toEqual([lab.ID]);

    const last = await teacher.call('DELETE', `/lab/${lab.ID}/task/${task.ID}`);
    expect([last.status, last.body['Code']]).toEqual([409, 'lab_incomplete']);
    expect((await publish(false)).status).toBe(200);
    expect((await student.call('GET', `/lab/${lab.ID}`)).status).toBe(404);
    expect((await teacher.call('DELETE', `/lab/${lab.ID}/task/${task.ID}`)).status).toBe(200);
  });

  test('needs a specification that fits and has a node', async () => {
    const differs = await teacher.call('POST', '/lab', fields({ Type: 1 }));
    expect([differs.status, differs.body['Code']]).toEqual([409, 'image_type_differs']);
    const empty = await teacher.call<{ ID: number }>('POST', '/specification', {
      NameZh: '空',
      ImageType: 2,
      IsShared: false,
      LifetimeSeconds: 3600,
    });
    const lab = await make(teacher, { SpecificationID: empty.body.ID });
    await addTask(lab);
    const { body } = await teacher.call('PUT', `/lab/${lab.ID}/publish`, { IsPublished: true });
    expect(body['Code']).toBe('lab_incomplete');
    // Somebody else's private specification does not exist.
    const foreign = await admin.call<{ ID: number }>('POST', '/specification', {
      NameZh: '别人的',
      ImageType: 2,
      IsShared: false,
      LifetimeSeconds: 3600,
    });
    expect(
      (await teacher.call('POST', '/lab', fields({ SpecificationID: foreign.body.ID }))).status,
    ).toBe(404);
  });

  test.each([
    ['no title', { TitleZh: ' ' }],
    ['a long title', { TitleZh: '长'.repeat(31) }],
    ['a long description', { DescriptionZh: '长'.repeat(251) }],
    ['an unknown cover', { CoverKind: 'spiral' }],
    ['an unknown field', { Nonsense: 1 }],
  ])('with %s is refused', async (_what, changes) => {
    const { status, body } = await teacher.call('POST', '/lab', fields(changes));
    expect([status, body['Code']]).toEqual([400, 'invalid_input']);
  });

  test('is not overwritten by somebody who has not seen the last change', async () => {
    const lab = await make();
    const change = (by: Person, TitleZh: string, Version: number) =>
      by.call<ManagedLab>('PUT', `/lab/${lab.ID}`, { ...fields({ TitleZh }), Version });
    const outcomes = await Promise.all([
      change(teacher, '甲', lab.Version),
      change(admin, '乙', lab.Version),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const now = await teacher.call<ManagedLab>('GET', `/lab/${lab.ID}/managed`);
    expect(now.body).toMatchObject({
      Version: 2,
      TitleZh: outcomes[0].status === 200 ? '甲' : '乙',
    });
    const again = await change(teacher, '丙', 2);
    expect(again.body).toMatchObject({ TitleZh: '丙', Version: 3 });
  });

  test('somebody else’s does not exist for a teacher, whatever is asked', async () => {
    const lab = await make(admin);
    const calls: [Parameters<Person['call']>[0], string, unknown?][] = [
      ['GET', `/lab/${lab.ID}/managed`],
      ['PUT', `/lab/${lab.ID}`, { ...fields(), Version: 1 }],
      ['DELETE', `/lab/${lab.ID}`],
      ['POST', `/lab/${lab.ID}/task`, { TitleZh: 'x' }],
      ['PUT', '/lab/sequence', { LabIDList: [lab.ID] }],
    ];
    for (const [method, path, body] of calls) {
      const { status } = await teacher.call(method, path, body);
      expect([path, [403, 404].includes(status)]).toEqual([path, true]);
    }
    const list = await teacher.call<List<ManagedLab>>('GET', '/lab/managed?pageSize=100');
    expect(list.body.List.every(({ Owner }) => Owner === '王老师')).toBe(true);
    const all = await admin.call<List<ManagedLab>>('GET', '/lab/managed?pageSize=100');
    expect(all.body.List.some(({ IsBuiltIn }) => IsBuiltIn)).toBe(true);
  });
});

describe('the order', () => {
  test('of labs: those named change places among themselves', async () => {
    const labs = [await make(admin), await make(admin), await make(admin)];
    const [a, b, c] = labs.map(({ ID }) => ID);
    expect((await admin.call('PUT', '/lab/sequence', { LabIDList: [c, a] })).status).toBe(200);
    const list = await admin.call<List<ManagedLab>>('GET', '/lab/managed?pageSize=100');
    const places = list.body.List.map(({ ID }) => ID).filter((id) => [a, b, c].includes(id));
    expect(places).toEqual([c, b, a]);
  });

  test('of tasks: all are named once, or nothing changes', async () => {
    const lab = await make();
    const [a, b, c] = [
      await addTask(lab, '甲'),
      await addTask(lab, '乙'),
      await addTask(lab, '丙'),
    ];
    const order = (TaskIDList: number[]) =>
      teacher.call('PUT', `/lab/${lab.ID}/task/sequence`, { TaskIDList });
    for (const incomplete of [
      [a.ID, b.ID],
      [a.ID, b.ID, b.ID],
    ])
      expect((await order(incomplete)).body['Code']).toBe('order_incomplete');
    expect((await order([c.ID, a.ID, b.ID])).status).toBe(200);
    const titles = async () =>
      (await teacher.call<List<LabTaskSummary>>('GET', `/lab/${lab.ID}/task`)).body.List.map(
        ({ Title, SequenceNumber }) => `${SequenceNumber}${Title}`,
      );
    expect(await titles()).toEqual(['1丙', '2甲', '3乙']);
    await teacher.call('DELETE', `/lab/${lab.ID}/task/${a.ID}`);
    expect(await titles()).toEqual(['1丙', '2乙']);
  });

  test('a task is not overwritten by somebody who has not seen the last change', async () => {
    const lab = await make();
    const task = await addTask(lab);
    const change = (Version: number) =>
      teacher.call<ManagedLabTask>('PUT', `/lab/${lab.ID}/task/${task.ID}`, {
        TitleZh: '改',
        Version,
      });
    expect((await change(1)).body).toMatchObject({ TitleZh: '改', Version: 2, Minutes: 0 });
    expect((await change(1)).body).toMatchObject({ Code: 'changed_meanwhile' });
  });
});

describe('files', () => {
  let lab: ManagedLab;
  beforeEach(async () => {
    lab = await make();
  });

  test('one file is taken over under its name', async () => {
    const { status, body } = await send(lab, '排序 sort.c', 'int main;');
    expect(status).toBe(201);
    expect(body).toMatchObject({ Type: 2, Title: '代码', Path: '排序 sort.c', SizeBytes: 9 });
    const path = join(world.folder, (await folderOf(lab)) ?? '', 'bundle', '排序 sort.c');
    expect(await readFile(path, 'utf8')).toBe('int main;');
    expect((await stat(path)).mode & 0o777).toBe(0o644);
    expect(await readdir(join(world.folder, 'uploads'))).toEqual([]);
  });

  test('a zip becomes a folder of its name, and can be looked into and copied', async () => {
    const zip = await zipOf({ 'src/a.c': 'a', 'b.txt': 'bb' });
    const { body } = await send(lab, '工程.zip', zip);
    expect(body).toMatchObject({ Path: '工程', SizeBytes: 3 });
    const entries = await teacher.call<List<{ Path: string; SizeBytes: number }>>(
      'GET',
      `/lab/${lab.ID}/resource/${body.ID}/entry`,
    );
    expect(entries.body).toEqual({
      List: [
        { Path: '工程/b.txt', SizeBytes: 2 },
        { Path: '工程/src/a.c', SizeBytes: 1 },
      ],
      Total: 2,
    });
    const copied = await teacher.call('POST', `/lab/${lab.ID}/resource/copy`, {});
    expect(copied.body).toMatchObject({ Copied: ['工程/b.txt', '工程/src/a.c'] });
  });

  test('a name that is there is replaced only when that is said', async () => {
    const first = await send(lab, 'a.c', 'one');
    const refused = await send(lab, 'a.c', 'two');
    expect([refused.status, refused.body.Code, refused.body.Params]).toEqual([
      409,
      'file_exists',
      { Name: 'a.c' },
    ]);
    const replaced = await send(lab, 'a.c', 'three', '&replace=true');
    expect(replaced.body).toMatchObject({ ID: first.body.ID, SizeBytes: 5 });
    const [, ...more] = (await teacher.call<List<LabResource>>('GET', `/lab/${lab.ID}/resource`))
      .body.List;
    expect(more).toEqual([]);
    expect(
      await readFile(join(world.folder, (await folderOf(lab)) ?? '', 'bundle/a.c'), 'utf8'),
    ).toBe('three');
  });

  test('a folder that belongs to another resource is not taken', async () => {
    const list = await admin.call<List<ManagedLab>>('GET', '/lab/managed?keyword=环形');
    const ring = list.body.List[0];
    const answer = await admin.upload(`/lab/${ring?.ID}/resource?type=1&title=x&replace=true`, {
      name: 'data.zip',
      content: await zipOf({ a: 'a' }),
    });
    expect([answer.status, answer.body['Code']]).toEqual([409, 'file_exists']);
  });

  test.each(['..', '.', 'a\tb', `${'x'.repeat(256)}`, '.zip', '..zip'])(
    'the name %j is refused',
    async (name) => {
      const before = await filesLeft();
      const answer = await send(lab, name, 'x');
      expect(answer.status).toBe(400);
      expect(await filesLeft()).toEqual(before);
    },
  );

  test.each([
    ['a way out', rawZip([{ name: '../out' }]), 'traversal'],
    ['a link', rawZip([{ name: 'l', content: '/etc', mode: 0o120777 }]), 'link'],
    ['no zip', Buffer.from('nothing of the kind'), 'damaged'],
    [
      'something large after something good',
      rawZip([
        { name: 'good', content: 'x' },
        { name: 'zeros', content: Buffer.alloc(4_000_000), isDeflated: true },
      ]),
      'ratio',
    ],
  ])('a zip with %s is refused, and nothing is left', async (_what, zip, reason) => {
    const before = await filesLeft();
    const { status, body } = await send(lab, 'bad.zip', zip);
    expect([status, body.Code, body.Params]).toMatchObject([
      400,
      'zip_refused',
      { Reason: reason },
    ]);
    expect(await filesLeft()).toEqual(before);
    expect((await teacher.call<List<unknown>>('GET', `/lab/${lab.ID}/resource`)).body.Total).toBe(
      0,
    );
  });

  test('an environment that is open keeps the files that it mounted, until it ends', async () => {
    const { lab: open, task } = await published();
    await send(open, 'a.c', 'old');
    const before = (await folderOf(open)) ?? '';
    const usage = await student.call<{ ID: number }>('POST', '/usage', {
      RouteName: 'x',
      RoutePath: '/x',
      LabID: open.ID,
      TaskID: task.ID,
    });
    expect(usage.status).toBe(200);
    const mounts = world.engine.created.at(-1)?.nodes[0]?.mounts.map(({ source }) => source);
    expect(mounts).toContain(join(world.folder, before, 'bundle'));

    await send(open, 'a.c', 'new', '&replace=true');
    await send(open, 'b.c', 'more');
    const after = (await folderOf(open)) ?? '';
    await world.system.sweep();
    expect(await readFile(join(world.folder, before, 'bundle/a.c'), 'utf8')).toBe('old');
    expect(await readdir(join(world.folder, after, 'bundle'))).toEqual(['a.c', 'b.c']);

    // Even the lab may go.
    expect((await teacher.call('DELETE', `/lab/${open.ID}`)).status).toBe(200);
    await world.system.sweep();
    expect(existsSync(join(world.folder, before))).toBe(true);
    await student.call('DELETE', `/usage/${usage.body.ID}`);
    await until(
      () =>
        world.sql<{ n: number }>(
          sql`select count(*)::int as n from usage where removed_at is null`,
        ),
      ([row]) => row?.n === 0,
    );
    await world.system.sweep();
    expect(existsSync(join(world.folder, before))).toBe(false);
    expect(existsSync(join(world.folder, after))).toBe(false);
  });

  test('what a process that died left behind goes, what is being made stays', async () => {
    const orphan = join(world.folder, 'labs/999-dead');
    const young = join(world.folder, 'labs/999-young');
    await mkdir(orphan, { recursive: true });
    await mkdir(young);
    await utimes(orphan, 0, 0);
    await send(lab, 'a.c', 'x');
    await world.system.sweep();
    expect(existsSync(orphan)).toBe(false);
    expect(existsSync(young)).toBe(true);
    expect(existsSync(join(world.folder, (await folderOf(lab)) ?? ''))).toBe(true);
    await rm(young, { recursive: true });
  });

  test('two uploads at once both arrive', async () => {
    const answers = await Promise.all([send(lab, 'a.c', 'a'), send(lab, 'b.c', 'b')]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await readdir(join(world.folder, (await folderOf(lab)) ?? '', 'bundle'))).toEqual([
      'a.c',
      'b.c',
    ]);
    const twice = await Promise.all([send(lab, 'c.c', '1'), send(lab, 'c.c', '2')]);
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  test('a deleted resource goes, and the order of the others is kept', async () => {
    const [a, b, c] = [
      await send(lab, 'a', '1'),
      await send(lab, 'b', '2'),
      await send(lab, 'c', '3'),
    ];
    const order = await teacher.call('PUT', `/lab/${lab.ID}/resource/sequence`, {
      ResourceIDList: [c.body.ID, b.body.ID, a.body.ID],
    });
    expect(order.status).toBe(200);
    await teacher.call('DELETE', `/lab/${lab.ID}/resource/${b.body.ID}`);
    const changed = await teacher.call('PUT', `/lab/${lab.ID}/resource/${a.body.ID}`, {
      Type: 1,
      TitleZh: '数据',
    });
    expect(changed.body).toMatchObject({ Type: 1, Title: '数据' });
    const list = await teacher.call<List<LabResource>>('GET', `/lab/${lab.ID}/resource`);
    expect(list.body.List.map(({ Path }) => Path)).toEqual(['c', 'a']);
    expect(await readdir(join(world.folder, (await folderOf(lab)) ?? '', 'bundle'))).toEqual([
      'a',
      'c',
    ]);
  });

  test('a copy of a lab shares nothing that can change', async () => {
    const task = await addTask(lab);
    await send(lab, 'a.c', 'mine');
    const { status, body: copy } = await admin.call<ManagedLab>(
      'POST',
      `/lab/${lab.ID}/duplicate`,
      {},
    );
    expect(status).toBe(201);
    expect(copy).toMatchObject({
      TitleZh: lab.TitleZh,
      IsPublished: false,
      Owner: '管理员',
      TaskCount: 1,
      ResourceCount: 1,
      TagIDList: lab.TagIDList,
    });
    expect(copy.ID).not.toBe(lab.ID);
    await send(lab, 'a.c', 'changed', '&replace=true');
    await teacher.call('DELETE', `/lab/${lab.ID}/task/${task.ID}`);
    expect(
      await readFile(join(world.folder, (await folderOf(copy)) ?? '', 'bundle/a.c'), 'utf8'),
    ).toBe('mine');
    expect(
      (await admin.call<List<unknown>>('GET', `/lab/${copy.ID}/task/managed`)).body.Total,
    ).toBe(1);
    // A teacher may copy what is published, but not somebody's draft.
    expect((await teacher.call('POST', `/lab/${copy.ID}/duplicate`, {})).status).toBe(404);
  });

  test.runIf(process.getuid?.() === 0)('a full disk is told, and nothing is left', async () => {
    await send(lab, 'kept.c', 'kept');
    const before = await folderOf(lab);
    const uploads = join(world.folder, 'uploads');
    await mkdir(uploads, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', uploads]);
    try {
      const { status, body } = await send(lab, 'big.bin', Buffer.alloc(200_000, 'x'));
      expect([status, body.Code]).toEqual([409, 'storage_full']);
      const zip = await zipOf({ a: Buffer.alloc(60_000, 'ab'), b: Buffer.alloc(60_000, 'cd') });
      const unpacked = await send(lab, 'big.zip', zip);
      expect([unpacked.status, unpacked.body.Code]).toEqual([409, 'storage_full']);
      expect(await readdir(uploads)).toEqual([]);
    } finally {
      execFileSync('umount', [uploads]);
    }
    expect(await folderOf(lab)).toBe(before);
  });
});

describe('uploads', () => {
  let lab: ManagedLab;
  beforeAll(async () => {
    lab = await make();
    await admin.call('PUT', '/setting/limits', {
      Version: 0,
      Values: { UploadBytes: 1024 * 1024 },
    });
  });

  test('a file over the limit is refused, at once where its length is told', async () => {
    const { status, body } = await send(lab, 'big', Buffer.alloc(1024 * 1024 + 1));
    expect([status, body.Code, body.Params]).toEqual([
      413,
      'upload_too_large',
      { LimitBytes: 1024 * 1024 },
    ]);
    expect((await send(lab, 'fits', Buffer.alloc(1024 * 1024))).status).toBe(201);
    expect(await readdir(join(world.folder, 'uploads'))).toEqual([]);
  });

  test('what never ends is cut off as soon as it is too much', async () => {
    const host = await world.listen();
    const before = await readdir(join(world.folder, 'uploads'));
    const outcome = await new Promise<{ status: number; sent: number }>((resolve, reject) => {
      let sent = 0;
      let isOver = false;
      const [hostname, port] = host.split(':');
      const call = request({
        hostname,
        port,
        method: 'POST',
        path: `/api/v1/lab/${lab.ID}/resource?role=teacher&type=2&title=x`,
        headers: {
          cookie: teacher.cookie ?? '',
          'content-type': 'multipart/form-data; boundary=b',
          'transfer-encoding': 'chunked',
        },
      });
      call.once('response', (response) => {
        isOver = true;
        response.resume();
        response.once('end', () => resolve({ status: response.statusCode ?? 0, sent }));
      });
      call.on('error', (error) => (isOver ? undefined : reject(error)));
      call.write('--b\r\ncontent-disposition: form-data; name="File"; filename="endless"\r\n\r\n');
      const more = (): void => {
        if (isOver) return;
        sent += 65_536;
        if (sent > 512 * 1024 * 1024) reject(new Error('it is read without end'));
        else call.write(Buffer.alloc(65_536), more);
      };
      more();
    });
    expect(outcome.status).toBe(413);
    expect(await readdir(join(world.folder, 'uploads'))).toEqual(before);
  });

  test('a form without a file, or under another name, is refused', async () => {
    const path = `/lab/${lab.ID}/resource?type=2&title=x`;
    const other = await teacher.upload(path, { name: 'a', content: 'x' }, 'Other');
    expect([other.status, other.body['Code']]).toEqual([400, 'upload_missing']);
    const nameless = await teacher.upload(path, { name: '', content: 'x' });
    expect([nameless.status, nameless.body['Code']]).toEqual([400, 'upload_missing']);
    const json = await teacher.call('POST', path, {});
    expect([json.status, json.body['Code']]).toEqual([400, 'upload_missing']);
  });

  test('a form is refused where JSON is expected', async () => {
    const { status, body } = await teacher.upload('/lab', { name: 'a', content: 'x' });
    expect([status, body['Code']]).toEqual([415, 'unsupported_media_type']);
  });

  test('the API’s description says that it is a form', () => {
    const document = world.system.app.swagger() as {
      paths: Record<string, { post?: { requestBody?: { content: object } } }>;
    };
    const route = document.paths['/api/v1/lab/{labID}/resource']?.post;
    expect(Object.keys(route?.requestBody?.content ?? {})).toEqual(['multipart/form-data']);
  });
});

describe('pictures', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

  test.each<[string, Buffer | string, string]>([
    ['png', png, 'image/png'],
    ['jpg', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
    ['gif', 'GIF89a....', 'image/gif'],
    ['webp', 'RIFF....WEBPVP8 ', 'image/webp'],
    ['mp4', '\0\0\0\x18ftypisom', 'video/mp4'],
    [
      'webm',
      Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
      'video/webm',
    ],
    [
      'svg',
      '<?xml version="1.0"?>\n<!-- hi --><svg xmlns="x"><script>1</script></svg>',
      'image/svg+xml',
    ],
  ])('%s is told by its content and served as such', async (extension, content, type) => {
    const lab = await make();
    const { status, body } = await teacher.upload<{ Path: string }>(`/lab/${lab.ID}/media`, {
      name: 'whatever.exe',
      content,
    });
    expect(status).toBe(201);
    expect(body.Path).toMatch(new RegExp(String.raw`^media/[0-9a-f]{20}\.${extension}$`));
    const served = await teacher.call('GET', `/lab/${lab.ID}/${body.Path}`);
    expect(served.status).toBe(200);
    expect(served.headers['content-type']).toBe(type);
    expect(served.headers['content-security-policy']).toContain('sandbox');
    // It outlives a change of the other files.
    await send(lab, 'a.c', 'x');
    expect((await teacher.call('GET', `/lab/${lab.ID}/${body.Path}`)).status).toBe(200);
  });

  test.each([
    ['a page', '<!DOCTYPE html><html><svg></svg></html>'],
    ['a program', '\x7fELF'],
    ['nothing', ''],
    ['a page in a drawing’s name', '<html>'],
  ])('%s is refused', async (_what, content) => {
    const lab = await make();
    const { status, body } = await teacher.upload(`/lab/${lab.ID}/media`, {
      name: 'picture.svg',
      content,
    });
    expect([status, body['Code']]).toEqual([415, 'upload_type']);
    expect(await folderOf(lab)).toBe(null);
  });
});

describe('deleting', () => {
  test('shows who has it open, and they run on', async () => {
    const { lab, task } = await published();
    const usage = await student.call<{ ID: number }>('POST', '/usage', {
      RouteName: 'x',
      RoutePath: '/x',
      LabID: lab.ID,
      TaskID: task.ID,
      Replace: true,
    });
    const dependents = await teacher.call('GET', `/lab/${lab.ID}/dependent`);
    expect(dependents.body).toEqual({
      List: [{ Kind: 'usage', ID: usage.body.ID, Title: '林同学' }],
      Total: 1,
    });
    expect((await teacher.call('DELETE', `/lab/${lab.ID}`)).status).toBe(200);
    const now = await student.call<{ Phase: string; LabID: number | null }>('GET', '/usage');
    expect(now.body).toMatchObject({ Phase: 'ready', LabID: null });
    await student.call('DELETE', `/usage/${usage.body.ID}`);
  });

  test('waits for a start that still needs it', async () => {
    const { lab, task } = await published();
    let open: () => void = () => undefined;
    world.engine.gate = new Promise((resolve) => {
      open = resolve;
    });
    await student.call('POST', '/usage?wait=false', {
      RouteName: 'x',
      RoutePath: '/x',
      LabID: lab.ID,
      TaskID: task.ID,
      Replace: true,
    });
    const refused = await teacher.call<{ Code: string; Params: { Dependents: object[] } }>(
      'DELETE',
      `/lab/${lab.ID}`,
    );
    expect([refused.status, refused.body.Code]).toEqual([409, 'in_use']);
    expect(refused.body.Params.Dependents).toMatchObject([{ Kind: 'usage', Title: '林同学' }]);
    open();
    world.engine.gate = undefined;
    await until(
      () => student.call<{ Phase: string }>('GET', '/usage'),
      ({ body }) => body.Phase === 'ready',
    );
    expect((await teacher.call('DELETE', `/lab/${lab.ID}`)).status).toBe(200);
  });
});
