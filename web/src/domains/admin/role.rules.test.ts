/** In which role staff act, and what they then may. */
import { OVERVIEW_MODULES, WAITING_KINDS, type LoginSession, type Role } from '@hypercube/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { PAGES, pageOf } from '../../app/pages.ts';
import { ACTIONS, MODULES, WAITING } from './modules.ts';

const stored = new Map<string, string>();
vi.stubGlobal('sessionStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});

const as = (ID: number, ...roles: Role[]): LoginSession => ({
  ID,
  Username: 'u',
  Nickname: 'n',
  Roles: roles.map((Name) => ({ Name })),
  Type: 2,
  Status: 0,
  Avatar: null,
  Language: null,
  Theme: null,
  Exp: 0,
});

/** The module anew, as a tab that is loaded has it. */
const load = () => {
  vi.resetModules();
  return import('./role.ts');
};
beforeEach(() => stored.clear());

describe('without a choice', () => {
  test.each<[string, Role[], string | null]>([
    ['the strongest first', ['assistant', 'machine_admin', 'teacher', 'admin'], 'admin'],
    ['a teacher', ['student', 'teacher', 'machine_admin'], 'teacher'],
    ['nobody of a learner', ['student'], null],
  ])('%s', async (_name, roles, role) => {
    const { staffRole } = await load();
    expect(staffRole(as(1, ...roles))).toBe(role);
  });

  test('the route says it: the first role that may', async () => {
    const { roleFor } = await load();
    const both = as(1, 'teacher', 'machine_admin');
    expect(roleFor(both, ['lab.create'])).toBe('teacher');
    expect(roleFor(both, ['resourceApply.review'])).toBe('machine_admin');
    // None may: the guard says so, whatever the role.
    expect(roleFor(both, ['user.list'])).toBe('teacher');
  });
});

describe('a choice by hand', () => {
  test('holds against the route, after a reload too, and pages follow it', async () => {
    const both = as(1, 'teacher', 'machine_admin');
    const first = await load();
    expect(first.mayStaff(both, ['lab.create'])).toBe(true);
    first.actAs(both, 'machine_admin', true);
    for (const role of [first, await load()]) {
      expect(role.staffRole(both)).toBe('machine_admin');
      expect(role.roleFor(both, ['lab.create'])).toBe('machine_admin');
      expect(role.mayStaff(both, ['lab.create'])).toBe(false);
      expect(role.roleThatMay(both, ['lab.create'])).toBe('teacher');
    }
  });

  test('is not another user’s, nor one of a role that was taken away', async () => {
    const { actAs, staffRole } = await load();
    actAs(as(1, 'teacher', 'machine_admin'), 'machine_admin', true);
    expect(staffRole(as(2, 'teacher', 'machine_admin'))).toBe('teacher');
    expect(staffRole(as(1, 'teacher'))).toBe('teacher');
    expect(staffRole(as(1))).toBeNull();
  });

  test.each([['{'], ['"x"'], ['{"userID":1,"role":"root"}'], ['{"userID":"1","role":"admin"}']])(
    'a stored %s is none',
    async (value) => {
      stored.set('staff-role', value);
      const { staffRole } = await load();
      expect(staffRole(as(1, 'teacher', 'admin'))).toBe('admin');
    },
  );

  test('is the only thing that is kept: what a route says goes with the page', async () => {
    const { actAs, staffRole } = await load();
    const both = as(1, 'teacher', 'machine_admin');
    actAs(both, 'machine_admin');
    expect(staffRole(both)).toBe('machine_admin');
    expect(stored.size).toBe(0);
    expect((await load()).staffRole(both)).toBe('teacher');
  });
});

describe('the overview', () => {
  const known = new Set<string>(Object.values(PAGES).map(({ path }) => path));
  test('leads to pages that exist', () => {
    expect(Object.keys(MODULES).toSorted()).toEqual([...OVERVIEW_MODULES].toSorted());
    expect(Object.keys(WAITING).toSorted()).toEqual([...WAITING_KINDS].toSorted());
    const patterns = [...known].map((path) =>
      path.replace('$applyStatus', 'pending').replace(/\$\w+/, '7'),
    );
    for (const { list, item } of Object.values(MODULES)) {
      expect(known).toContain(list);
      expect(patterns).toContain(item?.(7) ?? list);
    }
    for (const { path } of Object.values(WAITING)) expect(known).toContain(path);
  });

  test('offers only what its page lets the role do', () => {
    const pages = Object.keys(PAGES) as (keyof typeof PAGES)[];
    for (const { path, need } of ACTIONS) {
      const page = pages.find((name) =>
        new RegExp(`^${pageOf(name).path.replace(/\$\w+/, '[^/]+')}$`).test(path),
      );
      expect([path, page && pageOf(page).need]).toEqual([path, need]);
    }
  });
});
