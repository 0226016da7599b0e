import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { remainingSeconds, routes } from '../index.ts';
import {
  CertificateApplyState,
  ConnectionState,
  JobState,
  ProgrammingLanguage,
  SessionType,
  SoftwareType,
  TeacherApplyStatus,
  UsageStatus,
  UserType,
} from './enums.ts';
import { ERRORS } from './errors.ts';
import { COUNT_LIMITS, PHONE_PATTERN, TAG_COLOURS, USERNAME_PATTERN } from './limits.ts';
import {
  PERMISSION_ITEMS,
  ROLES,
  ROLE_TABLE,
  actingRoles,
  isAllowed,
  meets,
  type PermissionItem,
  type Role,
} from './permissions.ts';
import { idsInQuery, pathID, route, type Route } from './route.ts';

const TABLES = {
  CertificateApplyState,
  ConnectionState,
  JobState,
  ProgrammingLanguage,
  SessionType,
  SoftwareType,
  TeacherApplyStatus,
  UsageStatus,
  UserType,
};
const flying = 'lab.fly' as PermissionItem;
const base = { method: 'GET', summary: 'x', response: z.null(), errors: [], scope: {} } as const;

describe('route() refuses, so that the server cannot boot', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['without access', () => route({ ...base, path: '/x' } as never), /access is missing/],
    [
      'an unknown item',
      () => route({ ...base, path: '/x', access: { need: [flying] } }),
      /no such permission item: lab\.fly/,
    ],
    [
      'an unknown item inside a group',
      () => route({ ...base, path: '/x', access: { need: [['lab.list', flying]] } }),
      /no such permission item/,
    ],
    [
      'an empty requirement',
      () => route({ ...base, path: '/x', access: { need: [] } }),
      /empty requirement/,
    ],
    [
      'public without a reason',
      () => route({ ...base, path: '/x', access: { public: ' ' } }),
      /needs a reason/,
    ],
    [
      'a parameter without a schema',
      () => route({ ...base, path: '/x/:name', access: { public: 'test' } }),
      /no schema for :name/,
    ],
    [
      'an id without a scope',
      () =>
        route({
          ...base,
          path: '/x/:labID',
          access: { public: 'test' },
          params: { labID: pathID() },
        } as never),
      /labID has no scope/,
    ],
    [
      'a destination id in the body without a scope',
      () =>
        route({
          ...base,
          method: 'POST',
          path: '/x',
          access: { public: 'test' },
          body: { TargetID: z.int() },
        } as never),
      /TargetID has no scope/,
    ],
    [
      'a list of ids without a scope',
      () =>
        route({
          ...base,
          method: 'POST',
          path: '/x',
          access: { public: 'test' },
          body: { LabIDList: z.array(z.int()) },
        } as never),
      /LabIDList has no scope/,
    ],
  ])('%s', (_what, make, message) => {
    expect(make).toThrow(message);
  });

  test('every route of the contract declares access, errors that exist, and a unique address', () => {
    const all = Object.values(routes as Readonly<Record<string, Route>>);
    expect(
      new Set(all.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)).size,
    ).toBe(all.length);
    for (const { errors } of all)
      for (const code of errors) expect(Object.keys(ERRORS)).toContain(code);
  });

  test('unknown fields of a body and a query are refused', () => {
    expect(
      routes.login.bodySchema?.safeParse({ Username: 'a', Password: 'b', Roles: [] }).success,
    ).toBe(false);
    expect(routes.listLabs.querySchema.safeParse({ limit: '5' }).success).toBe(false);
    expect(routes.listLabs.querySchema.safeParse({ page: '2', t: '123' }).success).toBe(true);
  });
});

describe('permissions', () => {
  test('an item that does not exist raises', () => {
    expect(() => isAllowed(['admin'], 'lab.fly')).toThrow('no such permission item: lab.fly');
  });

  test('a role that does not exist is ignored, and nothing is inherited from Object', () => {
    expect(isAllowed(['root', 'constructor', '__proto__'], 'lab.list')).toBe(false);
  });

  test.each<[readonly Role[], readonly (PermissionItem | readonly PermissionItem[])[], boolean]>([
    [['anonymous'], [], true],
    [['anonymous'], ['lab.list'], true],
    [['anonymous'], ['lab.list', 'lab.detail'], false],
    [['anonymous'], [['lab.list', 'lab.detail']], true],
    [['anonymous'], [['lab.detail', 'lab.tasks']], false],
    [['student'], ['lab.detail', ['lab.create', 'usage.create']], true],
  ])('%j meets %j: %s', (roles, requirement, isMet) => {
    expect(meets(roles, requirement)).toBe(isMet);
  });

  test.each<[Role, Role]>([
    ['student', 'anonymous'],
    ['machine_admin', 'student'],
    ['assistant', 'student'],
    ['teacher', 'assistant'],
    ['admin', 'teacher'],
  ])('%s may do all that %s may', (upper, lower) => {
    expect([...ROLE_TABLE[lower]].filter((item) => !ROLE_TABLE[upper].has(item))).toEqual([]);
  });

  // The sentences of the specification's section 6 that say where one role ends and the next begins.
  test.each<[PermissionItem, Role]>([
    ['course.list', 'anonymous'],
    ['certificate.validate', 'anonymous'],
    ['case.detail', 'student'],
    ['usage.create', 'student'],
    ['resourceApply.account', 'student'],
    ['certificate.apply', 'student'],
    ['score.import', 'assistant'],
    ['certificate.template', 'assistant'],
    ['user.teacherList', 'assistant'],
    ['course.update', 'assistant'],
    ['course.create', 'teacher'],
    ['member.addAssistant', 'teacher'],
    ['usage.update', 'teacher'],
    ['specification.create', 'teacher'],
    ['user.roleUpdate', 'admin'],
    ['learningPath.create', 'admin'],
    ['sequence.lab', 'admin'],
  ])('%s begins with %s', (item, first) => {
    const order: Role[] = ['anonymous', 'student', 'assistant', 'teacher', 'admin'];
    const holders = order.filter((role) => ROLE_TABLE[role].has(item));
    expect(holders).toEqual(order.slice(order.indexOf(first)));
  });

  test('a machine admin handles resource applications and nothing else beyond a student', () => {
    const beyond = [...ROLE_TABLE.machine_admin].filter((item) => !ROLE_TABLE.student.has(item));
    // And the first page of the admin area, which shows each role what it may see.
    expect(beyond.filter((item) => !item.startsWith('resourceApply.'))).toEqual([
      'dashboard.overview',
    ]);
    expect(beyond).toContain('resourceApply.adminList');
  });

  test.each<[readonly string[], Role, readonly Role[]]>([
    [['student'], 'student', ['anonymous', 'student']],
    [['student'], 'admin', ['anonymous']],
    [['student', 'teacher'], 'student', ['anonymous', 'student']],
    [['teacher'], 'assistant', ['anonymous', 'assistant']],
    [['admin'], 'machine_admin', ['anonymous', 'machine_admin']],
    [['machine_admin'], 'teacher', ['anonymous']],
    [['root'], 'student', ['anonymous']],
    [[], 'student', ['anonymous']],
  ])('an account with %j that asks for %s acts as %j', (account, requested, acting) => {
    expect(actingRoles(account, requested)).toEqual(acting);
  });

  test('every role and item of the table is reachable', () => {
    expect(ROLES).toHaveLength(6);
    expect(PERMISSION_ITEMS.size).toBe(ROLE_TABLE.admin.size);
  });
});

test.each([
  ['ConnectionState', 7, 0],
  ['SessionType', 3, 1],
  ['SoftwareType', 4, 1],
  ['ProgrammingLanguage', 8, 1],
  ['JobState', 11, 1],
  ['UserType', 5, 1],
  ['CertificateApplyState', 4, -2],
  ['TeacherApplyStatus', 4, 0],
  ['UsageStatus', 2, 1],
] as const)('%s has %d values from %d without a gap', (name, count, first) => {
  const values: number[] = Object.values(TABLES[name]);
  expect(values.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: count }, (_unused, index) => first + index),
  );
});

test.each([
  ['abcd', true],
  ['a-b_9', true],
  ['abc', false],
  ['9abc', false],
  ['abcdefghijklmno', false],
  ['abc d', false],
  ['用户名字', false],
])('username %s: %s', (name, isValid) => {
  expect(USERNAME_PATTERN.test(name)).toBe(isValid);
});

test.each([
  ['13812345678', true],
  ['+4915112345678', true],
  ['12812345678', false],
  ['1381234567', false],
  ['+0151', false],
])('phone %s: %s', (phone, isValid) => {
  expect(PHONE_PATTERN.test(phone)).toBe(isValid);
});

test('the palette has as many colours as the specification says', () => {
  expect(new Set(TAG_COLOURS).size).toBe(COUNT_LIMITS.tagColours);
});

test.each([
  ['1,2,3', [1, 2, 3]],
  [
    ['4', '5'],
    [4, 5],
  ],
  ['', []],
])('ids in a query: %j', (value, ids) => {
  expect(idsInQuery().parse(value)).toEqual(ids);
});
test.each(['a', '1,,x', '0', '-1', '1.5', '99999999999'])('ids in a query refuse %j', (value) => {
  expect(idsInQuery().safeParse(value).success).toBe(false);
});

describe('remaining time', () => {
  const running = {
    Status: 1,
    Phase: 'ready',
    RenewalTime: 1000,
    Lifetime: 3600,
    ServerTime: 1000,
  } as const;
  test.each([
    [running, 0, 3600],
    [running, 59.5, 3540.5],
    [running, 9999, 0],
    [{ ...running, ServerTime: 1600 }, 0, 3000],
    [{ ...running, Status: 2 }, 0, null],
    [{ ...running, Phase: 'waiting' }, 0, null],
  ] as const)('%j after %d s: %s', (usage, elapsed, expected) => {
    expect(remainingSeconds(usage, elapsed)).toBe(expected);
  });
});
