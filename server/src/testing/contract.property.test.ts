/**
 * Every route of the contract with generated bodies and addresses, good and bad: no 5xx, no status
 * that the route does not declare, and every answer matches its schema. What fails is a fault of
 * the program, whatever was sent.
 */
import { ERRORS, routes, type ErrorCode, type Role, type Route } from '@hypercube/contract';
import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { World, type Answer, type Person } from './world.ts';

/** Requests to a route in each role; the seed moves with nothing, so that a failure comes again. */
const RUNS = 60;
const SEED = 20_261_121;

/** Codes that any route may answer. */
const SHARED: readonly ErrorCode[] = [
  'invalid_input',
  'not_found',
  'not_signed_in',
  'forbidden',
  'too_many_requests',
  'unsupported_media_type',
  'storage_full',
];

/** Not asked, and why. */
const EXCUSED: Readonly<Record<string, string>> = {
  watchUsage: 'a stream does not end',
  logout: 'everything after it would be refused',
};

const ROLES: Readonly<Partial<Record<Role, string>>> = { student: 'student', admin: 'admin' };

let world: World;
const people = new Map<Role, Person>();

/** Signs in again, since some of the calls end sessions and change passwords. */
async function person(role: Role): Promise<Person> {
  const known = people.get(role);
  if (known && (await known.call('GET', '/user/auth')).body !== null) return known;
  // Whatever the calls did to the account is undone: the next call asks from the same place.
  await world.sql(sql`delete from login_guess`);
  const signedIn = await world.signIn(ROLES[role] ?? 'student', role);
  people.set(role, signedIn);
  return signedIn;
}

beforeAll(async () => {
  world = await World.create({ hasWorker: false });
});
afterAll(() => world[Symbol.asyncDispose]());

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
}

/** Texts that programs trip over. */
const NASTY = [
  '',
  ' ',
  '\u0000',
  '\uD800',
  '‮مرحبا',
  '𠮷🧪',
  "' or 1=1 --",
  '<img src=x onerror=alert(1)>',
  '=HYPERLINK("http://x")',
  '../../etc/passwd',
  'a\r\nBcc: x@example.org',
  '%_\\',
  '长'.repeat(400),
  '1e309',
  '{{7*7}}',
];

const text = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...NASTY), fc.string({ maxLength: 30, unit: 'binary' }));

/** Values that a schema allows, near enough; the rest of the rules make some of them bad. */
function allowed(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => allowed(choice, depth)));
  if (schema.allOf?.[0]) return allowed(schema.allOf[0], depth);
  const { type = 'any' } = schema;
  switch (type) {
    case 'string':
      if (schema.format === 'date-time')
        return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
      if (schema.format === 'email') return fc.emailAddress();
      return text();
    case 'integer':
    case 'number':
      return fc.oneof(
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 1, 2_147_483_647),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(allowed(schema.items ?? {}, depth + 1), { maxLength: 4 });
    case 'object': {
      const required = new Set(schema.required);
      const entries = Object.entries(schema.properties ?? {});
      return fc.record(
        Object.fromEntries(entries.map(([name, part]) => [name, allowed(part, depth + 1)])),
        { requiredKeys: [...required] },
      );
    }
    default:
      return depth > 3 ? fc.constant(null) : fc.oneof(text(), fc.integer(), fc.constant(null));
  }
}

const jsonSchema = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;

/** What a client may send as a body: what the schema allows, one of its fields spoilt, or anything. */
function bodies(route: Route): fc.Arbitrary<unknown> {
  if (!route.bodySchema) return fc.constant(undefined);
  const good = allowed(jsonSchema(route.bodySchema));
  const spoilt = fc
    .tuple(good, fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), fc.nat())
    .map(([body, extra, value, index]) => {
      const keys = Object.keys(body as object);
      const key = keys[index % (keys.length + 1)] ?? extra;
      return { ...(body as object), [key]: value };
    });
  return fc.oneof({ arbitrary: good, weight: 3 }, spoilt, fc.jsonValue({ maxDepth: 3 }));
}

const pathValue = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 9 }).map(String), weight: 4 },
  fc.constantFrom(
    '0',
    '-1',
    '2147483648',
    '99999999999999999999',
    'x',
    '%00',
    '%2e%2e',
    '1.5',
    ' ',
  ),
);

const queryValue = fc.oneof(
  fc.constantFrom('1', '0', '-1', '101', '1000001', 'true', 'latest', 'desc', '%', '1,2', ','),
  text(),
);

function requests(route: Route) {
  const parameters = [...route.path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name);
  return fc.record({
    path: fc.array(pathValue, { minLength: parameters.length, maxLength: parameters.length }),
    query: fc.dictionary(
      fc.constantFrom('page', 'pageSize', 'keyword', 'sort', ...Object.keys(route.query ?? {})),
      queryValue,
      { maxKeys: 3 },
    ),
    body: bodies(route),
  });
}

const declared = (route: Route): ReadonlySet<ErrorCode> => new Set([...SHARED, ...route.errors]);

/** What is wrong with an answer; nothing when it is as the route says. */
function faultOf(route: Route, { status, body }: Answer): string {
  if (status >= 400) {
    const code = body['Code'] as ErrorCode;
    if (!declared(route).has(code)) return `${code} is not declared`;
    return ERRORS[code].status === status ? '' : `${code} with another status`;
  }
  if (status !== (route.status ?? 200) && status !== 304) return 'another status';
  if (route.kind === 'file') return '';
  const parsed = route.response.safeParse(body);
  return parsed.success ? '' : z.prettifyError(parsed.error);
}

const all = Object.entries(routes as Readonly<Record<string, Route>>).filter(
  ([name]) => EXCUSED[name] === undefined,
);

describe.each(Object.keys(ROLES) as Role[])('as %s', (role) => {
  test.each(all)('%s answers what it declares', async (name, route) => {
    await fc.assert(
      fc.asyncProperty(requests(route), async ({ path, query, body }) => {
        const values = [...path];
        const search = new URLSearchParams({
          ...query,
          // Answers at once instead of waiting for an environment that nobody starts here.
          ...(name === 'createUsage' ? { wait: 'false' } : {}),
        });
        const address = `${route.path.replaceAll(/:[A-Za-z]+/g, () => values.shift() ?? '')}?${search}`;
        const caller = await person(role);
        const answer = route.upload
          ? await caller.upload(address, { name: 'a.bin', content: JSON.stringify(body ?? '') })
          : await caller.call(route.method, address, body);
        const told = `${route.method} ${address} ${JSON.stringify(body)} → ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`;
        expect(faultOf(route, answer), told).toBe('');
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  });
});
