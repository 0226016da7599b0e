/** CPU time of another process: on a machine that others use too, it tells what a clock cannot. */
import { readFile } from 'node:fs/promises';

/** Clock ticks of `/proc` are hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** Milliseconds that a process has computed so far, in its own code and for it in the kernel. */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The program's name stands in parentheses and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
