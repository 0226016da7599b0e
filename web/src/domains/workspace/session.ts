/** Where a session lives, and its addresses there. */
import { SessionType, type Usage } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { openSession } from '../usage/usage.api.ts';

/**
 * Enters a session for this page's own calls to it: on an origin of its own it asks for a cookie
 * there first, which an address with a ticket gives.
 * @returns the origin on which the session answers
 */
async function enterSession(usageID: number, signal: AbortSignal): Promise<string> {
  const address = new URL(await openSession(usageID, signal), location.href);
  if (address.origin !== location.origin)
    await fetch(address, { mode: 'no-cors', credentials: 'include', cache: 'no-store', signal });
  return address.origin;
}

/** The origin of a running session; asked once for each of its starts. */
export function useSessionOrigin(usage: Usage | null) {
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', 'origin', usage?.ID, usage?.ProxyPath],
    queryFn: ({ signal }) => enterSession(usage?.ID ?? 0, signal),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    enabled: usage !== null && usage.ProxyPath !== null,
    meta: { isHandled: true },
  });
  return { origin: data ?? null, error, retry: () => void refetch() };
}

const folder = (path: string): string => path.replace(/\/?$/, '/');

/** What answers a small request while the session lives. */
export function healthAddress(
  usage: Pick<Usage, 'Type' | 'ProxyPath'>,
  origin: string | null,
): string | null {
  if (origin === null || usage.ProxyPath === null) return null;
  const name = usage.Type === SessionType.notebook ? 'api' : 'healthz';
  return `${origin}${folder(usage.ProxyPath)}${name}`;
}

/** An address below one of the session's paths. */
export const sessionAddress = (origin: string, path: string, name: string): string =>
  `${origin}${folder(path)}${name}`;

/** The same for a WebSocket. */
export const socketAddress = (origin: string, path: string): string =>
  sessionAddress(origin, path, 'ws').replace(/^http/, 'ws');
