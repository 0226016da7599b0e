/** Starts the page: the language first, then everything else. */
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeRouter } from './app/router.tsx';
import { ApiError, configureApi } from './kernel/api.ts';
import {
  LanguageProvider,
  currentMessages,
  describeError,
  loadInitialLanguage,
} from './kernel/language.tsx';
import { LOGOUT_KEY, forgetAccount, loginQuery } from './kernel/login.ts';
import { keepPreferences } from './kernel/login-preferences.ts';
import { watchTabs } from './kernel/login-tabs.ts';
import { paths } from './kernel/paths.ts';
import { watchTheme } from './kernel/theme.ts';
import { toast } from './kernel/toasts.ts';
import './ui/base.css';

interface Meta extends Record<string, unknown> {
  /** The page shows the failure itself. */
  readonly isHandled?: boolean;
  readonly handledCodes?: readonly string[];
}
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta;
    mutationMeta: Meta;
  }
}

/**
 * Who is refused may have lost a role since the page opened: it is asked again, so that entries and
 * pages go by what holds now.
 */
function askRolesAgain(error: unknown): void {
  if (error instanceof ApiError && error.code === 'forbidden')
    void client.invalidateQueries({ queryKey: loginQuery.queryKey });
}

/** A 401 is told once by the log-out, a 404 is the page's affair, the rest is told here. */
function report(error: unknown, meta: Meta | undefined): void {
  askRolesAgain(error);
  if (meta?.isHandled === true) return;
  if (error instanceof ApiError) {
    if (error.status === 401 || error.status === 404 || meta?.handledCodes?.includes(error.code))
      return;
  } else {
    // oxlint-disable-next-line no-console -- a fault of ours: the trace must not get lost
    console.error(error);
  }
  toast('error', describeError(currentMessages(), error));
}

const client = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => report(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => report(error, mutation.meta),
  }),
  defaultOptions: {
    queries: {
      // What the server has decided does not change by asking again.
      retry: (count, error) =>
        error instanceof ApiError &&
        (error.status === 0 ? count < 3 : error.status >= 500 && count < 2),
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always' },
  },
});

const router = makeRouter(client);

configureApi({
  onUnauthorized: () => {
    // What is still under way while somebody leaves, such as the event stream, tells them nothing new.
    if (client.isMutating({ mutationKey: LOGOUT_KEY }) > 0) return;
    const wasSignedIn = client.getQueryData(loginQuery.queryKey) != null;
    forgetAccount(client);
    const { pathname, href } = router.state.location;
    if (pathname === paths.login) return;
    if (wasSignedIn) toast('warning', currentMessages().shell.notSignedIn);
    // Nothing to be asked: who stays has no page any more, and drafts are kept.
    void router.navigate({ to: paths.login, search: { redirect: href }, ignoreBlocker: true });
  },
});

watchTheme();
keepPreferences(client);
watchTabs(client, () => void router.invalidate());
// Asked for while the language loads: every page needs it.
void client.prefetchQuery(loginQuery);
const initial = await loadInitialLanguage();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <LanguageProvider {...initial}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
);
