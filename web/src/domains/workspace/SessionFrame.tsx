/** The notebook or web IDE itself, in a frame. */
import type { Usage } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import { openSession } from '../usage/usage.api.ts';
import { watchFrame } from './frame-watch.ts';

interface SessionFrameProps {
  readonly usage: Usage;
  /** Something lies over it: it must not take the keyboard. */
  readonly isCovered: boolean;
  readonly isDragging: boolean;
  /** Whether the session answers now. */
  readonly isLinked: boolean;
  readonly attempt: number;
}

/**
 * Stays mounted while the environment lives: hiding it, another task or a pause must not lose what
 * is typed in it. A new address (after a restart) or an asked reload opens it again.
 */
export function SessionFrame({
  usage,
  isCovered,
  isDragging,
  isLinked,
  attempt,
}: SessionFrameProps): ReactNode {
  const messages = useMessages();
  const [loadedAddress, setLoadedAddress] = useState<string | null>(null);
  const address = useQuery({
    queryKey: ['usage', 'session', usage.ID, usage.ProxyPath, attempt],
    queryFn: ({ signal }) => openSession(usage.ID, signal),
    // Single use: never asked again behind the user's back.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    enabled: !isCovered,
    meta: { isHandled: true },
  });
  /** How often it was loaded again by itself; a frame that is loaded again is a new one. */
  const [reloads, setReloads] = useState(0);
  const stopWatching = useRef<() => void>(() => undefined);
  useEffect(() => () => stopWatching.current(), []);
  const linked = useRef(isLinked);
  useEffect(() => {
    linked.current = isLinked;
  }, [isLinked]);
  const { data } = address;
  const kind = messages.usage.kinds[usage.Type];
  if (data === undefined) {
    return address.error ? (
      <ErrorState
        title={messages.usage.workspace.openFailed(kind)}
        error={address.error}
        onRetry={() => void address.refetch()}
      />
    ) : (
      <LoadingRegion />
    );
  }
  return (
    <>
      {loadedAddress === data ? null : (
        <output className="frame-note muted">
          <span className="spinner" aria-hidden="true" />
          {messages.usage.workspace.opening(kind)}
        </output>
      )}
      <iframe
        key={`${data} ${reloads}`}
        className="frame"
        src={data}
        title={messages.usage.workspace.frame(messages.usage.types[usage.Type], usage.Title)}
        allow="clipboard-read; clipboard-write; fullscreen"
        inert={isCovered}
        style={isDragging ? { pointerEvents: 'none' } : undefined}
        onLoad={(event) => {
          setLoadedAddress(data);
          stopWatching.current();
          stopWatching.current = watchFrame(event.currentTarget, {
            reloads,
            isLinked: () => linked.current,
            onReload: () => setReloads((count) => count + 1),
          });
        }}
      />
    </>
  );
}
