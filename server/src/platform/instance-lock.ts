/** One platform per data folder: two would take each other's database away. */
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/** A process that was killed a moment ago needs another to be gone. */
const LEAVING_MS = 2_000;
const LOOK_MS = 50;

/** Number and start time name a process for good: a number alone is given out again. */
async function identityOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Counted after the command, which may hold spaces and brackets: fields 3 and 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie holds nothing any more; where nobody collects them, as in many containers, it stays for good.
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  if (fields[19] !== undefined) return `${pid} ${fields[19]}`;
  try {
    process.kill(pid, 0);
    return `${pid} ?`;
  } catch {
    return undefined;
  }
}

export class InstanceRunningError extends StartError {
  override name = 'InstanceRunningError';
  constructor(dataFolder: string, pid: number) {
    super(
      `Hypercube already runs on ${dataFolder} (process ${pid}). Stop it first, or set HC_DATA to another folder.`,
    );
  }
}

/**
 * Takes the data folder. A lock whose process is gone, as after `kill -9`, is taken over; one that
 * is just leaving is waited for.
 * @returns gives it back
 * @throws InstanceRunningError
 */
export async function takeDataFolder(dataFolder: string): Promise<() => Promise<void>> {
  await mkdir(dataFolder, { recursive: true });
  const path = join(dataFolder, 'hypercube.pid');
  const own = (await identityOf(process.pid)) ?? String(process.pid);
  const lastLook = performance.now() + LEAVING_MS;
  for (;;) {
    try {
      const handle = await open(path, 'wx', 0o600);
      await handle.writeFile(own);
      await handle.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = await readFile(path, 'utf8').catch(() => '');
    const pid = Number(holder.split(' ', 1)[0]);
    const isHeld =
      Number.isInteger(pid) && pid > 0 && pid !== process.pid && (await identityOf(pid)) === holder;
    if (isHeld && performance.now() < lastLook) {
      await pause(LOOK_MS);
      continue;
    }
    if (isHeld) throw new InstanceRunningError(dataFolder, pid);
    await rm(path, { force: true });
  }
}
