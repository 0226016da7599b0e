/** Whether the session answers: a small request to it now and then, and the state of the stream. */
import { useEffect, useState } from 'react';
import type { StreamState } from '../usage/watch.ts';

export type Health = 'connected' | 'unstable' | 'lost';

const PING_MS = 10_000;
const FAST_PING_MS = 3000;
const TIMEOUT_MS = 5000;
const LOST_AFTER = 3;

/** One failure may be chance; three in a row are not. */
export function healthOf(failures: number, stream: StreamState): Health {
  if (failures >= LOST_AFTER) return 'lost';
  return failures > 0 || stream === 'broken' ? 'unstable' : 'connected';
}

async function ping(address: string, signal: AbortSignal): Promise<boolean> {
  const isSameOrigin = new URL(address, location.href).origin === location.origin;
  try {
    const response = await fetch(address, {
      cache: 'no-store',
      credentials: 'include',
      // Of another origin nothing can be read, but that it answered can be told.
      mode: isSameOrigin ? 'same-origin' : 'no-cors',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return response.type === 'opaque' || response.ok;
  } catch {
    return false;
  }
}

/** @param address what to ask; null while nothing should be asked */
export function useHealth(address: string | null, stream: StreamState): Health {
  const [counted, setCounted] = useState<{ address: string; failures: number } | null>(null);
  useEffect(() => {
    if (address === null) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failed = 0;
    const ask = async (): Promise<void> => {
      if (document.visibilityState === 'visible') {
        const isAlive = await ping(address, abort.signal);
        if (abort.signal.aborted) return;
        failed = isAlive ? 0 : failed + 1;
        setCounted({ address, failures: failed });
      }
      timer = setTimeout(() => void ask(), failed > 0 ? FAST_PING_MS : PING_MS);
    };
    timer = setTimeout(() => void ask(), FAST_PING_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [address]);
  // A count belongs to the address that it was made for.
  return healthOf(counted?.address === address ? (counted?.failures ?? 0) : 0, stream);
}
