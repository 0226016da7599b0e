/** The routes, made from the table of pages. */
import type { LoginSession, Role } from '@hypercube/contract';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
  type ErrorComponentProps,
  type RouteComponent,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { configureApi, serverNowMs } from '../kernel/api.ts';
import { TEXT_PARTS, type TextPart } from '@hypercube/messages';
import { lazyPage, loadChunk } from '../kernel/chunks.ts';
import { currentLanguage, currentMessages, needTexts } from '../kernel/language.tsx';
import { loginQuery, usableSession } from '../kernel/login.ts';
import { paths } from '../kernel/paths.ts';
import { safeRedirect } from '../kernel/redirect.ts';
import { toast } from '../kernel/toasts.ts';
import { LoadingRegion } from '../ui/states.tsx';
import { InRole } from '../domains/admin/InRole.tsx';
import { actAs, roleFor } from '../domains/admin/role.ts';
import { HomePage } from '../domains/home/HomePage.tsx';
import { entryTo } from './guard.ts';
import { PAGES, WORKSPACES, pageOf, type Page, type PageName } from './pages.ts';
import { prefetch } from './prefetch.ts';
import { RouteError } from './RouteError.tsx';
import { FullPageLayout, Root, ShellLayout } from './Shell.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';

interface RouterContext {
  readonly client: QueryClient;
}

// One page each, whatever kind of environment it opens.
const labTask = lazyPage(() => import('../domains/workspace/LabTaskPage.tsx'), 'LabTaskPage');
const softwareWorkspace = lazyPage(
  () => import('../domains/software/SoftwareWorkspacePage.tsx'),
  'SoftwareWorkspacePage',
);

const labTaskEditor = lazyPage(
  () => import('../domains/lab/admin/LabTaskEditPage.tsx'),
  'LabTaskEditPage',
);
const softwareForm = lazyPage(
  () => import('../domains/software/admin/SoftwareFormPage.tsx'),
  'SoftwareFormPage',
);

const COMPONENTS: Readonly<Record<PageName, RouteComponent>> = {
  // The first page that most people see comes with the first script.
  index: HomePage,
  notFoundPage: lazyPage(() => import('../ui/NotFoundView.tsx'), 'NotFoundView'),
  login: lazyPage(() => import('../domains/account/LoginPage.tsx'), 'LoginPage'),
  register: lazyPage(() => import('../domains/registration/RegisterPage.tsx'), 'RegisterPage'),
  passwordReset: lazyPage(
    () => import('../domains/registration/PasswordResetPage.tsx'),
    'PasswordResetPage',
  ),
  passwordResetResult: lazyPage(
    () => import('../domains/registration/PasswordResetResultPage.tsx'),
    'PasswordResetResultPage',
  ),
  loginArose: lazyPage(() => import('../domains/sso/CallbackPage.tsx'), 'AroseCallbackPage'),
  loginScnet: lazyPage(() => import('../domains/sso/CallbackPage.tsx'), 'ScnetCallbackPage'),
  authorize: lazyPage(() => import('../domains/sso/AuthorizePage.tsx'), 'AuthorizePage'),
  selectPage: lazyPage(() => import('../domains/sso/SelectPage.tsx'), 'SelectPage'),
  shortcuts: lazyPage(() => import('./ShortcutsPage.tsx'), 'ShortcutsPage'),
  personalHome: lazyPage(() => import('../domains/usage/HistoryPage.tsx'), 'HistoryPage'),
  personalSettings: lazyPage(() => import('../domains/account/SettingsPage.tsx'), 'SettingsPage'),
  labIndex: lazyPage(() => import('../domains/lab/LabsPage.tsx'), 'LabsPage'),
  labDetail: lazyPage(() => import('../domains/lab/LabDetailPage.tsx'), 'LabDetailPage'),
  notebookLabTaskDetail: labTask,
  desktopLabTaskDetail: labTask,
  softwareIndex: lazyPage(
    () => import('../domains/software/SoftwareListPage.tsx'),
    'SoftwareListPage',
  ),
  softwareDetailDesktop: softwareWorkspace,
  softwareDetailNotebook: softwareWorkspace,
  softwareDetailWebIDE: softwareWorkspace,
  adminHome: lazyPage(() => import('../domains/admin/AdminHomePage.tsx'), 'AdminHomePage'),
  adminEnvironments: lazyPage(
    () => import('../domains/environment/EnvironmentsPage.tsx'),
    'EnvironmentsPage',
  ),
  adminLabs: lazyPage(() => import('../domains/lab/admin/LabsAdminPage.tsx'), 'LabsAdminPage'),
  adminLabCreation: lazyPage(
    () => import('../domains/lab/admin/LabInfoPage.tsx'),
    'LabCreationPage',
  ),
  adminLabInfo: lazyPage(() => import('../domains/lab/admin/LabInfoPage.tsx'), 'LabInfoPage'),
  adminLabTasks: lazyPage(() => import('../domains/lab/admin/LabTasksPage.tsx'), 'LabTasksPage'),
  adminLabTaskCreation: labTaskEditor,
  adminLabTask: labTaskEditor,
  adminLabResources: lazyPage(
    () => import('../domains/lab/admin/LabResourcesPage.tsx'),
    'LabResourcesPage',
  ),
  adminSoftware: lazyPage(
    () => import('../domains/software/admin/SoftwareAdminPage.tsx'),
    'SoftwareAdminPage',
  ),
  adminSoftwareCreation: softwareForm,
  adminSoftwareInfo: softwareForm,
  problemIndex: lazyPage(
    () => import('../domains/problem/ProblemIndexPage.tsx'),
    'ProblemIndexPage',
  ),
  programmingProblemList: lazyPage(
    () => import('../domains/problem/ProblemsPage.tsx'),
    'ProblemsPage',
  ),
  programmingProblemDetail: lazyPage(() => import('../domains/problem/SolvePage.tsx'), 'SolvePage'),
  programmingProblemSubmission: lazyPage(
    () => import('../domains/problem/SubmissionsPage.tsx'),
    'SubmissionsPage',
  ),
  adminProblems: lazyPage(
    () => import('../domains/problem/admin/ProblemsAdminPage.tsx'),
    'ProblemsAdminPage',
  ),
  adminProblemCreation: lazyPage(
    () => import('../domains/problem/admin/ProblemInfoPage.tsx'),
    'ProblemCreationPage',
  ),
  adminProblem: lazyPage(
    () => import('../domains/problem/admin/ProblemInfoPage.tsx'),
    'ProblemInfoPage',
  ),
  adminProblemTests: lazyPage(
    () => import('../domains/problem/admin/ProblemTestsPage.tsx'),
    'ProblemTestsPage',
  ),
  adminProblemSubmissions: lazyPage(
    () => import('../domains/problem/admin/ProblemSubmissionsPage.tsx'),
    'ProblemSubmissionsPage',
  ),
  courseIndex: lazyPage(() => import('../domains/course/CoursesPage.tsx'), 'CoursesPage'),
  homeworkDetail: lazyPage(() => import('../domains/homework/HomeworkPage.tsx'), 'HomeworkPage'),
  adminHomeworkList: lazyPage(
    () => import('../domains/homework/admin/HomeworkListPage.tsx'),
    'HomeworkListPage',
  ),
  adminHomeworkCreate: lazyPage(
    () => import('../domains/homework/admin/HomeworkFormPage.tsx'),
    'HomeworkCreationPage',
  ),
  adminHomeworkUpdate: lazyPage(
    () => import('../domains/homework/admin/HomeworkFormPage.tsx'),
    'HomeworkEditPage',
  ),
  adminScoreList: lazyPage(() => import('../domains/homework/admin/ScoresPage.tsx'), 'ScoresPage'),
  adminHomeworkSubmitDetail: lazyPage(
    () => import('../domains/homework/admin/ScorePage.tsx'),
    'ScorePage',
  ),
  adminHomeworkUnfinishedList: lazyPage(
    () => import('../domains/homework/admin/WaitingHomework.tsx'),
    'WaitingHomeworkPage',
  ),
  courseDetail: lazyPage(
    () => import('../domains/course/CourseDetailPage.tsx'),
    'CourseDetailPage',
  ),
  adminCourses: lazyPage(
    () => import('../domains/course/admin/CoursesAdminPage.tsx'),
    'CoursesAdminPage',
  ),
  adminCourseCreation: lazyPage(
    () => import('../domains/course/admin/CourseInfoPage.tsx'),
    'CourseCreationPage',
  ),
  adminCourseInfo: lazyPage(
    () => import('../domains/course/admin/CourseInfoPage.tsx'),
    'CourseInfoPage',
  ),
  adminCourseNotices: lazyPage(
    () => import('../domains/course/admin/CourseNoticesPage.tsx'),
    'CourseNoticesPage',
  ),
  adminCourseMembers: lazyPage(
    () => import('../domains/course/admin/CourseMembersPage.tsx'),
    'CourseMembersPage',
  ),
  adminCoursePermission: lazyPage(
    () => import('../domains/course/admin/CoursePermissionPage.tsx'),
    'CoursePermissionPage',
  ),
  adminImages: lazyPage(() => import('../domains/image/ImagesPage.tsx'), 'ImagesPage'),
  adminImage: lazyPage(() => import('../domains/image/ImagePage.tsx'), 'ImagePage'),
  adminImageCreation: lazyPage(
    () => import('../domains/image/ImageWorkPage.tsx'),
    'ImageCreationPage',
  ),
  adminImageEdit: lazyPage(() => import('../domains/image/ImageWorkPage.tsx'), 'ImageEditPage'),
  adminSpecifications: lazyPage(
    () => import('../domains/specification/SpecificationsPage.tsx'),
    'SpecificationsPage',
  ),
  adminSpecification: lazyPage(
    () => import('../domains/specification/SpecificationPage.tsx'),
    'SpecificationPage',
  ),
  adminSpecificationPreview: lazyPage(
    () => import('../domains/specification/PreviewPage.tsx'),
    'PreviewPage',
  ),
  studyStatistics: lazyPage(() => import('../domains/dashboard/StudyPage.tsx'), 'StudyPage'),
  notification: lazyPage(
    () => import('../domains/notification/NotificationsPage.tsx'),
    'NotificationsPage',
  ),
  suggestionIndex: lazyPage(
    () => import('../domains/suggestion/SuggestionsPage.tsx'),
    'SuggestionsPage',
  ),
  suggestionDetail: lazyPage(
    () => import('../domains/suggestion/SuggestionPage.tsx'),
    'SuggestionPage',
  ),
  adminSuggestions: lazyPage(
    () => import('../domains/suggestion/SuggestionsAdminPage.tsx'),
    'SuggestionsAdminPage',
  ),
  adminSuggestion: lazyPage(
    () => import('../domains/suggestion/SuggestionPage.tsx'),
    'SuggestionAdminPage',
  ),
  resourceIndex: lazyPage(() => import('../domains/resource/ResourcesPage.tsx'), 'ResourcesPage'),
  resourceIssue: lazyPage(
    () => import('../domains/resource/ResourceFormPage.tsx'),
    'ResourceIssuePage',
  ),
  applyProgress: lazyPage(() => import('../domains/resource/ProgressPage.tsx'), 'ProgressPage'),
  editApply: lazyPage(() => import('../domains/resource/ResourceFormPage.tsx'), 'ResourceEditPage'),
  resourceAccount: lazyPage(
    () => import('../domains/resource/ResourceAccountPage.tsx'),
    'ResourceAccountPage',
  ),
  adminResources: lazyPage(
    () => import('../domains/resource/admin/ResourcesAdminPage.tsx'),
    'ResourcesAdminPage',
  ),
  adminResource: lazyPage(
    () => import('../domains/resource/admin/ResourceReviewPage.tsx'),
    'ResourceReviewPage',
  ),
  adminResourceAccount: lazyPage(
    () => import('../domains/resource/admin/AccountFormPage.tsx'),
    'AccountFormPage',
  ),
  adminNotifications: lazyPage(() => import('../domains/notification/SentPage.tsx'), 'SentPage'),
  adminMails: lazyPage(() => import('../domains/mail/MailsPage.tsx'), 'MailsPage'),
  adminUsers: lazyPage(() => import('../domains/user/UsersPage.tsx'), 'UsersPage'),
  adminDomains: lazyPage(() => import('../domains/domain/DomainsPage.tsx'), 'DomainsPage'),
  adminDomain: lazyPage(() => import('../domains/domain/DomainPage.tsx'), 'DomainPage'),
  adminAudit: lazyPage(() => import('../domains/audit/AuditPage.tsx'), 'AuditPage'),
  adminSettings: lazyPage(
    () => import('../domains/setting/SiteSettingsPage.tsx'),
    'SiteSettingsPage',
  ),
  personalComputer: lazyPage(() => import('../domains/computer/ComputerPage.tsx'), 'ComputerPage'),
};

const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Root });
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: ShellLayout,
});
const adminRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: 'admin-area',
  component: lazyPage(() => import('./AdminLayout.tsx'), 'AdminLayout'),
  loader: ({ preload }) => bringTexts(TEXT_PARTS, preload),
});
const fullPageRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'full',
  component: FullPageLayout,
});

interface GuardInput {
  readonly context: RouterContext;
  readonly location: { readonly href: string; readonly search: unknown };
  readonly preload: boolean;
}

async function enter(name: PageName, { context, location, preload }: GuardInput): Promise<void> {
  const page = pageOf(name);
  // A page that is only prepared must not change how the present one asks.
  const askAs = (role: Role): void => (preload ? undefined : configureApi({ role }));
  if (page.access === 'public' && page.need === undefined) {
    askAs('student');
    return;
  }
  const session = usableSession(await context.client.ensureQueryData(loginQuery), serverNowMs());
  const enterAs = ({ area, need }: Page, who: LoginSession | null): void => {
    const role = area === 'admin' ? roleFor(who, need ?? []) : null;
    askAs(role ?? 'student');
    if (who !== null && role !== null && !preload) actAs(who, role);
  };
  switch (entryTo(page, session)) {
    case 'enter':
      enterAs(page, session);
      return;
    case 'login':
      // Hovering over a link only prepares the page; nobody has visited it yet.
      if (!preload) toast('warning', currentMessages().shell.notSignedIn);
      redirect({ to: paths.login, search: { redirect: location.href }, throw: true });
      return;
    case 'not-found':
      redirect({ to: paths.notFound, throw: true });
  }
}

const COMING_IN: ReadonlySet<PageName> = new Set(['login', 'register']);
/** Whoever is signed in already has nothing to do on the pages by which one comes in. */
async function leaveLogin({ context, location }: GuardInput): Promise<void> {
  // The form works while it is not known who it is.
  const session = await context.client.ensureQueryData(loginQuery).catch(() => null);
  if (usableSession(session, serverNowMs()) === null) return;
  const search = location.search as { readonly redirect?: unknown };
  const target = new URL(safeRedirect(search.redirect), window.location.origin);
  redirect({
    to: target.pathname,
    search: Object.fromEntries(target.searchParams),
    hash: target.hash.slice(1),
    replace: true,
    throw: true,
  });
}

/** The frame in which a page stands. */
function frameOf(name: PageName): 'full' | 'admin' | 'shell' {
  if (WORKSPACES.has(name) || pageOf(name).isFull === true) return 'full';
  return pageOf(name).area ?? 'shell';
}
const FRAMES = { full: fullPageRoute, admin: adminRoute, shell: shellRoute };

/** A page; one of the admin area is shown in the role that may open it. */
function componentOf(name: PageName): RouteComponent {
  const { area, need = [] } = pageOf(name);
  const Component = COMPONENTS[name];
  if (area !== 'admin') return Component;
  const StaffPage = (): ReactNode => (
    <InRole need={need}>
      <Component />
    </InRole>
  );
  return StaffPage;
}

/** The texts that a page shows beside the first ones; the admin area has something of all. */
function textsOf(name: PageName): readonly TextPart[] {
  if (name === 'index') return [];
  const { area, texts = [] } = pageOf(name);
  return area === 'admin' ? TEXT_PARTS : ['pages', ...texts];
}

/** Waits for texts; a page that is only prepared must not reload the one that somebody is on. */
const bringTexts = (wanted: readonly TextPart[], isPreload: boolean): Promise<void> =>
  isPreload ? needTexts(...wanted).catch(() => undefined) : loadChunk(() => needTexts(...wanted));

const makeRoute = (name: PageName) =>
  createRoute({
    getParentRoute: () => FRAMES[frameOf(name)],
    path: PAGES[name].path,
    component: componentOf(name),
    staticData: { page: name },
    beforeLoad: (input) => {
      // The program of the page comes while it is found out whether it may be entered.
      void COMPONENTS[name].preload?.();
      void bringTexts(textsOf(name), true);
      return COMING_IN.has(name) ? leaveLogin(input) : enter(name, input);
    },
    loader: async ({ context, params, location, preload }) => {
      const { search } = location;
      prefetch(name, { client: context.client, language: currentLanguage(), params, search });
      await bringTexts(textsOf(name), preload);
    },
  });

const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    redirect({ to: paths.notFound, replace: true, throw: true });
  },
});

function Pending(): ReactNode {
  return <LoadingRegion />;
}

export function makeRouter(client: QueryClient) {
  const names = Object.keys(PAGES) as PageName[];
  const routesIn = (frame: 'full' | 'admin' | 'shell') =>
    names.filter((name) => frameOf(name) === frame).map(makeRoute);
  return createRouter({
    routeTree: rootRoute.addChildren([
      shellRoute.addChildren([...routesIn('shell'), adminRoute.addChildren(routesIn('admin'))]),
      fullPageRoute.addChildren(routesIn('full')),
      unknownRoute,
    ]),
    context: { client },
    defaultPreload: 'intent',
    defaultPendingMs: 1000,
    defaultPendingComponent: Pending,
    defaultErrorComponent: (props: ErrorComponentProps) => <RouteError {...props} />,
    // Where one was on a page, except on those that begin at their top.
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
  });
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: PageName;
  }
}
