/**
 * Attacks on every route, made from the contract, so that a new route is attacked as well. What is
 * shown where:
 *
 * - a write from another site: every writing route here; sockets of sessions in `gateway.test.ts`
 * - mass assignment: every body here; of a registration field by field in `registration.test.ts`
 * - a forged role, somebody else's things: every route in `access.matrix.test.ts`, `user.test.ts`
 * - two who change one thing: `user.admin.test.ts`, `lab.staff.test.ts`, `setting.test.ts`
 * - an open redirect: the server's doors here, the pages' in `redirect.rules.test.ts`
 * - uploads that lie about what they are: `lab.staff.test.ts`, `user.account.test.ts`,
 *   `suggestion.test.ts`; scripts in texts and files, in a real browser: `e2e/tests/xss.spec.ts`
 * - accounts and login sessions: `safety.session.test.ts`; mails and sheets: `safety.text.test.ts`
 */
import { createHash } from 'node:crypto';
import { API_BASE, routes, type Route } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, World, type Person } from './world.ts';

let world: World;
let admin: Person;
let origin: string;
beforeAll(async () => {
  world = await World.create({ hasWorker: false });
  admin = await world.signIn('admin', 'admin');
  origin = `http://${await world.listen()}`;
});
afterAll(() => world[Symbol.asyncDispose]());

const all = Object.entries(routes as Readonly<Record<string, Route>>);
const writing = all.filter(([, { method }]) => method !== 'GET');

/** An address whose ids name something: a refusal that comes first does not look at them. */
const addressOf = (route: Route, query = ''): string =>
  `${API_BASE}${route.path.replaceAll(/:([A-Za-z]+)/g, (_whole, name: string) =>
    name === 'provider' ? 'arose' : '1',
  )}?role=admin${query}`;

/** All that an attack could have changed: every row but signs of life. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const tables = await world.sql<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'worker' order by 1`,
  );
  for (const { name } of tables) {
    const rows = await world.sql<{ row: string }>(
      sql.raw(`select (to_jsonb(t) - 'last_seen_at')::text as row from "${name}" t order by 1`),
    );
    hash.update(name).update(rows.map(({ row }) => row).join('\n'));
  }
  return hash.digest('hex');
}

interface Attack {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

/** As the admin whose browser was led astray. */
async function attack(route: Route, { headers, payload }: Attack): Promise<[number, unknown]> {
  const { statusCode, body } = await world.system.app.inject({
    method: route.method,
    url: addressOf(route),
    headers: { cookie: admin.cookie ?? '', ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return [statusCode, (JSON.parse(body) as { Code?: string }).Code];
}

describe('a write that another site makes is refused, and changes nothing', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const FOREIGN: Readonly<Record<string, Attack>> = {
    'another origin': { headers: { ...JSON_TYPE, origin: 'https://evil.example' }, payload: '{}' },
    'a part of the own name': {
      headers: { ...JSON_TYPE, origin: 'http://localhost.evil.example' },
      payload: '{}',
    },
    'another port': { headers: { ...JSON_TYPE, origin: 'http://localhost:8081' }, payload: '{}' },
    'no origin that can be told': { headers: { ...JSON_TYPE, origin: 'null' }, payload: '{}' },
    'an empty origin': { headers: { ...JSON_TYPE, origin: '' }, payload: '{}' },
    'another site, by its fetch': {
      headers: { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' },
      payload: '{}',
    },
    'another host of the domain': {
      headers: { ...JSON_TYPE, 'sec-fetch-site': 'same-site' },
      payload: '{}',
    },
    'a form of another site': {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
      },
      payload: 'a=1',
    },
  };
  /** Types that a form can send without asking first, where not even the browser tells who it is. */
  const SIMPLE: Readonly<Record<string, Attack>> = {
    'a plain form': {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'a=1',
    },
    'a form of text': { headers: { 'content-type': 'text/plain' }, payload: '{"a":"=1"}' },
    'a form with parts': {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    },
  };

  /** The types that a route takes by its own word. */
  const isTaken = (route: Route, name: string): boolean =>
    (name === 'a plain form' && route.form === true) ||
    (name === 'a form with parts' && route.upload === true);

  test.each(writing)('%s', async (_name, route) => {
    const before = await fingerprint();
    for (const [name, foreign] of Object.entries(FOREIGN))
      expect([name, ...(await attack(route, foreign))]).toEqual([name, 403, 'foreign_origin']);
    for (const [name, simple] of Object.entries(SIMPLE)) {
      if (isTaken(route, name)) continue;
      expect([name, ...(await attack(route, simple))]).toEqual([
        name,
        415,
        'unsupported_media_type',
      ]);
    }
    expect(await fingerprint()).toBe(before);
  });

  test('while the same call from a page of this site is made', async () => {
    const own = new URL(origin).host;
    const { statusCode } = await world.system.app.inject({
      method: 'PUT',
      url: `${API_BASE}/user/1/preference?role=admin`,
      headers: { cookie: admin.cookie ?? '', host: own, origin: `http://${own}` },
      payload: { Theme: 'dark' },
    });
    expect(statusCode).toBe(200);
  });

  test('and no reading route changes anything by its method', async () => {
    // What a link or a picture of another site can call. Questions of one address are counted.
    await world.sql(sql`delete from login_guess`);
    const before = await fingerprint();
    for (const [name, route] of all) {
      if (route.method !== 'GET' || route.kind === 'stream' || route.isRecorded) continue;
      const { statusCode } = await world.system.app.inject({
        url: addressOf(route),
        headers: { cookie: admin.cookie ?? '', 'sec-fetch-site': 'cross-site' },
      });
      expect([name, statusCode < 500]).toEqual([name, true]);
    }
    await world.sql(sql`delete from login_guess`);
    expect(await fingerprint()).toBe(before);
  });
});

describe('fields that nobody may set', () => {
  /** What an attacker would add to a body. */
  const EXTRA: Readonly<Record<string, unknown>> = {
    ID: 1,
    UserID: 1,
    UserId: 1,
    OwnerID: 1,
    AuthorID: 1,
    Role: 'admin',
    Roles: ['admin'],
    Type: 1,
    Status: 2,
    ApplyStatus: 2,
    State: 'ready',
    Version: 99,
    IsAdmin: true,
    IsDisabled: false,
    IsPublished: true,
    IsPublic: true,
    PasswordHash: 'x',
    HasPassword: true,
    Slug: 'x',
    CreatedAt: '2020-01-01T00:00:00Z',
    user_id: 1,
    apply_status: 2,
  };

  const bodied = writing.filter(([, { bodySchema }]) => bodySchema !== null);

  test.each(bodied)('%s refuses a body with them, and changes nothing', async (_name, route) => {
    const before = await fingerprint();
    for (const [field, value] of Object.entries(EXTRA)) {
      if (field in (route.body ?? {})) continue;
      const { statusCode, body } = await world.system.app.inject({
        method: route.method,
        url: addressOf(route),
        headers: { cookie: admin.cookie ?? '' },
        payload: { [field]: value },
      });
      const { Code, Params } = JSON.parse(body) as {
        Code: string;
        Params: { Fields?: { Rule: string }[] };
      };
      expect([field, statusCode, Code]).toEqual([field, 400, 'invalid_input']);
      // Refused for this very field, whatever else is missing.
      expect(Params.Fields?.map(({ Rule }) => Rule)).toContain('unrecognized_keys');
    }
    expect(await fingerprint()).toBe(before);
  });

  test.each(['{"__proto__":{"Roles":["admin"]}}', '{"constructor":{"prototype":{"Roles":[]}}}'])(
    'nor through %s',
    async (payload) => {
      const { statusCode } = await world.system.app.inject({
        method: 'PUT',
        url: `${API_BASE}/user/1/preference?role=admin`,
        headers: { cookie: admin.cookie ?? '', 'content-type': 'application/json' },
        payload,
      });
      expect(statusCode).toBe(400);
    },
  );

  test.each(all)('%s refuses a query with them', async (_name, route) => {
    for (const field of ['UserID', 'Roles', 'IsAdmin', 'debug']) {
      const { statusCode } = await world.system.app.inject({
        method: route.method,
        url: addressOf(route, `&${field}=1`),
        headers: { cookie: admin.cookie ?? '' },
        ...(route.bodySchema ? { payload: {} } : {}),
      });
      expect([field, statusCode]).toEqual([field, 400]);
    }
  });

  interface Schema {
    readonly additionalProperties?: unknown;
    readonly propertyNames?: unknown;
  }
  /** Objects within a body that keep what they do not name. */
  const open = (schema: unknown, path: string): string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const { additionalProperties, propertyNames } = schema as Schema;
    // A record of named keys is as closed as an object.
    const isOpen =
      additionalProperties !== undefined &&
      additionalProperties !== false &&
      propertyNames === undefined;
    return [
      ...(isOpen ? [path] : []),
      ...Object.entries(schema).flatMap(([key, inner]) => open(inner, `${path}.${key}`)),
    ];
  };

  test('nor is anything kept that stands deeper in a body', () => {
    const found = bodied.flatMap(([name, { bodySchema }]) =>
      bodySchema
        ? open(z.toJSONSchema(bodySchema, { io: 'output', unrepresentable: 'any' }), name)
        : [],
    );
    expect(found).toEqual([]);
  });
});

/** Addresses that look like a page of this site, and lead elsewhere in some browser. */
const HOSTILE = [
  'https://evil.example',
  'http://evil.example',
  'HTTPS://evil.example',
  'http:evil.example',
  'http:/evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '//evil.example/lab',
  '//user@evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '/\r\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/./\\evil.example',
  '/lab/..//evil.example',
  '/%2e//evil.example',
  '/%2E%2e//evil.example',
  '/lab/.%2e//evil.example',
  '/\u0000/evil.example',
  '/lab\r\nLocation: https://evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  'evil.example',
  '@evil.example',
  '.evil.example',
  '?x=//evil.example',
  '',
];
const OWN = ['/', '/lab', '/lab/3?page=2#end', '/lab?keyword=%E5%BD%92%E7%BA%A6', '/a.b/..c/...'];

describe('no address leads off this site', () => {
  const begin = (Redirect: string) =>
    world.visitor().call('POST', '/oauth2/arose/authorization', { Redirect });
  const announce = (Path: string) =>
    admin.call('POST', '/notification', {
      TitleZh: '通知',
      ContentZh: '内容',
      Audience: 'users',
      Names: ['student'],
      Path,
    });

  test.each(HOSTILE)('%j: not after a sign-on, nor from a notification', async (address) => {
    expect((await begin(address)).status).toBe(400);
    expect((await announce(address)).status).toBe(400);
  });

  test.each(OWN)('%j is a page of ours', async (address) => {
    // No provider is configured: the address itself was accepted.
    expect((await begin(address)).status).toBe(404);
    expect((await announce(address)).status).toBe(201);
  });
});

describe('the headers of every answer', () => {
  interface Told {
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
  }
  async function ask(path: string, options: RequestInit = {}, isStream = false): Promise<Told> {
    const answer = await fetch(origin + path, options);
    const { status, headers } = answer;
    if (isStream) await answer.body?.cancel();
    return { status, headers, text: isStream ? '' : await answer.text() };
  }
  const asAdmin = () => ({ headers: { cookie: admin.cookie ?? '' } });
  const json = (body: unknown, headers = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

  const ANSWERS: Readonly<Record<string, [number, () => Promise<Told>]>> = {
    'a list': [200, () => ask(`${API_BASE}/user?role=admin`, asAdmin())],
    'one’s own account': [200, () => ask(`${API_BASE}/user/auth`, asAdmin())],
    'a login': [
      200,
      () => ask(`${API_BASE}/user/auth`, json({ Username: 'student', Password: PASSWORD })),
    ],
    'what a visitor may read': [200, () => ask(`${API_BASE}/site`)],
    'an export': [200, () => ask(`${API_BASE}/user/export?role=admin&columns=Username`, asAdmin())],
    'a stream': [200, () => ask(`${API_BASE}/usage/events?role=admin`, asAdmin(), true)],
    'an invalid body': [400, () => ask(`${API_BASE}/user/auth`, json({ a: 1 }))],
    'a body that is no JSON': [
      400,
      () =>
        ask(`${API_BASE}/user/auth`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{',
        }),
    ],
    'a visitor': [401, () => ask(`${API_BASE}/usage`)],
    'another role': [403, () => ask(`${API_BASE}/user?role=student`, asAdmin())],
    'another site': [
      403,
      () => ask(`${API_BASE}/user/auth`, json({}, { 'sec-fetch-site': 'cross-site' })),
    ],
    'no such thing': [404, () => ask(`${API_BASE}/lab/999999`, asAdmin())],
    'no such route': [404, () => ask(`${API_BASE}/no-such`)],
    'no such page': [404, () => ask('/no-such.txt')],
    'too long a body': [
      413,
      () => ask(`${API_BASE}/user/auth`, json({ Username: 'x'.repeat(1_100_000) })),
    ],
    'another type': [
      415,
      () =>
        ask(`${API_BASE}/user/auth`, {
          method: 'POST',
          headers: { 'content-type': 'application/xml' },
          body: '<a/>',
        }),
    ],
    'a null byte': [400, () => ask(`${API_BASE}/lab?keyword=%00`)],
    health: [200, () => ask('/healthz')],
  };

  test.each(Object.keys(ANSWERS))('%s', async (name) => {
    const [status, read] = ANSWERS[name] ?? [0, () => ask('/')];
    const told = await read();
    expect(told.status).toBe(status);
    const header = (key: string): string => told.headers.get(key) ?? '';
    const policy = Object.fromEntries(
      header('content-security-policy')
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive]),
    );
    expect(policy['default-src']).toBe("default-src 'self'");
    expect(policy['script-src']).toBe("script-src 'self'");
    expect(policy['object-src']).toBe("object-src 'none'");
    expect(policy['base-uri']).toBe("base-uri 'none'");
    expect(policy['frame-ancestors']).toBe("frame-ancestors 'none'");
    expect(policy['form-action']).toBe("form-action 'self'");
    expect(header('x-content-type-options')).toBe('nosniff');
    expect(header('referrer-policy')).toBe('same-origin');
    expect(header('cache-control')).toBe('no-store');
    // Who serves, and with what, is nobody's business.
    for (const banner of ['server', 'x-powered-by', 'via'])
      expect([banner, told.headers.has(banner)]).toEqual([banner, false]);
    expect(told.text).not.toMatch(/node_modules|at \S+ \(|select .* from|postgres/i);
    // In the clear it would lock the site out.
    expect(told.headers.has('strict-transport-security')).toBe(false);
  });

  test('a fault of ours tells nothing of itself', async () => {
    await world.sql(sql`alter table suggestion rename to elsewhere`);
    try {
      const { status, text } = await ask(`${API_BASE}/suggestion?role=admin`, asAdmin());
      expect(status).toBe(500);
      expect(JSON.parse(text)).toEqual({
        Code: 'internal',
        Params: {},
        RequestID: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      });
    } finally {
      await world.sql(sql`alter table elsewhere rename to suggestion`);
    }
  });

  test('an address that cannot be read is not repeated', async () => {
    const { status, headers, text } = await ask(`${API_BASE}/lab/%zz<script>`);
    expect([status, JSON.parse(text)]).toMatchObject([400, { Code: 'invalid_input', Params: {} }]);
    expect(text).not.toContain('script');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('what the gateway refuses is neither kept nor guessed at', async () => {
    const { status, headers } = await ask('/proxy/notebook/aaaa/bbbb/');
    expect(status).toBe(401);
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'nosniff',
    ]);
    expect(headers.has('server')).toBe(false);
  });
});
