/**
 * Time. Rules ask a clock that is handed to them, so tests set it, and a jump of a server's own
 * clock moves no deadline.
 */
export interface Clock {
  /** Now, on the database's clock. */
  now(): Date;
}

/** Unix seconds, whole. */
export const unixSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/**
 * The database's clock, read once in a while and carried on by the monotonic clock between:
 * several servers agree, whatever their own clocks say.
 */
export class DatabaseClock implements Clock {
  /** Database time minus monotonic time, milliseconds. */
  #offsetMs = Date.now() - performance.now();

  now(): Date {
    return new Date(performance.now() + this.#offsetMs);
  }

  /**
   * Measures the offset; half of the round trip is taken as the way there.
   * @param readDatabaseTime returns the database's clock in Unix milliseconds
   */
  async synchronise(readDatabaseTime: () => Promise<number>): Promise<void> {
    const before = performance.now();
    const databaseMs = await readDatabaseTime();
    const after = performance.now();
    this.#offsetMs = databaseMs - (before + after) / 2;
  }
}

const SYNCHRONISE_MS = 60_000;

/**
 * A database clock that is kept in step until it is stopped.
 * @param readDatabaseTime returns the database's clock in Unix milliseconds
 */
export async function keepDatabaseClock(
  readDatabaseTime: () => Promise<number>,
): Promise<{ readonly clock: DatabaseClock; readonly stop: () => void }> {
  const clock = new DatabaseClock();
  await clock.synchronise(readDatabaseTime);
  // A reading that fails is made up for by the next: the monotonic clock goes on meanwhile.
  const timer = setInterval(
    () => void clock.synchronise(readDatabaseTime).catch(() => undefined),
    SYNCHRONISE_MS,
  ).unref();
  return { clock, stop: () => clearInterval(timer) };
}
