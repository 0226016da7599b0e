import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, World, until, type Person } from '../testing/world.ts';

let world: World;
let student: Person;
let host: string;
let path: string;
let usageID: number;

beforeAll(async () => {
  world = await World.create();
  host = await world.listen();
  student = await world.signIn('student');
  await open();
});
afterAll(() => world[Symbol.asyncDispose]());

async function open(): Promise<void> {
  const [task] = await world.sql<{ id: number; lab_id: number }>(
    sql`select id, lab_id from lab_task order by id limit 1`,
  );
  const { body } = await student.call<{ ID: number; ProxyPath: string }>('POST', '/usage', {
    RouteName: 'x',
    RoutePath: '/x',
    LabID: task?.lab_id,
    TaskID: task?.id,
    Replace: true,
  });
  path = body.ProxyPath;
  usageID = body.ID;
}

/** Sends a raw target: `fetch` would tidy it up first. */
async function get(
  target: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<{
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}> {
  const [name, port] = host.split(':');
  const call = httpRequest({
    host: name,
    port: Number(port),
    path: target,
    method,
    headers: { host, ...headers },
    agent: false,
  });
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += String(part);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

const asStudent = (headers: Record<string, string> = {}): Record<string, string> => ({
  cookie: student.cookie ?? '',
  ...headers,
});
interface Echo {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Opens a WebSocket. @returns the socket and the session's first message, or the refused status */
async function dial(
  target: string,
  headers: Record<string, string>,
): Promise<{ socket: WebSocket; first: { headers: Record<string, string> } } | number> {
  const socket = new WebSocket(`ws://${host}${target}`, { headers });
  return new Promise((resolve, reject) => {
    socket.once('message', (data: Buffer) =>
      resolve({
        socket,
        first: JSON.parse(data.toString()) as { headers: Record<string, string> },
      }),
    );
    socket.once('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.once('error', reject);
  });
}

describe('HTTP', () => {
  test('keeps the path and the Host, streams the body, and strips what is the platform’s', async () => {
    const answer = await get(
      `${path}echo?x=1`,
      asStudent({
        cookie: `a=1; ${student.cookie}; _xsrf=2; __Host-hc_login=x; hc_session=y`,
        authorization: 'Bearer secret',
        'x-forwarded-for': '9.9.9.9',
      }),
      'POST',
      'hello',
    );
    const echo = JSON.parse(answer.text) as Echo;
    expect(echo).toMatchObject({ method: 'POST', url: `${path}echo?x=1`, body: 'hello' });
    expect(echo.headers['host']).toBe(host);
    expect(echo.headers['cookie']).toBe('a=1; _xsrf=2');
    expect(echo.headers).not.toHaveProperty('authorization');
    expect(echo.headers['x-forwarded-for']).not.toContain('9.9.9.9');
  });

  test('a session can neither plant the platform’s cookie nor reach beyond its own path', async () => {
    const { headers } = await get(`${path}cookies`, asStudent());
    expect(headers['set-cookie']).toEqual([`_xsrf=1; Path=${path}`]);
    expect(headers).not.toHaveProperty('clear-site-data');
    expect(headers).not.toHaveProperty('service-worker-allowed');
  });

  test.each([
    ['a visitor', () => ({}), 401, 'not_signed_in'],
    ['a made-up cookie', () => ({ cookie: `hc_login=${'x'.repeat(43)}` }), 401, 'not_signed_in'],
    [
      'a write from another site',
      () => asStudent({ origin: 'https://evil.example' }),
      403,
      'foreign_origin',
    ],
  ])('%s is refused', async (_who, headers, status, code) => {
    const answer = await get(`${path}echo`, headers(), 'POST');
    expect([answer.status, (JSON.parse(answer.text) as { Code: string }).Code]).toEqual([
      status,
      code,
    ]);
  });

  test('somebody else’s session does not exist', async () => {
    const other = await world.signIn('student2');
    expect((await get(`${path}echo`, { cookie: other.cookie ?? '' })).status).toBe(404);
    const admin = await world.signIn('admin', 'admin');
    expect((await get(`${path}echo`, { cookie: admin.cookie ?? '' })).status).toBe(404);
  });

  test('nothing a client writes is dialled', async () => {
    const encode = (text: string): string => Buffer.from(text).toString('base64url');
    const [row] = await world.sql<{ host: string; ip: string; address: string }>(
      sql`select host, ip, address from usage where ended_at is null`,
    );
    for (const [name, ip] of [
      ['localhost', '127.0.0.1'],
      [row?.host, '127.0.0.1'],
      [row?.host, row?.address.split(':')[0]],
      ['169.254.169.254', '169.254.169.254'],
      [`${row?.host}:22`, row?.ip],
      ["u1' or '1'='1", row?.ip],
    ]) {
      expect(
        (await get(`/proxy/notebook/${encode(name ?? '')}/${encode(ip ?? '')}/echo`, asStudent()))
          .status,
      ).toBe(404);
    }
  });

  test.each([
    '/proxy/',
    '/proxy/notebook',
    '/proxy/notebook//x/',
    '/proxy/ftp/dTE/MTAw/',
    '/proxy/notebook/../../etc/passwd',
    '/proxy/notebook/%00/x/',
    '/proxy/desktop/{host}/{ip}/',
  ])('%s is not there', async (target) => {
    const [, , , name = '', ip = ''] = path.split('/');
    expect(
      (await get(target.replace('{host}', name).replace('{ip}', ip), asStudent())).status,
    ).toBe(404);
  });

  test('dots in the path stay inside the session', async () => {
    const { status, text } = await get(`${path}../../../../api/v1/usage`, asStudent());
    // It reached the session, as it was written; it did not become a call of the platform.
    expect([status, (JSON.parse(text) as Echo).url]).toEqual([
      200,
      `${path}../../../../api/v1/usage`,
    ]);
  });

  test('a paused session says so, and a continued one answers again', async () => {
    await student.call('PUT', `/usage/${usageID}`, { Action: 'stop' });
    const paused = await get(`${path}echo`, asStudent());
    expect([paused.status, (JSON.parse(paused.text) as { Code: string }).Code]).toEqual([
      409,
      'usage_not_running',
    ]);
    await student.call('PUT', `/usage/${usageID}`, { Action: 'start' });
    expect((await get(`${path}echo`, asStudent())).status).toBe(200);
  });

  test('a session that does not answer is told as such', async () => {
    const [row] = await world.sql<{ address: string }>(
      sql`select address from usage where ended_at is null`,
    );
    await world.sql(sql`update usage set address = '127.0.0.1:1' where ended_at is null`);
    await world.sql(sql`select pg_notify('hc_usage', ${`${usageID} 0`})`);
    const answer = await until(
      () => get(`${path}echo`, asStudent()),
      ({ status }) => status !== 200,
    );
    expect([answer.status, (JSON.parse(answer.text) as { Code: string }).Code]).toEqual([
      502,
      'session_unreachable',
    ]);
    await world.sql(sql`update usage set address = ${row?.address} where ended_at is null`);
    await world.sql(sql`select pg_notify('hc_usage', ${`${usageID} 0`})`);
    await until(
      () => get(`${path}echo`, asStudent()),
      ({ status }) => status === 200,
    );
  });
});

test('a kept connection serves its own session only: addresses are given out again', async () => {
  const ip = '127.64.250.1';
  const seen: Socket[] = [];
  const server = createServer((request, response) => {
    seen.push(request.socket);
    response.end('ok');
  }).listen(8888, ip);
  await once(server, 'listening');
  const moveHere = (): Promise<unknown> =>
    world.sql(sql`
      with moved as (update usage set address = ${`${ip}:8888`} where id = ${usageID} returning id, user_id)
      select pg_notify('hc_usage', id || ' ' || user_id) from moved`);
  const ask = (): Promise<unknown> =>
    until(
      async () => (await get(`${path}echo`, asStudent())).text,
      (text) => text === 'ok',
    );
  try {
    await moveHere();
    await ask();
    const first = seen.at(-1);
    await ask();
    expect(seen.at(-1)).toBe(first);
    await open();
    await moveHere();
    await ask();
    expect(seen.at(-1)).not.toBe(first);
    expect(first?.destroyed).toBe(true);
  } finally {
    server.closeAllConnections();
    server.close();
    await open();
  }
});

describe('WebSocket', () => {
  test('carries text and bytes both ways, unchanged', async () => {
    const dialled = await dial(`${path}ws`, asStudent({ origin: `http://${host}` }));
    if (typeof dialled === 'number') throw new Error(`refused with ${dialled}`);
    const { socket, first } = dialled;
    expect(first.headers).not.toHaveProperty('cookie');
    const big = Buffer.alloc(3_000_000, 7);
    for (const [sent, isBinary] of [
      [Buffer.from('你好'), false],
      [big, true],
    ] as const) {
      socket.send(sent, { binary: isBinary });
      const [echoed] = (await once(socket, 'message')) as [Buffer];
      expect(echoed.equals(sent)).toBe(true);
    }
    socket.close();
    await until(
      async () => world.system.gateway.openSockets,
      (open) => open === 0,
    );
  });

  test.each([
    ['without a cookie', () => ({ origin: `http://${host}` }), 401],
    ['from a foreign origin', () => asStudent({ origin: 'https://evil.example' }), 403],
    ['with the cookie of another site’s origin null', () => asStudent({ origin: 'null' }), 403],
  ])('%s is refused at the handshake', async (_what, headers, status) => {
    expect(await dial(`${path}ws`, headers())).toBe(status);
  });

  test.each(['/', '/api/v1/usage', '/proxy/notebook/x/y/ws'])(
    'an upgrade of %s is refused',
    async (target) => {
      expect(await dial(target, asStudent())).toBe(404);
    },
  );

  test('somebody else’s is refused', async () => {
    const other = await world.signIn('student2');
    expect(await dial(`${path}ws`, { cookie: other.cookie ?? '' })).toBe(404);
  });

  test('a logout closes what it had open', async () => {
    const again = await world.signIn('student');
    const dialled = await dial(`${path}ws`, { cookie: again.cookie ?? '' });
    if (typeof dialled === 'number') throw new Error(`refused with ${dialled}`);
    const closed = once(dialled.socket, 'close');
    await again.call('DELETE', '/user/auth');
    await closed;
    expect((await get(`${path}echo`, asStudent())).status).toBe(200);
  });

  test('clients that vanish in the middle leave nothing behind', async () => {
    const [name, port] = host.split(':');
    const vanish = async (round: number): Promise<void> => {
      const raw = connect(Number(port), name);
      raw.on('error', () => undefined);
      const sent = new Promise<void>((resolve) => {
        raw.write(
          `GET ${path}ws HTTP/1.1\r\nhost: ${host}\r\ncookie: ${student.cookie}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
          () => resolve(),
        );
      });
      // Before the request is out, while the session answers, and after its answer.
      if (round % 3 > 0) await sent;
      if (round % 3 > 1) await once(raw, 'data');
      raw.destroy();
    };
    // Many at once: each meets another moment of the handshake.
    await Promise.all(Array.from({ length: 200 }, (_unused, round) => vanish(round)));
    await until(
      async () => world.system.gateway.openSockets,
      (open) => open === 0,
    );
    const left = await until(
      async () => world.engine.usages.get(usageID)?.sockets[0]?.clients.size,
      (clients) => clients === 0,
    );
    expect(left).toBe(0);
  });
});

test('a thousand half-open connections keep nobody else out, and leave nothing', async () => {
  const [name = '', port] = host.split(':');
  const half = Array.from({ length: 1000 }, () => {
    const socket = connect(Number(port), name);
    socket.on('error', () => undefined);
    return socket;
  });
  await Promise.all(half.map((socket) => once(socket, 'connect')));
  // Half of them say nothing, half begin an upgrade and never end it.
  for (const [index, socket] of half.entries())
    if (index % 2 === 0)
      socket.write(`GET ${path}ws HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\n`);
  expect((await get(`${path}echo`, asStudent())).status).toBe(200);
  const opened = await dial(`${path}ws`, asStudent());
  if (typeof opened === 'number') throw new Error(`refused with ${opened}`);
  opened.socket.terminate();
  for (const socket of half) socket.destroy();
  await until(
    async () => world.system.gateway.openSockets,
    (open) => open === 0,
  );
});

describe('every kind of session', () => {
  /** Opens a software. @returns its paths */
  async function openSoftware(slug: string): Promise<{ ProxyPath: string; TerminalPath: string }> {
    const [software] = await world.sql<{ id: number }>(
      sql`select id from software where slug = ${slug}`,
    );
    const { body } = await student.call<{ ID: number; ProxyPath: string; TerminalPath: string }>(
      'POST',
      '/usage',
      { RouteName: 'x', RoutePath: '/x', SoftwareID: software?.id, Replace: true },
    );
    return body;
  }
  afterAll(open);

  test.each([
    ['desk', 'ProxyPath', 7070, '/desktop/ws?x=1'],
    ['desk', 'TerminalPath', 7070, '/terminal/ws?x=1'],
    ['editor', 'ProxyPath', 8080, '/ws?x=1'],
    ['editor', 'TerminalPath', 7070, '/terminal/ws?x=1'],
    ['book', 'TerminalPath', 7070, '/terminal/ws?x=1'],
  ] as const)('%s, its %s, is port %d as %s', async (slug, which, port, inner) => {
    const paths = await openSoftware(slug);
    const answer = await get(`${paths[which]}ws?x=1`, asStudent());
    const echo = JSON.parse(answer.text) as Echo & { port: number };
    expect([echo.port, echo.url]).toEqual([port, inner]);
    const opened = await dial(`${paths[which]}ws?x=1`, asStudent());
    if (typeof opened === 'number') throw new Error(`refused with ${opened}`);
    expect(opened.first).toMatchObject({ url: inner });
    opened.socket.terminate();
  });

  test('a session keeps its cookies below its own path, whatever it believes its path to be', async () => {
    const { ProxyPath } = await openSoftware('editor');
    const { headers } = await get(`${ProxyPath}cookies`, asStudent());
    expect(headers['set-cookie']).toEqual([`_xsrf=1; Path=${ProxyPath}`]);
  });

  test('only our own pages may frame a web IDE, which does not say so itself', async () => {
    const { ProxyPath } = await openSoftware('editor');
    const { headers } = await get(`${ProxyPath}x`, asStudent());
    expect(headers['content-security-policy']).toBe("frame-ancestors 'self'");
  });

  test.each(['desktop', 'notebook'])('a web IDE does not answer as a %s', async (kind) => {
    const { ProxyPath } = await openSoftware('editor');
    const other = ProxyPath.replace('/ide/', `/${kind}/`);
    expect((await get(`${other}x`, asStudent())).status).toBe(404);
  });
});

describe('after a restart of the platform', () => {
  beforeEach(async () => {
    await world.restart();
    host = await world.listen();
  });

  test('the same address opens the same session, also in a second tab', async () => {
    const [first, second] = await Promise.all([
      get(`${path}echo`, asStudent()),
      get(`${path}echo`, asStudent()),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
  });

  test('an ended session is gone', async () => {
    await student.call('DELETE', `/usage/${usageID}`);
    expect((await get(`${path}echo`, asStudent())).status).toBe(404);
  });
});

describe('on an origin of its own', () => {
  let own: World;
  let person: Person;
  let proxyPath: string;
  let ownHost: string;
  beforeAll(async () => {
    own = await World.create({
      environment: {
        HC_SESSION_ORIGIN: 'http://sessions.example',
        HC_PUBLIC_URL: 'http://platform.example',
      },
    });
    ownHost = await own.listen();
    person = own.visitor();
    await person.call('POST', '/user/auth', { Username: 'student', Password: PASSWORD });
    const [task] = await own.sql<{ id: number; lab_id: number }>(
      sql`select id, lab_id from lab_task order by id limit 1`,
    );
    const { body } = await person.call<{ ID: number; ProxyPath: string }>('POST', '/usage', {
      RouteName: 'x',
      RoutePath: '/x',
      LabID: task?.lab_id,
      TaskID: task?.id,
    });
    proxyPath = body.ProxyPath;
    usageID = body.ID;
  });
  afterAll(() => own[Symbol.asyncDispose]());

  const at = async (target: string, headers: Record<string, string>) => {
    const before = host;
    host = ownHost;
    try {
      return await get(target, headers);
    } finally {
      host = before;
    }
  };

  test('session content is not on the platform’s origin at all', async () => {
    expect(
      (await at(`${proxyPath}echo`, { cookie: person.cookie ?? '', host: 'platform.example' }))
        .status,
    ).toBe(404);
    expect(
      (await at(`${proxyPath}echo`, { cookie: person.cookie ?? '', host: 'sessions.example' }))
        .status,
    ).toBe(401);
  });

  test('a ticket opens it once, and its cookie opens sessions only', async () => {
    const { body } = await person.call<{ URL: string }>('POST', `/usage/${usageID}/ticket`, {});
    const url = new URL(body.URL);
    expect(url.origin).toBe('http://sessions.example');
    const entered = await at(url.pathname + url.search, { host: 'sessions.example' });
    expect([entered.status, entered.headers['location']]).toEqual([303, proxyPath]);
    const [cookie = ''] = String(entered.headers['set-cookie']).split(';');
    expect((await at(`${proxyPath}echo`, { cookie, host: 'sessions.example' })).status).toBe(200);
    expect((await at(url.pathname + url.search, { host: 'sessions.example' })).status).toBe(401);
    const asCookie = own.visitor();
    asCookie.cookie = cookie;
    expect((await asCookie.call('GET', '/usage')).status).toBe(401);
  });

  test('the platform’s pages reach its terminals there, and nothing of its notebook', async () => {
    const { body } = await person.call<{ URL: string }>('POST', `/usage/${usageID}/ticket`, {});
    const url = new URL(body.URL);
    const entered = await at(url.pathname + url.search, { host: 'sessions.example' });
    const [cookie = ''] = String(entered.headers['set-cookie']).split(';');
    const terminal = proxyPath.replace('/notebook/', '/terminal/');
    const from = (origin: string) => ({ cookie, host: 'sessions.example', origin });
    const ours = await at(`${terminal}list`, from('http://platform.example'));
    expect(ours.headers['access-control-allow-origin']).toBe('http://platform.example');
    expect(ours.headers['access-control-allow-credentials']).toBe('true');
    const notebook = await at(`${proxyPath}list`, from('http://platform.example'));
    expect(notebook.headers).not.toHaveProperty('access-control-allow-origin');
    const evil = await at(`${terminal}list`, from('http://evil.example'));
    expect(evil.headers).not.toHaveProperty('access-control-allow-origin');

    const before = host;
    host = ownHost;
    try {
      for (const [path, origin, isOpen] of [
        [`${terminal}ws`, 'http://platform.example', true],
        [`${terminal}ws`, 'http://sessions.example', true],
        [`${terminal}ws`, 'http://evil.example', false],
        [`${proxyPath}ws`, 'http://platform.example', false],
      ] as const) {
        const opened = await dial(path, from(origin));
        expect([path, origin, typeof opened !== 'number']).toEqual([path, origin, isOpen]);
        if (typeof opened !== 'number') opened.socket.terminate();
      }
    } finally {
      host = before;
    }
  });

  test('a write from the session origin to the platform is refused', async () => {
    const answer = await person.call('DELETE', `/usage/${usageID}`, undefined, {
      origin: 'http://sessions.example',
    });
    expect(answer.status).toBe(403);
  });
});
