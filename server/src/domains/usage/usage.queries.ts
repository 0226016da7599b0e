import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { SessionType, type ErrorCode, type UsageCause, type UsagePhase } from '@hypercube/contract';
import { unixSeconds } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { usages, workers } from './usage.schema.ts';

export type UsageRow = typeof usages.$inferSelect;

/** Why a start failed or a usage was lost. */
export interface Reason {
  readonly code: ErrorCode;
  readonly params: Record<string, unknown>;
}

const isOpen = isNull(usages.endedAt);
const bumped = sql`${usages.version} + 1`;

/** Holds while a row is as it was read. */
export const isUnchanged = (row: Pick<UsageRow, 'version'>): SQL => eq(usages.version, row.version);

/** Tells every process that a usage changed; sent when the transaction commits. */
export const notifyUsage = (db: Executor, row: Pick<UsageRow, 'id' | 'userID'>): Promise<void> =>
  notify(db, 'usage', `${row.id} ${row.userID}`);

export async function findCurrentRow(db: Executor, userID: number): Promise<UsageRow | undefined> {
  const [row] = await db
    .select()
    .from(usages)
    .where(and(eq(usages.userID, userID), isOpen));
  return row;
}

export async function findUsageRow(db: Executor, usageID: number): Promise<UsageRow | undefined> {
  const [row] = await db.select().from(usages).where(eq(usages.id, usageID));
  return row;
}

export const listOpenOfComputer = (db: Executor, computerID: number): Promise<{ id: number }[]> =>
  db
    .select({ id: usages.id })
    .from(usages)
    .where(and(eq(usages.computerID, computerID), isOpen));

export const findOwnUsageRows = (
  db: Executor,
  ids: readonly number[],
  userID: number,
): Promise<UsageRow[]> =>
  db
    .select()
    .from(usages)
    .where(and(inArray(usages.id, [...ids]), eq(usages.userID, userID)));

export const findUsageRows = (db: Executor, ids: readonly number[]): Promise<UsageRow[]> =>
  db
    .select()
    .from(usages)
    .where(inArray(usages.id, [...ids]));

/** The usage that a session name stands for, if it runs. */
export async function findBySessionName(
  db: Executor,
  host: string,
  ip: string,
): Promise<UsageRow | undefined> {
  const [row] = await db
    .select()
    .from(usages)
    .where(and(eq(usages.host, host), eq(usages.ip, ip), isOpen));
  return row;
}

export async function insertUsageRow(
  db: Executor,
  values: typeof usages.$inferInsert,
): Promise<UsageRow> {
  const [row] = await db.insert(usages).values(values).returning();
  if (!row) throw new Error('the usage was not made');
  await notifyUsage(db, row);
  return row;
}

/** Place in the queue, 1 is next. */
export async function readQueuePosition(db: Executor, row: UsageRow): Promise<number> {
  return db.$count(usages, and(isOpen, eq(usages.phase, 'queued'), lte(usages.id, row.id)));
}

/** Whoever makes an environment waits here for the one before, where their number is limited. */
const SESSIONS_LOCK = 4_211_004;

/** Released with the transaction. */
export const lockSessions = (db: Executor): Promise<unknown> =>
  db.execute(sql`select pg_advisory_xact_lock(${SESSIONS_LOCK})`);

/** Open environments of everybody else; a failed start holds nothing. */
export const countOpenOfOthers = (db: Executor, userID: number): Promise<number> =>
  db.$count(usages, and(isOpen, ne(usages.userID, userID), ne(usages.phase, 'failed')));

export const countQueued = (db: Executor): Promise<number> =>
  db.$count(usages, and(isOpen, eq(usages.phase, 'queued')));
/**
 * Environments of a user begun since a day, and how long they ran in seconds, by type.
 * @param zone IANA name of the calendar
 */
export const sumRunTimes = (
  db: Executor,
  userID: number,
  since: string,
  zone: string,
  now: Date,
): Promise<{ type: number; count: number; seconds: number }[]> =>
  db
    .select({
      type: usages.type,
      count: sql<number>`count(*)::int`,
      seconds: sql<number>`coalesce(sum(greatest(0, extract(epoch from coalesce(${usages.endedAt}, ${now}) - ${usages.readyAt}))), 0)::float`,
    })
    .from(usages)
    .where(
      and(
        eq(usages.userID, userID),
        sql`${usages.readyAt} >= ${since}::date::timestamp at time zone ${zone}`,
      ),
    )
    .groupBy(usages.type);

export const countRunning = (db: Executor): Promise<number> =>
  db.$count(usages, and(isOpen, eq(usages.phase, 'ready')));

/** The database, or a transaction of which this becomes a part. */
type Transacting = Pick<Database, 'transaction'>;

/** Changes a row under a condition, moves its version and tells everybody. */
export async function changeUsage(
  db: Transacting,
  usageID: number,
  condition: SQL | undefined,
  values: Partial<typeof usages.$inferInsert>,
): Promise<UsageRow | undefined> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(usages)
      .set({ ...values, version: bumped })
      .where(and(eq(usages.id, usageID), condition))
      .returning();
    if (row) await notifyUsage(tx, row);
    return row;
  });
}

/** Sets the countdown back, unless less than the margin is left: one statement, so no race. */
export const renewRow = (
  db: Database,
  usageID: number,
  now: Date,
  marginSeconds: number,
): Promise<UsageRow | undefined> =>
  changeUsage(
    db,
    usageID,
    and(
      isOpen,
      eq(usages.status, 1),
      eq(usages.phase, 'ready'),
      sql`${usages.deadlineTime} - ${unixSeconds(now)} >= ${marginSeconds}`,
    ),
    { renewalTime: unixSeconds(now) },
  );

export const setWanted = (
  db: Database,
  usageID: number,
  wanted: 'run' | 'pause',
): Promise<UsageRow | undefined> =>
  changeUsage(db, usageID, and(isOpen, eq(usages.phase, 'ready')), { wanted });

/** Ends a usage; whoever comes second changes nothing. */
export const endUsage = (
  db: Transacting,
  usageID: number,
  now: Date,
  cause: UsageCause,
  reason?: Reason,
  condition?: SQL,
): Promise<UsageRow | undefined> =>
  changeUsage(db, usageID, and(isOpen, condition), {
    endedAt: now,
    cause,
    wanted: 'end',
    ...(reason ? { reasonCode: reason.code, reasonParams: reason.params } : {}),
  });

const isDue = (now: Date) =>
  and(
    isOpen,
    eq(usages.status, 1),
    eq(usages.phase, 'ready'),
    lte(usages.deadlineTime, unixSeconds(now)),
  );

/** Ends what has come to zero; of one user, or of all. */
export async function endDueUsages(db: Database, now: Date, userID?: number): Promise<void> {
  const due = await db
    .select({ id: usages.id })
    .from(usages)
    .where(and(isDue(now), userID === undefined ? undefined : eq(usages.userID, userID)));
  for (const { id } of due) await endUsage(db, id, now, 'expired', undefined, isDue(now));
}

/**
 * Desktops that end soon and were not told yet; each is handed out once for each start or renewal,
 * whoever asks first.
 */
export const takeUnreminded = (
  db: Executor,
  now: Date,
  aheadSeconds: number,
): Promise<UsageRow[]> =>
  db
    .update(usages)
    .set({ remindedFor: sql`${usages.renewalTime}` })
    .where(
      and(
        isOpen,
        eq(usages.type, SessionType.desktop),
        eq(usages.status, 1),
        eq(usages.phase, 'ready'),
        lte(usages.deadlineTime, unixSeconds(now) + aheadSeconds),
        sql`${usages.remindedFor} is distinct from ${usages.renewalTime}`,
      ),
    )
    .returning();

/** Ends stopped usages that nobody continued for long. */
export async function endAbandonedUsages(
  db: Database,
  now: Date,
  keepSeconds: number,
): Promise<void> {
  const condition = and(
    isOpen,
    eq(usages.isHeld, true),
    lte(usages.stoppedAt, new Date(now.getTime() - keepSeconds * 1000)),
  );
  const rows = await db.select({ id: usages.id }).from(usages).where(condition);
  for (const { id } of rows) await endUsage(db, id, now, 'abandoned', undefined, condition);
}

export async function findLastEnded(db: Executor, userID: number): Promise<UsageRow | undefined> {
  const [row] = await db
    .select()
    .from(usages)
    .where(and(eq(usages.userID, userID), isNotNull(usages.endedAt)))
    .orderBy(desc(usages.endedAt), desc(usages.id))
    .limit(1);
  return row;
}

export async function listEndedRows(
  db: Executor,
  userID: number,
  page: number,
  pageSize: number,
  like: string | undefined,
): Promise<{ rows: UsageRow[]; total: number }> {
  const condition = and(
    eq(usages.userID, userID),
    isNotNull(usages.endedAt),
    like === undefined
      ? undefined
      : or(sql`${usages.titleZh} ilike ${like}`, sql`${usages.titleEn} ilike ${like}`),
  );
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(usages)
      .where(condition)
      .orderBy(desc(usages.endedAt), desc(usages.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.$count(usages, condition),
  ]);
  return { rows, total };
}

// The worker's side -----------------------------------------------------------------------------

/** Rows of which containers may exist or are wanted. */
export const listOpenRows = (db: Executor): Promise<UsageRow[]> =>
  db.select().from(usages).where(isNull(usages.removedAt)).orderBy(asc(usages.id));

/** Takes a row for a worker unless another one holds it. */
export async function claimRow(
  db: Executor,
  usageID: number,
  workerID: string,
  now: Date,
  leaseSeconds: number,
  condition?: SQL,
): Promise<UsageRow | undefined> {
  const [row] = await db
    .update(usages)
    .set({ claimedBy: workerID, claimedUntil: new Date(now.getTime() + leaseSeconds * 1000) })
    .where(
      and(
        eq(usages.id, usageID),
        isNull(usages.removedAt),
        or(isNull(usages.claimedBy), lte(usages.claimedUntil, now)),
        condition,
      ),
    )
    .returning();
  return row;
}

export async function releaseRow(db: Executor, usageID: number, workerID: string): Promise<void> {
  await db
    .update(usages)
    .set({ claimedBy: null, claimedUntil: null })
    .where(and(eq(usages.id, usageID), eq(usages.claimedBy, workerID)));
}

export async function extendClaims(
  db: Executor,
  workerID: string,
  now: Date,
  leaseSeconds: number,
): Promise<void> {
  await db
    .update(usages)
    .set({ claimedUntil: new Date(now.getTime() + leaseSeconds * 1000) })
    .where(eq(usages.claimedBy, workerID));
}

/** Moves a start on, as long as it is still wanted and still ours. */
export const advanceStart = (
  db: Database,
  usageID: number,
  workerID: string,
  phase: UsagePhase,
  values: Partial<typeof usages.$inferInsert>,
): Promise<UsageRow | undefined> =>
  changeUsage(db, usageID, and(isOpen, eq(usages.claimedBy, workerID)), { ...values, phase });

/** Whoever asks first on this lock decides who may start; released with the transaction. */
const ADMISSION_LOCK = 4_211_002;

/** Reserved CPU and memory: everything whose containers exist and are not stopped. */
async function readReserved(db: Executor): Promise<{ cpus: number; memoryBytes: number }> {
  const [row] = await db
    .select({
      cpus: sql<number>`coalesce(sum(${usages.cpus}), 0)::float8`,
      memoryBytes: sql<number>`coalesce(sum(${usages.memoryBytes}), 0)::float8`,
    })
    .from(usages)
    .where(
      and(isNull(usages.removedAt), sql`${usages.phase} <> 'queued'`, eq(usages.isHeld, false)),
    );
  return { cpus: Number(row?.cpus ?? 0), memoryBytes: Number(row?.memoryBytes ?? 0) };
}

export interface Capacity {
  readonly cpus: number;
  readonly memoryBytes: number;
}

/**
 * Admits a queued or stopped usage if the host has room for it, and takes it for the worker.
 * @returns `full` when it does not fit, undefined when it is no longer to be had
 */
export async function admitRow(
  db: Database,
  row: UsageRow,
  workerID: string,
  now: Date,
  leaseSeconds: number,
  capacity: Capacity,
): Promise<UsageRow | 'full' | undefined> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${ADMISSION_LOCK})`);
    const reserved = await readReserved(tx);
    if (
      reserved.cpus + row.cpus > capacity.cpus + 1e-6 ||
      reserved.memoryBytes + row.memoryBytes > capacity.memoryBytes
    )
      return 'full';
    const claimed = await claimRow(tx, row.id, workerID, now, leaseSeconds, isOpen);
    if (!claimed) return undefined;
    const [admitted] = await tx
      .update(usages)
      .set(
        row.phase === 'queued'
          ? {
              phase: 'creating',
              creatingAt: now,
              machine: sql`(select w.machine from worker w where w.id = ${workerID})`,
              version: bumped,
            }
          : { isHeld: false, version: bumped },
      )
      .where(eq(usages.id, row.id))
      .returning();
    if (admitted) await notifyUsage(tx, admitted);
    return admitted;
  });
}

export async function markRemoved(db: Executor, usageID: number, now: Date): Promise<void> {
  await db
    .update(usages)
    .set({ removedAt: now, address: null, claimedBy: null, claimedUntil: null })
    .where(eq(usages.id, usageID));
}

// Workers ---------------------------------------------------------------------------------------

export async function reportWorker(
  db: Executor,
  values: typeof workers.$inferInsert,
): Promise<void> {
  const { id, startedAt, ...changing } = values;
  await db
    .insert(workers)
    .values({ id, startedAt, ...changing })
    .onConflictDoUpdate({ target: workers.id, set: changing });
}

export async function removeWorker(db: Executor, workerID: string): Promise<void> {
  await db.delete(workers).where(eq(workers.id, workerID));
}

export type WorkerRow = typeof workers.$inferSelect;

/** The worker seen last, if it was seen lately; its word on the engine counts. */
export async function findLiveWorker(db: Executor, since: Date): Promise<WorkerRow | undefined> {
  const [row] = await db
    .select()
    .from(workers)
    .where(sql`${workers.seenAt} >= ${since}`)
    .orderBy(desc(workers.isEngineReady), desc(workers.seenAt))
    .limit(1);
  return row;
}

/** Namespace of the session-level advisory locks by which a worker shows that it lives. */
const WORKER_LOCK = 4_211_003;

/** Held on a connection of the worker's own: it goes with the process, however that ends. */
export const holdWorkerLock = (workerID: string): SQL =>
  sql`select pg_advisory_lock(${WORKER_LOCK}, hashtext(${workerID}))`;

/** Frees what dead workers had taken, so that a restart goes on at once and not after the lease. */
export async function releaseDeadClaims(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const owners = await tx
      .selectDistinct({ id: usages.claimedBy })
      .from(usages)
      .where(isNotNull(usages.claimedBy));
    let released = 0;
    for (const { id } of owners) {
      if (id === null) continue;
      const { rows } = await tx.execute<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(${WORKER_LOCK}, hashtext(${id})) as free`,
      );
      if (!rows[0]?.free) continue;
      const freed = await tx
        .update(usages)
        .set({ claimedBy: null, claimedUntil: null })
        .where(eq(usages.claimedBy, id))
        .returning({ id: usages.id });
      await tx.delete(workers).where(eq(workers.id, id));
      released += freed.length;
    }
    return released;
  });
}
