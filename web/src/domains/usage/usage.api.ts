/** Calls about environments, and how an answer becomes the page's state. */
import {
  routes,
  type AnswerOf,
  type BodyInputOf,
  type Usage,
  type UsageEvent,
} from '@hypercube/contract';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

export type EndedUsage = NonNullable<UsageEvent['Ended']>;

/** What the page knows of the environment, and when it heard it. */
export interface UsageState {
  readonly usage: Usage | null;
  /** The last one that ended while this page knew it; null after the next one began. */
  readonly ended: EndedUsage | null;
  /** performance.now() when the answer arrived: a clock that nobody can set. */
  readonly receivedAt: number;
}

/**
 * The state after an answer. Answers can overtake each other (the stream, polling, the call of a
 * button), so one that is older than what is known is ignored; ids and versions only grow.
 */
export function nextUsageState(
  before: UsageState | undefined,
  answer: { readonly usage: Usage | null; readonly ended?: EndedUsage | null },
  receivedAt: number,
): UsageState {
  const known = before?.usage ?? null;
  const next = answer.usage;
  if (before !== undefined && next !== null) {
    const isOlder =
      known !== null && next.ID === known.ID
        ? next.Version < known.Version
        : next.ID < (known?.ID ?? 0);
    // What has ended does not come back; only an answer that was under way says so.
    if (isOlder || (known === null && before.ended !== null && next.ID <= before.ended.ID))
      return before;
  }
  // The stream also tells of an end long ago; it concerns this page only if it is of the
  // environment that the page had.
  const told = answer.ended ?? null;
  const knownID = known?.ID ?? before?.ended?.ID ?? null;
  const ended = told !== null && told.ID === knownID && told.ID !== next?.ID ? told : null;
  return {
    usage: next,
    ended: next !== null ? ended : (ended ?? before?.ended ?? null),
    receivedAt,
  };
}

export const USAGE_KEY = ['usage', 'current'] as const;

/** Puts an answer into the page's state; other open tabs are told by the hook that watches it. */
export function acceptUsage(
  client: QueryClient,
  answer: { readonly usage: Usage | null; readonly ended?: EndedUsage | null },
): void {
  client.setQueryData<UsageState>(USAGE_KEY, (before) =>
    nextUsageState(before, answer, performance.now()),
  );
}

/** The current environment. The answer is merged with what the page already knows. */
export const usageQuery = (client: QueryClient) =>
  queryOptions({
    queryKey: USAGE_KEY,
    queryFn: async ({ signal }): Promise<UsageState> => {
      const usage = await call(routes.getUsage, { signal });
      const before = client.getQueryData<UsageState>(USAGE_KEY);
      const known = before?.usage ?? null;
      if (usage !== null || known === null)
        return nextUsageState(before, { usage }, performance.now());
      // It is gone and nobody said why: its line in the history does.
      const history = await call(routes.listUsageHistory, { query: { pageSize: 1 }, signal }).catch(
        () => null,
      );
      const last = history?.List.find((row) => row.ID === known.ID);
      const ended = last
        ? { ID: last.ID, Cause: last.Cause, Reason: last.Reason, Title: last.Title }
        : null;
      return nextUsageState(before, { usage: null, ended }, performance.now());
    },
    staleTime: 10_000,
    structuralSharing: false,
    meta: { isHandled: true },
  });

export const createUsage = (body: BodyInputOf<typeof routes.createUsage>): Promise<Usage> =>
  call(routes.createUsage, { query: { wait: 'false' }, body });

export const pauseUsage = (usageID: number): Promise<Usage> =>
  call(routes.updateUsage, { params: { usageID }, body: { Action: 'stop' } });

export const continueUsage = (usageID: number): Promise<Usage> =>
  call(routes.updateUsage, { params: { usageID }, body: { Action: 'start' } });

export const renewUsage = (usageID: number): Promise<Usage> =>
  call(routes.renewUsage, { params: { usageID }, body: {} });

export const deleteUsage = (usageID: number): Promise<null> =>
  call(routes.deleteUsage, { params: { usageID } });

type Nodes = AnswerOf<typeof routes.listUsageContainers>['List'];
interface NodesReading {
  readonly nodes: Nodes;
  readonly receivedAt: number;
}
interface NodesReadings {
  /** The reading before, since processor time shows only as a difference. */
  readonly before: NodesReading | null;
  readonly now: NodesReading;
}

/** The nodes with their live figures; asked for while somebody looks. */
export const containersQuery = (client: QueryClient, usageID: number) =>
  queryOptions({
    queryKey: ['usage', 'containers', usageID],
    queryFn: async ({ signal, queryKey }): Promise<NodesReadings> => {
      const { List: nodes } = await call(routes.listUsageContainers, {
        params: { usageID },
        signal,
      });
      const before = client.getQueryData<NodesReadings>(queryKey)?.now ?? null;
      return { before, now: { nodes, receivedAt: performance.now() } };
    },
    refetchInterval: 5000,
    structuralSharing: false,
    retry: false,
    meta: { isHandled: true },
  });

export const HISTORY_PAGE_SIZE = 10;
export const historyQuery = (page: number) =>
  queryOptions({
    queryKey: ['usage', 'history', page],
    queryFn: ({ signal }) =>
      call(routes.listUsageHistory, { query: { page, pageSize: HISTORY_PAGE_SIZE }, signal }),
    meta: { isHandled: true },
  });

/** The address at which the session opens; single use where it lives on an origin of its own. */
export const openSession = async (usageID: number, signal?: AbortSignal): Promise<string> =>
  (await call(routes.createUsageTicket, { params: { usageID }, body: {}, signal })).URL;
