/** The routes, made from the table of pages. */
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
import { serverNowMs } from '../kernel/api.ts';
import { lazyPage } from '../kernel/chunks.ts';
import { currentLanguage, currentMessages } from '../kernel/language.tsx';
import { loginQuery, usableSession } from '../kernel/login.ts';
import { paths } from '../kernel/paths.ts';
import { safeRedirect } from '../kernel/redirect.ts';
import { toast } from '../kernel/toasts.ts';
import { LoadingRegion } from '../ui/states.tsx';
import { HomePage } from '../domains/home/HomePage.tsx';
import { entryTo } from './guard.ts';
import { PAGES, pageOf, type PageName } from './pages.ts';
import { prefetch } from './prefetch.ts';
import { RouteError } from './RouteError.tsx';
import { FullPageLayout, Root, ShellLayout } from './Shell.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';

interface RouterContext {
  readonly client: QueryClient;
}

const COMPONENTS: Readonly<Record<PageName, RouteComponent>> = {
  // The first page that most people see comes with the first script.
  index: HomePage,
  notFoundPage: lazyPage(() => import('../ui/NotFoundView.tsx'), 'NotFoundView'),
  login: lazyPage(() => import('../domains/account/LoginPage.tsx'), 'LoginPage'),
  shortcuts: lazyPage(() => import('./ShortcutsPage.tsx'), 'ShortcutsPage'),
  personalHome: lazyPage(() => import('../domains/usage/HistoryPage.tsx'), 'HistoryPage'),
  personalSettings: lazyPage(() => import('../domains/account/SettingsPage.tsx'), 'SettingsPage'),
  labIndex: lazyPage(() => import('../domains/lab/LabsPage.tsx'), 'LabsPage'),
  labDetail: lazyPage(() => import('../domains/lab/LabDetailPage.tsx'), 'LabDetailPage'),
  notebookLabTaskDetail: lazyPage(
    () => import('../domains/workspace/WorkspacePage.tsx'),
    'WorkspacePage',
  ),
};

/** Pages that fill the window and have no header or footer. */
const FULL_PAGES: ReadonlySet<PageName> = new Set<PageName>(['notebookLabTaskDetail']);

const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Root });
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: ShellLayout,
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
  if (page.access === 'public' && page.need === undefined) return;
  const session = usableSession(await context.client.ensureQueryData(loginQuery), serverNowMs());
  switch (entryTo(page, session)) {
    case 'enter':
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

/** Whoever is signed in already has nothing to do on the login page. */
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

const makeRoute = (name: PageName) =>
  createRoute({
    getParentRoute: () => (FULL_PAGES.has(name) ? fullPageRoute : shellRoute),
    path: PAGES[name].path,
    component: COMPONENTS[name],
    staticData: { page: name },
    beforeLoad: (input) => {
      // The program of the page comes while it is found out whether it may be entered.
      void COMPONENTS[name].preload?.();
      return name === 'login' ? leaveLogin(input) : enter(name, input);
    },
    loader: ({ context, params, location }) => {
      const { search } = location;
      prefetch(name, { client: context.client, language: currentLanguage(), params, search });
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
  return createRouter({
    routeTree: rootRoute.addChildren([
      shellRoute.addChildren(names.filter((name) => !FULL_PAGES.has(name)).map(makeRoute)),
      fullPageRoute.addChildren(names.filter((name) => FULL_PAGES.has(name)).map(makeRoute)),
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
