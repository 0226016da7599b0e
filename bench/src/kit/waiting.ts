/** Waiting for something outside this process, with an end. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Reads until the reading satisfies.
 * @throws Error naming what was waited for, when the limit is over
 */
export async function until<T>(
  what: string,
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
  { limitMs = 60_000, everyMs = 20 } = {},
): Promise<T> {
  const limit = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (performance.now() > limit) {
      throw new Error(
        `${what}: not within ${limitMs / 1000} s; last seen ${JSON.stringify(value)}`,
      );
    }
    await pause(everyMs);
  }
}
