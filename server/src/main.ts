/** Starts the roles asked for and ends them in order. Run by `npm start`, which prepares the rest. */
import { readConfig } from './platform/config.ts';
import { StartError } from './platform/start-error.ts';
import type { Run } from './site.ts';

const stopping = new AbortController();
const run: Run = {
  endings: [],
  signal: stopping.signal,
  say: (line) => void process.stdout.write(`${line}\n`),
};
const { say } = run;

async function start(): Promise<void> {
  const config = readConfig(process.env);
  // Loaded only where it runs: a lone gateway is small because it knows nothing of the rest.
  if (config.HC_ROLES.includes('gateway')) {
    const { startGateway } = await import('./gateway/gateway-system.ts');
    const gateway = await startGateway(config);
    run.endings.push(() => gateway.close());
    say(`Hypercube's gateway to sessions is at ${gateway.address}`);
    return;
  }
  const { startSite } = await import('./site.ts');
  await startSite(config, run);
}

async function stop(): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  say('Stopping; running environments stay and are there again after the next start.');
  for (const end of run.endings.splice(0).toReversed()) {
    await end().catch((error: unknown) =>
      say(`while stopping: ${error instanceof Error ? error.message : String(error)}`),
    );
  }
  process.exit(process.exitCode ?? 0);
}

/** `npm start` waits for us; if it is killed, nobody would hear our end, so we end as well. */
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent && !stopping.signal.aborted) void stop();
}, 1000).unref();

process.on('SIGINT', () => {
  // Whoever presses Ctrl-C twice does not want to wait.
  if (stopping.signal.aborted) process.exit(1);
  void stop();
});
process.on('SIGTERM', () => void stop());

try {
  await start();
} catch (error) {
  const told =
    error instanceof StartError
      ? error.message
      : error instanceof Error
        ? error.stack
        : String(error);
  process.stderr.write(`${told}\n`);
  process.exitCode = 1;
  await stop();
}
