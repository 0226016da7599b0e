/** Calls to a session about its terminals. */
import { queryOptions } from '@tanstack/react-query';
import { loadTabs, tabsOf, type TerminalTab } from './tabs.ts';

/** Addresses of a session's terminals, on the origin where the session lives. */
export interface TerminalAddresses {
  readonly socket: string;
  readonly list: string;
  readonly close: string;
}

/** The terminals that run; those that this browser knew where it may not read the answer. */
export const tabsQuery = (usageID: number, addresses: TerminalAddresses | null) =>
  queryOptions({
    queryKey: ['usage', 'terminals', usageID, addresses?.list],
    queryFn: async ({ signal }): Promise<readonly TerminalTab[]> => {
      const response = await fetch(addresses?.list ?? '', {
        credentials: 'include',
        cache: 'no-store',
        signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]),
      }).catch(() => null);
      if (response === null || !response.ok) return loadTabs(usageID);
      return tabsOf(await response.json().catch(() => null));
    },
    enabled: addresses !== null,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    meta: { isHandled: true },
  });

/** Ends a terminal with what runs in it. */
export async function closeTerminal(addresses: TerminalAddresses, name: string): Promise<void> {
  const address = `${addresses.close}?${new URLSearchParams({ name })}`;
  const isSameOrigin = new URL(address).origin === location.origin;
  await fetch(address, {
    method: 'POST',
    credentials: 'include',
    mode: isSameOrigin ? 'same-origin' : 'no-cors',
  });
}
