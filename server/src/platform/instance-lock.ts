/** One platform per data folder: two would take each other's database away. */
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Number and start time name a process for good: a number alone is given out again. */
async function identityOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Field 22, counted after the command, which may hold spaces and brackets.
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  if (startedAt !== undefined) return `${pid} ${startedAt}`;
  try {
    process.kill(pid, 0);
    return `${pid} ?`;
  } catch {
    return undefined;
  }
}

export class InstanceRunningError extends Error {
  override name = 'InstanceRunningError';
  constructor(dataFolder: string, pid: number) {
    super(
      `Hypercube already runs on ${dataFolder} (process ${pid}). Stop it first, or set HC_DATA to another folder.`,
    );
  }
}

/**
 * Takes the data folder. A lock whose process is gone, as after `kill -9`, is taken over.
 * @returns gives it back
 * @throws InstanceRunningError
 */
export async function takeDataFolder(dataFolder: string): Promise<() => Promise<void>> {
  await mkdir(dataFolder, { recursive: true });
  const path = join(dataFolder, 'hypercube.pid');
  const own = (await identityOf(process.pid)) ?? String(process.pid);
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
    if (isHeld) throw new InstanceRunningError(dataFolder, pid);
    await rm(path, { force: true });
  }
}
