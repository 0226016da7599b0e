/** The rules of environments, on the web's side: what is asked for is written down, the worker does it. */
import {
  TIMES,
  UsageStatus,
  type ErrorCode,
  type ImageBuild,
  type Language,
  type Usage,
  type UsageEvent,
} from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import {
  UNIQUE_VIOLATION,
  sqlState,
  type Database,
  type Executor,
} from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/notify.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { DomainError } from '../../platform/errors.ts';
import { likePattern } from '../../platform/search.ts';
import { findImages, type ImageRow } from '../image/image.service.ts';
import { presentBuild } from '../image/image.present.ts';
import type { Specification } from '../specification/specification.service.ts';
import { presentEnd, presentHistory, presentUsage } from './usage.present.ts';
import * as queries from './usage.queries.ts';
import type { Capacity, UsageRow } from './usage.queries.ts';
import { waitForUsage } from './usage.watch.ts';
import type { UsageNode } from './usage.schema.ts';

/** A worker not heard of for this long counts as gone. */
export const WORKER_SILENCE_MS = 15_000;

/** What to open, with everything resolved and allowed. */
export interface UsageRequest {
  readonly userID: number;
  readonly language: Language;
  readonly routeName: string;
  readonly routePath: string;
  readonly titleZh: string;
  readonly titleEn: string;
  readonly labID: number | null;
  readonly taskID: number | null;
  readonly softwareID: number | null;
  readonly computerID: number | null;
  readonly specification: Specification;
  /** Replaces the images of the specification's nodes, in order. */
  readonly images: readonly ImageRow[] | undefined;
  readonly replace: boolean;
}

export interface UsageServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly listener: Listener;
  readonly capacity: Capacity;
  /** What an admin may change while we run; null is no limit. */
  readonly limits: () => {
    readonly queue: number;
    readonly sessions: number | null;
    readonly quotaBytes: number;
    readonly lifetimeSeconds: number;
  };
}

export type UsageService = ReturnType<typeof createUsageService>;

export function createUsageService({
  database,
  clock,
  listener,
  capacity,
  limits,
}: UsageServiceOptions) {
  /** The build that a queued usage waits for, if any. */
  async function findBuild(row: UsageRow, language: Language): Promise<ImageBuild | null> {
    if (row.phase !== 'queued') return null;
    const images = await findImages(
      database,
      row.nodes.map((node) => node.imageID),
    );
    const unfinished = images.find((image) => image.reference === null);
    return unfinished ? presentBuild(unfinished, language) : null;
  }

  async function present(row: UsageRow, language: Language): Promise<Usage> {
    const position =
      row.phase === 'queued' && row.endedAt === null
        ? // It may have been admitted since it was read: then nobody is before it.
          Math.max(1, await queries.readQueuePosition(database, row))
        : null;
    const build = await findBuild(row, language);
    const { quotaBytes } = limits();
    return presentUsage(row, { now: clock.now(), language, position, build, quotaBytes });
  }

  async function findCurrent(userID: number): Promise<UsageRow | undefined> {
    const row = await queries.findCurrentRow(database, userID);
    const isDue =
      row?.status === UsageStatus.running &&
      row.phase === 'ready' &&
      row.deadlineTime <= unixSeconds(clock.now());
    if (!isDue) return row;
    await queries.endDueUsages(database, clock.now(), userID);
    return queries.findCurrentRow(database, userID);
  }

  /** Refuses at once what could never start; what only has to wait is queued. */
  async function checkStartable(nodes: readonly UsageNode[], language: Language): Promise<void> {
    const worker = await queries.findLiveWorker(
      database,
      new Date(clock.now().getTime() - WORKER_SILENCE_MS),
    );
    if (!worker) throw new DomainError('engine_unavailable', { Reason: 'no_worker' });
    if (!worker.isEngineReady && worker.engineReason !== null)
      throw new DomainError('engine_unavailable', { Reason: worker.engineReason });
    const total = totals(nodes);
    if (total.cpus > capacity.cpus || total.memoryBytes > capacity.memoryBytes) {
      throw new DomainError('usage_too_large', {
        Cpus: total.cpus,
        MemoryBytes: total.memoryBytes,
      });
    }
    const images = await findImages(
      database,
      nodes.map((node) => node.imageID),
    );
    for (const node of nodes) {
      const image = images.find((candidate) => candidate.id === node.imageID);
      if (!image) throw new DomainError('image_missing', { Image: node.imageID });
      if (image.reference === null && image.buildState === 'failed') {
        throw new DomainError('image_build_failed', { Image: presentBuild(image, language).Image });
      }
    }
    const { queue } = limits();
    if ((await queries.countQueued(database)) >= queue)
      throw new DomainError('usage_queue_full', { Limit: queue });
  }

  /** Until the transaction ends nobody else is counted, so that no race passes the limit. */
  async function checkSessions(db: Executor, userID: number): Promise<void> {
    const { sessions } = limits();
    if (sessions === null) return;
    await queries.lockSessions(db);
    if ((await queries.countOpenOfOthers(db, userID)) >= sessions)
      throw new DomainError('usage_sessions_full', { Limit: sessions });
  }

  async function refuseExisting(existing: UsageRow, language: Language): Promise<never> {
    throw new DomainError('usage_exists', { Usage: await present(existing, language) });
  }

  return {
    present,
    findCurrent,

    /** Queues a usage; the worker starts it. */
    async create(request: UsageRequest): Promise<UsageRow> {
      const nodes = nodesOf(request);
      const existing = await findCurrent(request.userID);
      const mayReplace = request.replace || existing?.phase === 'failed';
      if (existing && !mayReplace) return refuseExisting(existing, request.language);
      await checkStartable(nodes, request.language);
      const now = clock.now();
      try {
        // In one go: whoever is refused keeps what is to be replaced.
        return await database.transaction(async (tx) => {
          await checkSessions(tx, request.userID);
          // A failed start holds nothing; its place is free for the next one.
          if (existing)
            await queries.endUsage(
              tx,
              existing.id,
              now,
              existing.phase === 'failed' ? 'failed' : 'replaced',
            );
          return queries.insertUsageRow(tx, {
            userID: request.userID,
            renewalTime: unixSeconds(now),
            // By image alone nobody chose a specification, and so no lifetime either.
            lifetimeSeconds:
              request.images === undefined
                ? request.specification.lifetimeSeconds
                : limits().lifetimeSeconds,
            type: request.specification.imageType,
            titleZh: request.titleZh,
            titleEn: request.titleEn,
            language: request.language,
            routeName: request.routeName,
            routePath: request.routePath,
            labID: request.labID,
            taskID: request.taskID,
            softwareID: request.softwareID,
            computerID: request.computerID,
            specificationID: request.specification.id,
            nodes,
            ...totals(nodes),
            createdAt: now,
          });
        });
      } catch (error) {
        // Two creations at once: the database let one in.
        const winner =
          sqlState(error) === UNIQUE_VIOLATION ? await findCurrent(request.userID) : undefined;
        if (!winner) throw error;
        return refuseExisting(winner, request.language);
      }
    },

    /** Waits until a start is over; throws its reason when it failed or was ended meanwhile. */
    async waitUntilReady(row: UsageRow, signal: AbortSignal): Promise<UsageRow> {
      const last = await waitForUsage(
        listener,
        row.id,
        () => queries.findUsageRow(database, row.id),
        (now) => !now || now.endedAt !== null || now.phase === 'ready' || now.phase === 'failed',
        { timeoutMs: TIMES.usageCreateTimeoutMs, signal },
      );
      if (!last || last.endedAt !== null) throw new DomainError('usage_expired');
      if (last.phase === 'failed')
        throw new DomainError(
          (last.reasonCode ?? 'start_failed') as ErrorCode,
          last.reasonParams ?? {},
        );
      return last;
    },

    async renew(row: UsageRow): Promise<UsageRow> {
      const now = clock.now();
      const renewed = await queries.renewRow(database, row.id, now, TIMES.renewalMarginSeconds);
      if (renewed) return renewed;
      const current = await queries.findUsageRow(database, row.id);
      if (!current || current.endedAt !== null) throw new DomainError('usage_expired');
      if (current.phase !== 'ready') throw new DomainError('usage_not_ready');
      if (current.status !== UsageStatus.running) throw new DomainError('usage_not_running');
      throw new DomainError('usage_renewal_too_late', {
        Remaining: Math.max(0, current.deadlineTime - unixSeconds(now)),
      });
    },

    /** Pauses or continues, and answers when it is done. */
    async control(row: UsageRow, action: 'stop' | 'start', signal: AbortSignal): Promise<UsageRow> {
      const target = action === 'stop' ? UsageStatus.stopped : UsageStatus.running;
      await queries.endDueUsages(database, clock.now(), row.userID);
      const current = await queries.findUsageRow(database, row.id);
      if (!current || current.endedAt !== null) throw new DomainError('usage_expired');
      if (current.phase !== 'ready') throw new DomainError('usage_not_ready');
      if (current.status === target)
        throw new DomainError(action === 'stop' ? 'usage_not_running' : 'usage_already_running');
      await queries.setWanted(database, row.id, action === 'stop' ? 'pause' : 'run');
      const last = await waitForUsage(
        listener,
        row.id,
        () => queries.findUsageRow(database, row.id),
        (now) => !now || now.endedAt !== null || now.status === target,
        { timeoutMs: TIMES.usageActionTimeoutMs - 1000, signal },
      );
      if (!last || last.endedAt !== null) throw new DomainError('usage_expired');
      if (last.status === target) return last;
      // What was not done in time must not happen behind the user's back later.
      await queries.setWanted(database, row.id, action === 'stop' ? 'run' : 'pause');
      throw new DomainError('usage_action_timeout');
    },

    /** Ends it; the worker clears up. Ending what has ended changes nothing. */
    async end(row: UsageRow): Promise<void> {
      const isStart = row.phase !== 'ready' && row.phase !== 'failed';
      const cause = row.phase === 'failed' ? 'failed' : isStart ? 'cancelled' : 'deleted';
      await queries.endUsage(database, row.id, clock.now(), cause);
    },

    /** Ends what runs of a personal computer that is being deleted. */
    async endOfComputer(computerID: number): Promise<void> {
      for (const { id } of await queries.listOpenOfComputer(database, computerID))
        await queries.endUsage(database, id, clock.now(), 'deleted');
    },

    /** Ends somebody's environment with a reason that they read. */
    async endByStaff(row: UsageRow, text: string): Promise<void> {
      const ended = await queries.endUsage(database, row.id, clock.now(), 'ended_by_staff', {
        code: 'ended_by_staff',
        params: { Text: text },
      });
      if (!ended) throw new DomainError('usage_expired');
    },

    /** As it is now: what has come to zero is ended first. */
    async find(usageID: number): Promise<UsageRow | undefined> {
      const row = await queries.findUsageRow(database, usageID);
      if (!row) return undefined;
      await queries.endDueUsages(database, clock.now(), row.userID);
      return queries.findUsageRow(database, usageID);
    },

    async readEvent(userID: number, language: Language): Promise<Omit<UsageEvent, 'Unread'>> {
      const [current, ended] = [
        await findCurrent(userID),
        await queries.findLastEnded(database, userID),
      ];
      return {
        Usage: current ? await present(current, language) : null,
        Ended: ended ? presentEnd(ended, language) : null,
      };
    },

    async listHistory(
      userID: number,
      page: number,
      pageSize: number,
      keyword: string | undefined,
      language: Language,
    ) {
      const like = keyword ? likePattern(keyword) : undefined;
      const { rows, total } = await queries.listEndedRows(database, userID, page, pageSize, like);
      return { List: rows.map((row) => presentHistory(row, language)), Total: total };
    },

    sumRunTimes: (userID: number, since: string, zone: string) =>
      queries.sumRunTimes(database, userID, since, zone, clock.now()),
    countRunning: () => queries.countRunning(database),
    findLiveWorker: () =>
      queries.findLiveWorker(database, new Date(clock.now().getTime() - WORKER_SILENCE_MS)),
  };
}

function nodesOf(request: UsageRequest): UsageNode[] {
  return request.specification.nodes.map((node, index) => ({
    name: node.name,
    imageID: request.images?.[index]?.id ?? request.images?.[0]?.id ?? node.imageID,
    cpus: node.cpus,
    memoryBytes: node.memoryBytes,
    diskBytes: node.diskBytes,
    shmBytes: node.shmBytes,
    pids: node.pids,
  }));
}

const totals = (nodes: readonly UsageNode[]): { cpus: number; memoryBytes: number } => ({
  cpus: nodes.reduce((sum, node) => sum + node.cpus, 0),
  memoryBytes: nodes.reduce((sum, node) => sum + node.memoryBytes, 0),
});
