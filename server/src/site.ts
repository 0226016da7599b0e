/** The site and its worker in this process: the roles `web` and `worker`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBuiltInImages, type BuildReport } from './domains/image/image.jobs.ts';
import { forgetEarlierBoot, readBootID } from './domains/usage/usage.boot.ts';
import { findContainerHost, type ContainerHost } from './engines/containers/container-host.ts';
import { createContainerEngine } from './engines/containers/docker-api.ts';
import { AbsentSandbox } from './engines/sandbox/absent-sandbox.ts';
import { openJudgeRoot } from './engines/sandbox/judge-root.ts';
import { NativeSandbox } from './engines/sandbox/native-sandbox.ts';
import type { Sandbox } from './engines/sandbox/sandbox.ts';
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

/** What judges programs. It is ready once its image is, or its health says why it never will be. */
function openSandbox(
  config: Config,
  host: ContainerHost | null,
  reason: string | null,
  signal: AbortSignal,
  log: (line: string) => void,
): NativeSandbox | AbsentSandbox {
  if (config.HC_JUDGE === 'off') return new AbsentSandbox('switched off by HC_JUDGE');
  // The engine builds the image, and does nothing else for the judge.
  if (!host) return new AbsentSandbox(`the judge image cannot be built: ${reason}`);
  return new NativeSandbox({
    findRoot: (closing) => openJudgeRoot(host, { signal: AbortSignal.any([closing, signal]) }),
    log,
  });
}

/** The worker comes after the site: pages are there at once, environments a moment later. */
async function startWork(
  config: Config,
  run: Run,
  system: System,
  onSandbox: (sandbox: Sandbox) => void,
): Promise<void> {
  const { say, signal } = run;
  const log = (line: string): void => system.app.log.info(line);
  const { host, outcome } = await findEngine(config, run, log);
  if (signal.aborted) return;
  if (outcome.reason !== null) say(`Practice environments are not available: ${outcome.reason}`);
  const sandbox = openSandbox(config, host, outcome.reason, signal, log);
  onSandbox(sandbox);
  const worker = await system.startWorker({ ...outcome, sandbox });
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
  // After the environments: whoever opens the site first wants to look around.
  if (sandbox instanceof NativeSandbox) await sandbox.prepare();
  const health = await sandbox.health();
  if (!signal.aborted && !health.isReady) say(`Programs are not judged here: ${health.reason}`);
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

  // Its end comes after the system's: what is being judged then is given back, not failed.
  let sandbox: Sandbox | undefined;
  endings.push(async () => sandbox?.close());
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
    void startWork(config, run, system, (opened) => (sandbox = opened)).catch((error: unknown) =>
      system.app.log.error({ err: error }, 'the worker could not start'),
    );
  }
}
