/**
 * Attacks on accounts and on the login session of somebody else. What is shown where:
 *
 * - enumeration: by registration code and by the form in `registration.test.ts` (the answer of a
 *   known address, 900 questions), by reset in the same file (statement by statement), at every
 *   door where a name is typed here
 * - guessing: the way back in by a reset in `registration.test.ts`, by time in `user.test.ts`;
 *   codes of mails in `registration.test.ts`; the rest here
 * - fixation and theft: the token changes at login and ends at logout in `user.test.ts`, devices in
 *   `user.account.test.ts`, sockets of a session in `gateway.test.ts`; the rest here
 * - what is used twice: a captcha in `captcha.test.ts` (ten at once as well), a reset link and a
 *   code in `registration.test.ts` (two at once as well), a sign-on in `sso.test.ts`
 */
import type * as Argon2 from '@node-rs/argon2';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PASSWORD, World, until, type Person } from './world.ts';

/** How often a password was compared: the costly step, whose absence a clock would show. */
const compared = vi.hoisted(() => ({ times: 0 }));
vi.mock('@node-rs/argon2', async (load) => {
  const argon2 = await load<typeof Argon2>();
  return {
    ...argon2,
    verify: (...input: Parameters<typeof argon2.verify>) => {
      compared.times += 1;
      return argon2.verify(...input);
    },
  };
});

let world: World;
let statements: string[] = [];
beforeAll(async () => {
  world = await World.create({
    hasWorker: false,
    onQuery: (statement) => void statements.push(statement),
  });
  await world.sql(sql`
    insert into user_account (username, email, nickname, type, password_hash, disabled_at)
    select name, name || '@hypercube.local', name, 4, case when name = 'signs-on' then null else u.password_hash end,
           case when name = 'disabled' then now() end
      from user_account u, (values ('signs-on'), ('disabled'), ('victim'), ('attacker')) as n (name)
     where u.username = 'student'`);
  await world.sql(sql`
    insert into user_role (user_id, role)
    select id, 'student' from user_account where username in ('victim', 'attacker')`);
});
afterAll(() => world[Symbol.asyncDispose]());
// No count of one test is in the way of the next.
beforeEach(() => world.sql(sql`delete from login_guess`));

const login = (Username: string, Password = PASSWORD, person = world.visitor()) =>
  person.call<{ Code: string }>('POST', '/user/auth', { Username, Password });

/** Signs in from somewhere else, or through somebody's claim to be elsewhere. */
const loginFrom = async (
  remoteAddress: string,
  Username: string,
  Password: string,
  headers: Record<string, string> = {},
) =>
  (
    await world.system.app.inject({
      method: 'POST',
      url: '/api/v1/user/auth?role=student',
      remoteAddress,
      headers,
      payload: { Username, Password },
    })
  ).statusCode;

const isSignedIn = async (cookie: string | undefined): Promise<boolean> => {
  const person = world.visitor();
  person.cookie = cookie;
  return (await person.call('GET', '/usage')).status === 200;
};

describe('nothing tells which accounts there are', () => {
  /** Everything about an answer, and what was done for it, that is not its own by chance. */
  async function tracesOf(call: () => ReturnType<Person['call']>) {
    statements = [];
    compared.times = 0;
    const { status, body, headers } = await call();
    return {
      status,
      body: { ...(body as object), RequestID: '' },
      headers: Object.keys(headers),
      length: headers['content-length'],
      statements: statements.map((text) => text.replaceAll(/\$\d+|sp\d+/g, '?')),
      compared: compared.times,
    };
  }

  const DOORS: Readonly<Record<string, (name: string) => ReturnType<Person['call']>>> = {
    'a login': (name) => login(name, 'not-the-password'),
    'a login by e-mail': (name) => login(`${name}@hypercube.local`, 'not-the-password'),
    'a registration without its code': (name) =>
      world.visitor().call('POST', '/user', {
        Username: 'new-comer',
        Email: `${name}@hypercube.local`,
        EmailCode: '000000',
        Password: 'new-pass-1',
        Nickname: '新同学们',
        Phone: '13800138000',
        Gender: 1,
        Organisation: '清华大学',
        Type: 4,
      }),
    'a code for an address': (name) =>
      world.visitor().call('POST', '/user/captcha', { Email: `${name}@hypercube.local` }),
    'an identity of another site': (name) =>
      world.visitor().call('POST', '/oauth2/identity/link', { Username: name, Password: 'wrong' }),
  };

  test.each(Object.keys(DOORS))('at %s', async (door) => {
    const call = DOORS[door];
    if (!call) throw new Error(door);
    // What only the first call of a process does belongs to nobody.
    await tracesOf(() => call('nobody-first'));
    const nobody = await tracesOf(() => call('nobody-here'));
    for (const name of ['victim', 'signs-on', 'disabled'])
      expect(await tracesOf(() => call(name)), name).toEqual(nobody);
  });

  test('at a login, a password is compared whoever is named', async () => {
    for (const name of ['victim', 'signs-on', 'disabled', 'nobody-here']) {
      const { compared: times } = await tracesOf(() => login(name, 'not-the-password'));
      expect([name, times]).toEqual([name, 1]);
    }
  });

  test('a disabled account is told to nobody but its owner', async () => {
    expect((await login('disabled', 'not-the-password')).body.Code).toBe('wrong_credentials');
    expect((await login('disabled')).body.Code).toBe('account_disabled');
  });

  test('names that nobody has are closed by guesses like those that somebody has', async () => {
    const answers: Record<string, number[]> = {};
    for (const name of ['victim', 'nobody-here']) {
      answers[name] = [];
      for (let guess = 0; guess < 12; guess += 1)
        answers[name].push((await login(name, `wrong-${guess}`)).status);
    }
    expect(answers['victim']?.slice(-3)).toEqual([400, 429, 429]);
    expect(answers['nobody-here']).toEqual(answers['victim']);
  });
});

describe('passwords are not guessed', () => {
  test('ten for an account, whichever of its names and cases is typed', async () => {
    const names = ['victim', 'VICTIM', 'victim@hypercube.local', 'Victim@Hypercube.local'];
    const statuses = [];
    for (let guess = 0; guess < 12; guess += 1)
      statuses.push((await login(names[guess % names.length] ?? '', `wrong-${guess}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
    for (const name of names) expect((await login(name)).status).toBe(429);
  });

  test('ten at once are ten', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, guess) => login('victim', `wrong-${guess}`)),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
  });

  test('a hundred from an address, over any names; another address may go on', async () => {
    const statuses = [];
    for (let guess = 0; guess < 102; guess += 1)
      statuses.push(await loginFrom('203.0.113.1', `name-${guess}`, 'wrong-pass'));
    expect(statuses.indexOf(429)).toBe(100);
    expect(await loginFrom('203.0.113.1', 'victim', PASSWORD)).toBe(429);
    // Whoever says to be elsewhere is still there.
    const claimed = { 'x-forwarded-for': '203.0.113.2', forwarded: 'for=203.0.113.2' };
    expect(await loginFrom('203.0.113.1', 'victim', PASSWORD, claimed)).toBe(429);
    expect(await loginFrom('203.0.113.2', 'victim', PASSWORD)).toBe(200);
    world.clock.advance(901);
    expect(await loginFrom('203.0.113.1', 'victim', PASSWORD)).toBe(200);
  });

  test('a class that signs in from one address is not taken for a guesser', async () => {
    for (let learner = 0; learner < 110; learner += 1)
      expect(await loginFrom('203.0.113.3', 'victim', PASSWORD)).toBe(200);
    expect(await loginFrom('203.0.113.3', 'victim', 'wrong-pass')).toBe(400);
  });

  test('who signs in with an own account between guesses gains none', async () => {
    const statuses = [];
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await login('victim', `wrong-${guess}`)).status);
      await login('attacker');
    }
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });
});

describe('a session cannot be planted', () => {
  test.each([
    ['one that nobody has', () => `hc_login=${'x'.repeat(43)}`],
    ['an empty one', () => 'hc_login='],
    ['a short one', () => 'hc_login=abc'],
    ['a long one', () => `hc_login=${'x'.repeat(4000)}`],
    ['a statement', () => `hc_login=${encodeURIComponent("' or 1=1 --".padEnd(43, ' '))}`],
    ['two of the name', () => `hc_login=${'x'.repeat(43)}; hc_login=${'y'.repeat(43)}`],
    ['one with its hash', () => `hc_login=${'A'.repeat(43)}`],
  ])('%s: it is not taken, before a login or by it', async (_what, planted) => {
    const person = world.visitor();
    person.cookie = planted();
    expect((await person.call('GET', '/user/auth')).body).toBeNull();
    expect((await login('victim', PASSWORD, person)).status).toBe(200);
    expect(person.cookie).not.toBe(planted());
    expect(await isSignedIn(person.cookie)).toBe(true);
    expect(await isSignedIn(planted())).toBe(false);
  });

  test('what the database keeps is no cookie', async () => {
    await login('victim');
    const rows = await world.sql<{ hash: string }>(
      sql`select token_hash as hash from login_session`,
    );
    for (const { hash } of rows) expect(await isSignedIn(`hc_login=${hash}`)).toBe(false);
  });

  test('the attacker’s own ends when the victim signs in over it', async () => {
    const attacker = await world.signIn('student2');
    const planted = attacker.cookie;
    const victim = world.visitor();
    victim.cookie = planted;
    await login('victim', PASSWORD, victim);
    expect(await isSignedIn(planted)).toBe(false);
    expect((await victim.call<{ Username: string }>('GET', '/user/auth')).body.Username).toBe(
      'victim',
    );
  });

  test('a failed login keeps the session that was there, and gives none', async () => {
    const person = await world.signIn('student2');
    const { cookie } = person;
    await login('victim', 'not-the-password', person);
    expect(person.cookie).toBe(cookie);
    expect((await person.call<{ Username: string }>('GET', '/user/auth')).body.Username).toBe(
      'student2',
    );
  });
});

describe('a stolen session ends', () => {
  const idOf = async (name: string): Promise<number> =>
    (await world.sql<{ id: number }>(sql`select id from user_account where username = ${name}`))[0]
      ?.id ?? 0;

  test('when its owner changes the password on the very same device', async () => {
    const owner = await world.signIn('victim');
    const stolen = owner.cookie;
    const { status } = await owner.call('PUT', `/user/${await idOf('victim')}/password`, {
      OriginalPassword: PASSWORD,
      Password: 'other-pass-1',
    });
    expect(status).toBe(200);
    expect(owner.cookie).not.toBe(stolen);
    expect(await isSignedIn(stolen)).toBe(false);
    expect(await isSignedIn(owner.cookie)).toBe(true);
    await world.sql(sql`
      update user_account set password_hash = (select password_hash from user_account where username = 'student')
       where username = 'victim'`);
  });

  test('at the second at which it was said to end, not later', async () => {
    const person = await world.signIn('victim');
    const { body } = await person.call<{ Exp: number }>('GET', '/user/auth');
    world.clock.advance(body.Exp - world.clock.unix - 1);
    expect(await isSignedIn(person.cookie)).toBe(true);
    world.clock.advance(1);
    expect(await isSignedIn(person.cookie)).toBe(false);
  });

  describe('and what it listens to with it', () => {
    let origin: string;
    beforeAll(async () => {
      origin = `http://${await world.listen()}`;
    });

    /** Listens by a cookie. @returns what resolves when the server has closed the stream */
    async function listenWith(cookie: string | undefined): Promise<{ over: Promise<void> }> {
      const answer = await fetch(`${origin}/api/v1/usage/events?role=student`, {
        headers: { cookie: cookie ?? '' },
      });
      expect(answer.status).toBe(200);
      const reader = answer.body?.getReader();
      await reader?.read();
      const readOn = async (): Promise<void> => {
        while (!(await reader?.read())?.done);
      };
      return { over: readOn() };
    }

    const ENDS: Readonly<Record<string, (owner: Person, stolen: Person) => Promise<unknown>>> = {
      'the owner signs out everywhere else': async (owner) =>
        owner.call('DELETE', `/user/${await idOf('victim')}/device`),
      'the owner signs that device out': async (_owner, stolen) =>
        stolen.call('DELETE', '/user/auth'),
      'the owner changes the password': async (owner) =>
        owner.call('PUT', `/user/${await idOf('victim')}/password`, {
          OriginalPassword: PASSWORD,
          Password: PASSWORD,
        }),
      'an admin disables the account': async () => {
        const admin = await world.signIn('admin', 'admin');
        const id = await idOf('victim');
        const [row] = await world.sql<{ version: number }>(
          sql`select version from user_account where id = ${id}`,
        );
        await admin.call('PUT', `/user/${id}/state`, {
          IsDisabled: true,
          Version: row?.version,
        });
        await world.sql(sql`update user_account set disabled_at = null where id = ${id}`);
      },
    };

    test.each(Object.keys(ENDS))('when %s', async (what) => {
      const [owner, stolen] = [await world.signIn('victim'), await world.signIn('victim')];
      const { over } = await listenWith(stolen.cookie);
      await ENDS[what]?.(owner, stolen);
      await over;
      expect(await isSignedIn(stolen.cookie)).toBe(false);
    });

    test('somebody else’s goes on', async () => {
      const [victim, other] = [await world.signIn('victim'), await world.signIn('attacker')];
      const { over } = await listenWith(victim.cookie);
      const answer = await fetch(`${origin}/api/v1/usage/events?role=student`, {
        headers: { cookie: other.cookie ?? '' },
      });
      await victim.call('DELETE', '/user/auth');
      await over;
      const left = await until(
        async () => world.system.events.openStreams,
        (open) => open <= 1,
      );
      expect(left).toBe(1);
      await answer.body?.cancel();
    });
  });
});

describe('where the site is reached by https', () => {
  let secure: World;
  beforeAll(async () => {
    secure = await World.create({
      hasWorker: false,
      environment: { HC_PUBLIC_URL: 'https://hpc.example.edu', HC_TRUST_PROXY: 'true' },
    });
  });
  afterAll(() => secure[Symbol.asyncDispose]());
  const forwarded = { origin: 'https://hpc.example.edu', 'x-forwarded-proto': 'https' };

  test('the cookie belongs to this host alone and never travels in the clear', async () => {
    const { headers } = await secure
      .visitor()
      .call('POST', '/user/auth', { Username: 'student', Password: PASSWORD }, forwarded);
    expect(headers['set-cookie']).toMatch(
      /^__Host-hc_login=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(headers['strict-transport-security']).toMatch(/^max-age=31536000/);
  });

  test('the cookie that another host of the domain could set is not read', async () => {
    const person = secure.visitor();
    await person.call('POST', '/user/auth', { Username: 'student', Password: PASSWORD }, forwarded);
    expect((await person.call('GET', '/usage')).status).toBe(200);
    person.cookie = person.cookie?.replace('__Host-', '');
    expect((await person.call('GET', '/usage')).status).toBe(401);
  });
});
