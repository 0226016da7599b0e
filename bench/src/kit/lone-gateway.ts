/** A gateway in a process of its own, as `npm start` runs it under `HC_ROLES=gateway`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './ports.ts';
import { until } from './waiting.ts';

const START = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));

export interface LoneGateway extends AsyncDisposable {
  readonly origin: string;
  readonly pid: number;
}

/** Starts one on a site's database and waits until it can work. */
export async function startLoneGateway(databaseURL: string): Promise<LoneGateway> {
  const port = await freePort();
  const child = spawn(process.execPath, [START], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      HC_ROLES: 'gateway',
      HC_HOST: '127.0.0.1',
      HC_PORT: String(port),
      HC_LOG_LEVEL: 'warn',
      DATABASE_URL: databaseURL,
    },
  });
  const exited = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  try {
    await until(
      'the lone gateway is ready',
      () =>
        fetch(`${origin}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 200,
    );
  } catch (error) {
    child.kill();
    throw error;
  }
  // The start script only waits; what it runs is its child.
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return {
    origin,
    pid: Number(children.trim()),
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
