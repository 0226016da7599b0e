import { NoSuchPermissionItem, meets, type LoginSession } from '@hypercube/contract';
import { describe, expect, it } from 'vitest';
import { menuTarget } from '../ui/MenuButton.tsx';
import { entryTo } from './guard.ts';
import { NAVIGATION, PAGES, isCurrent, shownNavigation, type Page } from './pages.ts';
import { matchesWords } from './palette.ts';
import { parseSearch, stringifySearch } from './search-params.ts';
import { DEFAULT_POSITION, inside, isDrag, moved, readPosition } from './widget/position.ts';

const as = (...roles: LoginSession['Roles'][number]['Name'][]): LoginSession => ({
  ID: 1,
  Username: 'u',
  Nickname: 'n',
  Roles: roles.map((Name) => ({ Name })),
  Type: 4,
  Status: 0,
  Avatar: null,
  Language: null,
  Theme: null,
  Exp: 0,
});

describe('the guard of a page', () => {
  const open: Page = { path: '/', access: 'public' };
  const closed: Page = { path: '/x', access: 'signedIn' };
  it.each<[string, Page, LoginSession | null, string]>([
    ['a public page to a visitor', open, null, 'enter'],
    ['a closed page to a visitor', closed, null, 'login'],
    ['a closed page to a student', closed, as('student'), 'enter'],
    [
      'a page of students to a student',
      { ...closed, need: ['lab.detail'] },
      as('student'),
      'enter',
    ],
    [
      'a page of teachers to a student',
      { ...closed, need: ['lab.create'] },
      as('student'),
      'not-found',
    ],
    [
      'one of two is enough',
      { ...closed, need: [['lab.create', 'lab.list']] },
      as('student'),
      'enter',
    ],
    [
      'none of two is not',
      { ...closed, need: [['lab.create', 'lab.delete']] },
      as('student'),
      'not-found',
    ],
    [
      'both of two are needed',
      { ...closed, need: ['lab.list', 'lab.create'] },
      as('student'),
      'not-found',
    ],
    ['nothing to an account without roles', { ...closed, need: ['lab.detail'] }, as(), 'not-found'],
  ])('%s', (_name, page, session, entry) => expect(entryTo(page, session)).toBe(entry));

  it('names only items that exist', () => {
    for (const page of Object.values<Page>(PAGES)) {
      expect(() => meets([], page.need ?? [])).not.toThrow();
    }
    expect(() => meets([], ['lab.fly' as 'lab.list'])).toThrow(NoSuchPermissionItem);
  });
  it('keeps visitors out of every page of the specification that asks for a login', () => {
    const closedPages = Object.values<Page>(PAGES).filter((page) => page.access === 'signedIn');
    const paths = closedPages.map((page) => page.path);
    expect(paths.filter((path) => !path.startsWith('/admin')).toSorted()).toEqual([
      '/course/$courseID/homework/$homeworkID',
      '/home',
      '/lab',
      '/lab/$labID',
      '/lab/$labID/desktop/task/$taskID',
      '/lab/$labID/notebook/task/$taskID',
      '/notification',
      '/personal-computer',
      '/problem/programming/$programmingProblemID',
      '/problem/programming/$programmingProblemID/submission',
      '/resource',
      '/resource/$applyID/account',
      '/resource/$applyID/edit/$applyStatus',
      '/resource/issue',
      '/resource/progress',
      '/settings',
      '/software/desktop/$softwareID',
      '/software/ide/$softwareID',
      '/software/notebook/$softwareID',
      '/statistics',
      '/suggestion',
      '/suggestion/$suggestionID',
    ]);
    const admin = Object.values<Page>(PAGES).filter((page) => page.path.startsWith('/admin'));
    expect(admin.every((page) => page.access === 'signedIn')).toBe(true);
  });
});

describe('the navigation', () => {
  it('has the eleven entries of the specification and shows those that exist, in order', () => {
    expect(NAVIGATION).toHaveLength(11);
    expect(shownNavigation().map(({ name }) => name)).toEqual([
      'index',
      'labIndex',
      'courseIndex',
      'softwareIndex',
      'problemIndex',
      'resourceIndex',
      'suggestionIndex',
    ]);
  });
  it.each([
    ['/', '/', true],
    ['/', '/lab', false],
    ['/lab', '/lab', true],
    ['/lab', '/lab/3', true],
    ['/lab', '/labour', false],
  ])('marks %s on %s: %s', (entry, pathname, is) => expect(isCurrent(entry, pathname)).toBe(is));
});

describe('search parameters', () => {
  it('are plain text and survive', () => {
    const search = { tags: '1,2', keyword: 'a&b=c 归约', redirect: '/lab?page=2' };
    expect(stringifySearch({ page: '2', tags: '1,2' })).toBe('?page=2&tags=1,2');
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });
  it('leave out what is empty', () => {
    expect(stringifySearch({ a: '', b: undefined, c: null, d: {} })).toBe('');
  });
});

describe('the command palette', () => {
  it.each([
    ['个人设置', '', true],
    ['个人设置', '设置', true],
    ['Log out', 'OUT log', true],
    ['Log out', 'log in', false],
  ])('“%s” by “%s”: %s', (label, text, is) => expect(matchesWords(label, text)).toBe(is));
});

describe('a menu', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, 0],
    ['ArrowUp', 0, 2],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['a', 0, null],
  ])('%s from %i leads to %s', (key, from, to) => expect(menuTarget(key, from, 3)).toBe(to));
});

describe('the widget', () => {
  const box = { width: 160, height: 42 };
  const viewport = { width: 390, height: 800 };
  it('stands 120 px above the bottom', () => expect(DEFAULT_POSITION.bottom).toBe(120));
  it('stays wholly in sight, wherever it is dragged', () => {
    for (const right of [-500, 0, 24, 5000]) {
      for (const bottom of [-500, 0, 120, 5000]) {
        const at = inside({ right, bottom }, box, viewport);
        expect(at.right).toBeGreaterThanOrEqual(0);
        expect(at.right + box.width).toBeLessThanOrEqual(viewport.width);
        expect(at.bottom).toBeGreaterThanOrEqual(0);
        expect(at.bottom + box.height).toBeLessThanOrEqual(viewport.height);
      }
    }
  });
  it('moves by arrow keys, further with Shift', () => {
    expect(moved(DEFAULT_POSITION, 'ArrowUp', false)?.bottom).toBeGreaterThan(120);
    expect(moved(DEFAULT_POSITION, 'ArrowLeft', false)?.right).toBeGreaterThan(24);
    const small = moved(DEFAULT_POSITION, 'ArrowUp', false)?.bottom ?? 0;
    expect(moved(DEFAULT_POSITION, 'ArrowUp', true)?.bottom).toBeGreaterThan(small);
    expect(moved(DEFAULT_POSITION, 'Enter', false)).toBeNull();
  });
  it('tells a click from a drag', () => {
    expect(isDrag(0, 0)).toBe(false);
    expect(isDrag(2, 2)).toBe(false);
    expect(isDrag(4, 0)).toBe(true);
    expect(isDrag(-3, 3)).toBe(true);
  });
  it.each([[null], ['{'], ['[]'], ['{"right":"a","bottom":1}'], ['null'], ['{"right":1}']])(
    'stands at its default for a stored %s',
    (stored) => expect(readPosition(stored)).toEqual(DEFAULT_POSITION),
  );
  it('remembers its place', () => {
    expect(readPosition('{"right":40,"bottom":300}')).toEqual({ right: 40, bottom: 300 });
  });
});
