/** Machine time: applying, answering, the account that comes of it, and whose is whose. */
import type {
  ManagedResource,
  ManagedResourceRow,
  ResourceAccount,
  ResourceApplication,
  ResourceCentre,
} from '@hypercube/contract';
import { read, utils } from '@e965/xlsx';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { World, type Answer, type Person } from '../../testing/world.ts';

interface List<T> {
  List: T[];
  Total: number;
}
type Outcome<T> = Answer<T & { Code?: string }>;
type Application = Outcome<ResourceApplication>;

let world: World;
let student: Person;
let other: Person;
let admin: Person;
/** Look after the centre of the north, and of the south. */
let north: Person;
let south: Person;
let northID: number;
let southID: number;

const idOf = async (username: string): Promise<number> =>
  (
    await world.sql<{ id: number }>(sql`select id from user_account where username = ${username}`)
  )[0]?.id ?? 0;
const look = async (username: string, centreIDs: readonly number[]): Promise<void> => {
  const userID = await idOf(username);
  await world.sql(sql`delete from user_centre where user_id = ${userID}`);
  for (const id of centreIDs)
    await world.sql(sql`insert into user_centre (user_id, centre_id) values (${userID}, ${id})`);
};

beforeAll(async () => {
  world = await World.create({ hasWorker: false });
  await world.sql(
    sql`insert into user_role (user_id, role) values (${await idOf('graduate')}, 'machine_admin')`,
  );
  student = await world.signIn('student');
  other = await world.signIn('student2');
  admin = await world.signIn('admin', 'admin');
  north = await world.signIn('manager', 'machine_admin');
  south = await world.signIn('graduate', 'machine_admin');
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await world.sql(sql`delete from resource_apply`);
  await world.sql(sql`delete from user_centre`);
  await world.sql(sql`delete from centre`);
  await world.sql(sql`delete from notification`);
  await world.sql(sql`delete from login_guess`);
  const made = await world.sql<{ id: number }>(
    sql`insert into centre (name_zh, name_en) values ('北方超算', 'North'), ('南方超算', '') returning id`,
  );
  [northID, southID] = [made[0]?.id ?? 0, made[1]?.id ?? 0];
  await look('manager', [northID]);
  await look('graduate', [southID]);
});

const FIELDS = {
  ApplicantName: '林同学',
  Organisation: '清华大学',
  Phone: '13800138000',
  Email: 'lin@example.edu',
  Project: '湍流的直接数值模拟',
  CpuHours: 128_000,
  Purpose: '计算槽道流',
};
const KEY =
  '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----';
const ACCOUNT = {
  VpnUsername: 'vpn-lin',
  VpnPassword: 'vpn-Geheim-1',
  SshAddress: 'login.north.example.edu',
  SshPort: 2222,
  SshUsername: 'ssh-lin',
  SshPassword: 'ssh-Geheim-2',
  SshPrivateKey: KEY,
};
const SECRETS = [
  ...Object.values(ACCOUNT)
    .filter((value) => typeof value === 'string')
    .filter((value) => value !== KEY),
  'b3BlbnNzaC1rZXktdjEAAAAA',
];

const apply = (fields: object = {}, by = student): Promise<Application> =>
  by.call('POST', '/resource', { ...FIELDS, CentreID: northID, ...fields });
const change = (row: ResourceApplication, fields: object = {}, by = student) =>
  by.call<ResourceApplication & { Code?: string }>('PUT', `/resource/${row.ID}`, {
    ...FIELDS,
    CentreID: row.Centre.ID,
    Version: row.Version,
    ...fields,
  });
const withdraw = (row: ResourceApplication, by = student): Promise<Outcome<object>> =>
  by.call('DELETE', `/resource/${row.ID}`);
const managed = (row: { ID: number }, by = north): Promise<Outcome<ManagedResource>> =>
  by.call('GET', `/resource/${row.ID}/managed`);
const reject = (
  row: { ID: number; Version: number },
  by = north,
  Reason = '请说明规模',
): Promise<Outcome<ManagedResource>> =>
  by.call('PUT', `/resource/${row.ID}/review`, { Reason, Version: row.Version });
const give = (
  row: { ID: number; Version: number },
  by = north,
  fields: object = {},
): Promise<Outcome<ManagedResource>> =>
  by.call('PUT', `/resource/${row.ID}/account`, {
    Credentials: { ...ACCOUNT, ...fields },
    Version: row.Version,
  });
const account = (row: { ID: number }, by = student): Promise<Outcome<ResourceAccount>> =>
  by.call('GET', `/resource/${row.ID}/account`);
const managedAccount = (row: { ID: number }, by = north): Promise<Outcome<ResourceAccount>> =>
  by.call('GET', `/resource/${row.ID}/account/managed`);
const list = async (by = north, query = ''): Promise<string[]> =>
  (await by.call<List<ManagedResourceRow>>('GET', `/resource/managed${query}`)).body.List.map(
    ({ Project }) => Project,
  );
const told = async (person: Person): Promise<[string, string | null][]> =>
  (
    await person.call<List<{ Title: string; Path: string | null }>>('GET', '/notification')
  ).body.List.map(({ Title, Path }) => [Title, Path]);
const codeOf = ({ status, body }: Outcome<object>): [number, string | undefined] => [
  status,
  body.Code,
];

describe('applying', () => {
  test('an application waits, is listed to its applicant with what happened, and the centre is told', async () => {
    const { status, body } = await apply();
    expect([status, body.Status, body.Target, body.Software]).toEqual([201, 1, null, null]);
    expect(body.Centre).toEqual({ ID: northID, Name: '北方超算' });
    expect(body.History.map(({ Step, By, IsStaff }) => [Step, By, IsStaff])).toEqual([
      ['applied', '林同学', false],
    ]);
    const own = await student.call<List<ResourceApplication>>('GET', '/resource');
    expect(own.body.List.map(({ ID }) => ID)).toEqual([body.ID]);
    expect((await other.call<List<ResourceApplication>>('GET', '/resource')).body.Total).toBe(0);
    expect(await told(north)).toEqual([
      ['新的机时申请待审核', `/admin/resource/${body.ID}/view/pending`],
    ]);
    expect(await told(south)).toEqual([]);
    expect(await told(admin)).toEqual([]);
  });

  test('where nobody looks after a centre, the admins are told', async () => {
    await look('manager', []);
    await apply();
    expect(await told(north)).toEqual([]);
    expect((await told(admin)).map(([title]) => title)).toEqual(['新的机时申请待审核']);
  });

  test('one waits at a centre, another may wait at another one', async () => {
    await apply();
    expect(codeOf(await apply({ Project: '第二个' }))).toEqual([409, 'resource_waiting']);
    expect((await apply({ CentreID: southID })).status).toBe(201);
    expect((await apply({}, other)).status).toBe(201);
    const both = await Promise.all([
      apply({}, await world.signIn('teacher')),
      apply({}, await world.signIn('teacher')),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  test('it may be for a software', async () => {
    const [row] = await world.sql<{ id: number; title_zh: string }>(
      sql`select id, title_zh from software where is_published order by id limit 1`,
    );
    const { body } = await apply({ SoftwareID: row?.id });
    expect([body.Target, body.Software]).toEqual([1, { ID: row?.id, Title: row?.title_zh }]);
    expect((await apply({ CentreID: southID, SoftwareID: 999_999 })).status).toBe(404);
  });

  test.each([
    ['no name', { ApplicantName: ' ' }],
    ['a name that is too long', { ApplicantName: '长'.repeat(51) }],
    ['a name that turns the writing around', { ApplicantName: 'a\u202Eb' }],
    ['a purpose that is too long', { Purpose: '长'.repeat(201) }],
    ['a project that is too long', { Project: '长'.repeat(51) }],
    ['no hours', { CpuHours: 0 }],
    ['parts of hours', { CpuHours: 1.5 }],
    ['too many hours', { CpuHours: 10_000_001 }],
    ['no phone number', { Phone: '12345' }],
    ['no address', { Email: 'lin' }],
    ['a state', { Status: 2 }],
    ['somebody else', { UserID: 1 }],
  ])('%s is refused', async (_name, fields) => {
    expect(codeOf(await apply(fields))).toEqual([400, 'invalid_input']);
  });

  test('a centre that is not there is refused', async () => {
    expect((await apply({ CentreID: 999_999 })).status).toBe(404);
  });

  test('centres are told to everybody, and to staff which are theirs', async () => {
    const read = async (by: Person): Promise<boolean[]> =>
      (await by.call<List<ResourceCentre>>('GET', '/resource/centre')).body.List.map(
        ({ IsManaged }) => IsManaged,
      );
    expect(await read(world.visitor())).toEqual([false, false]);
    expect(await read(student)).toEqual([false, false]);
    expect(await read(north)).toEqual([true, false]);
    expect(await read(admin)).toEqual([true, true]);
    const english = await student.call<List<ResourceCentre>>('GET', '/resource/centre?lang=en-US');
    expect(english.body.List.map(({ Name }) => Name)).toEqual(['North', '南方超算']);
  });
});

describe('changing one’s own', () => {
  test('a waiting one stays waiting; a rejected one waits again, and the centre is told again', async () => {
    const made = (await apply()).body;
    const edited = await change(made, { CpuHours: 64_000 });
    expect([edited.status, edited.body.Status, edited.body.CpuHours]).toEqual([200, 1, 64_000]);
    expect(await told(north)).toHaveLength(1);
    const rejected = (await reject(edited.body)).body;
    const again = await change(rejected, { Purpose: '补充了规模' });
    expect([again.body.Status, again.body.Reason]).toEqual([1, null]);
    expect(again.body.History.map(({ Step, Status, Reason }) => [Step, Status, Reason])).toEqual([
      ['reapplied', 1, null],
      ['rejected', 3, '请说明规模'],
      ['edited', 1, null],
      ['applied', 1, null],
    ]);
    expect(await told(north)).toHaveLength(2);
  });

  test('a rejected one cannot wait beside another one at the same centre', async () => {
    const first = (await reject((await apply()).body)).body;
    await apply({ Project: '第二个' });
    expect(codeOf(await change(first))).toEqual([409, 'resource_waiting']);
    const moved = await change(first, { CentreID: southID });
    expect([moved.status, moved.body.Centre.ID]).toEqual([200, southID]);
    expect(await told(south)).toHaveLength(1);
  });

  test('what was changed meanwhile is not overwritten', async () => {
    const made = (await apply()).body;
    await change(made);
    expect(codeOf(await change(made))).toEqual([409, 'changed_meanwhile']);
    expect(codeOf(await reject(made))).toEqual([409, 'changed_meanwhile']);
    expect(codeOf(await give(made))).toEqual([409, 'changed_meanwhile']);
    expect((await managed(made)).body.Status).toBe(1);
  });

  test('an approved one is neither changed nor withdrawn', async () => {
    const made = (await apply()).body;
    const approved = (await give(made)).body;
    expect(codeOf(await change(made))).toEqual([409, 'resource_approved']);
    expect(codeOf(await change(approved))).toEqual([409, 'resource_approved']);
    expect(codeOf(await withdraw(made))).toEqual([409, 'resource_approved']);
    expect((await managed(made)).body.Status).toBe(2);
    // The place at the centre is free again.
    expect((await apply({ Project: '下一个' })).status).toBe(201);
  });

  test('nobody keeps staff busy by applying and withdrawing in turn', async () => {
    for (let index = 0; index < 20; index += 1) await withdraw((await apply()).body);
    expect(codeOf(await apply())).toEqual([429, 'too_many_guesses']);
    expect((await apply({}, other)).status).toBe(201);
  });

  test('a waiting and a rejected one are withdrawn', async () => {
    const waiting = (await apply()).body;
    expect((await withdraw(waiting)).status).toBe(200);
    const rejected = (await reject((await apply()).body)).body;
    expect((await withdraw(rejected)).status).toBe(200);
    expect(await list()).toEqual([]);
    expect(codeOf(await reject(waiting))).toEqual([404, 'not_found']);
  });

  test('another user reaches nothing of it', async () => {
    const made = (await apply()).body;
    const answers = [
      await other.call('GET', `/resource/${made.ID}`),
      await change(made, {}, other),
      await withdraw(made, other),
      await account(made, other),
      await student.call('GET', `/resource/${made.ID}/managed`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 403]);
    // An admin is no applicant either.
    expect((await account(made, admin)).status).toBe(404);
  });
});

describe('answering', () => {
  test('rejecting needs a reason and tells it', async () => {
    const made = (await apply()).body;
    expect(codeOf(await reject(made, north, ' '))).toEqual([400, 'invalid_input']);
    expect(codeOf(await reject(made, north, '长'.repeat(201)))).toEqual([400, 'invalid_input']);
    const { body } = await reject(made);
    expect([body.Status, body.Reason]).toEqual([3, '请说明规模']);
    expect(body.History[0]).toMatchObject({ Step: 'rejected', By: '机时管理员', IsStaff: true });
    expect(await told(student)).toEqual([['机时申请未通过', '/resource/progress']]);
    expect(codeOf(await reject(body))).toEqual([409, 'application_not_waiting']);
    // It is the applicant's turn.
    expect(codeOf(await give(body))).toEqual([409, 'application_not_waiting']);
  });

  test('filling in the account approves; changing it tells once more', async () => {
    const made = (await apply()).body;
    const approved = await give(made);
    expect([approved.status, approved.body.Status]).toEqual([200, 2]);
    expect(codeOf(await reject(approved.body))).toEqual([409, 'application_not_waiting']);
    const changed = await give(approved.body, north, { SshPassword: 'ssh-Neu-3' });
    expect(changed.body.History.map(({ Step }) => Step)).toEqual([
      'accountUpdated',
      'approved',
      'applied',
    ]);
    expect((await account(made)).body.Credentials).toEqual({
      ...ACCOUNT,
      SshPassword: 'ssh-Neu-3',
    });
    const path = `/resource/${made.ID}/account`;
    expect(await told(student)).toEqual([
      ['机时账户已更新', path],
      ['机时申请已通过', path],
    ]);
  });

  test('the applicant gets a mail where they want one at once', async () => {
    await student.call('PUT', `/user/${await idOf('student')}/preference`, {
      NotificationChoices: { review: { Inbox: true, Mail: 'now' } },
    });
    await give((await apply()).body);
    await world.sql(sql`update notification set sent_at = ${world.clock.now()}`);
    await world.system.notifications.work('https://hpc.example.edu');
    const mails = await world.sql<{ recipient: string; text: string }>(
      sql`select recipient, text from mail where template = 'digest'`,
    );
    expect(mails.map(({ recipient }) => recipient)).toEqual(['student@hypercube.local']);
    expect(mails[0]?.text).toContain('机时申请已通过');
    expect(SECRETS.filter((secret) => mails[0]?.text.includes(secret))).toEqual([]);
  });

  test.each([
    ['no address', { SshAddress: '' }, 'invalid_input'],
    ['an address that is an option', { SshAddress: '-oProxyCommand=x' }, 'invalid_input'],
    ['an address with a space', { SshAddress: 'a b' }, 'invalid_input'],
    ['no username', { SshUsername: '' }, 'invalid_input'],
    ['a username that is a command', { SshUsername: '$(id)' }, 'invalid_input'],
    ['a port that is none', { SshPort: 65_536 }, 'invalid_input'],
    ['a private key that is none', { SshPrivateKey: 'ssh-rsa AAAA' }, 'invalid_input'],
    ['an unknown field', { Root: 'x' }, 'invalid_input'],
    ['no way in', { SshPassword: '', SshPrivateKey: '' }, 'resource_way_in_missing'],
  ])('%s is refused, and nothing is approved', async (_name, fields, code) => {
    const made = (await apply()).body;
    expect(codeOf(await give(made, north, fields))).toEqual([400, code]);
    expect((await managed(made)).body.Status).toBe(1);
  });

  test('a key from another system gets the line ends that ssh reads; one way in is enough', async () => {
    const made = (await apply()).body;
    const crlf = KEY.replaceAll('\n', '\r\n');
    await give(made, north, {
      SshPassword: '',
      VpnUsername: '',
      VpnPassword: '',
      SshPrivateKey: crlf,
    });
    expect((await account(made)).body.Credentials).toMatchObject({
      SshPrivateKey: KEY,
      SshPassword: '',
      VpnUsername: '',
    });
  });
});

describe('two centres', () => {
  test('each machine admin handles their own centre’s, and the other one’s is not there', async () => {
    const made = (await apply()).body;
    const waiting = [
      await managed(made, south),
      await reject(made, south),
      await give(made, south),
      await managedAccount(made, south),
    ];
    expect(waiting.map(codeOf)).toEqual(Array(4).fill([404, 'not_found']));
    await give(made);
    expect(codeOf(await managedAccount(made, south))).toEqual([404, 'not_found']);
    expect(codeOf(await give((await managed(made)).body, south))).toEqual([404, 'not_found']);
    expect((await managedAccount(made)).body.Credentials).toEqual(ACCOUNT);
    expect((await managedAccount(made, admin)).body.Credentials).toEqual(ACCOUNT);
    // Acting as a student, a machine admin is one.
    expect((await managed(made, await world.signIn('manager'))).status).toBe(403);
    expect((await student.call('GET', `/resource/${made.ID}/managed?role=admin`)).status).toBe(403);
  });

  test('the list, its filters and the export hold only their own', async () => {
    await apply({ Project: '北一' });
    world.clock.advance(1);
    await apply({ Project: '南一', CentreID: southID, CpuHours: 5 });
    world.clock.advance(1);
    await apply({ Project: '北二 100%', CpuHours: 9 }, other);
    expect(await list(north)).toEqual(['北二 100%', '北一']);
    expect(await list(south)).toEqual(['南一']);
    expect(await list(south, `?centre=${northID}`)).toEqual([]);
    expect(await list(north, `?keyword=${encodeURIComponent('南')}`)).toEqual([]);
    expect(await list(north, `?keyword=${encodeURIComponent('100%')}`)).toEqual(['北二 100%']);
    expect(await list(admin)).toEqual(['北二 100%', '南一', '北一']);
    expect(await list(admin, `?centre=${southID}`)).toEqual(['南一']);
    expect(await list(admin, '?sort=hours')).toEqual(['北一', '北二 100%', '南一']);
    expect(await list(admin, '?sort=oldest&pageSize=1&page=2')).toEqual(['南一']);
    expect(await list(admin, '?status=2')).toEqual([]);

    const sheetOf = async (by: Person, query = ''): Promise<string[][]> => {
      const { rawPayload, statusCode } = await world.system.app.inject({
        url: `/api/v1/resource/managed/export?role=${by.role}${query}`,
        headers: { cookie: by.cookie ?? '' },
      });
      expect(statusCode).toBe(200);
      const { Sheets, SheetNames } = read(rawPayload);
      const sheet = Sheets[SheetNames[0] ?? ''];
      return sheet ? utils.sheet_to_json<string[]>(sheet, { header: 1 }) : [];
    };
    const projects = async (by: Person, query = ''): Promise<(string | undefined)[]> =>
      (await sheetOf(by, query)).slice(1).map(([project]) => project);
    expect(await projects(north)).toEqual(['北二 100%', '北一']);
    expect(await projects(south)).toEqual(['南一']);
    expect(await projects(south, `&centre=${northID}`)).toEqual([]);
    expect(await projects(admin, '&sort=oldest')).toEqual(['北一', '南一', '北二 100%']);
    expect((await sheetOf(north, '&lang=en-US'))[0]?.slice(0, 3)).toEqual([
      'Project',
      'Applicant’s name',
      'Username',
    ]);
  });

  test('a centre that is taken away is gone at once', async () => {
    const made = (await apply()).body;
    expect((await managed(made)).status).toBe(200);
    const { body } = await admin.call<List<{ ID: number; Version: number }>>(
      'GET',
      '/user?keyword=manager',
    );
    const user = body.List[0];
    await admin.call('PUT', `/user/${user?.ID}/role`, {
      Roles: ['machine_admin'],
      CentreIDList: [],
      Version: user?.Version,
    });
    expect([(await managed(made)).status, (await give(made)).status]).toEqual([404, 404]);
    expect(await list()).toEqual([]);
  });

  test('an application that moves to another centre leaves the first one', async () => {
    const made = (await apply()).body;
    const moved = (await change(made, { CentreID: southID })).body;
    expect((await managed(made)).status).toBe(404);
    expect((await managed(made, south)).body.Version).toBe(moved.Version);
  });

  test('the first page of staff counts what waits at their centres', async () => {
    await apply();
    await reject((await apply({ CentreID: southID })).body, south);
    const read = async (by: Person): Promise<[number | undefined, number | undefined]> => {
      const { body } = await by.call<{
        Modules: { Module: string; Total: number }[];
        Waiting: { Kind: string; Count: number }[];
      }>('GET', '/dashboard/overview');
      return [
        body.Modules.find(({ Module }) => Module === 'resource')?.Total,
        body.Waiting.find(({ Kind }) => Kind === 'resourceApplication')?.Count,
      ];
    };
    expect([await read(north), await read(south), await read(admin)]).toEqual([
      [1, 1],
      [1, 0],
      [2, 1],
    ]);
  });
});

describe('account information', () => {
  /** Every table as text. */
  const dump = async (): Promise<string> => {
    const tables = await world.sql<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const texts = await Promise.all(
      tables.map(({ name }) =>
        world.sql<{ row: string }>(sql.raw(`select to_jsonb(t)::text as row from "${name}" t`)),
      ),
    );
    return texts
      .flat()
      .map(({ row }) => row)
      .join('\n');
  };

  test('is readable nowhere in the database, in no list and in no record', async () => {
    const made = (await apply()).body;
    await give(made);
    await account(made);
    await managedAccount(made);
    await give((await managed(made)).body, north, { SshPrivateKey: 'spoilt Geheim-4' });
    const everything = await dump();
    expect(SECRETS.filter((secret) => everything.includes(secret))).toEqual([]);
    expect(everything.includes('Geheim-4')).toBe(false);
    expect(everything.includes(FIELDS.Project)).toBe(true);
    const shown = JSON.stringify([
      (await student.call('GET', '/resource')).body,
      (await student.call('GET', `/resource/${made.ID}`)).body,
      (await north.call('GET', '/resource/managed')).body,
      (await managed(made)).body,
      (await admin.call('GET', '/audit')).body,
    ]);
    expect(SECRETS.filter((secret) => shown.includes(secret))).toEqual([]);
  });

  test('each view and each change by staff is recorded', async () => {
    const made = (await apply()).body;
    await give(made);
    await account(made);
    await account(made);
    await managedAccount(made);
    await managedAccount(made, south);
    const records = await world.sql<{ action: string; username: string; role: string }>(sql`
      select action, username, role from audit_record
       where path like ${`%/resource/${made.ID}/%`} order by id`);
    expect(records.map(({ action, username, role }) => [action, username, role])).toEqual([
      ['updateResourceAccount', 'manager', 'machine_admin'],
      ['getResourceAccount', 'student', 'student'],
      ['getResourceAccount', 'student', 'student'],
      ['getManagedResourceAccount', 'manager', 'machine_admin'],
    ]);
  });

  test('there is none before it is given', async () => {
    const made = (await apply()).body;
    expect(codeOf(await account(made))).toEqual([409, 'resource_account_missing']);
    expect(codeOf(await managedAccount(made))).toEqual([409, 'resource_account_missing']);
  });

  test('that of one application opens for no other', async () => {
    const first = (await apply()).body;
    await give(first);
    const second = (await apply({}, other)).body;
    await give(second, north, { SshUsername: 'ssh-chen' });
    await world.sql(sql`
      update resource_account set sealed = (select sealed from resource_account where apply_id = ${first.ID})
       where apply_id = ${second.ID}`);
    expect(codeOf(await account(second, other))).toEqual([409, 'resource_account_unreadable']);
    // Staff write it anew.
    await give((await managed(second)).body, north, { SshUsername: 'ssh-chen' });
    expect((await account(second, other)).body.Credentials.SshUsername).toBe('ssh-chen');
  });
});

describe('what goes with it', () => {
  test('deleting an account shows its applications first, and they go with it', async () => {
    await world.sql(sql`
      insert into user_account (username, email, nickname, type, password_hash)
      select 'leaver', 'leaver@example.edu', '要走的人', 4, password_hash from user_account where username = 'student'`);
    const leaverID = await idOf('leaver');
    await world.sql(sql`insert into user_role (user_id, role) values (${leaverID}, 'student')`);
    const leaver = await world.signIn('leaver');
    const made = (await apply({}, leaver)).body;
    await give(made);
    const { body } = await admin.call<List<object>>('GET', `/user/${leaverID}/dependents`);
    expect(body.List).toEqual([
      { Kind: 'resourceApply', ID: made.ID, Title: FIELDS.Project, Fate: 'removed' },
    ]);
    expect((await admin.call('DELETE', `/user/${leaverID}?confirm=leaver`)).status).toBe(200);
    const [left] = await world.sql(sql`
      select (select count(*)::int from resource_apply) as applications,
             (select count(*)::int from resource_account) as accounts,
             (select count(*)::int from resource_step) as steps`);
    expect(left).toEqual({ applications: 0, accounts: 0, steps: 0 });
  });

  test('what staff did stays when their account goes', async () => {
    const made = (await apply()).body;
    await reject(made);
    await world.sql(sql`update resource_step set user_id = null where is_staff`);
    expect((await managed(made)).body.History[0]).toMatchObject({ By: null, IsStaff: true });
  });

  test('a centre where somebody applied is not deleted', async () => {
    await apply({ CentreID: southID });
    await look('graduate', []);
    const answer = await admin.call<{ Code: string; Params: { Dependents: object[] } }>(
      'DELETE',
      `/centre/${southID}`,
    );
    expect([answer.status, answer.body.Code]).toEqual([409, 'in_use']);
    expect(answer.body.Params.Dependents).toMatchObject([
      { Kind: 'resourceApply', Title: FIELDS.Project },
    ]);
  });

  test('a software that is deleted leaves the application as it is', async () => {
    const [row] = await world.sql<{ id: number }>(sql`
      insert into software (type, title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed, specification_id, is_published, sequence)
      select 2, '求解器', '', '', '', '', '', 'ring', 1, min(id), true, 99 from specification returning id`);
    const made = (await apply({ SoftwareID: row?.id })).body;
    await world.sql(sql`delete from software where id = ${row?.id}`);
    expect((await managed(made)).body).toMatchObject({ Target: 1, Software: null, Status: 1 });
  });
});
