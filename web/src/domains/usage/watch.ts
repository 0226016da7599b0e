/** Keeps the page's knowledge of the environment fresh: the event stream, polling, other tabs. */
import {
  WIDGET_REQUIREMENT,
  routes,
  type DashboardNow,
  type Usage,
  type UsageEvent,
} from '@hypercube/contract';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { addressOf } from '../../kernel/api.ts';
import { loginQuery, may, useLogin } from '../../kernel/login.ts';
import { roleThatMay } from '../admin/role.ts';
import { acceptFigures, areFiguresShown, watchFiguresShown } from '../dashboard/live.ts';
import { COURSE_KEY } from '../course/course.api.ts';
import { HOMEWORK_KEY } from '../homework/keys.ts';
import { NOTIFICATIONS_KEY, acceptUnread } from '../notification/notification.api.ts';
import { SUBMISSION_KEY } from '../problem/keys.ts';
import { SUGGESTION_KEY } from '../suggestion/suggestion.api.ts';
import { remainingOf } from './countdown.ts';
import { USAGE_KEY, acceptUsage, usageQuery, type UsageState } from './usage.api.ts';

export type StreamState = 'connecting' | 'open' | 'broken';

let streamState: StreamState = 'connecting';
const streamListeners = new Set<() => void>();
function setStreamState(state: StreamState): void {
  if (state === streamState) return;
  streamState = state;
  for (const listener of streamListeners) listener();
}
const subscribeStream = (listener: () => void): (() => void) => {
  streamListeners.add(listener);
  return () => streamListeners.delete(listener);
};

/** Whether the event stream stands. */
export const useStreamState = (): StreamState =>
  useSyncExternalStore(
    subscribeStream,
    () => streamState,
    () => 'connecting',
  );

/** Pause before the next try of a broken stream: doubling, with a bound, and spread over clients. */
export const reconnectDelayMs = (failures: number, random: number): number =>
  Math.min(30_000, 1000 * 2 ** Math.min(failures, 5)) * (0.75 + random / 2);

/** Polling beside the stream: often while it starts, rarely while the stream stands. */
export function pollMs(usage: Usage | null | undefined, stream: StreamState): number {
  const isStarting = usage != null && usage.Phase !== 'ready' && usage.Phase !== 'failed';
  if (stream === 'open') return isStarting ? 10_000 : 60_000;
  return isStarting ? 2000 : 15_000;
}

function parseEvent(data: unknown): UsageEvent | null {
  try {
    const value = JSON.parse(String(data)) as Partial<UsageEvent> | null;
    return value !== null && typeof value === 'object' && 'Usage' in value
      ? { Usage: value.Usage ?? null, Ended: value.Ended ?? null, Unread: value.Unread ?? 0 }
      : null;
  } catch {
    return null;
  }
}

/** What the stream tells beside the usage. Only the tab that holds it says so to the others. */
interface News {
  readonly unread?: number;
  readonly hasNotificationNews?: true;
  readonly hasSuggestionNews?: true;
  readonly hasSubmissionNews?: true;
  readonly figures?: DashboardNow;
}
const NEWS = 'news';

/** Between tabs: whether one shows the live figures, or the question of who holds the stream. */
type FigureTalk = { readonly isAsking: boolean } | { readonly whoAsks: true };
const FIGURE_TALK = 'live-figures';
/** With so many failures in a row the stream is tried without the figures, which may be what fails. */
const FAILURES_WITH_FIGURES = 2;

function acceptNews(
  client: QueryClient,
  { unread, hasNotificationNews, hasSuggestionNews, hasSubmissionNews, figures }: News,
): void {
  if (figures) acceptFigures(client, figures);
  if (unread !== undefined) acceptUnread(client, unread);
  if (hasNotificationNews) {
    void client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY });
    // A notice, the answer to an application: what a course tells is in its page too.
    void client.invalidateQueries({ queryKey: COURSE_KEY });
    void client.invalidateQueries({ queryKey: HOMEWORK_KEY });
  }
  if (hasSuggestionNews) void client.invalidateQueries({ queryKey: SUGGESTION_KEY });
  if (hasSubmissionNews) void client.invalidateQueries({ queryKey: SUBMISSION_KEY });
}

const STREAM_LOCK = 'hypercube-usage-stream';

/**
 * Runs in one tab of the browser at a time, as long as its promise lasts; the others wait for
 * their turn. Where the browser has no locks (plain http) every tab runs.
 */
function inOneTab(run: () => Promise<void>, signal: AbortSignal): void {
  // Absent outside of secure contexts, whatever the types say.
  const locks = (navigator as Partial<Navigator>).locks;
  const running = locks ? locks.request(STREAM_LOCK, { signal }, run) : run();
  // Given up before its turn came.
  running.catch(() => undefined);
}

/**
 * Holds one event stream for all visible tabs; they tell each other what it says. A browser allows
 * six connections to a server over HTTP/1.1, and ten tabs would leave none for anything else.
 * Hidden tabs give their place back and ask again when they are shown.
 */
function watchStream(client: QueryClient): () => void {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(NEWS);
  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => acceptNews(client, data));
  /** To this page, and to the tabs that wait for the stream. */
  const tell = (news: News): void => {
    acceptNews(client, news);
    channel?.postMessage(news);
  };
  let turn: AbortController | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const talk = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(FIGURE_TALK);
  /** Another tab, which waits for its turn, shows the live figures. */
  let isAskedElsewhere = false;
  /** What the stream that stands here tells: null while another tab holds it. */
  let tellsFigures: boolean | null = null;

  /** The role in which the stream tells the figures as well; null: it need not or must not. */
  const figuresRole = (): string | null =>
    (areFiguresShown() || isAskedElsewhere) && failures < FAILURES_WITH_FIGURES
      ? roleThatMay(client.getQueryData(loginQuery.queryKey) ?? null, ['dashboard.read'])
      : null;
  /** A stream that tells too much or too little is opened anew. */
  const fit = (): void => {
    if (tellsFigures !== null && tellsFigures !== (figuresRole() !== null)) open();
  };
  const stopWatching = watchFiguresShown(() => {
    talk?.postMessage({ isAsking: areFiguresShown() } satisfies FigureTalk);
    fit();
  });
  // A page that came together with the frame showed them before anybody listened.
  if (areFiguresShown()) talk?.postMessage({ isAsking: true } satisfies FigureTalk);
  talk?.addEventListener('message', ({ data }: MessageEvent<FigureTalk>) => {
    if ('isAsking' in data) isAskedElsewhere = data.isAsking;
    // Somebody stopped asking, or holds the stream from now on: who still asks says so.
    if ((!('isAsking' in data) || !data.isAsking) && areFiguresShown())
      talk.postMessage({ isAsking: true } satisfies FigureTalk);
    fit();
  });

  const close = (): void => {
    clearTimeout(retry);
    turn?.abort();
    turn = null;
    tellsFigures = null;
  };
  const open = (): void => {
    close();
    if (document.visibilityState === 'hidden') return;
    const { signal } = (turn = new AbortController());
    inOneTab(() => listen(signal), signal);
  };
  /** Hears the stream until it breaks or the signal ends it. */
  const listen = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    talk?.postMessage({ whoAsks: true } satisfies FigureTalk);
    const role = figuresRole();
    tellsFigures = role !== null;
    const stream = new EventSource(
      addressOf(routes.watchUsage, {}, role === null ? {} : { live: 'dashboard', role }),
    );
    const over = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        stream.close();
        resolve();
      });
    });
    const onMessage = (event: MessageEvent): void => {
      const told = parseEvent(event.data);
      if (told === null) return;
      acceptUsage(client, { usage: told.Usage, ended: told.Ended });
      tell({ unread: told.Unread });
    };
    stream.addEventListener('open', () => {
      failures = 0;
      setStreamState('open');
    });
    stream.addEventListener('message', onMessage);
    stream.addEventListener('notification', () => tell({ hasNotificationNews: true }));
    stream.addEventListener('suggestion', () => tell({ hasSuggestionNews: true }));
    stream.addEventListener('submission', () => tell({ hasSubmissionNews: true }));
    stream.addEventListener('dashboard', ({ data }: MessageEvent<string>) =>
      tell({ figures: JSON.parse(data) as DashboardNow }),
    );
    stream.addEventListener('error', () => {
      close();
      setStreamState('broken');
      retry = setTimeout(open, reconnectDelayMs(failures++, Math.random()));
      // The stream does not say why it broke; an ordinary call does, and finds out a 401.
      void client.invalidateQueries({ queryKey: USAGE_KEY });
    });
    await over;
  };
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') {
      close();
      return;
    }
    void client.invalidateQueries({ queryKey: USAGE_KEY });
    open();
  };
  const onOnline = (): void => {
    failures = 0;
    onVisibility();
  };
  open();
  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('online', onOnline);
  addEventListener('pageshow', onVisibility);
  return () => {
    close();
    stopWatching();
    talk?.close();
    channel?.close();
    setStreamState('connecting');
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('online', onOnline);
    removeEventListener('pageshow', onVisibility);
  };
}

/** Tabs tell each other what they learn, so that a renewal shows in all of them at once. */
function watchTabs(client: QueryClient): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel('usage');
  /** What another tab said is not passed on: two tabs would tell each other for ever. */
  let isHearing = false;
  channel.addEventListener(
    'message',
    (event: MessageEvent<Pick<UsageState, 'usage' | 'ended'>>) => {
      // The cache tells its listeners before this returns.
      isHearing = true;
      try {
        acceptUsage(client, event.data);
      } finally {
        isHearing = false;
      }
    },
  );
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (
      isHearing ||
      event.type !== 'updated' ||
      event.query.queryKey[1] !== USAGE_KEY[1] ||
      event.action.type !== 'success'
    )
      return;
    const state = client.getQueryData<UsageState>(USAGE_KEY);
    // Only what this tab learned itself, and only while it is fresh: the message carries no age.
    if (state === undefined || performance.now() - state.receivedAt > 500) return;
    channel.postMessage({ usage: state.usage, ended: state.ended });
  });
  return () => {
    unsubscribe();
    channel.close();
  };
}

/** Asks again after the machine slept, and when the countdown ends. */
function watchClock(client: QueryClient): () => void {
  let lastWall = Date.now();
  let lastRunning = performance.now();
  const timer = setInterval(() => {
    const wall = Date.now();
    const running = performance.now();
    // performance.now stands still in some systems' sleep, Date.now does not.
    const slept = wall - lastWall - (running - lastRunning) > 2000;
    lastWall = wall;
    lastRunning = running;
    const state = client.getQueryData<UsageState>(USAGE_KEY);
    const isOver = state?.usage != null && remainingOf(state, running) === 0;
    if (slept || isOver) void client.invalidateQueries({ queryKey: USAGE_KEY });
  }, 2000);
  return () => clearInterval(timer);
}

/** Mounted once, in the shell: keeps the state fresh while somebody is signed in. */
export function useUsageWatch(): void {
  const client = useQueryClient();
  const { session } = useLogin();
  const isOn = session != null && may(session, WIDGET_REQUIREMENT);
  useEffect(() => {
    if (!isOn) return;
    const stops = [watchStream(client), watchTabs(client), watchClock(client)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, isOn]);
}

export interface CurrentUsage {
  /** undefined while it is not known. */
  readonly state: UsageState | undefined;
  readonly usage: Usage | null | undefined;
  readonly isStale: boolean;
  readonly error: unknown;
}

/** The current environment of the signed-in user. */
export function useUsage(): CurrentUsage {
  const client = useQueryClient();
  const { session } = useLogin();
  const stream = useStreamState();
  const enabled = session != null && may(session, WIDGET_REQUIREMENT);
  const { data, error, isError } = useQuery({
    ...usageQuery(client),
    enabled,
    refetchInterval: (query) => pollMs(query.state.data?.usage, stream),
    refetchOnWindowFocus: true,
  });
  return {
    state: enabled ? data : undefined,
    usage: enabled ? data?.usage : undefined,
    isStale: data !== undefined && isError,
    error: data === undefined ? error : null,
  };
}
