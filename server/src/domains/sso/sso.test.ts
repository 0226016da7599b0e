/** Signing on at other sites, against a real OpenID provider. */
import type { AnswerOf, routes } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  PLAIN_PATH,
  startDemoProvider,
  type DemoPerson,
  type DemoProvider,
} from '../../testing/oidc-provider.ts';
import { PASSWORD, World } from '../../testing/world.ts';

type Outcome = AnswerOf<typeof routes.finishSignOn> & { Code?: string };
type Pending = AnswerOf<typeof routes.getPendingIdentity>;
type Identities = AnswerOf<typeof routes.listIdentities>;

const ORIGIN = 'http://hypercube.test';
const person = (sub: string, changes: Partial<DemoPerson> = {}): DemoPerson => ({
  sub,
  preferred_username: sub,
  name: `${sub} name`,
  email: `${sub}@grid.example`,
  email_verified: true,
  type: 'learner',
  ...changes,
});
const PEOPLE = [
  person('ada'),
  person('grace', { email_verified: false }),
  person('alan', { type: 'faculty' }),
  person('barbara', { preferred_username: '<b>', name: '<img src=x onerror=alert(1)>' }),
  person('donald', { email: 'TEACHER@hypercube.local' }),
  person('edsger'),
  person('frances'),
  person('kathleen'),
  person('leslie'),
  person('margaret'),
];

let provider: DemoProvider;
let world: World;
beforeAll(async () => {
  provider = await startDemoProvider({
    port: 0,
    clientID: 'hypercube',
    clientSecret: 'a-secret-of-the-test',
    callbacks: [`${ORIGIN}/login/arose`, `${ORIGIN}/login/scnet`],
    people: PEOPLE,
    title: 'grid',
  });
  world = await World.create({
    hasWorker: false,
    environment: {
      HC_PUBLIC_URL: ORIGIN,
      HC_SSO_AROSE_ISSUER: provider.issuer,
      HC_SSO_AROSE_CLIENT_ID: 'hypercube',
      HC_SSO_AROSE_CLIENT_SECRET: 'a-secret-of-the-test',
      HC_SSO_AROSE_TYPES: 'faculty=teacher,master=graduate',
      // The same people by plain addresses, without a description and without an ID token.
      HC_SSO_SCNET_AUTHORIZE_URL: `${provider.issuer}/auth`,
      HC_SSO_SCNET_TOKEN_URL: `${provider.issuer}/token`,
      HC_SSO_SCNET_USERINFO_URL: provider.issuer + PLAIN_PATH,
      HC_SSO_SCNET_SCOPE: 'profile email',
      HC_SSO_SCNET_FIELDS: 'subject=id,username=login,name=fullName,email=mail',
      HC_SSO_SCNET_ISSUER: provider.issuer,
      HC_SSO_SCNET_CLIENT_ID: 'hypercube',
      HC_SSO_SCNET_CLIENT_SECRET: 'a-secret-of-the-test',
    },
  });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** A browser: keeps every cookie by its name. */
class Browser {
  readonly cookies = new Map<string, string>();
  /** As the headers of the last answer set them. */
  set: string[] = [];

  async call<T = Outcome>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    const response = await world.system.app.inject({
      method,
      url: `/api/v1${path}${path.includes('?') ? '&' : '?'}role=student`,
      headers: { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') },
      ...(body === undefined ? {} : { payload: body }),
    });
    this.set = [response.headers['set-cookie'] ?? []].flat();
    for (const line of this.set) {
      const [pair = ''] = line.split(';', 1);
      const at = pair.indexOf('=');
      if (pair.endsWith('=')) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return { status: response.statusCode, body: response.json<T & { Code?: string }>() };
  }

  async begin(name = 'arose', body: object = {}): Promise<string> {
    const { body: answer } = await this.call<{ Address: string }>(
      'POST',
      `/oauth2/${name}/authorization`,
      body,
    );
    return answer.Address;
  }

  finish(callback: URL, name = 'arose') {
    return this.call('POST', `/oauth2/${name}/auth`, { Query: callback.search });
  }

  async signOn(sub: string, name = 'arose', body: object = {}) {
    return this.finish(await provider.signOn(await this.begin(name, body), sub), name);
  }

  async login(Username: string, Password = PASSWORD) {
    return this.call('POST', '/user/auth', { Username, Password });
  }
}

/** An account of our own, with a password, for one test alone. */
async function makeAccount(username: string): Promise<number> {
  await world.sql(sql`
    insert into user_account (username, email, nickname, type, password_hash)
    select ${username}, ${`${username}@hypercube.local`}, ${username}, 4, password_hash
      from user_account where username = 'student'`);
  const [row] = await world.sql<{ id: number }>(
    sql`select id from user_account where username = ${username}`,
  );
  await world.sql(sql`insert into user_role (user_id, role) values (${row?.id}, 'student')`);
  return row?.id ?? 0;
}

let browser: Browser;
beforeEach(() => {
  browser = new Browser();
});

describe('the providers', () => {
  test('that are configured are told', async () => {
    const { body } = await browser.call<{ List: unknown }>('GET', '/oauth2');
    expect(body.List).toEqual([{ Provider: 'arose' }, { Provider: 'scnet' }]);
  });

  test('another one does not exist', async () => {
    expect((await browser.call('POST', '/oauth2/github/authorization', {})).status).toBe(400);
  });

  test('get a request with state, nonce and PKCE, and the cookie is out of reach of pages', async () => {
    const address = new URL(await browser.begin());
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'hypercube',
      redirect_uri: `${ORIGIN}/login/arose`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(browser.set[0]).toMatch(
      /^hc_sso=[\w-]{43}; Max-Age=600; Path=\/api\/v1\/oauth2; HttpOnly; SameSite=Lax$/,
    );
    expect(address.href).not.toContain('a-secret-of-the-test');
  });

  test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'a redirect to %s is refused',
    async (Redirect) => {
      const { status } = await browser.call('POST', '/oauth2/arose/authorization', { Redirect });
      expect(status).toBe(400);
    },
  );
});

describe('the first time', () => {
  test('the identity is linked to an account by its password, and the next time signs in', async () => {
    const id = await makeAccount('ada-here');
    const first = await browser.signOn('ada', 'arose', { Redirect: '/lab?sort=latest' });
    expect(first).toEqual({
      status: 200,
      body: { Outcome: 'select', Session: null, Redirect: '/lab?sort=latest' },
    });
    expect((await browser.call<Pending>('GET', '/oauth2/identity')).body).toEqual({
      Provider: 'arose',
      Name: 'ada name',
      Username: '',
      Nickname: 'ada name',
      Email: 'ada@grid.example',
      IsEmailVerified: true,
      Type: 4,
    });
    const wrong = await browser.call('POST', '/oauth2/identity/link', {
      Username: 'ada-here',
      Password: 'not-the-password',
    });
    expect([wrong.status, wrong.body.Code]).toEqual([400, 'wrong_credentials']);
    const linked = await browser.call('POST', '/oauth2/identity/link', {
      Username: 'ada-here',
      Password: PASSWORD,
    });
    expect(linked.body).toMatchObject({
      Outcome: 'signed-in',
      Session: { ID: id, Username: 'ada-here' },
      Redirect: '/lab?sort=latest',
    });
    expect((await browser.call('GET', '/usage')).status).toBe(200);
    // Used up: there is nothing left to link.
    expect((await browser.call<Pending>('GET', '/oauth2/identity')).body).toBeNull();

    const later = new Browser();
    const again = await later.signOn('ada');
    expect(again.body).toMatchObject({ Outcome: 'signed-in', Session: { ID: id } });
    expect((await later.call('GET', '/usage')).status).toBe(200);
  });

  test('an account is made: a student, with the address that the provider vouches for', async () => {
    await browser.signOn('edsger');
    const made = await browser.call('POST', '/oauth2/identity/account', {
      Username: 'edsger',
      Nickname: 'Edsger',
      Email: 'edsger@grid.example',
    });
    expect(made.body.Session).toMatchObject({
      Username: 'edsger',
      Type: 4,
      Status: 0,
      Roles: [{ Name: 'anonymous' }, { Name: 'student' }],
    });
    expect((await browser.call('GET', '/usage')).status).toBe(200);
    // Nobody has a password for it.
    for (const guess of ['', 'edsger', 'null']) {
      const { status } = await new Browser().login('edsger', guess || 'x');
      expect(status).toBe(400);
    }
  });

  test('a teacher by the provider’s word is a student who waits for approval', async () => {
    await browser.signOn('alan');
    const made = await browser.call('POST', '/oauth2/identity/account?lang=en-US', {
      Username: 'alan-t',
      Nickname: 'Alan',
      Email: 'alan@grid.example',
    });
    expect(made.body.Session).toMatchObject({
      Type: 2,
      Status: 1,
      Roles: [{ Name: 'anonymous' }, { Name: 'student' }],
      // In which the approval will be written.
      Language: 'en-US',
    });
  });

  test.each([
    ['a role', { Roles: ['admin'] }],
    ['a type', { Type: 1 }],
    ['an approval', { Status: 2 }],
  ])('%s cannot be written along', async (_what, extra) => {
    await browser.signOn('leslie');
    const { status } = await browser.call('POST', '/oauth2/identity/account', {
      Username: 'leslie',
      Nickname: 'Leslie',
      Email: 'leslie@grid.example',
      ...extra,
    });
    expect(status).toBe(400);
  });

  test('an address for which nobody vouches needs the code of a mail', async () => {
    await browser.signOn('grace');
    const body = { Username: 'grace-h', Nickname: 'Grace', Email: 'grace@grid.example' };
    const without = await browser.call('POST', '/oauth2/identity/account', body);
    expect([without.status, without.body.Code]).toEqual([400, 'wrong_code']);
    await browser.call('POST', '/user/captcha', { Email: body.Email });
    const [mail] = await world.sql<{ text: string }>(
      sql`select text from mail where recipient = ${body.Email} order by id desc limit 1`,
    );
    const EmailCode = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0];
    const made = await browser.call('POST', '/oauth2/identity/account', { ...body, EmailCode });
    expect(made.body).toMatchObject({ Outcome: 'signed-in', Session: { Username: 'grace-h' } });
  });

  test('another address than the one that was vouched for needs a code as well', async () => {
    await browser.signOn('leslie');
    const { body } = await browser.call('POST', '/oauth2/identity/account', {
      Username: 'leslie',
      Nickname: 'Leslie',
      Email: 'admin@elsewhere.example',
    });
    expect(body.Code).toBe('wrong_code');
  });

  test('an address that has an account here opens it to nobody', async () => {
    await browser.signOn('donald');
    const { status, body } = await browser.call('POST', '/oauth2/identity/account', {
      Username: 'donald',
      Nickname: 'Donald',
      Email: 'teacher@hypercube.local',
    });
    expect([status, body.Code]).toEqual([409, 'email_taken']);
    expect((await browser.call('GET', '/usage')).status).toBe(401);
    // The same identity can still choose another name or another account.
    expect((await browser.call<Pending>('GET', '/oauth2/identity')).body).not.toBeNull();
  });

  test('a name that is taken is told, and nothing is made', async () => {
    await browser.signOn('leslie');
    const { body } = await browser.call('POST', '/oauth2/identity/account', {
      Username: 'STUDENT',
      Nickname: 'Leslie',
      Email: 'leslie@grid.example',
    });
    expect(body.Code).toBe('username_taken');
  });

  test('markup in what the provider says is text, and suggests no name', async () => {
    await browser.signOn('barbara');
    const { body } = await browser.call<Pending>('GET', '/oauth2/identity');
    expect(body?.Name).toBe('<img src=x onerror=alert(1)>');
    expect(body?.Username).not.toMatch(/[<>]/);
  });

  test('an account has one identity of a kind', async () => {
    await makeAccount('one-kind');
    const link = { Username: 'one-kind', Password: PASSWORD };
    await browser.signOn('frances');
    await browser.call('POST', '/oauth2/identity/link', link);
    const other = new Browser();
    await other.signOn('margaret');
    const { body } = await other.call('POST', '/oauth2/identity/link', link);
    expect(body.Code).toBe('identity_taken');
    expect((await other.call('GET', '/usage')).status).toBe(401);
  });

  test('plain OAuth 2 works by its addresses, and its people are others', async () => {
    const first = await browser.signOn('ada', 'scnet');
    expect(first.body.Outcome).toBe('select');
    expect((await browser.call<Pending>('GET', '/oauth2/identity')).body).toMatchObject({
      Provider: 'scnet',
      Name: 'ada name',
      Email: 'ada@grid.example',
      // Nobody vouches for it there.
      IsEmailVerified: false,
    });
  });
});

describe('what fails leads back, and opens nothing', () => {
  const REFUSED = [400, 'sso_failed'];
  const codeOf = ({ status, body }: { status: number; body: { Code?: string } }) => [
    status,
    body.Code,
  ];
  /** Whether nobody is signed in, and nothing waits for an account. */
  const isNobody = async (): Promise<boolean> =>
    (await browser.call('GET', '/usage')).status === 401 &&
    (await browser.call<Pending>('GET', '/oauth2/identity')).body === null;

  test('another state', async () => {
    const callback = await provider.signOn(await browser.begin(), 'kathleen');
    callback.searchParams.set('state', 'x'.repeat(43));
    expect(codeOf(await browser.finish(callback))).toEqual(REFUSED);
    expect(await isNobody()).toBe(true);
  });

  test('no state', async () => {
    const callback = await provider.signOn(await browser.begin(), 'kathleen');
    callback.searchParams.delete('state');
    expect(codeOf(await browser.finish(callback))).toEqual(REFUSED);
    expect(await isNobody()).toBe(true);
  });

  test('no code', async () => {
    const callback = await provider.signOn(await browser.begin(), 'kathleen');
    callback.searchParams.delete('code');
    expect(codeOf(await browser.finish(callback))).toEqual(REFUSED);
    expect(await isNobody()).toBe(true);
  });

  test('a code that the provider did not give', async () => {
    const callback = await provider.signOn(await browser.begin(), 'kathleen');
    callback.searchParams.set('code', 'made-up');
    expect(codeOf(await browser.finish(callback))).toEqual(REFUSED);
    expect(await isNobody()).toBe(true);
  });

  test('a person who declined', async () => {
    expect(codeOf(await browser.finish(await provider.decline(await browser.begin())))).toEqual(
      REFUSED,
    );
    expect(await isNobody()).toBe(true);
  });

  test('the same answer a second time', async () => {
    const jar = new Map(browser.cookies);
    const address = await browser.begin();
    for (const [name, value] of browser.cookies) jar.set(name, value);
    const callback = await provider.signOn(address, 'kathleen');
    expect((await browser.finish(callback)).body.Outcome).toBe('select');
    const thief = new Browser();
    for (const [name, value] of jar) thief.cookies.set(name, value);
    expect(codeOf(await thief.finish(callback))).toEqual(REFUSED);
  });

  test('an answer that another browser began: nobody is signed in as somebody else', async () => {
    const callback = await provider.signOn(await new Browser().begin(), 'kathleen');
    expect(codeOf(await browser.finish(callback))).toEqual(REFUSED);
    // Neither with a sign-on of its own under way.
    await browser.begin();
    expect(codeOf(await browser.finish(callback))).toEqual(REFUSED);
    expect(await isNobody()).toBe(true);
  });

  test('an answer at the other provider’s callback', async () => {
    const callback = await provider.signOn(await browser.begin('arose'), 'kathleen');
    expect(codeOf(await browser.finish(callback, 'scnet'))).toEqual(REFUSED);
    expect(await isNobody()).toBe(true);
  });

  test('an answer that comes too late', async () => {
    const callback = await provider.signOn(await browser.begin(), 'kathleen');
    world.clock.advance(601);
    expect(codeOf(await browser.finish(callback))).toEqual(REFUSED);
    await world.system.sweep();
    expect(
      await world.sql(sql`select 1 from sso_attempt where expires_at < ${world.clock.now()}`),
    ).toEqual([]);
  });

  test('a new identity that waited too long', async () => {
    await browser.signOn('kathleen');
    world.clock.advance(601);
    expect(await isNobody()).toBe(true);
    expect(
      codeOf(
        await browser.call('POST', '/oauth2/identity/link', {
          Username: 'student2',
          Password: PASSWORD,
        }),
      ),
    ).toEqual(REFUSED);
  });

  test('an account that is disabled', async () => {
    const id = await makeAccount('disabled-1');
    await browser.signOn('margaret');
    await browser.call('POST', '/oauth2/identity/link', {
      Username: 'disabled-1',
      Password: PASSWORD,
    });
    await world.sql(sql`update user_account set disabled_at = now() where id = ${id}`);
    const later = new Browser();
    const { status, body } = await later.signOn('margaret');
    expect([status, body.Code]).toEqual([403, 'account_disabled']);
    expect(later.cookies.has('hc_login')).toBe(false);
  });

  test('guesses of a password are counted as at the login', async () => {
    await makeAccount('guessed');
    await browser.signOn('kathleen');
    const guess = (Password: string) =>
      browser.call('POST', '/oauth2/identity/link', { Username: 'guessed', Password });
    for (let count = 0; count < 10; count += 1)
      expect((await guess(`wrong-${count}`)).body.Code).toBe('wrong_credentials');
    expect((await guess(PASSWORD)).body.Code).toBe('too_many_guesses');
  });

  test('a provider that is down', async () => {
    const down = await World.create({
      hasWorker: false,
      environment: {
        HC_SSO_AROSE_ISSUER: 'http://127.0.0.1:9',
        HC_SSO_AROSE_CLIENT_ID: 'hypercube',
        HC_SSO_AROSE_CLIENT_SECRET: 'a-secret-of-the-test',
      },
    });
    const answer = await down.visitor().call('POST', '/oauth2/arose/authorization', {});
    expect([answer.status, answer.body['Code']]).toEqual([502, 'sso_unavailable']);
    const other = await down.visitor().call('POST', '/oauth2/scnet/authorization', {});
    expect(other.status).toBe(404);
    await down[Symbol.asyncDispose]();
  });
});

describe('the identities of an account', () => {
  const list = async (id: number) =>
    (await browser.call<Identities>('GET', `/user/${id}/identity`)).body.List;

  test('are added while signed in, and only to the account that asked', async () => {
    const id = await makeAccount('adder');
    await browser.login('adder');
    const linked = await browser.signOn('kathleen', 'arose', {
      IsLinking: true,
      Redirect: '/settings',
    });
    expect(linked.body).toEqual({ Outcome: 'linked', Session: null, Redirect: '/settings' });
    expect(await list(id)).toMatchObject([{ Provider: 'arose', Name: 'kathleen name' }]);

    const other = new Browser();
    await makeAccount('other-adder');
    await other.login('other-adder');
    const taken = await other.signOn('kathleen', 'arose', { IsLinking: true });
    expect([taken.status, taken.body.Code]).toEqual([409, 'identity_taken']);
  });

  test('are not added to whoever signed in meanwhile', async () => {
    const id = await makeAccount('beginner');
    await makeAccount('meanwhile');
    await browser.login('beginner');
    const callback = await provider.signOn(
      await browser.begin('arose', { IsLinking: true }),
      'leslie',
    );
    await browser.login('meanwhile');
    expect((await browser.finish(callback)).body.Code).toBe('sso_failed');
    await browser.login('beginner');
    expect(await list(id)).toEqual([]);
  });

  test('a visitor cannot begin to add one', async () => {
    const { status } = await browser.call('POST', '/oauth2/arose/authorization', {
      IsLinking: true,
    });
    expect(status).toBe(401);
  });

  test('can be taken away while a password is left, and never when it is the last way in', async () => {
    const id = await makeAccount('leaver');
    await browser.login('leaver');
    await browser.signOn('leslie', 'arose', { IsLinking: true });
    const [first] = await list(id);
    const path = `/user/${id}/identity/${first?.ID}`;
    await world.sql(sql`update user_account set password_hash = null where id = ${id}`);
    const refused = await browser.call('DELETE', path);
    expect([refused.status, refused.body.Code]).toEqual([409, 'last_way_in']);
    // A second identity is a way in as well.
    await browser.signOn('leslie', 'scnet', { IsLinking: true });
    expect((await browser.call('DELETE', path)).status).toBe(200);
    const [last] = await list(id);
    expect((await browser.call('DELETE', `/user/${id}/identity/${last?.ID}`)).status).toBe(409);
  });

  test('of somebody else can be neither seen nor taken away', async () => {
    const id = await makeAccount('owner-of');
    await browser.login('owner-of');
    await browser.signOn('barbara', 'arose', { IsLinking: true });
    const [own] = await list(id);
    const other = new Browser();
    await other.login('student');
    expect((await other.call('GET', `/user/${id}/identity`)).status).toBe(404);
    expect((await other.call('DELETE', `/user/${id}/identity/${own?.ID}`)).status).toBe(404);
    expect(await list(id)).toHaveLength(1);
  });
});
