import { and, asc, desc, eq, gte, ilike, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { usages, workers } from '../usage/usage.schema.ts';
import { users } from '../user/user.schema.ts';

/** An open environment with its user. */
export type EnvironmentRow = Pick<
  typeof usages.$inferSelect,
  | 'id'
  | 'titleZh'
  | 'titleEn'
  | 'type'
  | 'status'
  | 'phase'
  | 'isHeld'
  | 'cpus'
  | 'memoryBytes'
  | 'nodes'
  | 'machine'
  | 'renewalTime'
  | 'lifetimeSeconds'
  | 'createdAt'
  | 'readyAt'
> & {
  userID: number;
  username: string;
  nickname: string;
  /** Place in the queue, 1 is next; null when not queued. */
  position: number | null;
};

export type EnvironmentState = 'running' | 'paused' | 'starting' | 'queued' | 'failed';

export interface EnvironmentFilter {
  readonly keyword: string | undefined;
  readonly type: number | undefined;
  readonly state: EnvironmentState | undefined;
  readonly sort: 'latest' | 'oldest' | 'deadline' | 'memory' | 'cpus';
  readonly page: number;
  readonly pageSize: number;
}

const isOpen = isNull(usages.endedAt);
const isReady = eq(usages.phase, 'ready');

const STATES: Record<EnvironmentState, SQL | undefined> = {
  running: and(isReady, eq(usages.status, 1)),
  paused: and(isReady, eq(usages.status, 2)),
  starting: sql`${usages.phase} in ('creating', 'starting', 'waiting')`,
  queued: eq(usages.phase, 'queued'),
  failed: eq(usages.phase, 'failed'),
};

const ORDERS: Record<EnvironmentFilter['sort'], SQL[]> = {
  latest: [desc(usages.createdAt), desc(usages.id)],
  oldest: [asc(usages.createdAt), asc(usages.id)],
  // Only what runs has a deadline.
  deadline: [
    sql`case when ${STATES.running} then ${usages.deadlineTime} end asc nulls last`,
    asc(usages.id),
  ],
  memory: [desc(usages.memoryBytes), asc(usages.id)],
  cpus: [desc(usages.cpus), asc(usages.id)],
};

/** A page of open environments, and how many there are in all; one statement for the rows. */
export async function listEnvironmentRows(
  db: Executor,
  filter: EnvironmentFilter,
): Promise<{ rows: EnvironmentRow[]; total: number }> {
  const like = filter.keyword ? likePattern(filter.keyword) : undefined;
  const condition = and(
    isOpen,
    filter.type === undefined ? undefined : eq(usages.type, filter.type),
    filter.state === undefined ? undefined : STATES[filter.state],
    like === undefined
      ? undefined
      : or(
          ilike(users.username, like),
          ilike(users.nickname, like),
          ilike(usages.titleZh, like),
          ilike(usages.titleEn, like),
        ),
  );
  const rows = await db
    .select({
      id: usages.id,
      userID: usages.userID,
      username: users.username,
      nickname: users.nickname,
      titleZh: usages.titleZh,
      titleEn: usages.titleEn,
      type: usages.type,
      status: usages.status,
      phase: usages.phase,
      isHeld: usages.isHeld,
      cpus: usages.cpus,
      memoryBytes: usages.memoryBytes,
      nodes: usages.nodes,
      machine: usages.machine,
      renewalTime: usages.renewalTime,
      lifetimeSeconds: usages.lifetimeSeconds,
      createdAt: usages.createdAt,
      readyAt: usages.readyAt,
      position: sql<
        number | null
      >`case when ${STATES.queued} then (select count(*)::int from usage q where q.ended_at is null and q.phase = 'queued' and q.id <= ${usages.id}) end`,
    })
    .from(usages)
    .innerJoin(users, eq(users.id, usages.userID))
    .where(condition)
    .orderBy(...ORDERS[filter.sort])
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  const [counted] = await db
    .select({ total: sql<number>`count(*)::int` })
    .from(usages)
    .innerJoin(users, eq(users.id, usages.userID))
    .where(condition);
  return { rows, total: counted?.total ?? 0 };
}

export interface Load {
  readonly running: number;
  readonly paused: number;
  readonly starting: number;
  readonly queued: number;
  /** When the one who waits longest began to wait. */
  readonly oldestQueuedAt: Date | null;
  readonly cpus: number;
  readonly memoryBytes: number;
}

/** How many environments there are, and what they reserve: everything whose containers exist and are not stopped. */
export async function readLoad(db: Executor): Promise<Load> {
  const count = (state: EnvironmentState) =>
    sql<number>`(count(*) filter (where ${isOpen} and ${STATES[state]}))::int`;
  const reserves = sql`${usages.phase} <> 'queued' and not ${usages.isHeld}`;
  const [row] = await db
    .select({
      running: count('running'),
      paused: count('paused'),
      starting: count('starting'),
      queued: count('queued'),
      oldestQueuedAt: sql<
        string | null
      >`min(${usages.createdAt}) filter (where ${isOpen} and ${STATES.queued})`,
      cpus: sql<number>`coalesce(sum(${usages.cpus}) filter (where ${reserves}), 0)::float8`,
      memoryBytes: sql<number>`coalesce(sum(${usages.memoryBytes}) filter (where ${reserves}), 0)::float8`,
    })
    .from(usages)
    .where(isNull(usages.removedAt));
  if (!row) throw new Error('the load could not be read');
  const { oldestQueuedAt } = row;
  return { ...row, oldestQueuedAt: oldestQueuedAt === null ? null : new Date(oldestQueuedAt) };
}

export type WorkerRow = typeof workers.$inferSelect;

/** Workers that were heard of since. */
export const listWorkers = (db: Executor, since: Date): Promise<WorkerRow[]> =>
  db
    .select()
    .from(workers)
    .where(gte(workers.seenAt, since))
    .orderBy(asc(workers.machine), asc(workers.startedAt));
