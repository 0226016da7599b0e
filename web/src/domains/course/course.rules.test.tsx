/** The rules of courses' pages as tables, and their views in every state, in both languages. */
import { CourseJoinMode, type CourseDetail, type CourseRole } from '@hypercube/contract';
import type { Catalogue as Texts } from '@hypercube/messages';
import { catalogue as en } from '@hypercube/messages/en-US';
import { catalogue as zh } from '@hypercube/messages/zh-CN';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  RouterContextProvider,
  createMemoryHistory,
  createRootRoute,
  createRouter,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LanguageProvider } from '../../kernel/language.tsx';
import { EMPTY_SEARCH, isFiltered, readSearch, writeSearch } from '../catalogue/search.ts';
import {
  EMPTY_JOINING,
  joinBodyOf,
  joinErrors,
  joinValuesOf,
  localMoment,
  needsCode,
} from './admin/joining.ts';
import { isInside, mayManage, mayOwn, tabOf, wayIn } from './course.ts';
import { CourseDetailView } from './CourseDetailView.tsx';
import { CoursesView, type CoursesViewProps } from './CoursesView.tsx';
import { JoinPanel } from './JoinPanel.tsx';

const languages: readonly ['zh-CN' | 'en-US', Texts][] = [
  ['zh-CN', zh],
  ['en-US', en],
];

describe('what somebody may do in a course', () => {
  it.each<[CourseRole | null, boolean]>([
    [null, false],
    ['waiting', false],
    ['member', true],
    ['assistant', true],
    ['collaborator', true],
    ['owner', true],
  ])('%s is in it: %s', (role, is) => expect(isInside(role)).toBe(is));
  it.each<[Parameters<typeof mayManage>[0], CourseRole | null, boolean, boolean]>([
    ['admin', null, true, true],
    ['admin', 'member', true, true],
    ['teacher', 'owner', true, true],
    ['teacher', 'collaborator', true, false],
    ['teacher', 'member', false, false],
    ['teacher', null, false, false],
    ['assistant', 'assistant', true, false],
    ['assistant', 'waiting', false, false],
    ['assistant', 'owner', false, false],
    ['machine_admin', 'assistant', false, false],
    // Who made it and is a teacher no more.
    [null, 'owner', false, false],
  ])('as %s, being its %s: manages %s, owns %s', (staff, role, manages, owns) => {
    expect(mayManage(staff, role)).toBe(manages);
    expect(mayOwn(staff, role)).toBe(owns);
  });
  it('a private course is joined with a code, whatever its mode', () => {
    for (const JoinMode of Object.values(CourseJoinMode)) {
      expect(wayIn({ IsPrivate: true, JoinMode })).toBe(CourseJoinMode.inviteCode);
      expect(wayIn({ IsPrivate: false, JoinMode })).toBe(JoinMode);
    }
  });
  it.each([
    ['notice', 'notice'],
    ['member', 'member'],
    ['content', 'content'],
    ['constructor', 'content'],
    [undefined, 'content'],
    [['notice'], 'content'],
  ])('the part that %j asks for is %s', (given, tab) => expect(tabOf(given)).toBe(tab));
});

describe('the filter for what one has joined', () => {
  it('is only of catalogues of what can be joined', () => {
    expect(readSearch({ joined: 'true' }, [])).toEqual(EMPTY_SEARCH);
    expect(readSearch({ joined: 'yes' }, [], true)).toEqual(EMPTY_SEARCH);
    const search = readSearch({ joined: 'true' }, [], true);
    expect(search.joined).toBe(true);
    expect(writeSearch(search)).toEqual({ joined: 'true' });
    expect(isFiltered(search)).toBe(true);
  });
});

describe('how a course is joined, in a form', () => {
  const byCode = { ...EMPTY_JOINING, JoinMode: String(CourseJoinMode.inviteCode) };
  it.each([
    ['', zh.form.required(zh.course.code)],
    ['abc', zh.form.invalid(zh.course.code)],
    ['a'.repeat(21), zh.form.invalid(zh.course.code)],
    ['mpi-2026', zh.form.invalid(zh.course.code)],
    ['并行2026', zh.form.invalid(zh.course.code)],
    [' mpi2026 ', undefined],
    ['MPI2', undefined],
  ])('the code %j is told: %s', (InviteCode, told) =>
    expect(joinErrors({ ...byCode, InviteCode }, zh)['InviteCode']).toBe(told),
  );
  it('asks for a code only where one lets people in', () => {
    expect(needsCode(EMPTY_JOINING)).toBe(false);
    expect(joinErrors({ ...EMPTY_JOINING, InviteCode: '!' }, zh)).toEqual({});
    expect(needsCode({ ...EMPTY_JOINING, IsPrivate: true })).toBe(true);
  });
  it('ends after it begins', () => {
    const values = { ...byCode, InviteCode: 'mpi2026', InviteFrom: '2026-11-01T08:00' };
    expect(joinErrors({ ...values, InviteUntil: '2026-11-01T08:00' }, zh)).toEqual({
      InviteUntil: zh.course.admin.reversed,
    });
    expect(joinErrors({ ...values, InviteUntil: '2026-11-01T08:01' }, zh)).toEqual({});
  });
  it('an untouched form changes nothing', () => {
    const saved = {
      IsHidden: true,
      IsPrivate: false,
      JoinMode: CourseJoinMode.inviteCode,
      InviteCode: 'mpi2026',
      InviteFrom: '2026-11-01T00:00:00.000Z',
      InviteUntil: null,
    };
    expect(joinBodyOf(joinValuesOf(saved))).toEqual(saved);
  });
  it('what is no code and no period is not sent where none is needed', () => {
    expect(
      joinBodyOf({
        ...EMPTY_JOINING,
        InviteCode: '!',
        InviteFrom: '2026-11-02T08:00',
        InviteUntil: '2026-11-01T08:00',
      }),
    ).toMatchObject({ InviteCode: null, InviteFrom: null, InviteUntil: null });
  });
  it('writes moments as the browser’s field has them', () => {
    expect(localMoment(null)).toBe('');
    expect(localMoment(new Date(2026, 0, 2, 3, 4, 59).toISOString())).toBe('2026-01-02T03:04');
  });
});

function render(language: 'zh-CN' | 'en-US', messages: Texts, view: ReactNode): string {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  return renderToStaticMarkup(
    <LanguageProvider language={language} messages={messages}>
      <QueryClientProvider client={new QueryClient()}>
        <RouterContextProvider router={router}>{view}</RouterContextProvider>
      </QueryClientProvider>
    </LanguageProvider>,
  );
}

const course: CourseDetail = {
  ID: 4,
  Title: 'Parallel programming',
  Description: 'From threads to clusters',
  Cover: { Kind: 'cube', Seed: 4 },
  Domain: null,
  Tags: [],
  IsPrivate: false,
  JoinMode: CourseJoinMode.public,
  Owner: { Nickname: 'Li', Avatar: null },
  Members: 1200,
  MyRole: null,
  UpdatedAt: '2026-01-02T00:00:00.000Z',
  Content: 'Hello',
};

describe.each(languages)('the way into a course, %s', (language, messages) => {
  const words = messages.course;
  const panel = (
    change: Partial<CourseDetail>,
    { isSignedIn = true, manages = false }: { isSignedIn?: boolean | null; manages?: boolean } = {},
  ): string =>
    render(
      language,
      messages,
      <JoinPanel
        course={{ ...course, ...change }}
        isSignedIn={isSignedIn ?? undefined}
        manages={manages}
      />,
    );
  it('leads a visitor to the login and back', () => {
    const shown = panel({}, { isSignedIn: false });
    expect(shown).toContain(words.loginToJoin);
    expect(shown).toContain(encodeURIComponent('/course/4'));
    expect(shown).not.toContain(words.joinPublic);
  });
  it('says nothing while it is not known who it is', () => {
    expect(panel({}, { isSignedIn: null })).not.toMatch(/<(?:button|a) /);
  });
  it('is a click, an application or a code', () => {
    expect(panel({})).toContain(words.joinPublic);
    expect(panel({ JoinMode: CourseJoinMode.application })).toContain(words.applyText);
    for (const change of [{ JoinMode: CourseJoinMode.inviteCode }, { IsPrivate: true }]) {
      const shown = panel(change);
      expect(shown).toContain(words.codeText);
      expect(shown).toContain('<input');
    }
  });
  it('is a way out for those who are in it or wait', () => {
    expect(panel({ MyRole: 'waiting' })).toContain(words.withdraw);
    expect(panel({ MyRole: 'member' })).toContain(words.leave);
  });
  it('is not offered to those who work on it', () => {
    const shown = panel({ MyRole: 'assistant' }, { manages: true });
    expect(shown).toContain(words.staffOf(words.roles.assistant));
    expect(shown).toContain('/admin/course/4/info');
    expect(shown).not.toContain(words.leave);
  });
});

describe.each(languages)('a course’s page, %s', (language, messages) => {
  const words = messages.course;
  const page = (change: Partial<CourseDetail>): string =>
    render(
      language,
      messages,
      <CourseDetailView course={{ ...course, ...change }} tab="content" join={null} />,
    );
  it('has its parts only for those who are in it', () => {
    expect(page({ MyRole: 'member' })).toContain(words.tabsLabel);
    expect(page({})).not.toContain(words.tabsLabel);
    expect(page({ MyRole: 'waiting' })).not.toContain(words.tabsLabel);
  });
  it('of a private course says who may read it', () => {
    expect(page({ IsPrivate: true, Content: null })).toContain(words.onlyMembers);
  });
  it('without a text says so', () => expect(page({ Content: ' ' })).toContain(words.noContent));
  it('outlives the account of its owner', () =>
    expect(page({ Owner: null })).toContain(words.noOwner));
});

describe.each(languages)('the catalogue of courses, %s', (language, messages) => {
  const words = messages.course;
  const nothing = (): void => undefined;
  const list = (change: Partial<CoursesViewProps>): string =>
    render(
      language,
      messages,
      <CoursesView
        search={EMPTY_SEARCH}
        items={{ List: [course], Total: 1 }}
        domains={[]}
        error={null}
        isRefreshing={false}
        isSignedIn={false}
        onKeyword={nothing}
        onRetry={nothing}
        {...change}
      />,
    );
  it('shows courses with their members and what one is in them', () => {
    const shown = list({ items: { List: [{ ...course, MyRole: 'waiting' }], Total: 1 } });
    expect(shown).toContain(words.members('1.2K'));
    expect(shown).toContain(words.roles.waiting);
    expect(shown).toContain('href="/course/4"');
  });
  it('has no filter by kind, and one for one’s own only with an account', () => {
    expect(list({})).not.toContain(`>${messages.filters.type}<`);
    expect(list({})).not.toContain(words.joinedOnly);
    expect(list({ isSignedIn: true })).toContain(words.joinedOnly);
  });
  it('says what is empty', () => {
    const none = { List: [], Total: 0 };
    expect(list({ items: none })).toContain(words.emptySite);
    expect(list({ items: none, search: { ...EMPTY_SEARCH, joined: true } })).toContain(
      words.emptyTitle,
    );
  });
});
