/**
 * Language and theme as the account keeps them: chosen on one device, used where its owner logs in
 * next. What a browser shows changes at a login, never under the eyes of somebody who works.
 */
import { routes, type BodyInputOf, type LoginSession } from '@hypercube/contract';
import type { QueryClient } from '@tanstack/react-query';
import { call } from './api.ts';
import { currentLanguage, showLanguage, watchLanguageChoice } from './language.tsx';
import { loginQuery } from './login.ts';
import { showTheme, watchThemeChoice } from './theme.ts';

function show({ Language, Theme }: LoginSession): void {
  if (Theme !== null) showTheme(Theme);
  if (Language !== null && Language !== currentLanguage())
    // Without its texts the page stays in the language that it has.
    void showLanguage(Language).catch(() => undefined);
}

/** Sends what the user chooses to the account, and shows what the account has at a login. Call once. */
export function keepPreferences(client: QueryClient): void {
  const save = (change: BodyInputOf<typeof routes.updatePreferences>): void => {
    const session = client.getQueryData(loginQuery.queryKey);
    if (session == null) return;
    client.setQueryData(loginQuery.queryKey, { ...session, ...change } as LoginSession);
    // The choice holds in this browser in any case.
    void call(routes.updatePreferences, { params: { userID: session.ID }, body: change }).catch(
      () => undefined,
    );
  };
  watchThemeChoice((Theme) => save({ Theme }));
  watchLanguageChoice((Language) => save({ Language }));
  let known = client.getQueryData(loginQuery.queryKey);
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== loginQuery.queryKey[0]) return;
    const session = client.getQueryData(loginQuery.queryKey);
    if (session === undefined) return;
    // From nobody to somebody: a login in this page. At its first answer it only came back.
    if (known === null && session !== null) show(session);
    known = session;
  });
}
