/**
 * Every route × every role, generated from the contract: who may not call is refused with the
 * right status before anything is read or changed; a route or a role that is added is covered.
 */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { routes, type Role, type Route } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLERS, accessTable, mayCall, type Caller } from './access-table.ts';
import { World, type Person } from './world.ts';

const ACCOUNTS: Readonly<Record<Exclude<Caller, 'visitor'>, string>> = {
  student: 'student2',
  machine_admin: 'manager',
  assistant: 'assistant',
  teacher: 'teacher',
  admin: 'admin',
};

let world: World;
const people = new Map<Caller, Person>();
/** A student's things, which the others try to reach. */
const own: Record<string, number> = {};

beforeAll(async () => {
  world = await World.create();
  people.set('visitor', world.visitor());
  for (const [caller, account] of Object.entries(ACCOUNTS))
    people.set(caller as Caller, await world.signIn(account, caller as Role));
  const owner = await world.signIn('student');
  const [task] = await world.sql<{ id: number; lab_id: number }>(
    sql`select id, lab_id from lab_task order by id limit 1`,
  );
  const [user] = await world.sql<{ id: number }>(
    sql`select id from user_account where username = 'student'`,
  );
  const [domain] = await world.sql<{ id: number }>(sql`select id from domain`);
  const [resource] = await world.sql<{ id: number }>(sql`select id from lab_resource`);
  const [specification] = await world.sql<{ id: number }>(sql`select id from specification`);
  const [image] = await world.sql<{ id: number }>(sql`select id from image`);
  const usage = await owner.call<{ ID: number }>('POST', '/usage', {
    RouteName: 'x',
    RoutePath: '/x',
    LabID: task?.lab_id,
    TaskID: task?.id,
  });
  Object.assign(own, {
    self: user?.id,
    domain: domain?.id,
    lab: task?.lab_id,
    labTask: task?.id,
    labResource: resource?.id,
    specification: specification?.id,
    image: image?.id,
    ownUsage: usage.body.ID,
  });
});
afterAll(() => world[Symbol.asyncDispose]());

/** Everything that a call could have changed: all rows but signs of life, and all personal files. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const tables = await world.sql<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'worker' order by 1`,
  );
  for (const { name } of tables) {
    const rows = await world.sql<{ row: string }>(
      sql.raw(`select t::text as row from "${name}" t order by 1`),
    );
    hash.update(name).update(rows.map(({ row }) => row).join('\n'));
  }
  const files = await readdir(join(world.folder, 'files'), { recursive: true }).catch(() => []);
  return hash.update(files.toSorted((a, b) => a.localeCompare(b, 'en')).join('\n')).digest('hex');
}

/** A body that would be accepted, from the route's own schema. */
function bodyOf(name: string): unknown {
  const bodies: Partial<Record<string, unknown>> = {
    login: { Username: 'nobody-here', Password: 'no-password' },
    changePassword: { OriginalPassword: 'demo-pass-1', Password: 'other-pass-1' },
    createUsage: { RouteName: 'x', RoutePath: '/x', LabID: own['lab'], TaskID: own['labTask'] },
    updateUsage: { Action: 'stop' },
  };
  return bodies[name] ?? {};
}

const pathOf = (route: Route): string =>
  route.path.replaceAll(/:([A-Za-z]+)/g, (_whole, parameter: string) =>
    String(own[route.scope[parameter] ?? ''] ?? 'ring.svg'),
  );

const all = Object.entries(routes as Readonly<Record<string, Route>>);

describe.each(CALLERS)('%s', (caller) => {
  test.each(all.filter(([, route]) => !mayCall(route, caller)))(
    'is refused %s, and nothing changes',
    async (name, route) => {
      const before = await fingerprint();
      const person = people.get(caller);
      const answer = await person?.call(
        route.method,
        pathOf(route),
        route.bodySchema ? bodyOf(name) : undefined,
      );
      expect([answer?.status, answer?.body['Code']]).toEqual(
        caller === 'visitor' ? [401, 'not_signed_in'] : [403, 'forbidden'],
      );
      // An invalid body is refused in the same way: nobody learns what would have been valid.
      const invalid = await person?.call(
        route.method,
        pathOf(route),
        route.bodySchema ? { Nonsense: 1 } : undefined,
      );
      expect(invalid?.status).toBe(answer?.status);
      expect(await fingerprint()).toBe(before);
    },
  );

  test.each(
    all.filter(
      ([name, route]) =>
        mayCall(route, caller) &&
        route.kind !== 'stream' &&
        name !== 'logout' &&
        name !== 'createUsage',
    ),
  )('is let into %s, but not to somebody else’s things', async (name, route) => {
    const owned = Object.values(route.scope).some((kind) => kind === 'self' || kind === 'ownUsage');
    const before = owned ? await fingerprint() : '';
    const answer = await people
      .get(caller)
      ?.call(route.method, pathOf(route), route.bodySchema ? bodyOf(name) : undefined);
    expect(owned ? [404] : [200, 400]).toContain(answer?.status);
    expect(owned ? await fingerprint() : '').toBe(before);
  });
});

test('the checked-in table is the contract’s', async () => {
  const path = fileURLToPath(new URL('../../../docs/guide/access.md', import.meta.url));
  expect(await readFile(path, 'utf8')).toBe(accessTable());
});

test('every route of the server is in the contract, or is listed here with its reason', () => {
  const known = new Set(all.map(([, route]) => `${route.method} /api/v1${route.path}`));
  const exempt = new Set([
    'GET /healthz', // a load balancer has no account
    'GET /readyz', // likewise
    'GET /metrics', // by token, or from this machine only
  ]);
  const listed = world.system.app
    .printRoutes({ commonPrefix: false, includeHooks: false })
    .matchAll(/(?:├──|└──) (\S+) \((GET|POST|PUT|DELETE)[^)]*\)/g);
  // printRoutes nests the paths; the flat list comes from the OpenAPI document.
  expect([...listed].length).toBeGreaterThan(0);
  const document = world.system.app.swagger() as { paths: Record<string, Record<string, unknown>> };
  const served = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
  expect(served.filter((route) => !known.has(route) && !exempt.has(route))).toEqual([]);
  expect([...known].filter((route) => !served.includes(route))).toEqual([]);
});

test('answers match their schemas', async () => {
  const student = people.get('student');
  for (const [name, route] of all) {
    if (
      route.method !== 'GET' ||
      route.kind === 'stream' ||
      route.kind === 'file' ||
      Object.values(route.scope).some((kind) => kind === 'self' || kind === 'ownUsage')
    )
      continue;
    const answer = await student?.call(route.method, pathOf(route));
    const parsed = route.response.safeParse(answer?.body);
    expect(parsed.success ? '' : `${name}: ${z.prettifyError(parsed.error)}`).toBe('');
  }
});
