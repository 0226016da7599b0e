/** Memory of another process, as the kernel counts it. */
import { readFile } from 'node:fs/promises';

/** Bytes that a process holds in memory now, what it shares with others included. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}
