/**
 * The worker of images: commits and rebuilds that were asked for, one at a time, and tidying up in
 * the engine. A row says what is wanted and who does it; a claim ends with the worker's connection,
 * so what a dead worker left is begun again, or fails with its reason. A version is written down
 * only when it is whole.
 */
import { randomUUID } from 'node:crypto';
import { COMMIT_STEPS, type ErrorCode } from '@hypercube/contract';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { BoundedLog } from '../../engines/containers/bounded-log.ts';
import { EngineError, type ContainerEngine } from '../../engines/containers/engine.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DatabaseHandle } from '../../platform/database/database.ts';
import { notify, type Listener } from '../../platform/database/notify.ts';
import { DomainError } from '../../platform/errors.ts';
import { SCRUBBED } from './image.scrub.ts';
import type { Commit } from './image.schema.ts';
import { IMAGE_GONE, checkCommit, type CommitSource } from './image.service.ts';
import * as queries from './image.queries.ts';
import type { BuildMove, ImageRow } from './image.queries.ts';

const LEASE_SECONDS = 60;
const TICK_MS = 5000;
/** How often the engine is tidied, in turns. */
const TIDY_TURNS = 60;

/** Name of a commit in the engine; see `ContainerEngine.commitNode`. */
const commitName = (imageID: number, number: number): string => `image-${imageID}:${number}`;

export interface ImageWorkerOptions {
  readonly handle: DatabaseHandle;
  readonly clock: Clock;
  readonly listener: Listener;
  readonly engine: ContainerEngine;
  /** The usage as it is now, ended when its time is over. */
  readonly findUsage: (usageID: number) => Promise<CommitSource | undefined>;
  /** Builds a built-in image again; null where this engine builds none. */
  readonly rebuild: ((image: ImageRow, signal: AbortSignal) => Promise<void>) | null;
  /** Where a commit says what it does. */
  readonly logPath: (image: Pick<ImageRow, 'id' | 'slug'>) => string;
  readonly log: FastifyBaseLogger;
}

/** The reason of a failed commit, in the words of the contract. */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof DomainError) return error.code;
  if (error instanceof EngineError) {
    if (error.code === 'no_space') return 'storage_full';
    if (error.code === 'engine_unreachable') return 'engine_unavailable';
    if (error.code === 'no_such_usage') return 'usage_not_running';
  }
  return 'commit_failed';
}

export class ImageWorker {
  readonly id = randomUUID();
  readonly #options: ImageWorkerOptions;
  readonly #stopped = new AbortController();
  #life: pg.Client | undefined;
  #loop: Promise<void> | undefined;
  #lease: NodeJS.Timeout | undefined;
  #wake: () => void = () => undefined;
  #isWoken = false;
  #turns = 0;

  constructor(options: ImageWorkerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { handle, listener, log } = this.#options;
    this.#life = new pg.Client({ ...handle.connection, keepAlive: true });
    this.#life.on('error', (error) =>
      log.error({ err: error }, 'the image worker lost the connection that shows that it lives'),
    );
    await this.#life.connect();
    const lock = new PgDialect().sqlToQuery(queries.holdWorkerLock(this.id));
    await this.#life.query(lock.sql, lock.params);
    listener.on('image', this.#heard);
    listener.on('resumed', this.#poke);
    this.#lease = setInterval(() => void this.#extend(), (LEASE_SECONDS * 1000) / 4).unref();
    this.#loop = this.#run();
  }

  /** Ends the worker; what was under way is picked up by the next one. */
  async stop(): Promise<void> {
    const { listener } = this.#options;
    this.#stopped.abort();
    clearInterval(this.#lease);
    listener.off('image', this.#heard);
    listener.off('resumed', this.#poke);
    this.#wake();
    await this.#loop;
    await this.#life?.end();
  }

  readonly #heard = (payload: string): void => {
    if (payload === IMAGE_GONE) this.#turns = 0;
    this.#poke();
  };

  readonly #poke = (): void => {
    this.#isWoken = true;
    this.#wake();
  };

  async #extend(): Promise<void> {
    const { handle, clock, log } = this.#options;
    await queries
      .extendClaims(handle.database, this.id, clock.now(), LEASE_SECONDS)
      .catch((error: unknown) => log.warn({ err: error }, 'a claim could not be extended'));
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      this.#isWoken = false;
      await this.#turn().catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'a turn of the image worker failed'),
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

  async #turn(): Promise<void> {
    const { handle, clock, engine } = this.#options;
    const { database } = handle;
    const { isReady } = await engine.health();
    await database.transaction((tx) => queries.releaseDeadClaims(tx));
    while (isReady && !this.#stopped.signal.aborted) {
      const image = await database.transaction((tx) =>
        queries.claimImage(tx, this.id, clock.now(), LEASE_SECONDS),
      );
      if (!image) break;
      try {
        await this.#perform(image);
      } finally {
        await queries.releaseImage(database, image.id, this.id);
      }
      this.#turns = 0;
    }
    if (isReady && this.#turns % TIDY_TURNS === 0) await this.tidy();
    this.#turns += 1;
  }

  async #perform(image: ImageRow): Promise<void> {
    const { rebuild, log } = this.#options;
    if (image.commit) {
      await this.#commit(image, image.commit);
      return;
    }
    if (rebuild) await rebuild(image, this.#stopped.signal);
    else {
      log.warn({ imageID: image.id }, 'this engine builds no images');
      await this.#move(image, { isRebuildWanted: false, buildState: 'failed', buildText: '' });
    }
  }

  /** @returns whether the commit is still wanted, and ours */
  async #move(image: ImageRow, build: BuildMove): Promise<boolean> {
    return this.#options.handle.database.transaction(async (tx) => {
      const isOurs = await queries.updateImageBuild(tx, image.id, build, this.id);
      await notify(tx, 'image', String(image.id));
      return isOurs;
    });
  }

  async #commit(image: ImageRow, commit: Commit): Promise<void> {
    const { engine, clock, findUsage, log, logPath } = this.#options;
    const printed = new BoundedLog(logPath(image));
    // Told one after the other, so that an old step never overwrites a newer one.
    let told: Promise<unknown> = Promise.resolve();
    const tell = (step: (typeof COMMIT_STEPS)[number]): void => {
      printed.write(`${clock.now().toISOString()} ${step}`);
      const buildStep = COMMIT_STEPS.indexOf(step) + 1;
      told = told
        .then(() => this.#move(image, { buildStep, buildText: step }))
        .catch((error: unknown) =>
          log.warn({ err: error }, 'the progress of a commit could not be written down'),
        );
    };
    try {
      tell('checking');
      const usage = await findUsage(commit.usageID);
      if (!usage) throw new DomainError('usage_not_running');
      checkCommit(usage, clock.now());
      const name = commitName(image.id, commit.number);
      // Whoever stops us does not wait for the engine: the commit is begun again by the next worker.
      const made = await Promise.race([
        engine.commitNode(commit.usageID, commit.node, name, { scrub: SCRUBBED, onStep: tell }),
        this.#whenStopped(),
      ]);
      await told;
      await this.#accept(image, commit, made);
      printed.write(
        `${clock.now().toISOString()} done: ${made.reference}, ${made.sizeBytes} bytes`,
      );
    } catch (error) {
      await told;
      printed.write(error instanceof Error ? error.message : String(error));
      if (this.#stopped.signal.aborted && !(error instanceof DomainError)) return;
      const code = codeOf(error);
      log.warn({ err: error, imageID: image.id, usageID: commit.usageID, code }, 'a commit failed');
      // The former version stays in use.
      await this.#move(image, { buildState: 'failed', buildText: code, commit: null });
    } finally {
      printed.end();
    }
  }

  /** Rejects when the worker is stopped. */
  #whenStopped(): Promise<never> {
    const { signal } = this.#stopped;
    return new Promise((_resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** The version and the image that uses it appear at once, or not at all. */
  async #accept(
    image: ImageRow,
    commit: Commit,
    made: Awaited<ReturnType<ContainerEngine['commitNode']>>,
  ): Promise<void> {
    const { handle, clock, log } = this.#options;
    await handle.database.transaction(async (tx) => {
      const current = await queries.lockImage(tx, image.id);
      if (current?.claimedBy !== this.id || current.commit?.number !== commit.number) {
        // Deleted meanwhile, or taken over: what was made is tidied away.
        log.info({ imageID: image.id }, 'a commit is not wanted any more');
        return;
      }
      const version = await queries.insertVersion(tx, {
        imageID: image.id,
        number: commit.number,
        reference: made.reference,
        sizeBytes: made.sizeBytes,
        contents: made.parts,
        createdAt: clock.now(),
        createdBy: commit.userID,
      });
      await queries.updateImageRow(tx, image.id, {
        versionID: version.id,
        reference: made.reference,
        buildState: 'ready',
        buildStep: COMMIT_STEPS.length,
        buildText: '',
        commit: null,
      });
      await notify(tx, 'image', String(image.id));
    });
  }

  /** Takes out of the engine what no record names, and asks it for what is not known yet. */
  async tidy(): Promise<void> {
    const { engine, handle } = this.#options;
    const { database } = handle;
    const committed = await queries.listCommitted(database);
    const namesOf = (isUnderWay: boolean): ReadonlySet<string> =>
      new Set(
        committed
          .filter((one) => one.isUnderWay === isUnderWay)
          .map((one) => commitName(one.imageID, one.number)),
      );
    await engine.tidyImages({ keep: namesOf(false), underWay: namesOf(true) });
    for (const version of await queries.listBuiltInVersions(database)) {
      if (!version.isCurrent && !(await engine.hasImage(version.reference)))
        await queries.deleteVersionRow(database, version.id);
    }
    for (const version of await queries.listUndescribedVersions(database)) {
      const facts = await engine.describeImage(version.reference);
      if (facts)
        await queries.describeVersion(database, version.id, {
          sizeBytes: facts.sizeBytes,
          contents: facts.parts,
        });
    }
  }
}
