/** Health, metrics and logs; and what the embedded database survives. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, World, until } from '../testing/world.ts';
import { startEmbeddedPostgres } from './database/embedded.ts';
import { logOptions } from './log.ts';

describe('health and metrics', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    world.system.app.inject({ url, headers, remoteAddress });

  test('/healthz answers, /readyz names each part', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await get('/readyz');
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({
      status: 'ready',
      database: { ready: true, reason: null },
      queue: { ready: true, reason: null },
      engine: { ready: true, reason: null },
    });
  });

  test('an engine that is away is told with its reason, and the site stays ready', async () => {
    world.engine.isReady = false;
    const ready = await until(
      () => get('/readyz'),
      (answer) => answer.json<{ engine: { ready: boolean } }>().engine.ready === false,
    );
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toMatchObject({
      engine: { ready: false, reason: 'the test switched it off' },
    });
    world.engine.isReady = true;
  });

  test('/metrics is for this machine', async () => {
    const metrics = await get('/metrics');
    expect(metrics.body).toContain('hypercube_usages_running');
    expect(metrics.body).toContain('hypercube_http_request_duration_seconds');
    expect((await get('/metrics', {}, '10.0.0.9')).statusCode).toBe(404);
    expect((await get('/metrics', { 'x-forwarded-for': '10.0.0.9' })).statusCode).toBe(404);
  });

  test('with a token, /metrics asks for it', async () => {
    await using own = await World.create({
      hasWorker: false,
      environment: { HC_METRICS_TOKEN: 'a-long-enough-token' },
    });
    const ask = async (authorization?: string) =>
      (
        await own.system.app.inject({
          url: '/metrics',
          ...(authorization ? { headers: { authorization } } : {}),
        })
      ).statusCode;
    expect([
      await ask(),
      await ask('Bearer wrong'),
      await ask('Bearer a-long-enough-token'),
    ]).toEqual([404, 404, 200]);
  });

  test('without a worker the queue is not ready, and says why', async () => {
    await using own = await World.create({ hasWorker: false });
    const ready = await own.system.app.inject({ url: '/readyz' });
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toMatchObject({
      queue: { ready: false, reason: 'no worker has been heard of' },
    });
  });

  test('an unknown call is a coded 404, never a page', async () => {
    const answer = await get('/api/v1/nothing-here');
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ Code: 'not_found' });
  });
});

test('logs carry the request and never a secret', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  await using world = await World.create({
    hasWorker: false,
    logger: { ...logOptions({ HC_LOG_LEVEL: 'trace' }, false), stream },
  });
  const person = await world.signIn('student');
  await person.call('POST', '/user/auth', { Username: 'student', Password: 'a-wrong-one' });
  await person.call('GET', '/usage?t=ticket-secret');
  world.system.app.log.info({ Password: PASSWORD, nested: { cookie: person.cookie } }, 'careless');
  const text = lines.join('');
  expect(text).toContain('"reqId"');
  expect(text).toContain('/api/v1/usage');
  const [, token = 'none'] = (person.cookie ?? '').split('=');
  for (const secret of [PASSWORD, 'a-wrong-one', token, 'ticket-secret']) {
    expect(text).not.toContain(secret);
  }
});

test('what the embedded database acknowledged survives kill -9, and it starts again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hypercube-database-'));
  const first = await startEmbeddedPostgres(folder);
  const client = new pg.Client(first.connection);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table kept (n int primary key)');
  for (let n = 1; n <= 50; n += 1) await client.query('insert into kept values ($1)', [n]);
  const [pid = ''] = (await readFile(join(folder, 'database', 'postmaster.pid'), 'utf8')).split(
    '\n',
  );
  process.kill(Number(pid), 'SIGKILL');
  await first.stop();

  const second = await startEmbeddedPostgres(folder);
  const again = new pg.Client(second.connection);
  await again.connect();
  const { rows } = await again.query<{ count: number }>('select count(*)::int as count from kept');
  expect(rows[0]?.count).toBe(50);
  await again.end();
  await second.stop();
  await rm(folder, { recursive: true });
});
