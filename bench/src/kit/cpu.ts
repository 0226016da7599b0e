/** CPU time of another process: on a machine that others use too, it tells what a clock cannot. */
import { readFile, readdir } from 'node:fs/promises';

/** Clock ticks of `/proc` are hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** Milliseconds that a process has computed so far, in its own code and for it in the kernel. */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The program's name stands in parentheses and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * The same of everything that a process has started, and what that started: its database, as an
 * embedded one is.
 */
export async function childrenCpuMs(pid: number): Promise<number> {
  const stats = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        // It may have ended since it was listed.
        const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        // With the time of its own children that have ended.
        const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
        return { pid: Number(name), parent: Number(fields[1]), ms: ticks * TICK_MS };
      }),
  );
  const below = (parent: number): number =>
    stats
      .filter((one) => one.parent === parent)
      .reduce((sum, one) => sum + (one.ms || 0) + below(one.pid), 0);
  return below(pid);
}
