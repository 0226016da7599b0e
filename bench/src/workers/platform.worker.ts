/**
 * A whole platform in a process of its own, put together as `npm start` does: durable embedded
 * PostgreSQL, production log level, the pages of the last build, the repository's own content.
 */
import { readFile, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance, type IntervalHistogram } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { isPassword } from '../../../server/src/domains/user/password.ts';
import {
  dismantle,
  findContainerHost,
  type ContainerHost,
} from '../../../server/src/engines/containers/container-host.ts';
import { createContainerEngine } from '../../../server/src/engines/containers/docker-api.ts';
import type { ContainerEngine, UsageSpec } from '../../../server/src/engines/containers/engine.ts';
import { buildImages } from '../../../server/src/engines/containers/image-build.ts';
import { imageReference } from '../../../server/src/engines/containers/image-sources.ts';
import { readConfig } from '../../../server/src/platform/config.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../server/src/platform/database/embedded.ts';
import { logOptions } from '../../../server/src/platform/log.ts';
import { startSystem, type System } from '../../../server/src/system.ts';
import { answerCalls } from '../kit/calls.ts';
import { FixedEngine } from '../kit/fixed-engine.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** How often the delay of the event loop is looked at. */
const DELAY_RESOLUTION_MS = 10;
/** What a fixed session is said to run. */
const FIXED_IMAGE = 'bench:1';

export interface PlatformOptions {
  readonly dataFolder: string;
  /** Of every first account. */
  readonly password: string;
  /**
   * `fixed`: sessions are the server at `ip`. `containers`: the real engine, with the images
   * (the notebook's without a word) built if they are not there. `none`: the site alone. `no
   * worker`: not even its background work.
   */
  readonly engine:
    | { readonly kind: 'fixed'; readonly ip: string }
    | { readonly kind: 'containers'; readonly images?: readonly ImageName[] }
    | { readonly kind: 'none' }
    | { readonly kind: 'no worker' };
  /** Further configuration, as the environment would have it. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Practice images that sessions open in. */
export type ImageName = 'notebook' | 'desktop' | 'ide';

export interface PlatformStarted {
  readonly origin: string;
  /** Of the embedded database, for a second process on the same site. */
  readonly databaseURL: string;
  /** Socket of the container engine and what kind of host it is; null without containers. */
  readonly engine: { readonly socketPath: string; readonly diskLimit: string } | null;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

let system: System | undefined;
let postgres: EmbeddedPostgres | undefined;
let host: ContainerHost | undefined;
let statements: Statement[] | undefined;
let lastSpec: UsageSpec | undefined;
let delays: IntervalHistogram | undefined;
let loopBefore = performance.eventLoopUtilization();

function running(): System {
  if (!system) throw new Error('the platform was not started');
  return system;
}

/** Notes what the platform asks the engine to make, so that a rival can make exactly the same. */
function noting(engine: ContainerEngine): ContainerEngine {
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value as (...input: unknown[]) => unknown;
      return (...input: unknown[]): unknown => {
        if (name === 'create') lastSpec = input[0] as UsageSpec;
        return method.apply(target, input);
      };
    },
  });
}

/** Slugs of the images that are there in an installation with such an engine. */
function imagesOf(engine: PlatformOptions['engine']): readonly ImageName[] {
  return engine.kind === 'containers' ? (engine.images ?? ['notebook']) : ['notebook'];
}

async function openEngine(options: PlatformOptions): Promise<ContainerEngine | null> {
  const { engine, dataFolder } = options;
  if (engine.kind === 'none' || engine.kind === 'no worker') return null;
  if (engine.kind === 'fixed') return new FixedEngine(engine.ip, FIXED_IMAGE);
  const found = await findContainerHost({ dataDir: dataFolder });
  if (found.kind === 'none') throw new Error(`no container engine: ${found.reason}`);
  host = found;
  await buildImages(found, { only: imagesOf(engine) });
  return noting(createContainerEngine({ host: found }));
}

const calls = {
  async start(options: PlatformOptions): Promise<PlatformStarted> {
    const config = readConfig({
      ...options.settings,
      HC_DATA: options.dataFolder,
      HC_DEMO_PASSWORD: options.password,
      // What is measured is the platform, not the human check.
      HC_CAPTCHA: 'off',
    });
    postgres = await startEmbeddedPostgres(options.dataFolder);
    system = await startSystem({
      config,
      connection: postgres.connection,
      logger: logOptions(config, false),
      version: '0.0.0-bench',
      pagesFolder: join(ROOT, 'web', 'dist'),
      // Drizzle's logger gets the values too; most of our own listeners have no use for them.
      onQuery: (text: string, ...rest: unknown[]) =>
        void statements?.push({ text, values: (rest[0] ?? []) as unknown[] }),
    });
    const engine = await openEngine(options);
    if (engine) {
      for (const image of imagesOf(options.engine)) {
        const reference =
          options.engine.kind === 'containers' ? imageReference(image) : FIXED_IMAGE;
        await system.handle.pool.query(
          `update image set reference = $1, build_state = 'ready' where slug = $2`,
          [reference, image],
        );
      }
    }
    if (options.engine.kind !== 'no worker') {
      await system.startWorker({ engine, reason: engine ? null : 'not measured here' });
    }
    const origin = await system.app.listen({ host: '127.0.0.1', port: 0 });
    const { user, database, host: folder } = postgres.connection;
    return {
      origin,
      databaseURL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(folder)}`,
      engine:
        host && 'socketPath' in host.address
          ? { socketPath: host.address.socketPath, diskLimit: host.diskLimit }
          : null,
    };
  },

  /** Runs SQL as the platform's owner: for filling tables. */
  async sql({
    text,
    values,
  }: {
    text: string;
    values?: unknown[];
  }): Promise<Record<string, unknown>[]> {
    const { rows } = await running().handle.pool.query<Record<string, unknown>>(text, values ?? []);
    return rows;
  },

  /** How to reach the platform's database. */
  async connection(): Promise<EmbeddedPostgres['connection']> {
    if (!postgres) throw new Error('the platform was not started');
    return postgres.connection;
  },

  /** The housekeeping that a worker does once a minute. */
  async sweep(): Promise<void> {
    await running().sweep();
  },

  /** Compares a password as a login does, in the process that does it. @returns milliseconds */
  async timePassword(username: string): Promise<number> {
    const { rows } = await running().handle.pool.query<{ hash: string }>(
      'select password_hash as hash from user_account where username = $1',
      [username],
    );
    const began = performance.now();
    // A wrong one: as much work, and no way to be wrong about which one is right.
    await isPassword(rows[0]?.hash, 'not the password');
    return performance.now() - began;
  },

  /** How busy the event loop was since the last time that somebody asked. */
  async takeLoop(): Promise<{ utilization: number; delayP95Ms: number; delayMaxMs: number }> {
    delays ??= monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, loopBefore);
    loopBefore = now;
    // What is told counts from the pause between two looks, which is no delay.
    const delayOf = (nanoseconds: number): number =>
      Math.max(0, nanoseconds / 1e6 - DELAY_RESOLUTION_MS);
    const told = { delayP95Ms: delayOf(delays.percentile(95)), delayMaxMs: delayOf(delays.max) };
    delays.reset();
    delays.enable();
    return { utilization, ...told };
  },

  /** Begins to note statements, or hands over those noted since. */
  async takeStatements(isNoting: boolean): Promise<Statement[]> {
    const taken = statements ?? [];
    statements = isNoting ? [] : undefined;
    return taken;
  },

  async lastSpec(): Promise<UsageSpec> {
    if (!lastSpec) throw new Error('the engine was not asked to make anything');
    return lastSpec;
  },

  /** What this process holds now, garbage collected first. */
  async measure(): Promise<{
    rssBytes: number;
    heapBytes: number;
    sockets: number;
    gatewaySockets: number;
  }> {
    if (!globalThis.gc) throw new Error('run with --expose-gc');
    // Twice: what the first pass finalises only the second one frees.
    globalThis.gc();
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    globalThis.gc();
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((name) =>
        readlink(`/proc/self/fd/${name}`).catch(() => ''),
      ),
    );
    const status = await readFile('/proc/self/status', 'utf8');
    return {
      rssBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024,
      heapBytes: process.memoryUsage().heapUsed,
      sockets: links.filter((link) => link.startsWith('socket:')).length,
      gatewaySockets: running().gateway.openSockets,
    };
  },

  /** Ends in order, and takes away what the installation put on this machine. */
  async stop(): Promise<void> {
    await system?.close();
    await postgres?.stop();
    if (host) await dismantle(host);
    system = postgres = host = undefined;
  },
};
export type PlatformCalls = typeof calls;

answerCalls(calls);
