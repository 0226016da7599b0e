/** Accounts by those who run the place: list, roles, applications, access, deletion, sheets. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnswerOf, ImportRow, ManagedUser, routes } from '@hypercube/contract';
import { read, utils, write } from '@e965/xlsx';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, World, until, type Answer, type Person } from '../../testing/world.ts';

type Outcome<T> = Answer<T & { Code?: string; Params?: Record<string, unknown> }>;
type List = AnswerOf<typeof routes.listUsers>;

let world: World;
let admin: Person;
const statements: string[] = [];
beforeEach(async () => {
  world = await World.create({ onQuery: (statement) => statements.push(statement) });
  admin = await world.signIn('admin', 'admin');
});
afterEach(() => world[Symbol.asyncDispose]());

const find = async (username: string): Promise<ManagedUser> => {
  const { body } = await admin.call<List>('GET', `/user?keyword=${username}&pageSize=100`);
  const user = body.List.find((row) => row.Username === username);
  if (!user) throw new Error(`${username} is not in the list`);
  return user;
};
const list = async (query: string): Promise<string[]> =>
  (await admin.call<List>('GET', `/user?${query}`)).body.List.map(({ Username }) => Username);
const setRoles = (user: ManagedUser, body: object, by = admin): Promise<Outcome<ManagedUser>> =>
  by.call('PUT', `/user/${user.ID}/role`, { Version: user.Version, ...body });
const setState = (
  user: ManagedUser,
  IsDisabled: boolean,
  by = admin,
): Promise<Outcome<ManagedUser>> =>
  by.call('PUT', `/user/${user.ID}/state`, { IsDisabled, Version: user.Version });
const remove = (user: ManagedUser, confirm: string, by = admin): Promise<Outcome<object>> =>
  by.call('DELETE', `/user/${user.ID}?confirm=${encodeURIComponent(confirm)}`);
const apply = (username: string) =>
  world.sql(sql`
    update user_account set apply_status = 1, applied_at = now() where username = ${username}`);

describe('the list', () => {
  test('is filtered, sorted and paged by the server', async () => {
    await world.sql(sql`
      insert into user_account (username, email, nickname, real_name, organisation, student_id, type, password_hash, created_at)
      select 'pupil' || n, 'pupil' || n || '@example.edu', '学员' || n, '张' || n, case when n % 2 = 0 then '清华大学' else '中山大学' end, '2026' || n, 4, 'none', now() - n * interval '1 hour'
        from generate_series(1, 45) n`);
    const first = await admin.call<List>('GET', '/user?organisation=清华&pageSize=10');
    expect(first.body.Total).toBe(22);
    expect(first.body.List.map(({ Username }) => Username).slice(0, 3)).toEqual([
      'pupil2',
      'pupil4',
      'pupil6',
    ]);
    expect(await list('organisation=清华&pageSize=10&page=3')).toEqual(['pupil42', 'pupil44']);
    expect(await list('organisation=清华&pageSize=2&sort=oldest')).toEqual(['pupil44', 'pupil42']);
    expect(await list('keyword=pupil&sort=username&pageSize=2')).toEqual(['pupil1', 'pupil10']);
    expect(await list('keyword=202612')).toEqual(['pupil12']);
    expect(await list('keyword=张7')).toEqual(['pupil7']);
    // What a pattern would take for a sign is looked for as it is.
    expect(await list('keyword=%25')).toEqual([]);
    expect(await list('holds=machine_admin')).toEqual(['manager']);
    expect(await list('type=1')).toEqual(['admin']);
    await apply('graduate');
    expect(await list('unapproved=true')).toEqual(['graduate']);
    await setState(await find('student2'), true);
    expect(await list('active=disabled')).toEqual(['student2']);
    expect((await list('active=active&pageSize=100')).includes('student2')).toBe(false);
  });

  test('takes as many statements for one row as for a hundred, and never tells a password', async () => {
    const counted = async (query: string): Promise<number> => {
      statements.length = 0;
      const { body } = await admin.call<List>('GET', `/user?${query}`);
      expect(JSON.stringify(body)).not.toMatch(/argon2|password/i);
      // Those of the list: the worker and the login have their own.
      return statements.filter(
        (text) => /from "user_(?:account|role)"/.test(text) && !text.includes('login_session'),
      ).length;
    };
    const one = await counted('pageSize=1');
    expect(one).toBe(2);
    await world.sql(sql`
      insert into user_account (username, email, nickname, type, password_hash)
      select 'many' || n, 'many' || n || '@example.edu', '很多' || n, 4, 'none' from generate_series(1, 90) n`);
    expect(await counted('pageSize=100&holds=student')).toBe(one);
    expect(await counted('pageSize=100')).toBe(one);
  });

  test('of one or two signs finds what it should, of many and of few, as accounts come, change and go', async () => {
    await world.sql(sql`
      insert into user_account (username, email, nickname, type, password_hash, created_at)
      select 'crowd' || n, 'crowd' || n || '@example.edu', '众人' || n, 4, 'none', now() - n * interval '1 second' from generate_series(1, 1100) n`);
    const found = async (keyword: string, more = ''): Promise<[number, string[]]> => {
      const { body } = await admin.call<List>(
        'GET',
        `/user?keyword=${encodeURIComponent(keyword)}&pageSize=100${more}`,
      );
      return [body.Total, body.List.map(({ Username }) => Username)];
    };
    const expected = async (keyword: string, offset = 0): Promise<[number, string[]]> => {
      const rows = await world.sql<{ username: string }>(sql`
        select username from user_account where strpos(words, ${keyword}) > 0 order by created_at desc, id desc`);
      return [rows.length, rows.map(({ username }) => username).slice(offset, offset + 100)];
    };
    for (const keyword of ['众', '众人', '人1', 'x1', 'zz', '%', '_', '众%', '\\'])
      expect([keyword, await found(keyword)]).toEqual([keyword, await expected(keyword)]);
    expect(await found('众人', '&page=11')).toEqual(await expected('众人', 1000));
    expect(await found('D7')).toEqual(await expected('d7'));
    // With another filter beside it.
    expect((await found('众人', '&type=4'))[0]).toBe(1100);
    expect((await found('众人', '&type=3'))[0]).toBe(0);
    await world.sql(sql`update user_account set nickname = '独一' where username = 'crowd1'`);
    expect(await found('独一')).toEqual([1, ['crowd1']]);
    expect((await found('众人'))[0]).toBe(1099);
    await world.sql(sql`delete from user_account where username like 'crowd%'`);
    expect(await found('独一')).toEqual([0, []]);
    expect(await found('众人')).toEqual([0, []]);
  });

  test('is the admins’', async () => {
    for (const [name, role] of [
      ['teacher', 'teacher'],
      ['manager', 'machine_admin'],
      ['student', 'student'],
    ] as const) {
      const person = await world.signIn(name, role);
      expect((await person.call('GET', '/user')).status).toBe(403);
    }
  });
});

describe('roles', () => {
  test('are given and taken; those of learners stay, and they hold at once', async () => {
    const student = await world.signIn('student', 'teacher');
    expect((await student.call('GET', '/lab/managed')).status).toBe(403);
    const { status, body } = await setRoles(await find('student'), { Roles: ['teacher'] });
    expect([status, body.Roles, body.Version]).toEqual([200, ['student', 'teacher'], 2]);
    expect((await student.call('GET', '/lab/managed')).status).toBe(200);
    expect((await setRoles(await find('assistant'), { Roles: ['admin'] })).body.Roles).toEqual([
      'student',
      'assistant',
      'admin',
    ]);
    await setRoles(await find('student'), { Roles: [] });
    expect((await student.call('GET', '/lab/managed')).status).toBe(403);
  });

  test('a time administrator has centres, and loses them with the role', async () => {
    const made = await admin.call<{ ID: number }>('POST', '/centre', {
      NameZh: '国家超算广州中心',
    });
    const user = await find('graduate');
    const given = await setRoles(user, {
      Roles: ['machine_admin'],
      // Named twice is named.
      CentreIDList: [made.body.ID, made.body.ID],
    });
    expect(given.body.Centres).toEqual([{ ID: made.body.ID, Name: '国家超算广州中心' }]);
    const refused = await admin.call('DELETE', `/centre/${made.body.ID}`);
    expect([refused.status, refused.body['Code']]).toEqual([409, 'in_use']);
    expect((await setRoles(given.body, { Roles: [] })).body.Centres).toEqual([]);
    expect((await admin.call('DELETE', `/centre/${made.body.ID}`)).status).toBe(200);
    const unknown = await setRoles(await find('graduate'), {
      Roles: ['machine_admin'],
      CentreIDList: [made.body.ID],
    });
    expect(unknown.status).toBe(404);
  });

  test('a centre that somebody is given in the moment in which it is deleted stays', async () => {
    const { body } = await admin.call<{ ID: number }>('POST', '/centre', { NameZh: '新的中心' });
    const { ID } = await find('manager');
    const { answer } = await world.system.handle.database.transaction(async (tx) => {
      await tx.execute(
        sql`insert into user_centre (user_id, centre_id) values (${ID}, ${body.ID})`,
      );
      const deleting = admin.call('DELETE', `/centre/${body.ID}`);
      await until(
        () =>
          world.sql(
            sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        (waiting) => waiting.length > 0,
      );
      return { answer: deleting };
    });
    const { status, body: refused } = await answer;
    expect([status, refused['Code']]).toEqual([409, 'in_use']);
  });

  test('of two admins who change one account, the second is told', async () => {
    const user = await find('student');
    const outcomes = await Promise.all([
      setRoles(user, { Roles: ['teacher'] }),
      setRoles(user, { Roles: ['machine_admin'] }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const loser = outcomes.find(({ status }) => status === 409);
    expect(loser?.body.Code).toBe('changed_meanwhile');
    expect((await find('student')).Version).toBe(user.Version + 1);
  });

  test.each([
    { Roles: ['root'] },
    { Roles: ['student'] },
    { Roles: ['anonymous'] },
    { Roles: 'admin' },
    { Roles: ['admin'], Type: 1 },
  ])('%j is refused', async (body) => {
    const user = await find('student');
    expect((await setRoles(user, body)).status).toBe(400);
    expect((await find('student')).Roles).toEqual(['student']);
  });
});

describe('the last admin', () => {
  test('cannot be demoted, disabled or deleted', async () => {
    const user = await find('admin');
    expect((await setRoles(user, { Roles: ['teacher'] })).body.Code).toBe('last_admin');
    expect((await setState(user, true)).body.Code).toBe('own_account');
    expect((await remove(user, 'admin')).body.Code).toBe('own_account');
    expect((await find('admin')).Roles).toContain('admin');
  });

  test('a disabled admin does not count', async () => {
    await setRoles(await find('teacher'), { Roles: ['teacher', 'admin'] });
    await setState(await find('teacher'), true);
    expect((await setRoles(await find('admin'), { Roles: [] })).body.Code).toBe('last_admin');
  });

  test.each(['demoted', 'disabled', 'deleted'] as const)(
    'two admins who have each other %s at once: one stays',
    async (way) => {
      await setRoles(await find('teacher'), { Roles: ['admin'] });
      const other = await world.signIn('teacher', 'admin');
      const [one, two] = [await find('admin'), await find('teacher')];
      const act = (user: ManagedUser, by: Person): Promise<Outcome<object>> => {
        if (way === 'demoted') return setRoles(user, { Roles: [] }, by);
        return way === 'disabled' ? setState(user, true, by) : remove(user, user.Username, by);
      };
      const outcomes = await Promise.all([act(two, admin), act(one, other)]);
      expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
      const [left] = await world.sql<{ count: number }>(sql`
        select count(*)::int as count from user_role r join user_account u on u.id = r.user_id
         where r.role = 'admin' and u.disabled_at is null`);
      expect(left?.count).toBe(1);
    },
  );
});

describe('a teacher application', () => {
  const told = (username: string) =>
    world.sql<{ title_zh: string; content_zh: string }>(sql`
      select n.title_zh, n.content_zh from notification n join notification_receipt r on r.notification_id = n.id
        join user_account u on u.id = r.user_id where u.username = ${username}`);
  const mails = (template: string) =>
    world.sql<{ recipient: string; text: string }>(
      sql`select recipient, text from mail where template = ${template}`,
    );

  test('is approved: role, type, inbox and mail', async () => {
    await apply('graduate');
    const { body } = await setRoles(await find('graduate'), { Action: 'approve', Reason: '欢迎' });
    expect(body).toMatchObject({ Status: 2, Type: 2, Roles: ['student', 'teacher'] });
    expect((await told('graduate'))[0]?.content_zh).toContain('欢迎');
    const [mail] = await mails('applicationApproved');
    expect([mail?.recipient, mail?.text.includes('欢迎')]).toEqual([
      'graduate@hypercube.local',
      true,
    ]);
    const again = await setRoles(await find('graduate'), { Action: 'approve' });
    expect(again.body.Code).toBe('application_not_waiting');
    expect(await mails('applicationApproved')).toHaveLength(1);
  });

  test('is rejected with a reason, and not without', async () => {
    await apply('graduate');
    const user = await find('graduate');
    expect((await setRoles(user, { Action: 'reject' })).body.Code).toBe('reason_missing');
    const { body } = await setRoles(user, { Action: 'reject', Reason: '请补充单位' });
    expect(body).toMatchObject({
      Status: 3,
      Type: 3,
      Roles: ['student'],
      ApplyReason: '请补充单位',
    });
    expect((await told('graduate'))[0]?.content_zh).toContain('请补充单位');
    expect((await mails('applicationRejected'))[0]?.text).toContain('请补充单位');
  });

  test('two admins who answer it at once: one answer, one mail', async () => {
    await apply('graduate');
    const user = await find('graduate');
    const outcomes = await Promise.all([
      setRoles(user, { Action: 'approve' }),
      setRoles(user, { Action: 'reject', Reason: '不行' }),
    ]);
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([
      ...(await mails('applicationApproved')),
      ...(await mails('applicationRejected')),
    ]).toHaveLength(1);
  });

  test('ends when an admin gives the role directly', async () => {
    await apply('graduate');
    const { body } = await setRoles(await find('graduate'), { Roles: ['teacher'] });
    expect(body).toMatchObject({ Status: 2, Type: 2 });
    expect(await mails('applicationApproved')).toHaveLength(1);
  });
});

describe('an account', () => {
  test('that is disabled is signed out at once, on every process, and comes back when enabled', async () => {
    const second = await world.second();
    try {
      const student = await world.signIn('student');
      const elsewhere = async (): Promise<number> =>
        (
          await second.app.inject({
            url: '/api/v1/usage?role=student',
            headers: { cookie: student.cookie ?? '' },
          })
        ).statusCode;
      expect(await elsewhere()).toBe(200);
      const { body } = await setState(await find('student'), true);
      expect(body.IsDisabled).toBe(true);
      expect((await student.call('GET', '/usage')).status).toBe(401);
      await expect.poll(elsewhere).toBe(401);
      const login = await world
        .visitor()
        .call('POST', '/user/auth', { Username: 'student', Password: PASSWORD });
      expect(login.status).not.toBe(200);
      expect((await setState(body, false)).body.IsDisabled).toBe(false);
      // The old session does not come back with the account.
      expect((await student.call('GET', '/usage')).status).toBe(401);
      await world.signIn('student');
    } finally {
      await second.close();
    }
  });

  test('that is deleted leaves what it made to the admin, and its files go', async () => {
    const user = await find('teacher');
    await world.sql(sql`update lab set owner_id = ${user.ID}`);
    const folder = join(world.folder, 'files', String(user.ID));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const shown = await admin.call<AnswerOf<typeof routes.listUserDependents>>(
      'GET',
      `/user/${user.ID}/dependents`,
    );
    const labs = await world.sql(sql`select id from lab`);
    expect(shown.body.List.filter(({ Kind }) => Kind === 'lab')).toHaveLength(labs.length);
    expect(shown.body.List[0]?.Fate).toBe('moved');
    const teacher = await world.signIn('teacher', 'teacher');
    expect((await remove(user, 'Teacher')).body.Code).toBe('user_name_differs');
    expect((await remove(user, 'teacher')).status).toBe(200);
    expect((await teacher.call('GET', '/usage')).status).toBe(401);
    const owners = await world.sql<{ username: string }>(
      sql`select distinct u.username from lab l join user_account u on u.id = l.owner_id`,
    );
    expect(owners).toEqual([{ username: 'admin' }]);
    expect(existsSync(folder)).toBe(false);
    expect((await remove(user, 'teacher')).status).toBe(404);
  });

  test('with an open environment is not deleted, and the reason is told', async () => {
    const student = await world.signIn('student');
    const [image] = await world.sql<{ id: number }>(sql`select id from image where type = 2`);
    const opened = await student.call('POST', '/usage', {
      RouteName: 'x',
      RoutePath: '/x',
      ImageIDList: [image?.id],
    });
    expect(opened.status).toBe(200);
    // However much else belongs to it.
    await world.sql(sql`
      insert into specification (name_zh, name_en, image_type, owner_id)
      select 'S' || n, '', 2, (select id from user_account where username = 'student') from generate_series(1, 1000) n`);
    const refused = await remove(await find('student'), 'student');
    expect([refused.status, refused.body.Code]).toEqual([409, 'in_use']);
    expect(refused.body.Params).toMatchObject({ Dependents: [{ Kind: 'usage' }] });
    expect((await student.call('GET', '/usage')).status).toBe(200);
  });
});

describe('an export', () => {
  const download = async (query: string): Promise<string[][]> => {
    const response = await world.system.app.inject({
      url: `/api/v1/user/export?role=admin&${query}`,
      headers: { cookie: admin.cookie ?? '' },
    });
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    const book = read(response.rawPayload, { type: 'buffer', cellFormula: true });
    const [sheet] = Object.values(book.Sheets);
    if (!sheet) throw new Error('the sheet is missing');
    expect(Object.values(sheet).some((cell) => typeof cell === 'object' && 'f' in cell)).toBe(
      false,
    );
    return utils.sheet_to_json<string[]>(sheet, { header: 1, defval: '' });
  };

  test('has the chosen columns of what matches, in their order and in the language', async () => {
    const rows = await download('columns=Roles,Username,State&keyword=admin&sort=username');
    expect(rows).toEqual([
      ['角色', '用户名', '状态'],
      ['学生, 教师, 管理员', 'admin', '正常'],
    ]);
    const [heading] = await download('columns=Username,Type&lang=en-US');
    expect(heading).toEqual(['Username', 'Identity']);
    expect((await admin.call('GET', '/user/export?columns=Username,PasswordHash')).status).toBe(
      400,
    );
  });

  test('computes nothing that somebody has entered, and survives what is no XML', async () => {
    const names = [
      '=1+1',
      '+cmd|calc',
      '-2+3',
      '@SUM(A1)',
      '\t=1',
      '<b>&"\u0001界',
      '+8613800000000',
    ];
    for (const [index, name] of names.entries())
      await world.sql(sql`
        insert into user_account (username, email, nickname, type, password_hash)
        values (${`odd${index}`}, ${`odd${index}@example.edu`}, ${name}, 4, 'none')`);
    const rows = await download('columns=Nickname&keyword=odd&sort=username');
    expect(rows.slice(1).map(([name]) => name)).toEqual([
      "'=1+1",
      "'+cmd|calc",
      "'-2+3",
      "'@SUM(A1)",
      "'\t=1",
      '<b>&"界',
      '+8613800000000',
    ]);
  });

  test('reads in parts and gives its connection back, also when nobody reads to the end', async () => {
    await world.sql(sql`
      insert into user_account (username, email, nickname, type, password_hash)
      select 'bulk' || n, 'bulk' || n || '@example.edu', '批量' || n, 4, 'none' from generate_series(1, 2500) n`);
    expect(await download('columns=Username&keyword=bulk')).toHaveLength(2501);
    const host = await world.listen();
    for (let index = 0; index < 30; index += 1) {
      const abort = new AbortController();
      const answer = await fetch(`http://${host}/api/v1/user/export?role=admin&columns=Username`, {
        headers: { cookie: admin.cookie ?? '' },
        signal: abort.signal,
      });
      await answer.body?.getReader().read();
      abort.abort();
    }
    const { pool } = world.system.handle;
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    expect((await admin.call('GET', '/user')).status).toBe(200);
  });
});

describe('a class list', () => {
  type Preview = AnswerOf<typeof routes.previewUserImport>;
  const sheetOf = (rows: unknown[][], type: 'xlsx' | 'biff8' | 'csv'): Buffer => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'List');
    return Buffer.from(write(book, { type: 'buffer', bookType: type }) as Uint8Array);
  };
  const preview = (content: Buffer | string, name = 'class.xlsx'): Promise<Outcome<Preview>> =>
    admin.upload('/user/import/preview', { name, content });
  const LIST = [
    ['用户名', '邮箱', '姓名', '学号', '身份'],
    ['zhangsan', 'zhangsan@example.edu', '张三', '20260001', '本科生'],
    ['lisi-grad', 'lisi@example.edu', '李四', '20260002', '研究生'],
  ];

  test.each(['xlsx', 'biff8', 'csv'] as const)(
    'is read from %s, and nothing is written',
    async (type) => {
      const before = await world.sql(sql`select count(*) from user_account`);
      const { status, body } = await preview(sheetOf(LIST, type));
      expect([status, body.Total]).toEqual([200, 2]);
      expect(body.List[0]).toEqual({
        Row: 2,
        Username: 'zhangsan',
        Email: 'zhangsan@example.edu',
        Nickname: '',
        RealName: '张三',
        StudentID: '20260001',
        Organisation: '',
        Type: 4,
        Problems: [],
      });
      expect(body.List[1]?.Type).toBe(3);
      expect(await world.sql(sql`select count(*) from user_account`)).toEqual(before);
    },
  );

  test('of an older Chinese spreadsheet is read too', async () => {
    const gbk = Buffer.from('d3c3bba7c3fb2cd3cacfe40a', 'hex');
    const { body } = await preview(
      Buffer.concat([gbk, Buffer.from('wangwu,wangwu@example.edu\n')]),
    );
    expect(body.List.map(({ Username }) => Username)).toEqual(['wangwu']);
  });

  test('tells what is wrong with each row', async () => {
    const { body } = await preview(
      sheetOf(
        [
          ['username', 'E-mail', 'Nickname', 'Type', 'Student ID', 'Organisation', 'Name'],
          ['student', 'new1@example.edu', '', ''],
          ['newone', 'STUDENT@hypercube.local', '', ''],
          ['1bad', 'not-an-address', 'abc', 'professor'],
          ['', '', '', 'x'],
          ['twice', 'twice@example.edu', '', ''],
          ['Twice', 'twice2@example.edu', '', ''],
          ['longone', 'long@example.edu', '很'.repeat(15), '', '9'.repeat(31), '长'.repeat(101)],
          ['turned', 'turned@example.edu', '倒过\u202E来的', '', '\u0007', '大\n学', '\u2066名'],
        ],
        'xlsx',
      ),
    );
    expect(
      body.List.map(({ Problems }) => Problems.map(({ Field, Rule }) => `${Field} ${Rule}`)),
    ).toEqual([
      ['Username taken'],
      ['Email taken'],
      ['Username invalid', 'Email invalid', 'Nickname invalid', 'Type invalid'],
      ['Username missing', 'Email missing', 'Type invalid'],
      [],
      ['Username repeated'],
      ['Nickname too_long', 'StudentID too_long', 'Organisation too_long'],
      ['Nickname invalid', 'RealName invalid', 'StudentID invalid', 'Organisation invalid'],
    ]);
  });

  test.each([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0])],
    ['nothing', Buffer.alloc(0)],
    ['a zip that is no sheet', Buffer.from('PK\u0003\u0004 and nothing else')],
    [
      'a sheet without the columns',
      sheetOf(
        [
          ['甲', '乙'],
          ['1', '2'],
        ],
        'xlsx',
      ),
    ],
  ])('%s is refused', async (_what, content) => {
    const { status, body } = await preview(content);
    expect([status, body.Code]).toEqual([400, 'sheet_unreadable']);
  });

  test('may have as many empty rows below as a spreadsheet leaves there', async () => {
    const sheet = utils.aoa_to_sheet([...LIST, ...Array.from({ length: 3000 }, () => [''])]);
    sheet['!ref'] = 'A1:E1048576';
    const book = utils.book_new();
    utils.book_append_sheet(book, sheet, 'List');
    const bytes = Buffer.from(write(book, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array);
    const { status, body } = await preview(bytes);
    expect([status, body.Total]).toEqual([200, 2]);
    // Somebody further down is not left out unseen.
    utils.sheet_add_aoa(sheet, [['wangwu', 'wangwu@example.edu']], { origin: 'A2500' });
    const late = Buffer.from(write(book, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array);
    expect((await preview(late)).body.Code).toBe('sheet_too_long');
  });

  test('that is too long is refused', async () => {
    const rows = Array.from({ length: 1001 }, (_none, n) => [`user${n}`, `user${n}@example.edu`]);
    const { body } = await preview(sheetOf([['username', 'email'], ...rows], 'csv'));
    expect([body.Code, body.Params]).toEqual(['sheet_too_long', { Limit: 1000 }]);
  });

  test('makes students who set their password by a link that works once', async () => {
    const { body } = await preview(sheetOf(LIST, 'xlsx'));
    const Rows: ImportRow[] = body.List.map(({ Problems: _none, ...row }) => row);
    const made = await admin.call('POST', '/user/import', { Rows });
    expect([made.status, made.body]).toEqual([201, { Made: 2 }]);
    expect(await find('lisi-grad')).toMatchObject({
      Roles: ['student'],
      Type: 3,
      RealName: '李四',
      Nickname: 'lisi-grad',
    });
    const invitations = await world.sql<{ recipient: string; text: string }>(
      sql`select recipient, text from mail where template = 'invitation' order by id`,
    );
    expect(invitations.map(({ recipient }) => recipient)).toEqual([
      'zhangsan@example.edu',
      'lisi@example.edu',
    ]);
    const [, Token] = /password-reset#([\w-]{43})/.exec(invitations[0]?.text ?? '') ?? [];
    // A weekend later the link still holds.
    world.clock.advance(3 * 86_400);
    const set = () =>
      world.visitor().call('PUT', '/user/reset', { Token, Password: 'my-own-pass-1' });
    expect((await set()).status).toBe(200);
    expect((await set()).body['Code']).toBe('reset_link_invalid');
    const login = await world
      .visitor()
      .call('POST', '/user/auth', { Username: 'zhangsan', Password: 'my-own-pass-1' });
    expect(login.status).toBe(200);
  });

  test('is all or nothing, also when somebody registers meanwhile', async () => {
    const { body } = await preview(sheetOf(LIST, 'xlsx'));
    const Rows: ImportRow[] = body.List.map(({ Problems: _none, ...row }) => row);
    await world.sql(sql`
      insert into user_account (username, email, nickname, type, password_hash)
      values ('lisi-grad', 'other@example.edu', '别人', 4, 'none')`);
    const refused = await admin.call<{ Code: string; Params: object }>('POST', '/user/import', {
      Rows,
    });
    expect([refused.status, refused.body.Code, refused.body.Params]).toEqual([
      409,
      'import_refused',
      { Rows: [3] },
    ]);
    expect(await list('keyword=zhangsan')).toEqual([]);
    expect(await world.sql(sql`select id from mail where template = 'invitation'`)).toEqual([]);
  });
});
