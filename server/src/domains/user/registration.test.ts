/** Coming in: an account with a confirmed address, and a new password for whoever forgot theirs. */
import type { Mail, MailRow } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, World, type Person } from '../../testing/world.ts';

let world: World;
let admin: Person;
/** Statements that the database was sent since the last look. */
let statements: string[] = [];
beforeAll(async () => {
  world = await World.create({
    hasWorker: false,
    onQuery: (statement) => void statements.push(statement),
  });
  admin = await world.signIn('admin', 'admin');
});
afterAll(() => world[Symbol.asyncDispose]());
// Each test begins with no pause and no limit of the one before.
beforeEach(() => world.clock.advance(2 * 86_400));

const lastMail = async (to: string): Promise<Mail | undefined> => {
  // The admin's session has ended with the days that passed.
  admin = await world.signIn('admin', 'admin');
  const { body } = await admin.call<{ List: MailRow[] }>('GET', `/mail?keyword=${to}`);
  const [row] = body.List;
  return row && (await admin.call<Mail>('GET', `/mail/${row.ID}`)).body;
};
const countMails = async (to: string): Promise<number> =>
  (
    await world.sql<{ count: number }>(
      sql`select count(*)::int as count from mail where recipient = ${to}`,
    )
  )[0]?.count ?? 0;

const byNumber = (a: number, b: number): number => a - b;

let made = 0;
function newcomer(change: Record<string, unknown> = {}) {
  made += 1;
  return {
    Username: `new-${made}`,
    Email: `new-${made}@example.edu`,
    Password: 'new-pass-1',
    Nickname: '新同学们',
    Phone: '13800138000',
    Gender: 1,
    Organisation: '清华大学',
    Type: 4,
    ...change,
  };
}

const sendCode = (Email: string, lang = 'zh-CN') =>
  world.visitor().call(`POST`, `/user/captcha?lang=${lang}`, { Email });
async function codeFor(email: string): Promise<string> {
  const { status } = await sendCode(email);
  expect(status).toBe(202);
  return /^ {4}(\d{6})$/m.exec((await lastMail(email))?.Text ?? '')?.[1] ?? '';
}
const register = (body: object, person = world.visitor()) =>
  person.call<Record<string, unknown>>('POST', '/user', body);

describe('whether a name can be used', () => {
  const verify = (query: string) =>
    world.visitor().call<{ IsAvailable: boolean }>('GET', `/user/verification?${query}`);

  test.each([
    ['username=student', false],
    ['username=STUDENT', false],
    ['username=nobody-yet', true],
    ['email=Student@Hypercube.local', false],
    ['email=nobody@example.edu', true],
  ])('%s: %s, and nothing else is told', async (query, IsAvailable) => {
    expect((await verify(query)).body).toEqual({ IsAvailable });
  });

  test.each(['', 'email=x', 'username=1abc', 'username=ab', 'email=a@example.edu&username=abcd'])(
    'asking “%s” is no question',
    async (query) => {
      expect((await verify(query)).status).toBe(400);
    },
  );

  test('is not told without end', async () => {
    const answers = [];
    for (let n = 0; n < 910; n += 1) answers.push((await verify(`username=name-${n}`)).status);
    expect(answers.filter((status) => status === 429).length).toBe(10);
  });
});

describe('the code of a registration', () => {
  test('comes by mail, in the language of the page', async () => {
    const fields = newcomer();
    const answer = await sendCode(fields.Email, 'en-US');
    expect([answer.status, answer.body]).toEqual([202, { ResendSeconds: 60 }]);
    const mail = await lastMail(fields.Email);
    expect(mail?.Subject).toBe('Your Hypercube registration code');
    expect(mail?.Text).toMatch(/^ {4}\d{6}$/m);
  });

  test('the next one can be sent after a minute, however it is asked for', async () => {
    const { Email } = newcomer();
    await sendCode(Email);
    world.clock.advance(20);
    const early = await sendCode(Email.toUpperCase());
    expect([early.status, early.body['Code'], early.headers['retry-after']]).toEqual([
      429,
      'code_too_soon',
      '40',
    ]);
    // Nor by two at once.
    world.clock.advance(41);
    const both = await Promise.all([sendCode(Email), sendCode(Email)]);
    expect(both.map(({ status }) => status).toSorted(byNumber)).toEqual([202, 429]);
    expect(await countMails(Email)).toBe(2);
  });

  test('one address gets ten in a day', async () => {
    const { Email } = newcomer();
    const statuses = [];
    for (let n = 0; n < 12; n += 1) {
      statuses.push((await sendCode(Email)).status);
      world.clock.advance(61);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 202), 429, 429]);
  });

  test('an address that has an account gets the same answer, and a mail that says so', async () => {
    const [known, unknown] = [
      await sendCode('student@hypercube.local'),
      await sendCode(newcomer().Email),
    ];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const mail = await lastMail('student@hypercube.local');
    expect(mail?.Template).toBe('registrationKnown');
    expect(mail?.Text).not.toMatch(/\d{6}/);
  });

  test('only the last one counts, for fifteen minutes, for its own address, once', async () => {
    const fields = newcomer();
    const first = await codeFor(fields.Email);
    world.clock.advance(61);
    const second = await codeFor(fields.Email);
    const old = await register({ ...fields, EmailCode: first });
    // Unless, once in a million, both are the same.
    expect(first === second || old.body['Code'] === 'wrong_code').toBe(true);
    const elsewhere = await register({ ...newcomer(), EmailCode: second });
    expect(elsewhere.body['Code']).toBe('wrong_code');
    world.clock.advance(901);
    expect((await register({ ...fields, EmailCode: second })).body['Code']).toBe('wrong_code');

    const third = await codeFor(fields.Email);
    expect((await register({ ...fields, EmailCode: third })).status).toBe(201);
    const again = await register({ ...fields, Username: 'second-one', EmailCode: third });
    expect(again.body['Code']).toBe('wrong_code');
  });

  test('five wrong guesses end it', async () => {
    const fields = newcomer();
    const code = await codeFor(fields.Email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let guess = 0; guess < 5; guess += 1)
      expect((await register({ ...fields, EmailCode: wrong })).body['Code']).toBe('wrong_code');
    expect((await register({ ...fields, EmailCode: code })).body['Code']).toBe('wrong_code');
  });

  test('is not in the database', async () => {
    const { Email } = newcomer();
    const code = await codeFor(Email);
    const rows = await world.sql<{ row: string }>(sql`select c::text as row from user_code c`);
    expect(rows.some(({ row }) => row.includes(`,${code},`))).toBe(false);
  });
});

describe('registration', () => {
  test('makes an account, signs in, and knows where the organisation is', async () => {
    const fields = newcomer({ StudentNumber: '2026-001' });
    const person = world.visitor();
    const { status, body } = await register(
      { ...fields, EmailCode: await codeFor(fields.Email) },
      person,
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      Username: fields.Username,
      Roles: [{ Name: 'anonymous' }, { Name: 'student' }],
      Type: 4,
      Status: 0,
    });
    expect((await person.call('GET', '/usage')).status).toBe(200);
    const [row] = await world.sql(
      sql`select region, student_id, phone, gender, language from user_account where username = ${fields.Username}`,
    );
    expect(row).toEqual({
      region: 'CN-BJ',
      student_id: '2026-001',
      phone: '13800138000',
      gender: 1,
      language: 'zh-CN',
    });
    const visitor = world.visitor();
    const login = { Username: fields.Email, Password: fields.Password };
    expect((await visitor.call('POST', '/user/auth', login)).status).toBe(200);
  });

  test('a teacher is a student until staff have approved', async () => {
    const fields = newcomer({ Type: 2, Organisation: '一所没有列出的学校' });
    const { body } = await register({ ...fields, EmailCode: await codeFor(fields.Email) });
    expect(body).toMatchObject({
      Roles: [{ Name: 'anonymous' }, { Name: 'student' }],
      Type: 2,
      Status: 1,
    });
    const [row] = await world.sql<{ region: string | null; applied: boolean }>(
      sql`select region, applied_at is not null as applied from user_account where username = ${fields.Username}`,
    );
    expect(row).toEqual({ region: null, applied: true });
  });

  test.each<[string, Record<string, unknown>]>([
    ['a username that begins with a digit', { Username: '1abcd' }],
    ['a username of 3', { Username: 'abc' }],
    ['a username of 15', { Username: 'a'.repeat(15) }],
    ['a username with a space', { Username: 'ab cd' }],
    ['a username in Chinese', { Username: '新同学们' }],
    ['a password of 7', { Password: 'abcdef1' }],
    ['a password of 21', { Password: 'a'.repeat(21) }],
    ['a nickname of 3', { Nickname: '新同学' }],
    ['a nickname of 15', { Nickname: '新'.repeat(15) }],
    ['a nickname of two lines', { Nickname: '新同\n学们' }],
    ['an e-mail without a domain', { Email: 'someone' }],
    ['an e-mail with a line end', { Email: 'a@example.edu\r\nBcc: b@example.edu' }],
    ['a phone of letters', { Phone: 'abcdefghijk' }],
    ['a phone of 12 digits', { Phone: '138001380001' }],
    ['no gender', { Gender: undefined }],
    ['a third gender code', { Gender: 3 }],
    ['a blank organisation', { Organisation: '   ' }],
    ['the identity of an admin', { Type: 1 }],
    ['the identity of a machine admin', { Type: 5 }],
    ['roles of one’s own', { Roles: ['admin'] }],
    ['a state of one’s own', { Status: 2 }],
    ['an apply state of one’s own', { ApplyStatus: 2 }],
    ['a code of letters', { EmailCode: 'abcdef' }],
  ])('%s is refused', async (_what, change) => {
    const { status, body } = await register(newcomer({ EmailCode: '123456', ...change }));
    expect([status, body['Code']]).toEqual([400, 'invalid_input']);
  });

  test('a taken username is told, and the code still holds', async () => {
    const fields = newcomer();
    const EmailCode = await codeFor(fields.Email);
    const taken = await register({ ...fields, Username: 'Student', EmailCode });
    expect([taken.status, taken.body['Code']]).toEqual([409, 'username_taken']);
    expect((await register({ ...fields, EmailCode })).status).toBe(201);
  });

  test('of two with one code at once, one gets the account', async () => {
    const fields = newcomer();
    const EmailCode = await codeFor(fields.Email);
    const answers = await Promise.all([
      register({ ...fields, EmailCode }),
      register({ ...fields, Username: 'other-name', EmailCode }),
    ]);
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([201, 400]);
  });
});

describe('a new password', () => {
  const ask = (Username: string) => world.visitor().call('POST', '/user/reset', { Username });
  const reset = (Token: string, Password = 'brand-new-1', person = world.visitor()) =>
    person.call('PUT', '/user/reset', { Token, Password });
  const tokenOf = async (email: string): Promise<string> =>
    /\/result\/password-reset#([\w-]{43})/.exec((await lastMail(email))?.Text ?? '')?.[1] ?? '';

  test('comes by a link that works once, and ends every session', async () => {
    const [here, there] = [await world.signIn('graduate'), await world.signIn('graduate')];
    expect((await ask('Graduate')).status).toBe(202);
    const token = await tokenOf('graduate@hypercube.local');
    expect(token).toHaveLength(43);
    expect((await reset(token)).status).toBe(200);
    for (const person of [here, there])
      expect((await person.call('GET', '/usage')).status).toBe(401);
    const login = (Password: string) =>
      world.visitor().call('POST', '/user/auth', { Username: 'graduate', Password });
    expect((await login(PASSWORD)).status).toBe(400);
    expect((await login('brand-new-1')).status).toBe(200);
    expect((await lastMail('graduate@hypercube.local'))?.Template).toBe('passwordChanged');
    const again = await reset(token, 'another-one-1');
    expect([again.status, again.body['Code']]).toEqual([400, 'reset_link_invalid']);
  });

  test('of two that follow the link at once, one sets it', async () => {
    await ask('assistant@hypercube.local');
    const token = await tokenOf('assistant@hypercube.local');
    const answers = await Promise.all([reset(token, 'first-one-1'), reset(token, 'second-one-1')]);
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 400]);
  });

  test('nothing tells whether the account exists: the answer, its work, its pause', async () => {
    interface Measured {
      readonly status: number;
      readonly body: unknown;
      readonly headers: string[];
      readonly statements: string[];
    }
    const measured: Measured[] = [];
    for (const name of ['manager', 'nobody-here', 'manager', 'nobody-here']) {
      world.clock.advance(61);
      statements = [];
      const { status, body, headers } = await ask(name);
      measured.push({
        status,
        body,
        headers: Object.keys(headers),
        // Names of steps and the order of parameters aside, the same is done.
        statements: statements.map((text) => text.replaceAll(/\$\d+|sp\d+/g, '?')),
      });
    }
    const [known, unknown, ...more] = measured;
    expect(known?.status).toBe(202);
    // All but the end of the mail's own step: kept for the one, undone for the other.
    const isEnd = (text: string): boolean => /savepoint/i.test(text);
    const work = (one: Measured | undefined) => ({
      ...one,
      statements: one?.statements.filter((text) => !isEnd(text)),
    });
    expect(work(unknown)).toEqual(work(known));
    expect(more.map(work)).toEqual([work(known), work(known)]);
    expect(known?.statements.some((text) => text.includes('insert into "mail"'))).toBe(true);
    world.clock.advance(61);
    for (const name of ['manager', 'nobody-here']) await ask(name);
    const early = [await ask('Manager'), await ask('Nobody-here')];
    expect(early.map(({ status, body }) => [status, body['Code']])).toEqual([
      [429, 'too_many_requests'],
      [429, 'too_many_requests'],
    ]);
    expect(await countMails('nobody@hypercube.invalid')).toBe(0);
  });

  test('a disabled account gets no link, and a link from before does not work', async () => {
    await ask('student2');
    const token = await tokenOf('student2@hypercube.local');
    await world.sql(sql`update user_account set disabled_at = now() where username = 'student2'`);
    expect((await reset(token)).body['Code']).toBe('reset_link_invalid');
    world.clock.advance(61);
    const before = await countMails('student2@hypercube.local');
    expect((await ask('student2')).status).toBe(202);
    expect(await countMails('student2@hypercube.local')).toBe(before);
    await world.sql(sql`update user_account set disabled_at = null where username = 'student2'`);
  });

  test('a password that its owner changes ends the link that was on its way', async () => {
    const owner = await world.signIn('manager');
    await ask('manager');
    const token = await tokenOf('manager@hypercube.local');
    const [row] = await world.sql<{ id: number }>(
      sql`select id from user_account where username = 'manager'`,
    );
    const passwords = { OriginalPassword: PASSWORD, Password: 'changed-it-1' };
    expect((await owner.call('PUT', `/user/${row?.id}/password`, passwords)).status).toBe(200);
    const told = await lastMail('manager@hypercube.local');
    expect(told?.Template).toBe('passwordChanged');
    expect(told?.Text).toContain('在网站上修改，其他设备上的登录都已失效');
    expect((await reset(token)).body['Code']).toBe('reset_link_invalid');
  });

  test('a link holds for half an hour, and only the last one', async () => {
    await ask('student2');
    const first = await tokenOf('student2@hypercube.local');
    world.clock.advance(61);
    await ask('student2');
    const second = await tokenOf('student2@hypercube.local');
    expect((await reset(first)).body['Code']).toBe('reset_link_invalid');
    world.clock.advance(1801);
    expect((await reset(second)).body['Code']).toBe('reset_link_invalid');
    expect((await reset('x'.repeat(43))).body['Code']).toBe('reset_link_invalid');
  });

  test('lets in again who was locked out by guesses', async () => {
    const login = (Password: string) =>
      world.visitor().call('POST', '/user/auth', { Username: 'student2', Password });
    for (let guess = 0; guess < 10; guess += 1) await login(`wrong-${guess}`);
    expect((await login(PASSWORD)).status).toBe(429);
    await ask('student2');
    await reset(await tokenOf('student2@hypercube.local'), 'let-me-in-1');
    expect((await login('let-me-in-1')).status).toBe(200);
  });

  test('a code of a registration is no link, and the other way round', async () => {
    const fields = newcomer();
    const code = await codeFor(fields.Email);
    expect((await reset(code)).body['Code']).toBe('reset_link_invalid');
  });

  test.each([['short-1'], ['x'.repeat(21)]])('%s is no password', async (password) => {
    expect((await reset('x'.repeat(43), password)).body['Code']).toBe('invalid_input');
  });
});
