/** What people change of their own account, and what they cannot. */
import type { AnswerOf, routes } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, World, type Answer, type Person } from '../../testing/world.ts';
import { readUserAgent } from './device.ts';

type User = AnswerOf<typeof routes.getUser>;
type Devices = AnswerOf<typeof routes.listDevices>;
type Outcome<T> = Answer<T & { Code?: string; Params?: Record<string, unknown> }>;

let world: World;
const ids: Record<string, number> = {};
beforeAll(async () => {
  world = await World.create({ hasWorker: false });
  for (const { id, username } of await world.sql<{ id: number; username: string }>(
    sql`select id, username from user_account`,
  ))
    ids[username] = id;
});
afterAll(() => world[Symbol.asyncDispose]());

const read = async (person: Person, username: string): Promise<User> =>
  (await person.call<User>('GET', `/user/${ids[username]}`)).body;

describe('the profile', () => {
  const put = (person: Person, body: object): Promise<Outcome<User>> =>
    person.call('PUT', `/user/${ids['student']}`, body);

  test('is changed in part, and the region comes from the list of universities', async () => {
    const person = await world.signIn('student');
    const { status, body } = await put(person, {
      Nickname: '林同学一号',
      Phone: '13800138000',
      Gender: 2,
      Organisation: '清华大学',
      StudentNumber: '2026001',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ Nickname: '林同学一号', Gender: 2, RealName: null });
    const later = await put(person, { RealName: '林一' });
    expect(later.body).toMatchObject({ Organisation: '清华大学', RealName: '林一' });
    const region = async (): Promise<unknown> =>
      (await world.sql(sql`select region from user_account where username = 'student'`))[0]?.[
        'region'
      ];
    expect(await region()).toBe('CN-BJ');
    await put(person, { Organisation: '某某研究院' });
    expect(await region()).toBeNull();
    expect((await put(person, { StudentNumber: null })).body.StudentNumber).toBeNull();
    // Whoever is signed in has the new name at once.
    const session = await person.call<{ Nickname: string }>('GET', '/user/auth');
    expect(session.body.Nickname).toBe('林同学一号');
  });

  test.each([
    ['a short nickname', { Nickname: '林林' }],
    ['a long nickname', { Nickname: 'x'.repeat(15) }],
    ['a nickname that turns the writing round', { Nickname: 'abc\u202Egnp' }],
    ['a nickname that nobody sees', { Nickname: '\u200B\u3164\u2060\uFEFF\u2800' }],
    ['a nickname of joiners alone', { Nickname: '\u200D\u200C\u200D\u200C' }],
    ['an organisation that nobody sees', { Organisation: '\u200B' }],
    ['a line end in a name', { RealName: 'a\nb' }],
    ['a phone that is none', { Phone: '12345' }],
    ['a gender that is none', { Gender: 3 }],
    ['a blank organisation', { Organisation: '   ' }],
    ['a long organisation', { Organisation: '某'.repeat(101) }],
    ['no nickname', { Nickname: null }],
  ])('%s is refused, and nothing changes', async (_what, body) => {
    const person = await world.signIn('student');
    const before = await read(person, 'student');
    const answer = await put(person, body);
    expect([answer.status, answer.body.Code]).toEqual([400, 'invalid_input']);
    expect(await read(person, 'student')).toEqual(before);
  });

  test.each([
    'Username',
    'Email',
    'Type',
    'Status',
    'Roles',
    'PasswordHash',
    'DisabledAt',
    'Region',
    'ApplyStatus',
    'Version',
  ])('%s cannot be written along with it', async (field) => {
    const person = await world.signIn('student');
    const [before] = await world.sql(
      sql`select row_to_json(u) as row from user_account u where username = 'student'`,
    );
    const answer = await put(person, { Nickname: 'other-name', [field]: 1 });
    expect([answer.status, answer.body.Code]).toEqual([400, 'invalid_input']);
    const [after] = await world.sql(
      sql`select row_to_json(u) as row from user_account u where username = 'student'`,
    );
    expect(after).toEqual(before);
  });

  test('what a paste brings along unseen is left out, and what joins signs stays', async () => {
    const person = await world.signIn('student');
    const answer = await put(person, { Nickname: ' \u200B管\u00AD理\u200E员 👩\u200D💻\uFEFF' });
    expect(answer.status).toBe(200);
    expect(await read(person, 'student')).toMatchObject({ Nickname: '管理员 👩\u200D💻' });
  });

  test('markup is kept as the text that it is', async () => {
    const person = await world.signIn('student');
    const { body } = await put(person, {
      Nickname: '<b>林同学',
      Organisation: '<img src=x onerror=alert(1)>',
    });
    expect(body.Nickname).toBe('<b>林同学');
    expect(body.Organisation).toBe('<img src=x onerror=alert(1)>');
  });
});

describe('preferences', () => {
  test('are kept with the account, and told at the next login', async () => {
    const person = await world.signIn('graduate');
    const path = `/user/${ids['graduate']}/preference`;
    expect((await read(person, 'graduate')).Theme).toBeNull();
    await person.call('PUT', path, { Theme: 'dark' });
    await person.call('PUT', path, { Language: 'en-US' });
    const elsewhere = await world.visitor().call('POST', '/user/auth', {
      Username: 'graduate',
      Password: PASSWORD,
    });
    expect(elsewhere.body).toMatchObject({ Theme: 'dark', Language: 'en-US' });
  });

  test('of notifications change kind by kind', async () => {
    const person = await world.signIn('graduate');
    const path = `/user/${ids['graduate']}/preference`;
    const usual = (await read(person, 'graduate')).NotificationChoices;
    await person.call('PUT', path, {
      NotificationChoices: { course: { Inbox: true, Mail: 'now' } },
    });
    const { body } = await person.call<User>('PUT', path, {
      NotificationChoices: { system: { Inbox: false, Mail: 'off' } },
    });
    expect(body.NotificationChoices).toEqual({
      ...usual,
      course: { Inbox: true, Mail: 'now' },
      system: { Inbox: false, Mail: 'off' },
    });
    const wrong = await person.call('PUT', path, {
      NotificationChoices: { gossip: { Inbox: true, Mail: 'now' } },
    });
    expect(wrong.status).toBe(400);
  });
});

describe('the picture', () => {
  const send = (person: Person, content: Buffer | string, name = 'me.png') =>
    person.upload<{ Avatar: string; Code?: string }>(`/user/${ids['student']}/avatar`, {
      name,
      content,
    });
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#336699' } });

  test('becomes a square of ours without what the camera wrote', async () => {
    const person = await world.signIn('student');
    const sent = await picture(900, 500)
      .withExif({ IFD0: { Copyright: 'secret-place' } })
      .jpeg()
      .toBuffer();
    expect(sent.includes('secret-place')).toBe(true);
    const { status, body } = await send(person, sent, 'photo.jpg');
    expect(status).toBe(201);
    const session = await person.call<{ Avatar: string }>('GET', '/user/auth');
    expect(session.body.Avatar).toBe(body.Avatar);
    const other = await world.signIn('teacher');
    const served = await world.system.app.inject({
      url: body.Avatar,
      headers: { cookie: other.cookie ?? '' },
    });
    expect(served.statusCode).toBe(200);
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const { width, height, format, exif } = await sharp(served.rawPayload).metadata();
    expect([width, height, format, exif]).toEqual([256, 256, 'webp', undefined]);
    expect(served.rawPayload.includes('secret-place')).toBe(false);
  });

  test('has another address each time, and none once it is removed', async () => {
    const person = await world.signIn('student');
    const first = await send(person, await picture(10, 10).png().toBuffer());
    world.clock.advance(1);
    const second = await send(person, await picture(10, 10).png().toBuffer());
    expect(second.body.Avatar).not.toBe(first.body.Avatar);
    expect((await person.call('DELETE', `/user/${ids['student']}/avatar`)).status).toBe(200);
    expect((await read(person, 'student')).Avatar).toBeNull();
    expect((await person.call('GET', `/user/${ids['student']}/avatar`)).status).toBe(404);
  });

  test('a visitor sees none', async () => {
    const person = await world.signIn('student');
    await send(person, await picture(10, 10).png().toBuffer());
    const { status } = await world.visitor().call('GET', `/user/${ids['student']}/avatar`);
    expect(status).toBe(401);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  /** A PNG that says it is 30,000 pixels wide and high. */
  const bomb = async (): Promise<Buffer> => {
    const png = await picture(10, 10).png().toBuffer();
    png.writeUInt32BE(30_000, 16);
    png.writeUInt32BE(30_000, 20);
    return png;
  };
  test.each([
    ['a drawing with a script', async () => svg, 'a.png'],
    ['a page', async () => '<!doctype html><script>alert(1)</script>', 'a.png'],
    [
      'a program with the first bytes of a picture',
      async () => '\x89PNG\r\n\x1A\n#!/bin/sh',
      'a.png',
    ],
    [
      'a picture that is cut off',
      async () => (await picture(400, 400).png().toBuffer()).subarray(0, 200),
      'a.png',
    ],
    ['a picture that says it is huge', bomb, 'a.png'],
    ['nothing', async () => '', 'a.png'],
    ['a PDF', async () => '%PDF-1.7\n', '../../../etc/passwd'],
  ])('%s is refused, and the one before stays', async (_what, make, name) => {
    const person = await world.signIn('student');
    await send(person, await picture(10, 10).png().toBuffer());
    const before = await read(person, 'student');
    const answer = await send(person, await make(), name);
    expect([answer.status, answer.body.Code]).toEqual([415, 'upload_type']);
    expect(await read(person, 'student')).toEqual(before);
  });

  test('a file over the limit is refused', async () => {
    const person = await world.signIn('student');
    const answer = await send(person, Buffer.alloc(9 * 1024 * 1024));
    expect([answer.status, answer.body.Code]).toEqual([413, 'upload_too_large']);
  });

  test('somebody else’s cannot be set', async () => {
    const other = await world.signIn('teacher');
    const answer = await send(other, await picture(10, 10).png().toBuffer());
    expect(answer.status).toBe(404);
  });

  test('goes with its account', async () => {
    await world.sql(sql`
      insert into user_account (username, email, nickname, type, avatar_at)
      values ('leaving', 'leaving@hypercube.local', 'leaving', 4, now())`);
    const [row] = await world.sql<{ id: number }>(
      sql`select id from user_account where username = 'leaving'`,
    );
    const { Avatars } = await import('./avatar.ts');
    const avatars = new Avatars(world.folder);
    const { Readable } = await import('node:stream');
    const content = await picture(10, 10).png().toBuffer();
    await avatars.receive(row?.id ?? 0, {
      name: 'x',
      formBytes: null,
      stream: Readable.from([content]),
    });
    await world.system.sweep();
    expect(await avatars.read(row?.id ?? 0).then((found) => found?.sizeBytes)).toBeGreaterThan(0);
    await world.sql(sql`delete from user_account where username = 'leaving'`);
    await world.system.sweep();
    expect(await avatars.read(row?.id ?? 0)).toBeUndefined();
  });
});

describe('the e-mail address', () => {
  const path = (): string => `/user/${ids['student2']}/email`;
  const lastMail = async (to: string) =>
    (
      await world.sql<{ template: string; text: string }>(
        sql`select template, text from mail where recipient = ${to} order by id desc limit 1`,
      )
    )[0];
  const codeTo = async (to: string): Promise<string> =>
    /\b\d{6}\b/.exec((await lastMail(to))?.text ?? '')?.[0] ?? '';

  test('changes by the code that went to the new one, and the old one is told', async () => {
    const person = await world.signIn('student2');
    const asked = await person.call('POST', path(), {
      Email: 'new@example.edu',
      Password: PASSWORD,
    });
    expect(asked.status).toBe(202);
    expect((await read(person, 'student2')).Email).toBe('student2@hypercube.local');
    const code = await codeTo('new@example.edu');
    const wrong = await person.call('PUT', path(), {
      Email: 'new@example.edu',
      EmailCode: code === '000000' ? '000001' : '000000',
    });
    expect([wrong.status, wrong.body['Code']]).toEqual([400, 'wrong_code']);
    const otherAddress = await person.call('PUT', path(), {
      Email: 'other@example.edu',
      EmailCode: code,
    });
    expect(otherAddress.body['Code']).toBe('wrong_code');
    const changed = await person.call<User>('PUT', path(), {
      Email: 'new@example.edu',
      EmailCode: code,
    });
    expect([changed.status, changed.body.Email]).toEqual([200, 'new@example.edu']);
    expect((await lastMail('student2@hypercube.local'))?.template).toBe('emailChanged');
    const again = await person.call('PUT', path(), { Email: 'new@example.edu', EmailCode: code });
    expect(again.body['Code']).toBe('wrong_code');
  });

  test('takes the links for a new password along that lie in the old mailbox', async () => {
    const person = await world.signIn('graduate');
    const to = `/user/${ids['graduate']}/email`;
    await world.visitor().call('POST', '/user/reset', { Username: 'graduate' });
    const link = (await lastMail('graduate@hypercube.local'))?.text ?? '';
    const Token = /[?&/#](?:token=|result\/)?([\w-]{43})\b/.exec(link)?.[1] ?? '';
    expect(Token).toHaveLength(43);
    await person.call('POST', to, { Email: 'graduate@example.edu', Password: PASSWORD });
    const EmailCode = await codeTo('graduate@example.edu');
    expect(
      (await person.call('PUT', to, { Email: 'graduate@example.edu', EmailCode })).status,
    ).toBe(200);
    const { status, body } = await world
      .visitor()
      .call('PUT', '/user/reset', { Token, Password: 'taken-over-1' });
    expect([status, body['Code']]).toEqual([400, 'reset_link_invalid']);
  });

  test('asks for the password, and counts the guesses', async () => {
    const person = await world.signIn('manager');
    const to = `/user/${ids['manager']}/email`;
    for (let guess = 0; guess < 10; guess += 1) {
      const answer = await person.call('POST', to, {
        Email: 'm@example.edu',
        Password: `wrong-${guess}`,
      });
      expect(answer.body['Code']).toBe('wrong_original_password');
    }
    const refused = await person.call('POST', to, { Email: 'm@example.edu', Password: PASSWORD });
    expect([refused.status, refused.body['Code']]).toEqual([429, 'too_many_guesses']);
    expect(await lastMail('m@example.edu')).toBeUndefined();
  });

  test.each([
    ['somebody else’s', 'TEACHER@hypercube.local', 409, 'email_taken'],
    ['two addresses', 'a@example.edu,b@example.edu', 400, 'invalid_input'],
    ['an address with a header', 'a@example.edu\r\nBcc: b@example.edu', 400, 'invalid_input'],
  ])('%s is refused, and no mail leaves', async (_what, Email, status, code) => {
    const person = await world.signIn('assistant');
    const mails = async (): Promise<number> => (await world.sql(sql`select id from mail`)).length;
    const before = await mails();
    const answer = await person.call('POST', `/user/${ids['assistant']}/email`, {
      Email,
      Password: PASSWORD,
    });
    expect([answer.status, answer.body['Code']]).toEqual([status, code]);
    expect(await mails()).toBe(before);
  });

  test('of somebody else cannot be changed', async () => {
    const person = await world.signIn('assistant');
    const answer = await person.call('POST', path(), {
      Email: 'x@example.edu',
      Password: PASSWORD,
    });
    expect(answer.status).toBe(404);
  });

  test('that another account took meanwhile is refused at the end', async () => {
    const person = await world.signIn('assistant');
    const own = `/user/${ids['assistant']}/email`;
    await person.call('POST', own, { Email: 'late@example.edu', Password: PASSWORD });
    const code = await codeTo('late@example.edu');
    await world.sql(sql`
      insert into user_account (username, email, nickname, type)
      values ('quicker', 'Late@example.edu', 'quicker', 4)`);
    const answer = await person.call('PUT', own, { Email: 'late@example.edu', EmailCode: code });
    expect([answer.status, answer.body['Code']]).toEqual([409, 'email_taken']);
  });
});

describe('devices', () => {
  const FIREFOX =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const list = async (person: Person): Promise<Devices['List']> =>
    (await person.call<Devices>('GET', `/user/${ids['teacher']}/device`)).body.List;

  test('are told by name, the one that asks is marked, and one can be signed out', async () => {
    const here = await world.signIn('teacher');
    const there = world.visitor();
    await there.call(
      'POST',
      '/user/auth',
      { Username: 'teacher', Password: PASSWORD },
      { 'user-agent': FIREFOX },
    );
    const devices = await list(here);
    const other = devices.find(({ Browser }) => Browser === 'Firefox');
    expect(other).toMatchObject({ System: 'Windows', Address: '127.0.0.1', IsCurrent: false });
    expect(devices.filter(({ IsCurrent }) => IsCurrent)).toHaveLength(1);
    const path = `/user/${ids['teacher']}/device/${other?.ID}`;
    expect((await here.call('DELETE', path)).status).toBe(200);
    expect((await there.call('GET', '/usage')).status).toBe(401);
    expect((await here.call('GET', '/usage')).status).toBe(200);
    expect((await here.call('DELETE', path)).status).toBe(404);
  });

  test('everywhere else is signed out at once', async () => {
    const here = await world.signIn('teacher');
    const others = [await world.signIn('teacher'), await world.signIn('teacher')];
    const { body } = await here.call<{ Ended: number }>('DELETE', `/user/${ids['teacher']}/device`);
    expect(body.Ended).toBeGreaterThanOrEqual(2);
    for (const other of others) expect((await other.call('GET', '/usage')).status).toBe(401);
    expect(await list(here)).toHaveLength(1);
  });

  test('of somebody else can be neither seen nor ended', async () => {
    const owner = await world.signIn('teacher');
    const [device] = await list(owner);
    const other = await world.signIn('graduate');
    const theirs = `/user/${ids['teacher']}/device`;
    expect((await other.call('GET', theirs)).status).toBe(404);
    expect((await other.call('DELETE', `${theirs}/${device?.ID}`)).status).toBe(404);
    const own = `/user/${ids['graduate']}/device/${device?.ID}`;
    expect((await other.call('DELETE', own)).status).toBe(404);
    expect((await owner.call('GET', '/usage')).status).toBe(200);
  });

  test('are noted as seen once in a few minutes, not at every call', async () => {
    const person = await world.signIn('teacher');
    const seen = async (): Promise<string | undefined> =>
      (await list(person)).find(({ IsCurrent }) => IsCurrent)?.LastSeenAt ?? undefined;
    const first = await seen();
    expect(first).toBe(world.clock.now().toISOString());
    world.clock.advance(120);
    expect(await seen()).toBe(first);
    world.clock.advance(200);
    expect(await seen()).toBe(world.clock.now().toISOString());
    const [row] = await world.sql<{ seen: Date }>(
      sql`select last_seen_at as seen from user_account where username = 'teacher'`,
    );
    expect(new Date(row?.seen ?? 0)).toEqual(world.clock.now());
  });

  test.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36',
      'Chromium',
      'Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0',
      'WeChat',
      'Android',
    ],
    ['<script>alert(1)</script>', '', ''],
    [null, '', ''],
  ])('%s', (userAgent, Browser, System) => {
    expect(readUserAgent(userAgent)).toEqual({ Browser, System });
  });
});
