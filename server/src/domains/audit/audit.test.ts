/** The record of what staff did: complete, without secrets, and never changed. */
import {
  routes,
  type AnswerOf,
  type AuditDetail,
  type AuditRecord,
  type Route,
} from '@hypercube/contract';
import { read, utils } from '@e965/xlsx';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRecorded } from '../../platform/http/record.ts';
import { PASSWORD, World, type Person } from '../../testing/world.ts';

type List = AnswerOf<typeof routes.listAudit>;

let world: World;
let admin: Person;
beforeEach(async () => {
  world = await World.create({ hasWorker: false });
  admin = await world.signIn('admin', 'admin');
});
afterEach(() => world[Symbol.asyncDispose]());

const list = async (query = ''): Promise<AuditRecord[]> =>
  (await admin.call<List>('GET', `/audit?${query}`)).body.List;
const last = async (): Promise<AuditDetail> => {
  const [record] = await list();
  if (!record) throw new Error('nothing was recorded');
  return (await admin.call<AuditDetail>('GET', `/audit/${record.ID}`)).body;
};
const makeDomain = async (TitleZh: string): Promise<number> =>
  (await admin.call<{ ID: number }>('POST', '/domain', { TitleZh, Color: 1 })).body.ID;

describe('what is recorded', () => {
  test('is every change that a student may not make, and nothing else', () => {
    const recorded = Object.entries(routes as Readonly<Record<string, Route>>)
      .filter(([, route]) => isRecorded(route, ['anonymous', 'student']))
      .map(([name]) => name);
    expect(recorded).toEqual(
      expect.arrayContaining([
        'updateLimitSettings',
        'createLab',
        'uploadLabResource',
        'deleteImage',
        'endEnvironment',
        'updateUserRoles',
        'deleteUser',
        'importUsers',
        'exportUsers',
        'exportAudit',
        'createDomain',
      ]),
    );
    for (const name of ['login', 'changePassword', 'createUsage', 'selectDomains', 'listUsers'])
      expect(recorded).not.toContain(name);
  });

  test('tells who, as what, when, from where, which thing, and what was before and after', async () => {
    const id = await makeDomain('并行');
    const changed = await admin.call('PUT', `/domain/${id}`, {
      TitleZh: '并行计算',
      Color: 3,
      Version: 1,
    });
    expect(changed.status).toBe(200);
    expect(await last()).toMatchObject({
      At: world.clock.now().toISOString(),
      Person: { Username: 'admin', Nickname: '管理员' },
      Role: 'admin',
      Address: '127.0.0.1',
      Action: 'updateDomain',
      Method: 'PUT',
      Path: `/api/v1/domain/${id}`,
      Kind: 'domain',
      Things: [{ Kind: 'domain', ID: id, Title: '并行' }],
      Code: null,
      RequestID: changed.headers['x-request-id'],
      Changes: [
        { Kind: 'domain', ID: id, Field: 'titleZh', Before: '并行', After: '并行计算' },
        { Kind: 'domain', ID: id, Field: 'color', Before: '1', After: '3' },
      ],
    });
  });

  test('what was made and what was deleted are there as well', async () => {
    const id = await makeDomain('网络');
    const made = await last();
    expect(made).toMatchObject({ Action: 'createDomain', Things: [{ ID: id, Title: '网络' }] });
    expect(made.Changes).toContainEqual({
      Kind: 'domain',
      ID: id,
      Field: 'TitleZh',
      Before: null,
      After: '网络',
    });
    await admin.call('DELETE', `/domain/${id}`);
    const deleted = await last();
    expect(deleted.Action).toBe('deleteDomain');
    expect(deleted.Changes).toContainEqual({
      Kind: 'domain',
      ID: id,
      Field: 'titleZh',
      Before: '网络',
      After: null,
    });
  });

  test('what learners do for themselves is there once staff do it to somebody’s', async () => {
    const author = await world.signIn('student');
    const { body } = await author.call<{ ID: number }>('POST', '/suggestion', {
      Title: '多一些例子',
      Content: '请多一些例子',
      IsPublic: false,
    });
    const path = `/suggestion/${body.ID}`;
    await author.call('POST', `${path}/conversation`, { Content: '还在吗' });
    const fields = { Title: '例子', Content: '请多一些例子', IsPublic: true };
    await author.call('PUT', path, fields);
    expect(await list()).toEqual([]);
    await admin.call('POST', `${path}/conversation`, { Content: '下个月' });
    expect(await last()).toMatchObject({
      Action: 'createReply',
      Sent: [{ Field: 'Content', Value: '下个月' }],
    });
    await admin.call('PUT', path, { ...fields, Title: '更多例子' });
    const changed = await last();
    expect(changed.Action).toBe('updateSuggestion');
    expect(changed.Changes).toContainEqual({
      Kind: 'ownSuggestion',
      ID: body.ID,
      Field: 'title',
      Before: '例子',
      After: '更多例子',
    });
    await admin.call('DELETE', path);
    expect(await last()).toMatchObject({
      Action: 'deleteSuggestion',
      Things: [{ ID: body.ID, Title: '更多例子' }],
    });
  });

  test('a refusal is there with its code, once the call has reached its handler', async () => {
    const id = await makeDomain('存储');
    await admin.call('PUT', `/domain/${id}`, { TitleZh: '新', Color: 1, Version: 9 });
    expect(await last()).toMatchObject({
      Action: 'updateDomain',
      Code: 'changed_meanwhile',
      Changes: [],
    });
    const before = (await list('pageSize=100')).length;
    // Whoever may not call, or sends what is invalid, has done nothing.
    const teacher = await world.signIn('teacher', 'teacher');
    await teacher.call('PUT', `/domain/${id}`, { TitleZh: '新', Color: 1, Version: 1 });
    await admin.call('PUT', `/domain/${id}`, { TitleZh: '', Color: 99, Version: 1 });
    await admin.call('PUT', '/domain/999999', { TitleZh: '新', Color: 1, Version: 1 });
    expect(await list('pageSize=100')).toHaveLength(before);
  });

  test('a changed setting is there with what it was', async () => {
    await admin.call('PUT', '/setting/limits', { Version: 0, Values: { HoldSeconds: 600 } });
    expect((await last()).Changes).toEqual([
      { Kind: 'setting', ID: null, Field: 'HoldSeconds', Before: '7200', After: '600' },
    ]);
  });

  test('an upload is there without what was in the file', async () => {
    const [lab] = await world.sql<{ id: number }>(sql`select id from lab order by id limit 1`);
    const sent = await admin.upload(`/lab/${lab?.id}/resource?type=2&title=secret-code`, {
      name: 'a.c',
      content: 'the content of the file',
    });
    expect([sent.status, (await last()).Action]).toEqual([201, 'uploadLabResource']);
    expect(JSON.stringify(await last())).not.toContain('the content of the file');
  });

  test('an export of personal data is there too', async () => {
    await admin.call('GET', '/user/export?columns=Username,Phone&keyword=stud');
    const record = await last();
    expect([record.Action, record.Method]).toEqual(['exportUsers', 'GET']);
    expect(record.Sent).toContainEqual({ Field: 'columns', Value: '["Username","Phone"]' });
    expect(record.Sent).toContainEqual({ Field: 'keyword', Value: 'stud' });
  });

  test('no record holds a password, a hash or a token', async () => {
    const [student] = await world.sql<{ id: number; password_hash: string }>(
      sql`select id, password_hash from user_account where username = 'student2'`,
    );
    await admin.call('PUT', `/user/${student?.id}/state`, { IsDisabled: true, Version: 1 });
    await admin.call('DELETE', `/user/${student?.id}?confirm=student2`);
    await admin.call('POST', '/user/import', {
      Rows: [
        {
          Row: 2,
          Username: 'invited',
          Email: 'invited@example.edu',
          Nickname: '',
          RealName: '',
          StudentID: '',
          Organisation: '',
          Type: 4,
        },
      ],
    });
    const rows = await world.sql<{ row: string }>(sql`select a::text as row from audit_record a`);
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).toContain('student2');
    expect(text).toContain('invited');
    const [mail] = await world.sql<{ text: string }>(
      sql`select text from mail where template = 'invitation'`,
    );
    const [, token = 'missing'] = /#([\w-]{43})/.exec(mail?.text ?? '') ?? [];
    for (const secret of [PASSWORD, student?.password_hash ?? 'missing', '$argon2', token])
      expect(text).not.toContain(secret);
    expect(text).not.toContain(/=([\w-]{43})/.exec(admin.cookie ?? '')?.[1] ?? 'missing');
  });

  test('a long text is shortened around what differs', async () => {
    const [lab] = await world.sql<{ id: number }>(sql`
      insert into lab (type, title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed, specification_id, sequence)
      select type, '长', '', '', '', repeat('甲', 5000), '', 'ring', 1, specification_id, 99 from lab limit 1 returning id`);
    const managed = await admin.call<Record<string, unknown>>('GET', `/lab/${lab?.id}/managed`);
    const { Type, TitleZh, SpecificationID, Version } = managed.body;
    const changed = await admin.call('PUT', `/lab/${lab?.id}`, {
      Type,
      TitleZh,
      SpecificationID,
      Version,
      CoverKind: 'ring',
      ContentZh: `${'甲'.repeat(2500)}乙${'甲'.repeat(2499)}`,
    });
    expect(changed.status).toBe(200);
    const change = (await last()).Changes.find(({ Field }) => Field === 'contentZh');
    expect(change?.After).toContain('乙');
    expect(change?.After?.length).toBeLessThan(250);
    expect(change?.Before?.length).toBeLessThan(250);
  });

  test.each([
    ['a text that is cut within a character', `x${'😀'.repeat(120)}`],
    ['half a character that somebody sent', '\ud83d'],
  ])('%s keeps no action out of the record', async (_what, ContentZh) => {
    const sent = await admin.call('POST', '/notification', {
      TitleZh: '停机',
      ContentZh,
      Audience: 'all',
    });
    expect(sent.status).toBe(201);
    const record = await last();
    expect(record.Action).toBe('sendNotification');
    expect(record.Sent.find(({ Field }) => Field === 'ContentZh')?.Value).toContain('\ufffd');
  });
});

describe('the record', () => {
  test('is never changed, deleted or emptied', async () => {
    await makeDomain('一');
    for (const statement of [
      sql`update audit_record set username = 'somebody else'`,
      sql`delete from audit_record`,
      sql`truncate audit_record`,
    ])
      await expect(world.sql(statement)).rejects.toMatchObject({
        cause: { message: 'audit records are never changed' },
      });
    expect((await last()).Person.Username).toBe('admin');
  });

  test('outlives the account of whoever acted, and the name of then', async () => {
    const [teacher] = await world.sql<{ id: number }>(
      sql`select id from user_account where username = 'teacher'`,
    );
    await admin.call('PUT', `/user/${teacher?.id}/role`, { Roles: ['admin'], Version: 1 });
    const other = await world.signIn('teacher', 'admin');
    await other.call('POST', '/domain', { TitleZh: '王老师的', Color: 1 });
    await admin.call('DELETE', `/user/${teacher?.id}?confirm=teacher`);
    const [record] = await list('keyword=createDomain');
    expect(record?.Person).toEqual({ ID: teacher?.id, Username: 'teacher', Nickname: '王老师' });
    expect((await list(`person=${teacher?.id}`)).map(({ Action }) => Action)).toEqual([
      'createDomain',
    ]);
  });

  test('is found by keyword, kind, outcome and period, sorted and paged', async () => {
    const id = await makeDomain('算法');
    const began = world.clock.now().toISOString();
    world.clock.advance(3600);
    await admin.call('PUT', `/domain/${id}`, { TitleZh: '算法二', Color: 1, Version: 7 });
    await admin.call('POST', '/centre', { NameZh: '中心' });
    const actions = async (query: string) => (await list(query)).map(({ Action }) => Action);
    expect(await actions('')).toEqual(['createCentre', 'updateDomain', 'createDomain']);
    expect(await actions('sort=oldest&pageSize=1&page=2')).toEqual(['updateDomain']);
    expect(await actions('keyword=算法')).toEqual(['updateDomain', 'createDomain']);
    expect(await actions('keyword=管理员&kind=centre')).toEqual(['createCentre']);
    expect(await actions('outcome=refused')).toEqual(['updateDomain']);
    expect(await actions('outcome=done&kind=domain')).toEqual(['createDomain']);
    expect(await actions(`to=${began}`)).toEqual(['createDomain']);
    expect(await actions(`from=${world.clock.now().toISOString()}`)).toHaveLength(2);
    const { body } = await admin.call<AnswerOf<typeof routes.listAuditPersons>>(
      'GET',
      '/audit/person',
    );
    expect(body.List.map(({ Username }) => Username)).toEqual(['admin']);
    expect(body.Kinds).toEqual(['centre', 'domain']);
  });

  test('is exported as a sheet', async () => {
    await makeDomain('=1+1');
    const response = await world.system.app.inject({
      url: '/api/v1/audit/export?role=admin&lang=en-US',
      headers: { cookie: admin.cookie ?? '' },
    });
    const [sheet] = Object.values(read(response.rawPayload, { type: 'buffer' }).Sheets);
    if (!sheet) throw new Error('the sheet is missing');
    const rows = utils.sheet_to_json<string[]>(sheet, { header: 1, defval: '' });
    expect(rows[0]?.[0]).toBe('Time');
    // The latest first, which is this export: it is recorded before it goes out.
    expect(rows[1]?.[4]).toBe('exportAudit');
    // Whose clock it is stands beside the time.
    expect(rows[1]?.[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(rows[2]?.[4]).toBe('createDomain');
    expect(rows[2]?.[5]).toContain('=1+1');
  });

  test('is the admins’', async () => {
    for (const [name, role] of [
      ['teacher', 'teacher'],
      ['manager', 'machine_admin'],
    ] as const) {
      const person = await world.signIn(name, role);
      expect((await person.call('GET', '/audit')).status).toBe(403);
      expect((await person.call('GET', '/audit/export')).status).toBe(403);
    }
  });
});
