import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs one thing at a time across the processes of this machine. A lock whose holder died is
 * taken over.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  options: { signal?: AbortSignal; onWait?: () => void } = {},
): Promise<T> {
  let isFirstTry = true;
  while (!tryLock(path)) {
    if (isFirstTry) options.onWait?.();
    isFirstTry = false;
    await delay(25, undefined, options.signal ? { signal: options.signal } : {});
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  let holder: string;
  try {
    holder = readFileSync(path, 'utf8');
  } catch {
    return false;
  }
  // An empty file is a lock between being made and being signed.
  if (holder !== '' && !existsSync(`/proc/${holder}`)) rmSync(path, { force: true });
  return false;
}
