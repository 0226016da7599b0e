/** The site and its worker in this process: the roles `web` and `worker`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBuiltInImages, type BuildReport } from './domains/image/image.jobs.ts';
import { forgetEarlierBoot, readBootID } from './domains/usage/usage.boot.ts';
import { findContainerHost, type ContainerHost } from './engines/containers/container-host.ts';
import { createContainerEngine } from './engines/containers/docker-api.ts';
import type { Config } from './platform/config.ts';
import { startEmbeddedPostgres } from './platform/database/embedded.ts';
import { takeDataFolder } from './platform/instance-lock.ts';
import { logOptions } from './platform/log.ts';
import { startSystem, type EngineOutcome, type System } from './system.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a start leaves to be ended, and how it hears that it should. */
export interface Run {
  /** Undone in reverse; each part of the start puts its end here. */
  readonly endings: (() => Promise<void>)[];
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Two lines a second would only flicker; a new step is always told. */
function terminalReporter(say: Run['say']): (report: BuildReport) => void {
  let last = '';
  return ({ image, step, steps, text }) => {
    const head = `  ${image}: ${step}/${steps}`;
    if (head === last) return;
    last = head;
    say(`${head}  ${text.slice(0, 80)}`);
  };
}

async function findEngine(
  config: Config,
  { endings }: Run,
  log: (line: string) => void,
): Promise<{ host: ContainerHost | null; outcome: EngineOutcome }> {
  if (config.HC_ENGINE === 'off')
    return { host: null, outcome: { engine: null, reason: 'switched off by HC_ENGINE' } };
  try {
    const host = await findContainerHost({
      dataDir: config.HC_DATA,
      log,
      ...(config.CONTAINER_HOST === undefined ? {} : { containerHost: config.CONTAINER_HOST }),
      ...(config.HC_IMAGE_STORE === undefined ? {} : { imageStore: config.HC_IMAGE_STORE }),
    });
    if (host.kind === 'none') return { host: null, outcome: { engine: null, reason: host.reason } };
    endings.push(() => host.close());
    const engine = createContainerEngine({ host });
    endings.push(() => engine.close());
    return { host, outcome: { engine, reason: null, host } };
  } catch (error) {
    return {
      host: null,
      outcome: { engine: null, reason: error instanceof Error ? error.message : String(error) },
    };
  }
}

/** The worker comes after the site: pages are there at once, environments a moment later. */
async function startWork(config: Config, run: Run, system: System): Promise<void> {
  const { say, signal } = run;
  const { host, outcome } = await findEngine(config, run, (line) => system.app.log.info(line));
  if (signal.aborted) return;
  if (outcome.reason !== null) say(`Practice environments are not available: ${outcome.reason}`);
  const worker = await system.startWorker(outcome);
  if (!host || !outcome.engine) return;
  say(
    `Container engine: ${worker.health?.name ?? 'unknown'}${worker.health?.isHostShielded ? '' : ' (the host is not shielded from environments: no firewall rules could be set)'}`,
  );
  const began = performance.now();
  await buildBuiltInImages({
    database: system.handle.database,
    host,
    engine: outcome.engine,
    clock: system.clock,
    log: system.app.log,
    ownImages: config.HC_IMAGES,
    signal,
    report: terminalReporter(say),
  });
  if (!signal.aborted)
    say(`Practice images are ready (${Math.round((performance.now() - began) / 1000)} s).`);
}

/** Starts the roles asked for; the worker goes on coming up after it returns. */
export async function startSite(config: Config, run: Run): Promise<void> {
  const { endings, say } = run;
  endings.push(await takeDataFolder(config.HC_DATA));
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  let connection:
    | { connectionString: string }
    | { host: string; user: string; database: string; port: number };
  if (config.DATABASE_URL === undefined) {
    const postgres = await startEmbeddedPostgres(config.HC_DATA);
    endings.push(() => postgres.stop());
    ({ connection } = postgres);
  } else connection = { connectionString: config.DATABASE_URL };

  const system = await startSystem({
    config,
    connection,
    logger: logOptions(config, process.stdout.isTTY),
    version: manifest.version,
    pagesFolder: join(ROOT, 'web', 'dist'),
  });
  endings.push(() => system.close());

  // An engine on another machine has boots of its own.
  if (config.HC_ROLES.includes('worker') && config.CONTAINER_HOST?.startsWith('tcp:') !== true)
    await forgetEarlierBoot(system.handle.database, await readBootID());
  if (config.HC_ROLES.includes('web')) {
    const address = await system.app.listen({ host: config.HC_HOST, port: config.HC_PORT });
    say('');
    say(
      `Hypercube is at ${config.HC_PUBLIC_URL ?? address.replace('[::]', 'localhost').replace('0.0.0.0', 'localhost')}`,
    );
    for (const { username, password } of system.firstAccounts)
      say(`  ${username.padEnd(10)} ${password}`);
    if (system.firstAccounts.length > 0)
      say('These passwords are shown only now; each can be changed under settings.');
    say('');
  } else await system.app.ready();

  if (config.HC_ROLES.includes('worker')) {
    void startWork(config, run, system).catch((error: unknown) =>
      system.app.log.error({ err: error }, 'the worker could not start'),
    );
  }
}
