/**
 * One account in all tabs of a browser: they share its cookie, whatever each of them shows. A tab
 * that has signed in or out tells the others, which ask who it is now.
 */
import type { QueryClient } from '@tanstack/react-query';
import { forgetAnswers, isPrivate, loginQuery } from './login.ts';

const CHANNEL = 'account';

/**
 * Call once.
 * @param onElsewhere another tab has changed who is signed in: the page may not be theirs to see
 */
export function watchTabs(client: QueryClient, onElsewhere: () => void): void {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
  /** Null for a visitor; undefined while it is not known. */
  const accountNow = (): number | null | undefined => {
    const session = client.getQueryData(loginQuery.queryKey);
    return session === undefined ? undefined : (session?.ID ?? null);
  };
  let known = accountNow();
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== loginQuery.queryKey[0]) return;
    const account = accountNow();
    if (account === undefined || account === known) return;
    const before = known;
    known = account;
    if (before === undefined) return;
    channel?.postMessage(account);
    if (before === null) return;
    // Told by another tab: nothing here has forgotten the account before.
    if (account === null) forgetAnswers(client);
    else void client.resetQueries({ predicate: isPrivate });
  });
  channel?.addEventListener('message', ({ data }: MessageEvent<number | null>) => {
    if (data === known) return;
    // The cookie is what counts: what the other tab says may be old by now.
    client
      .fetchQuery({ ...loginQuery, staleTime: 0 })
      .then(onElsewhere)
      // Nobody answers: the next call tells.
      .catch(() => undefined);
  });
}
