import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { PASSWORD, World } from '../../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await World.create({ hasWorker: false });
});
afterAll(() => world[Symbol.asyncDispose]());

describe('signing in', () => {
  test.each([
    ['admin', 1, ['anonymous', 'student', 'teacher', 'admin']],
    ['teacher', 2, ['anonymous', 'student', 'teacher']],
    ['assistant', 3, ['anonymous', 'student', 'assistant']],
    ['manager', 5, ['anonymous', 'student', 'machine_admin']],
    ['graduate', 3, ['anonymous', 'student']],
    ['student', 4, ['anonymous', 'student']],
    ['student2', 4, ['anonymous', 'student']],
  ])('%s has its type and roles', async (username, type, roles) => {
    const person = await world.signIn(username);
    const { body } = await person.call<{
      Username: string;
      Type: number;
      Roles: { Name: string }[];
      Exp: number;
    }>('GET', '/user/auth');
    expect(body.Username).toBe(username);
    expect(body.Type).toBe(type);
    expect(body.Roles.map(({ Name }) => Name)).toEqual(roles);
    expect(body.Exp).toBe(world.clock.unix + 7 * 24 * 3600);
  });

  test('the e-mail address and another case of the name work too', async () => {
    const visitor = world.visitor();
    expect(
      (
        await visitor.call('POST', '/user/auth', {
          Username: 'STUDENT@hypercube.local',
          Password: PASSWORD,
        })
      ).status,
    ).toBe(200);
  });

  test('the cookie is HttpOnly and SameSite, and the token is not in the database', async () => {
    const visitor = world.visitor();
    const { headers } = await visitor.call('POST', '/user/auth', {
      Username: 'student',
      Password: PASSWORD,
    });
    const set = String(headers['set-cookie']);
    expect(set).toMatch(/^hc_login=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const [, token = ''] = /hc_login=([\w-]+)/.exec(set) ?? [];
    const rows = await world.sql<{ token_hash: string }>(sql`select token_hash from login_session`);
    expect(rows.some((row) => row.token_hash.includes(token))).toBe(false);
  });

  test.each([
    [
      'a wrong password',
      { Username: 'student2', Password: 'wrong-pass' },
      400,
      'wrong_credentials',
    ],
    ['an unknown name', { Username: 'nobody', Password: 'wrong-pass' }, 400, 'wrong_credentials'],
    ['no password', { Username: 'student2' }, 400, 'invalid_input'],
    [
      'an unknown field',
      { Username: 'student2', Password: PASSWORD, Roles: ['admin'] },
      400,
      'invalid_input',
    ],
    ['an oversized field', { Username: 'x'.repeat(101), Password: PASSWORD }, 400, 'invalid_input'],
    ['a null byte', { Username: 'stu\0dent', Password: PASSWORD }, 400, 'invalid_input'],
  ])('%s is refused with its code', async (_what, body, status, code) => {
    const answer = await world.visitor().call('POST', '/user/auth', body);
    expect([answer.status, answer.body['Code']]).toEqual([status, code]);
  });

  test('a body over the limit is refused with its own code', async () => {
    const answer = await world
      .visitor()
      .call('POST', '/user/auth', { Username: 'x'.repeat(1_100_000), Password: 'y' });
    expect([answer.status, answer.body['Code']]).toEqual([413, 'body_too_large']);
  });

  test('the token changes at login, and the one before ends', async () => {
    const person = await world.signIn('graduate');
    const before = person.cookie;
    await person.call('POST', '/user/auth', { Username: 'graduate', Password: PASSWORD });
    expect(person.cookie).not.toBe(before);
    const old = world.visitor();
    old.cookie = before;
    expect((await old.call('GET', '/user/auth')).body).toBeNull();
  });

  test('a logout ends it on the server', async () => {
    const person = await world.signIn('graduate');
    const { cookie } = person;
    expect((await person.call('DELETE', '/user/auth')).status).toBe(200);
    person.cookie = cookie;
    expect((await person.call('GET', '/usage')).status).toBe(401);
  });

  test('ten wrong guesses close the account for a while, the right password included, and time opens it', async () => {
    for (let guess = 0; guess < 10; guess += 1) {
      expect(
        (
          await world
            .visitor()
            .call('POST', '/user/auth', { Username: 'manager', Password: `wrong-${guess}` })
        ).status,
      ).toBe(400);
    }
    const refused = await world
      .visitor()
      .call<{ Code: string; Params: { RetryAfterSeconds: number } }>('POST', '/user/auth', {
        Username: 'manager',
        Password: PASSWORD,
      });
    expect([refused.status, refused.body.Code]).toEqual([429, 'too_many_guesses']);
    expect(refused.headers['retry-after']).toBe(String(refused.body.Params.RetryAfterSeconds));
    world.clock.advance(901);
    expect(
      (
        await world
          .visitor()
          .call('POST', '/user/auth', { Username: 'manager', Password: PASSWORD })
      ).status,
    ).toBe(200);
  });

  test('a write from a page of another site is refused, whatever the cookie', async () => {
    const person = await world.signIn('student');
    const byOrigin = await person.call('DELETE', '/user/auth', undefined, {
      origin: 'https://evil.example',
    });
    expect([byOrigin.status, byOrigin.body['Code']]).toEqual([403, 'foreign_origin']);
    const bySite = await person.call('DELETE', '/user/auth', undefined, {
      'sec-fetch-site': 'cross-site',
    });
    expect(bySite.status).toBe(403);
    expect((await person.call('GET', '/usage')).status).toBe(200);
  });
});

describe('one’s own account', () => {
  test('somebody else’s does not exist', async () => {
    const [admin] = await world.sql<{ id: number }>(
      sql`select id from user_account where username = 'admin'`,
    );
    const person = await world.signIn('student');
    expect((await person.call('GET', `/user/${admin?.id}`)).status).toBe(404);
    const change = { OriginalPassword: PASSWORD, Password: 'taken-over-1' };
    expect((await person.call('PUT', `/user/${admin?.id}/password`, change)).status).toBe(404);
  });

  test('a changed password ends the other sessions and keeps this one', async () => {
    const [row] = await world.sql<{ id: number }>(
      sql`select id from user_account where username = 'student2'`,
    );
    const here = await world.signIn('student2');
    const there = await world.signIn('student2');
    const path = `/user/${row?.id}/password`;
    const wrong = await here.call('PUT', path, {
      OriginalPassword: 'not-it-at-all',
      Password: 'new-pass-1',
    });
    expect(wrong.body['Code']).toBe('wrong_original_password');
    const short = await here.call('PUT', path, { OriginalPassword: PASSWORD, Password: 'short' });
    expect(short.body['Code']).toBe('invalid_input');
    expect(
      (await here.call('PUT', path, { OriginalPassword: PASSWORD, Password: 'new-pass-1' })).status,
    ).toBe(200);
    expect((await here.call('GET', '/usage')).status).toBe(200);
    expect((await there.call('GET', '/usage')).status).toBe(401);
    expect(
      (
        await world
          .visitor()
          .call('POST', '/user/auth', { Username: 'student2', Password: 'new-pass-1' })
      ).status,
    ).toBe(200);
  });

  test.each([
    ['student', 'admin', 403],
    ['admin', 'admin', 200],
    ['teacher', 'student', 200],
    ['manager', 'teacher', 403],
  ] as const)('%s in the role %s', async (username, role, status) => {
    // A role that the account lacks acts as anonymous.
    const person = await world.signIn(username, role);
    expect((await person.call('GET', '/usage')).status).toBe(status);
  });

  test('a role that does not exist is refused', async () => {
    const person = await world.signIn('student');
    expect((await person.call('GET', '/lab?role=root')).status).toBe(400);
  });
});
