/**
 * `npm start` until the first page is there: on a fresh clone with its packages (pages are built,
 * the database is made), again after Ctrl-C, and again after `kill -9`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeClone, removeClone } from '../kit/clone.ts';
import { removeInstallation } from '../kit/installation.ts';
import { freePort } from '../kit/ports.ts';
import { progress, type Result, type Row } from '../kit/report.ts';
import { median } from '../kit/statistics.ts';
import { until } from '../kit/waiting.ts';

const LIMITS_S = { fresh: 90, again: 5 } as const;
const AGAIN = 3;
const GIVE_UP_MS = 300_000;

interface Started {
  readonly seconds: number;
  /** Ends it as the terminal would, or as nobody wishes it. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
}

/** Runs the start script and waits for its first page. */
async function start(clone: string, dataFolder: string): Promise<Started> {
  const port = await freePort();
  let output = '';
  const began = performance.now();
  // A group of its own, since a Ctrl-C reaches every process of the terminal's.
  const child: ChildProcess = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: clone,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HC_DATA: dataFolder, HC_PORT: String(port), HC_HOST: '127.0.0.1' },
  });
  const take = (part: Buffer): void => {
    output = (output + part.toString()).slice(-4000);
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  const exited = once(child, 'exit');
  let isOver = false;
  void exited.then(() => (isOver = true));
  const end = async (signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    if (!isOver) process.kill(-(child.pid ?? 0), signal);
    await exited;
  };
  try {
    await until(
      'the first page',
      () => {
        if (isOver) throw new Error(`npm start ended by itself:\n${output}`);
        return fetch(`http://127.0.0.1:${port}/`).then(
          async (response) => ({ status: response.status, page: await response.text() }),
          () => null,
        );
      },
      (answer) => answer?.status === 200 && answer.page.includes('<html'),
      { limitMs: GIVE_UP_MS },
    );
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  return { seconds: (performance.now() - began) / 1000, end };
}

export async function benchStart(): Promise<Result> {
  const clone = await makeClone();
  const dataFolder = await mkdtemp(join(tmpdir(), 'hypercube-bench-start-'));
  try {
    const measure = async (endBy: 'SIGINT' | 'SIGKILL'): Promise<number> => {
      const started = await start(clone, dataFolder);
      await started.end(endBy);
      return started.seconds;
    };
    const fresh = await measure('SIGINT');
    progress(`start: fresh ${fresh.toFixed(1)} s`);
    const afterStop: number[] = [];
    const afterKill: number[] = [];
    for (let round = 0; round < AGAIN; round += 1) {
      afterStop.push(await measure('SIGKILL'));
      afterKill.push(await measure('SIGINT'));
      progress(
        `start: again ${afterStop.at(-1)?.toFixed(1)} s, after kill -9 ${afterKill.at(-1)?.toFixed(1)} s`,
      );
    }
    const row = (what: string, measured: number, limit: number): Row => ({
      bench: 'start',
      what,
      measured: `${measured.toFixed(1)} s`,
      against: 'limit',
      target: `≤ ${limit} s`,
      isMet: measured <= limit,
    });
    return {
      rows: [
        row('fresh clone with packages to the first page', fresh, LIMITS_S.fresh),
        row(`second start, median of ${AGAIN}`, median(afterStop), LIMITS_S.again),
        row(`start after kill -9, median of ${AGAIN}`, median(afterKill), LIMITS_S.again),
      ],
      figures: { fresh, afterStop, afterKill },
    };
  } finally {
    await removeInstallation(dataFolder);
    await removeClone(clone);
  }
}
