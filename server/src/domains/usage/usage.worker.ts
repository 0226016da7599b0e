/**
 * The worker: brings the containers to where the rows say, and writes down how far it got. It
 * keeps nothing in memory that a restart would need: every step is idempotent, a row is taken by
 * a claim that ends with the worker's connection, and what a dead worker left is picked up.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { PgDialect } from 'drizzle-orm/pg-core';
import { unixSeconds, type Clock } from '../../platform/clock.ts';
import type { DatabaseHandle } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/notify.ts';
import type { PersonalFiles } from '../../platform/storage/personal.ts';
import {
  EngineError,
  type ContainerEngine,
  type EngineHealth,
  type NodeState,
} from '../../engines/containers/engine.ts';
import { findImages } from '../image/image.service.ts';
import * as queries from './usage.queries.ts';
import type { Capacity, UsageRow } from './usage.queries.ts';
import { remindDesktops } from './usage.reminder.ts';
import { StorageWatch } from './usage.storage.ts';
import { addressOf, deathReason, reasonOf, specOf, waitForSession } from './usage.start.ts';

const LEASE_SECONDS = 60;
const TICK_MS = 1000;
/** Starts that run at once; more would only slow each other on a small host. */
const PARALLEL_STARTS = 4;
/** After a failed action the row rests this long, so that a broken engine is not hammered. */
const RETRY_MS = 2000;
/** A node of a cluster that dies again within this time is not started again. */
const NODE_REST_MS = 30_000;
/** A usage's disk is looked at no oftener than this, where the engine cannot limit it. */
const DISK_LOOK_MS = 10_000;

export interface WorkerOptions {
  readonly handle: DatabaseHandle;
  readonly clock: Clock;
  readonly listener: Listener;
  readonly engine: ContainerEngine | null;
  /** Why there is no engine, for those who ask for an environment. */
  readonly engineReason: string | null;
  readonly files: PersonalFiles;
  /** Host folder of a lab's read-only bundle. */
  readonly findBundleFolder: (labID: number) => Promise<string | null>;
  /** Host folder that is the home of a personal computer. */
  readonly homeFolder: (computerID: number) => Promise<string>;
  readonly capacity: Capacity;
  /**
   * How long a paused one stays frozen, how long a stopped one is kept, and what a personal folder
   * may hold; an admin may change it while we run.
   */
  readonly limits: () => {
    readonly holdSeconds: number;
    readonly keepSeconds: number;
    readonly quotaBytes: number;
  };
  readonly startTimeoutMs: number;
  /** Origin that may frame a session; `'self'` unless sessions have an origin of their own. */
  readonly frameAncestors: string;
  readonly log: FastifyBaseLogger;
  /** Called once in a while for other domains' housekeeping. */
  readonly sweep?: () => Promise<void>;
}

type Action = 'start' | 'pause' | 'continue' | 'hold' | 'remove';

interface Task {
  readonly action: Action;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export class UsageWorker {
  readonly id = randomUUID();
  readonly #options: WorkerOptions;
  readonly #tasks = new Map<number, Task>();
  readonly #restingUntil = new Map<number, number>();
  readonly #stopped = new AbortController();
  /** When each running usage's disk was looked at last, in milliseconds of our clock. */
  readonly #diskLooks = new Map<number, number>();
  #diskRound: Promise<void> | undefined;
  #reminding: Promise<void> | undefined;
  readonly #storage: StorageWatch;
  #life: pg.Client | undefined;
  #loop: Promise<void> | undefined;
  #wake: () => void = () => undefined;
  #isWoken = false;
  #health: EngineHealth | undefined;
  #startedAt = new Date(0);
  #ticks = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { handle, clock, files, limits, log } = options;
    this.#storage = new StorageWatch({
      database: handle.database,
      clock,
      quotaBytes: () => limits().quotaBytes,
      folderOf: (userID) => files.folderOf(userID),
      failed: (usageID, error) =>
        log.debug({ err: error, usageID }, 'a personal folder could not be looked at'),
      over: (usageID, bytes) =>
        log.warn({ usageID, bytes }, 'a personal folder grew far over its quota; it is ended'),
    });
  }

  /** What the engine said last. */
  get health(): EngineHealth | undefined {
    return this.#health;
  }

  async start(): Promise<void> {
    const { handle, clock, listener, engine } = this.#options;
    this.#startedAt = clock.now();
    this.#life = new pg.Client({ ...handle.connection, keepAlive: true });
    this.#life.on('error', (error) =>
      this.#options.log.error(
        { err: error },
        'the worker lost the connection that shows that it lives',
      ),
    );
    await this.#life.connect();
    const lock = new PgDialect().sqlToQuery(queries.holdWorkerLock(this.id));
    await this.#life.query(lock.sql, lock.params);
    listener.on('usage', this.#heard);
    listener.on('image', this.#poke);
    listener.on('resumed', this.#poke);
    await this.#report();
    if (engine) {
      await this.#reconcile().catch((error: unknown) =>
        this.#options.log.error(
          { err: error },
          'the engine could not be compared with the records',
        ),
      );
      void this.#watchEngine(engine);
    }
    this.#loop = this.#run();
  }

  /** Ends the worker; environments run on, and what was under way is picked up by the next one. */
  async stop(): Promise<void> {
    const { listener, handle } = this.#options;
    this.#stopped.abort();
    listener.off('usage', this.#heard);
    listener.off('image', this.#poke);
    listener.off('resumed', this.#poke);
    this.#wake();
    await this.#loop;
    await this.#diskRound;
    await this.#reminding;
    await this.#storage.close();
    for (const { abort } of this.#tasks.values()) abort.abort();
    await Promise.all([...this.#tasks.values()].map(({ done }) => done));
    await queries.removeWorker(handle.database, this.id).catch(() => undefined);
    await this.#life?.end();
  }

  readonly #poke = (): void => {
    this.#isWoken = true;
    this.#wake();
  };

  readonly #heard = (): void => {
    // A start that was cancelled stops at once, not at its next step.
    for (const [usageID, task] of this.#tasks)
      if (task.action === 'start') void this.#abortIfEnded(usageID, task);
    this.#poke();
  };

  async #abortIfEnded(usageID: number, task: Task): Promise<void> {
    const row = await queries
      .findUsageRow(this.#options.handle.database, usageID)
      .catch(() => undefined);
    if (row && row.endedAt !== null) task.abort.abort();
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      this.#isWoken = false;
      await this.#tick().catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'a turn of the worker failed'),
      );
      if (this.#isWoken || this.#stopped.signal.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, TICK_MS);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async #tick(): Promise<void> {
    const { handle, clock, limits, sweep } = this.#options;
    const { database } = handle;
    const now = clock.now();
    this.#ticks += 1;
    if (this.#ticks % 5 === 1) {
      await this.#report();
      await queries.releaseDeadClaims(database);
      await queries.extendClaims(database, this.id, now, LEASE_SECONDS);
    }
    if (this.#ticks % 60 === 1) {
      await sweep?.();
      if (this.#ticks > 1) await this.#reconcile();
    }
    await queries.endDueUsages(database, now);
    const { holdSeconds, keepSeconds } = limits();
    await queries.endAbandonedUsages(database, now, holdSeconds + keepSeconds);
    this.#remind();
    await this.#dispatch(now);
  }

  /** Beside the turns: nobody waits for a message. */
  #remind(): void {
    const { engine, handle, clock, log } = this.#options;
    if (!engine || this.#reminding) return;
    this.#reminding = remindDesktops(handle.database, clock, engine, (usageID, error) =>
      log.warn({ err: error, usageID }, 'a desktop could not be told that its time runs out'),
    )
      .catch((error: unknown) => log.error({ err: error }, 'a round of reminders failed'))
      .finally(() => {
        this.#reminding = undefined;
      });
  }

  async #report(): Promise<void> {
    const { handle, clock, engine, engineReason } = this.#options;
    this.#health = engine ? await engine.health() : undefined;
    await queries.reportWorker(handle.database, {
      id: this.id,
      startedAt: this.#startedAt,
      seenAt: clock.now(),
      machine: hostname(),
      engineName: this.#health?.name ?? '',
      engineReason: engine
        ? (this.#health?.reason ?? null)
        : (engineReason ?? 'no container engine'),
      isEngineReady: this.#health?.isReady ?? false,
    });
  }

  /** Finds what is to be done and starts doing it; queued starts strictly in their order. */
  async #dispatch(now: Date): Promise<void> {
    const { handle, engine, capacity } = this.#options;
    if (!engine) return;
    const rows = await queries.listOpenRows(handle.database);
    let isFull = false;
    for (const row of rows) {
      if (this.#tasks.has(row.id) || (this.#restingUntil.get(row.id) ?? 0) > performance.now())
        continue;
      const action = this.#actionFor(row, now);
      if (!action) continue;
      const needsRoom = row.phase === 'queued' || (action === 'continue' && row.isHeld);
      if (needsRoom) {
        if (isFull || this.#startsRunning() >= PARALLEL_STARTS || !(await this.#hasImages(row)))
          continue;
        const admitted = await queries.admitRow(
          handle.database,
          row,
          this.id,
          now,
          LEASE_SECONDS,
          capacity,
        );
        // Whoever is behind waits too: otherwise small requests would starve a large one.
        if (admitted === 'full') isFull = true;
        else if (admitted) this.#begin(admitted, action);
        continue;
      }
      const claimed = await queries.claimRow(handle.database, row.id, this.id, now, LEASE_SECONDS);
      if (claimed) this.#begin(claimed, action);
    }
    this.#watchDisks(engine, rows, now);
    this.#storage.look(rows);
  }

  /**
   * Where the engine cannot limit what a session writes, it is ended once it has written too much.
   * Beside the turns, and one look at a time: a look walks over files, and nobody waits for it.
   */
  #watchDisks(engine: ContainerEngine, rows: readonly UsageRow[], now: Date): void {
    if (this.#diskRound || !this.#health?.isReady || this.#health.diskLimit === 'exact') return;
    const running = rows.filter(
      (row) => row.endedAt === null && row.phase === 'ready' && row.status === 1,
    );
    // A paused one stays known: pausing and continuing does not bring its next look forward.
    for (const usageID of this.#diskLooks.keys()) {
      if (!rows.some(({ id }) => id === usageID)) this.#diskLooks.delete(usageID);
    }
    // A clock that was set back makes a look early rather than never.
    const due = running.filter(
      ({ id }) =>
        Math.abs(now.getTime() - (this.#diskLooks.get(id) ?? -DISK_LOOK_MS)) >= DISK_LOOK_MS,
    );
    if (due.length === 0) return;
    this.#diskRound = this.#lookAtDisks(engine, due)
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'a round over the disks failed'),
      )
      .finally(() => {
        this.#diskRound = undefined;
      });
  }

  async #lookAtDisks(engine: ContainerEngine, rows: readonly UsageRow[]): Promise<void> {
    const { handle, clock, log } = this.#options;
    for (const row of rows) {
      if (this.#stopped.signal.aborted) return;
      this.#diskLooks.set(row.id, clock.now().getTime());
      const nodes = await engine.diskUsage(row.id).catch((error: unknown) => {
        // It may just have ended; else the next look tells.
        log.debug({ err: error, usageID: row.id }, 'an environment’s disk could not be looked at');
        return [];
      });
      const over = nodes.find(({ name, bytes }) => {
        const node = row.nodes.find((candidate) => candidate.name === name);
        return node !== undefined && bytes > node.diskBytes;
      });
      if (!over) continue;
      log.warn(
        { usageID: row.id, node: over.name, bytes: over.bytes },
        'an environment wrote more than its disk limit and is ended',
      );
      await queries.endUsage(handle.database, row.id, clock.now(), 'out_of_disk');
    }
  }

  #startsRunning(): number {
    return [...this.#tasks.values()].filter(({ action }) => action === 'start').length;
  }

  #actionFor(row: UsageRow, now: Date): Action | undefined {
    if (row.claimedBy !== null && row.claimedUntil !== null && row.claimedUntil > now)
      return undefined;
    if (row.endedAt !== null || row.phase === 'failed') return 'remove';
    if (row.phase !== 'ready') return 'start';
    if (row.status === 1) return row.wanted === 'pause' ? 'pause' : undefined;
    if (row.wanted === 'run') return 'continue';
    const heldAt = (row.stoppedAt?.getTime() ?? 0) + this.#options.limits().holdSeconds * 1000;
    return !row.isHeld && heldAt <= now.getTime() ? 'hold' : undefined;
  }

  async #hasImages(row: UsageRow): Promise<boolean> {
    const images = await findImages(
      this.#options.handle.database,
      row.nodes.map((node) => node.imageID),
    );
    // An image that is gone or failed does not hold up the queue: the start fails with its reason.
    return row.nodes.every(({ imageID }) => {
      const image = images.find((candidate) => candidate.id === imageID);
      return !image || image.reference !== null || image.buildState === 'failed';
    });
  }

  #begin(row: UsageRow, action: Action): void {
    const abort = new AbortController();
    const done = this.#perform(row, action, abort.signal)
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        this.#restingUntil.set(row.id, performance.now() + RETRY_MS);
        this.#options.log.error(
          { err: error, usageID: row.id, action },
          'an action on an environment failed and will be tried again',
        );
      })
      .then(() => queries.releaseRow(this.#options.handle.database, row.id, this.id))
      .catch((error: unknown) =>
        this.#options.log.error({ err: error, usageID: row.id }, 'a claim could not be released'),
      )
      .finally(() => {
        this.#tasks.delete(row.id);
        this.#poke();
      });
    this.#tasks.set(row.id, { action, abort, done });
  }

  async #perform(row: UsageRow, action: Action, signal: AbortSignal): Promise<void> {
    const { engine, handle, clock } = this.#options;
    if (!engine) return;
    const { database } = handle;
    switch (action) {
      case 'start':
        return this.#startUsage(row, engine, signal);
      case 'pause':
        await engine.pause(row.id);
        await queries.changeUsage(database, row.id, undefined, {
          status: 2,
          stoppedAt: clock.now(),
        });
        return;
      case 'continue': {
        // The engine's word counts: an earlier try may have come half-way.
        const [before] = await engine.inspect(row.id);
        if (!before || before.state === 'missing') {
          await queries.endUsage(database, row.id, clock.now(), 'lost');
          return;
        }
        const isStopped = before.state === 'exited' || before.state === 'created';
        const states = isStopped ? await engine.start(row.id) : await engine.unpause(row.id);
        const address = addressOf(row, states);
        if (isStopped)
          await waitForSession(row, address, engine, this.#options.startTimeoutMs, signal);
        await queries.changeUsage(database, row.id, undefined, {
          status: 1,
          address,
          isHeld: false,
          stoppedAt: null,
          renewalTime: unixSeconds(clock.now()),
        });
        return;
      }
      case 'hold':
        // Frozen processes cannot hear that they shall end.
        await engine.unpause(row.id);
        await engine.stop(row.id);
        await queries.changeUsage(database, row.id, undefined, { isHeld: true, address: null });
        return;
      case 'remove':
        await engine.remove(row.id);
        await queries.markRemoved(database, row.id, clock.now());
        this.#restingUntil.delete(row.id);
    }
  }

  async #startUsage(row: UsageRow, engine: ContainerEngine, signal: AbortSignal): Promise<void> {
    const { handle, clock, files, findBundleFolder, homeFolder, log } = this.#options;
    const { startTimeoutMs, frameAncestors } = this.#options;
    const { database } = handle;
    /** Undefined once the start was cancelled: then the row is removed at the next turn. */
    const advance = async (
      phase: 'starting' | 'waiting' | 'ready' | 'failed',
      values: Parameters<typeof queries.advanceStart>[4],
    ) => queries.advanceStart(database, row.id, this.id, phase, values);
    try {
      const images = await findImages(
        database,
        row.nodes.map((node) => node.imageID),
      );
      const spec = specOf(row, {
        engine,
        imageReferences: new Map(images.map((image) => [image.id, image.reference])),
        personalFolder: await files.folderOf(row.userID),
        bundleFolder: row.labID === null ? null : await findBundleFolder(row.labID),
        homeFolder: row.computerID === null ? null : await homeFolder(row.computerID),
        frameAncestors,
      });
      await engine.create(spec);
      signal.throwIfAborted();
      // From now on its containers hold these versions of the images.
      const nodes = row.nodes.map((node, index) => {
        const reference = spec.nodes[index]?.image;
        return reference === undefined ? node : { ...node, reference };
      });
      if (!(await advance('starting', { startingAt: clock.now(), nodes }))) return;
      const address = addressOf(row, await engine.start(row.id));
      if (!(await advance('waiting', { waitingAt: clock.now(), address }))) return;
      await waitForSession(row, address, engine, startTimeoutMs, signal);
      const now = clock.now();
      await advance('ready', { readyAt: now, renewalTime: unixSeconds(now) });
    } catch (error) {
      if (signal.aborted) return;
      const isPassing = error instanceof EngineError && error.code === 'engine_unreachable';
      const isEarly = clock.now().getTime() - (row.creatingAt?.getTime() ?? 0) < startTimeoutMs;
      if (isPassing && isEarly) throw error;
      const reason = reasonOf(error);
      const output = await engine.logs(row.id, row.nodes[0]?.name ?? '', 20).catch(() => '');
      log.warn(
        { err: error, usageID: row.id, reason: reason.code, output },
        'an environment did not start',
      );
      await advance('failed', {
        failedAt: clock.now(),
        reasonCode: reason.code,
        reasonParams: reason.params,
      });
    }
  }

  /** Hears deaths as they happen. */
  async #watchEngine(engine: ContainerEngine): Promise<void> {
    try {
      for await (const event of engine.events(this.#stopped.signal)) {
        const { usageID, node, kind, exitCode } = event;
        this.#nodeDied(usageID, node, { isOutOfMemory: kind === 'outOfMemory', exitCode }).catch(
          (error: unknown) =>
            this.#options.log.error({ err: error, usageID }, 'a death could not be looked into'),
        );
      }
    } catch (error) {
      if (!this.#stopped.signal.aborted)
        this.#options.log.error({ err: error }, 'the engine’s events ended');
    }
  }

  /**
   * A node that died takes its usage with it, unless the death was part of an action: whatever is
   * being done with it now is waited for, and then the row and the engine have the say.
   */
  async #nodeDied(
    usageID: number,
    node: string,
    state: Pick<NodeState, 'isOutOfMemory' | 'exitCode'>,
  ): Promise<void> {
    const { handle, clock, engine } = this.#options;
    if (!engine) return;
    await this.#tasks.get(usageID)?.done;
    const row = await queries.findUsageRow(handle.database, usageID);
    if (!row || row.endedAt !== null || row.phase !== 'ready' || row.isHeld) return;
    if (row.nodes[0]?.name !== node) return this.#furtherNodeDied(row, node, engine);
    // An event may be old news: the container may have been started again since.
    const [now] = await engine.inspect(usageID);
    if (now && (now.state === 'running' || now.state === 'paused')) return;
    const isOutOfMemory = state.isOutOfMemory || now?.isOutOfMemory === true;
    const reason = deathReason({ isOutOfMemory, exitCode: now?.exitCode ?? state.exitCode });
    await queries.endUsage(
      handle.database,
      usageID,
      clock.now(),
      isOutOfMemory ? 'out_of_memory' : 'crashed',
      reason,
    );
  }

  /**
   * A further node of a cluster that died is started again, and its user is told: the others run
   * on. One that dies at once again stays down, so that nothing goes round in circles.
   */
  async #furtherNodeDied(row: UsageRow, node: string, engine: ContainerEngine): Promise<void> {
    const { handle, clock } = this.#options;
    const states = await engine.inspect(row.id);
    if (row.status !== 1 || states.find(({ name }) => name === node)?.state !== 'exited') return;
    const now = clock.now();
    const isRepeated =
      row.lostNode === node &&
      row.lostNodeAt !== null &&
      now.getTime() - row.lostNodeAt.getTime() < NODE_REST_MS;
    if (!isRepeated) await engine.start(row.id);
    await queries.changeUsage(handle.database, row.id, undefined, {
      lostNode: node,
      lostNodeAt: now,
      isLostNodeBack: !isRepeated,
    });
  }

  /** Compares the engine with the records: adopts what runs, ends what is gone, clears orphans. */
  async #reconcile(): Promise<void> {
    const { engine, handle, clock, log } = this.#options;
    if (!engine || !(this.#health?.isReady ?? false)) return;
    // The records first: what becomes ready while the engine is asked is not judged by an old list.
    const rows = await queries.listOpenRows(handle.database);
    const held = await engine.list();
    for (const row of rows) {
      if (this.#tasks.has(row.id) || row.endedAt !== null || row.phase !== 'ready' || row.isHeld)
        continue;
      const first = held.get(row.id)?.find((state) => state.name === row.nodes[0]?.name);
      if (first && (first.state === 'running' || first.state === 'paused')) {
        const address = first.ip === null ? row.address : addressOf(row, [first]);
        if (address !== row.address)
          await queries.changeUsage(handle.database, row.id, undefined, { address });
        continue;
      }
      const cause = first?.isOutOfMemory ? 'out_of_memory' : 'lost';
      await queries.endUsage(
        handle.database,
        row.id,
        clock.now(),
        cause,
        first ? deathReason(first) : undefined,
        // Whatever was done with it meanwhile had reasons of its own.
        queries.isUnchanged(row),
      );
    }
    // A usage made since the list was taken is in the records by now, or will be: it is no orphan.
    const known = new Set((await queries.listOpenRows(handle.database)).map((row) => row.id));
    for (const usageID of held.keys()) {
      if (known.has(usageID)) continue;
      log.warn({ usageID }, 'containers without a record are removed');
      await engine.remove(usageID);
    }
  }
}
