/** The human check, through the login that it guards: the slider, the work, the external provider. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  CaptchaPayload,
  SliderChallenge,
  TrackPoint,
  WorkChallenge,
} from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signRPC } from '../../engines/captcha/aliyun.ts';
import { PASSWORD, World, type Answer, type Person } from '../../testing/world.ts';

const SCENE = 'ic_activity';

/** Where the gap of a challenge is: only the server knows. */
async function gapOf(world: World, sessionID: string): Promise<number> {
  const [row] = await world.sql<{ gap: number }>(
    sql`select (secret ->> 'gap')::int as gap from captcha_challenge where id = ${sessionID}`,
  );
  return row?.gap ?? 0;
}

/** A drag as a hand makes it: quick at first, slower towards the end, never quite level. */
const handTo = (gap: number): TrackPoint[] =>
  Array.from({ length: 30 }, (_, index) => {
    const share = index / 29;
    return [gap * (1 - (1 - share) ** 2), Math.sin(index) * 2, 16 * index];
  });

/** The same way as a program makes it. */
const evenlyTo = (gap: number): TrackPoint[] =>
  Array.from({ length: 30 }, (_, index) => [(gap * index) / 29, 0, 20 * index]);

const challenge = <T>(person: Person, kind: 'slider' | 'work'): Promise<Answer<T>> =>
  person.call<T>('POST', '/captcha/challenge', { Kind: kind, Scene: SCENE });

async function drag(
  world: World,
  person: Person,
  track: (gap: number) => TrackPoint[] = handTo,
): Promise<Answer<CaptchaPayload & { Code: string }>> {
  const { body } = await challenge<SliderChallenge>(person, 'slider');
  return person.call('POST', '/captcha/answer', {
    SessionId: body.SessionId,
    Scene: SCENE,
    Track: track(await gapOf(world, body.SessionId)),
  });
}

function solve({ Salt, Puzzles, Bits }: WorkChallenge): number[] {
  return Array.from({ length: Puzzles }, (_, index) => {
    for (let nonce = 0; ; nonce += 1) {
      const hash = createHash('sha256').update(`${Salt}:${index}:${nonce}`).digest();
      if (hash.readUInt32BE(0) >>> (32 - Bits) === 0) return nonce;
    }
  });
}

const logIn = (person: Person, captcha?: unknown) =>
  person.call('POST', '/user/auth', {
    Username: 'student',
    Password: PASSWORD,
    ...(captcha === undefined ? {} : { Captcha: captcha }),
  });

describe('the built-in check', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create({ hasWorker: false, environment: { HC_CAPTCHA: 'slider' } });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('tells pages what it is', async () => {
    const { body } = await world.visitor().call('GET', '/captcha');
    expect(body).toEqual({ Provider: 'slider', AppKey: null, Scene: SCENE });
  });

  test('shows a picture and a piece, and not where the gap is', async () => {
    const { status, body } = await challenge<SliderChallenge>(world.visitor(), 'slider');
    expect(status).toBe(201);
    expect(Object.keys(body).toSorted()).toEqual([
      'Background',
      'Kind',
      'Piece',
      'PieceTop',
      'SessionId',
    ]);
    const pictureOf = (address: string) =>
      sharp(Buffer.from(address.replace('data:image/png;base64,', ''), 'base64'));
    expect(await pictureOf(body.Background).metadata()).toMatchObject({ width: 320, height: 160 });
    const piece = pictureOf(body.Piece);
    expect(await piece.metadata()).toMatchObject({ width: 48, height: 48, hasAlpha: true });
    // The corner of the piece is cut away, its middle is there.
    const { data } = await piece.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(0);
    expect(data[(30 * 48 + 20) * 4 + 3]).toBe(255);
    // Another challenge is another picture.
    const again = await challenge<SliderChallenge>(world.visitor(), 'slider');
    expect(again.body.Background).not.toBe(body.Background);
  });

  test('lets nobody in who did not pass it', async () => {
    const visitor = world.visitor();
    const without = await logIn(visitor);
    expect([without.status, without.body['Code']]).toEqual([400, 'captcha_failed']);
    const made = await logIn(visitor, {
      Token: 'x'.repeat(32),
      Sig: 'x'.repeat(43),
      SessionId: 'x'.repeat(32),
      Scene: SCENE,
    });
    expect(made.body['Code']).toBe('captcha_failed');
    // Nor the right password: the check comes first, so that it cannot be guessed without.
    expect(visitor.cookie).toBeUndefined();
  });

  test('a drag to the gap lets in, once', async () => {
    const visitor = world.visitor();
    const passed = await drag(world, visitor);
    expect(passed.status).toBe(200);
    expect((await logIn(visitor, passed.body)).status).toBe(200);
    const replayed = await logIn(world.visitor(), passed.body);
    expect([replayed.status, replayed.body['Code']]).toEqual([400, 'captcha_failed']);
  });

  test('of ten that use one pass at once, one gets in', async () => {
    const { body } = await drag(world, world.visitor());
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => logIn(world.visitor(), body)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('holds for ten minutes', async () => {
    const inTime = await drag(world, world.visitor());
    world.clock.advance(599);
    expect((await logIn(world.visitor(), inTime.body)).status).toBe(200);
    const late = await drag(world, world.visitor());
    world.clock.advance(601);
    expect((await logIn(world.visitor(), late.body)).body['Code']).toBe('captcha_failed');
  });

  test.each<[string, (payload: CaptchaPayload, other: CaptchaPayload) => unknown]>([
    ['another token', (payload, other) => ({ ...payload, Token: other.Token })],
    ['another signature', (payload, other) => ({ ...payload, Sig: other.Sig })],
    ['another session', (payload, other) => ({ ...payload, SessionId: other.SessionId })],
    ['another scene', (payload) => ({ ...payload, Scene: 'nc_login' })],
    ['a shortened signature', (payload) => ({ ...payload, Sig: payload.Sig.slice(0, 10) })],
  ])('%s does not fit', async (_what, change) => {
    const [one, two] = [await drag(world, world.visitor()), await drag(world, world.visitor())];
    const { status, body } = await logIn(world.visitor(), change(one.body, two.body));
    expect([status, body['Code']]).toEqual([400, 'captcha_failed']);
  });

  test.each<[string, (gap: number) => TrackPoint[]]>([
    ['beside the gap', (gap) => handTo(gap + 9)],
    ['in a jump', (gap) => [...handTo(1), [gap, 0, 700]]],
    ['at one speed', evenlyTo],
    ['in no time', (gap) => handTo(gap).map(([x, y, ms]) => [x, y, ms / 10])],
    ['backwards in time', (gap) => handTo(gap).map(([x, y, ms]) => [x, y, 500 - ms])],
    ['from the middle', (gap) => handTo(gap).slice(12)],
    ['nowhere', () => []],
  ])('a drag %s is no hand’s', async (_what, track) => {
    const { status, body } = await drag(world, world.visitor(), track);
    expect([status, body.Code]).toEqual([400, 'captcha_failed']);
  });

  test('a challenge takes one answer, right or wrong', async () => {
    const visitor = world.visitor();
    const { body } = await challenge<SliderChallenge>(visitor, 'slider');
    const gap = await gapOf(world, body.SessionId);
    const answer = (track: TrackPoint[]) =>
      visitor.call('POST', '/captcha/answer', {
        SessionId: body.SessionId,
        Scene: SCENE,
        Track: track,
      });
    expect((await answer(handTo(gap - 20))).status).toBe(400);
    expect((await answer(handTo(gap))).status).toBe(400);
  });

  test('work stands in for the drag, by the same rules', async () => {
    const visitor = world.visitor();
    const { body } = await challenge<WorkChallenge>(visitor, 'work');
    const answer = (Nonces: number[], SessionId = body.SessionId) =>
      visitor.call<CaptchaPayload>('POST', '/captcha/answer', { SessionId, Scene: SCENE, Nonces });
    const nonces = solve(body);
    const passed = await answer(nonces);
    expect(passed.status).toBe(200);
    expect((await logIn(visitor, passed.body)).status).toBe(200);
    expect((await logIn(visitor, passed.body)).status).toBe(400);
    expect((await answer(nonces)).status).toBe(400);

    const other = await challenge<WorkChallenge>(visitor, 'work');
    // Solved for another challenge.
    expect((await answer(nonces, other.body.SessionId)).status).toBe(400);
    const short = await challenge<WorkChallenge>(visitor, 'work');
    expect((await answer([], short.body.SessionId)).status).toBe(400);
  });

  test('another process checks what this one gave out', async () => {
    const second = await world.second();
    try {
      const { body } = await drag(world, world.visitor());
      const response = await second.app.inject({
        method: 'POST',
        url: '/api/v1/user/auth?role=student',
        payload: { Username: 'student', Password: PASSWORD, Captcha: body },
      });
      expect(response.statusCode).toBe(200);
      expect((await logIn(world.visitor(), body)).status).toBe(400);
    } finally {
      await second.close();
    }
  });

  test('whoever asks for too many works longer, and then waits', async () => {
    world.clock.advance(3600);
    await world.sql(sql`
      insert into captcha_challenge (id, scene, secret, address_hash, created_at, expires_at)
      select 'old-' || n, ${SCENE}, '{"kind": "slider", "gap": 1}',
             ${createHash('sha256').update('127.0.0.1').digest('base64url')},
             ${world.clock.now()}, ${world.clock.now()}
        from generate_series(1, 599) n`);
    const last = await challenge<WorkChallenge>(world.visitor(), 'work');
    expect(last.body.Bits).toBe(20);
    const over = await challenge(world.visitor(), 'work');
    expect([over.status, over.headers['retry-after']]).toEqual([429, '900']);
    world.clock.advance(901);
    expect((await challenge<WorkChallenge>(world.visitor(), 'work')).body.Bits).toBe(15);
  });

  test('what is over is forgotten', async () => {
    world.clock.advance(7200);
    await world.system.sweep();
    const [row] = await world.sql<{ count: number }>(
      sql`select count(*)::int as count from captcha_challenge`,
    );
    expect(row?.count).toBe(0);
  });
});

test('switched off, nothing is asked and no challenge is made', async () => {
  const world = await World.create({ hasWorker: false });
  try {
    expect((await world.visitor().call('GET', '/captcha')).body['Provider']).toBe('off');
    expect((await logIn(world.visitor())).status).toBe(200);
    expect((await challenge(world.visitor(), 'slider')).status).toBe(409);
  } finally {
    await world[Symbol.asyncDispose]();
  }
});

describe('the external check', () => {
  const KEYS = { appKey: 'FFFF0N000000', id: 'key-id', secret: 'key-secret' };
  let server: Server;
  let world: World;
  /** Stands in for the provider: the same signature, codes and single use. */
  const used = new Set<string>();
  const seen: Record<string, string>[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        const { Signature, ...parameters } = Object.fromEntries(new URLSearchParams(text));
        seen.push(parameters);
        const answer = (status: number, Code: number | string, Message = '') =>
          response.writeHead(status).end(JSON.stringify({ Code, Message }));
        if (Signature !== signRPC('POST', parameters, KEYS.secret))
          return answer(400, 'SignatureDoesNotMatch', 'wrong signature');
        if (parameters['AppKey'] !== KEYS.appKey) return answer(200, 400, 'wrong AppKey');
        if (parameters['Token'] === 'broken') return answer(200, 500, 'internal');
        const key = `${parameters['Token']} ${parameters['Sig']} ${parameters['SessionId']}`;
        const isGood = key === 'token !*()~ sig session' && !used.has(key);
        used.add(key);
        return answer(200, isGood ? 100 : 900);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    world = await World.create({
      hasWorker: false,
      environment: {
        HC_CAPTCHA: 'aliyun',
        HC_CAPTCHA_APP_KEY: KEYS.appKey,
        HC_CAPTCHA_ACCESS_KEY_ID: KEYS.id,
        HC_CAPTCHA_ACCESS_KEY_SECRET: KEYS.secret,
        HC_CAPTCHA_ENDPOINT: `http://127.0.0.1:${port}/`,
      },
    });
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    server.close();
  });
  // Characters that browsers and the signature encode differently.
  const PAYLOAD = { Token: 'token !*()~', Sig: 'sig', SessionId: 'session', Scene: SCENE };

  test('the signature is the documented one', () => {
    // The example of the provider's guide to signatures.
    const parameters = {
      TimeStamp: '2016-02-23T12:46:24Z',
      Format: 'XML',
      AccessKeyId: 'testid',
      Action: 'DescribeRegions',
      SignatureMethod: 'HMAC-SHA1',
      SignatureNonce: '3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf',
      Version: '2014-05-26',
      SignatureVersion: '1.0',
    };
    const { TimeStamp, ...rest } = parameters;
    expect(signRPC('GET', { ...rest, Timestamp: TimeStamp }, 'testsecret')).toBe(
      'OLeaidS1JvxuMvnyHOwuJ+uX5qY=',
    );
  });

  test('a passed check lets in once', async () => {
    expect((await world.visitor().call('GET', '/captcha')).body).toMatchObject({
      Provider: 'aliyun',
      AppKey: KEYS.appKey,
    });
    expect((await logIn(world.visitor(), PAYLOAD)).status).toBe(200);
    expect(seen.at(-1)).toMatchObject({
      Action: 'AuthenticateSig',
      Version: '2018-01-12',
      Scene: SCENE,
      RemoteIp: '127.0.0.1',
    });
    expect((await logIn(world.visitor(), PAYLOAD)).body['Code']).toBe('captcha_failed');
    expect((await logIn(world.visitor())).body['Code']).toBe('captcha_failed');
  });

  test('a provider that fails is told as such, and lets nobody in', async () => {
    const broken = await logIn(world.visitor(), { ...PAYLOAD, Token: 'broken' });
    expect([broken.status, broken.body['Code']]).toEqual([502, 'captcha_unavailable']);
    server.close();
    server.closeAllConnections();
    const down = await logIn(world.visitor(), PAYLOAD);
    expect([down.status, down.body['Code']]).toEqual([502, 'captcha_unavailable']);
  });

  test('our own challenges are not part of it', async () => {
    expect((await challenge(world.visitor(), 'work')).status).toBe(409);
  });
});
