/** The role `gateway`: a process of its own that carries sessions of a site elsewhere. */
import { once } from 'node:events';
import { sql } from 'drizzle-orm';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../platform/config.ts';
import { StartError } from '../platform/start-error.ts';
import { World, until, type Person } from '../testing/world.ts';
import { startGateway, type StartedGateway } from './gateway-system.ts';

let world: World;
let student: Person;
let gateway: StartedGateway;
let path: string;

beforeAll(async () => {
  world = await World.create();
  student = await world.signIn('student');
  const [task] = await world.sql<{ id: number; lab_id: number }>(
    sql`select id, lab_id from lab_task order by id limit 1`,
  );
  const opened = await student.call<{ ProxyPath: string }>('POST', '/usage', {
    RouteName: 'x',
    RoutePath: '/x',
    LabID: task?.lab_id,
    TaskID: task?.id,
  });
  path = opened.body.ProxyPath;
  const { host = '', user = '', port, database = '' } = world.connection;
  gateway = await startGateway(
    readConfig({
      HC_ROLES: 'gateway',
      HC_PORT: '0',
      HC_LOG_LEVEL: 'fatal',
      DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    }),
    world.clock,
  );
});
afterAll(async () => {
  await gateway.close();
  await world[Symbol.asyncDispose]();
});

const get = (target: string, cookie = student.cookie ?? ''): Promise<Response> =>
  fetch(`${gateway.address}${target}`, { headers: { cookie } });

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(`${gateway.address.replace('http', 'ws')}${path}echo`, {
    headers: { cookie: student.cookie ?? '' },
  });
  await once(socket, 'open');
  return socket;
}

test('carries HTTP and WebSocket of a session, for its owner only', async () => {
  const answer = await get(`${path}echo?x=1`);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ method: 'GET', url: `${path}echo?x=1` }),
  ]);
  const socket = await open();
  socket.close();
  await once(socket, 'close');
  const other = await world.signIn('student2');
  expect((await get(`${path}echo`, other.cookie)).status).toBe(404);
  expect((await get(`${path}echo`, '')).status).toBe(401);
});

test('goes on while the site restarts', async () => {
  const socket = await open();
  await world.restart();
  socket.send('still here');
  await until(
    async () => ((await once(socket, 'message')) as [Buffer])[0].toString(),
    (text) => text.includes('still here'),
  );
  expect((await get(`${path}echo`)).status).toBe(200);
  socket.terminate();
});

test.each([
  ['nobody listens', 'postgres://nobody@127.0.0.1:9/none', /ECONNREFUSED/],
  [
    'there is no such database',
    () => {
      const { host = '', user = '', port } = world.connection;
      return `postgres://${user}@localhost:${port}/gone?host=${encodeURIComponent(host)}`;
    },
    /database "gone" does not exist/,
  ],
])('a database that cannot be used is told in a sentence: %s', async (_why, url, message) => {
  const config = readConfig({
    HC_ROLES: 'gateway',
    HC_PORT: '0',
    HC_LOG_LEVEL: 'fatal',
    DATABASE_URL: typeof url === 'string' ? url : url(),
  });
  const failure = await startGateway(config, world.clock).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartError);
  expect(String(failure)).toMatch(message);
});

describe('beside sessions', () => {
  test('says whether it lives and can work, and counts its sockets', async () => {
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await get('/readyz')).json()).toMatchObject({
      status: 'ready',
      database: { ready: true },
      notifications: { ready: true },
    });
    const socket = await open();
    expect(await (await get('/metrics')).text()).toContain('hypercube_gateway_sockets 1');
    socket.terminate();
  });

  test.each(['/', '/api/v1/lab', '/api/v1/user/auth', '/openapi'])(
    'knows nothing of %s',
    async (target) => {
      const answer = await get(target);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ Code: 'not_found' }),
      ]);
    },
  );
});

test('a logout at the site closes what the login had open here', async () => {
  const socket = await open();
  const closed = once(socket, 'close');
  await student.call('DELETE', '/user/auth');
  await closed;
  expect((await get(`${path}echo`)).status).toBe(401);
});
