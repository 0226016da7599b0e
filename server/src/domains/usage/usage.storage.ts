/**
 * Personal folders and their quota. Where the file system cannot limit them exactly they are
 * looked at: over the quota the user is told, and well over it the environment that writes is
 * ended. Somebody whose folder is full already gets in to clean up, with a little room to do it.
 */
import { diskBytesOf } from '../../engines/containers/disk-bytes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import * as queries from './usage.queries.ts';
import type { UsageRow } from './usage.queries.ts';

/** A folder is looked at no oftener than this. */
const LOOK_MS = 10_000;
const LOOK_LIMIT_MS = 20_000;
/** A look over many files takes its time; it may take this share of it. */
const BUSY_SHARE = 20;
/** Smaller changes are not worth telling every page. */
const STEP_BYTES = 16 * 1024 * 1024;
const MARGIN_BYTES = 256 * 1024 * 1024;

/**
 * What a personal folder may grow to before the environment is ended.
 * @param baseBytes what it held when the environment was first looked at
 */
export const storageLimit = (quotaBytes: number, baseBytes: number): number =>
  Math.max(quotaBytes, baseBytes) + Math.max(MARGIN_BYTES, quotaBytes / 10);

export interface StorageWatchOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly quotaBytes: () => number;
  readonly folderOf: (userID: number) => Promise<string>;
  /** Bytes of a folder; `du` unless a test says otherwise. */
  readonly measure?: (folder: string) => Promise<number>;
  readonly failed: (usageID: number, error: unknown) => void;
  readonly over: (usageID: number, bytes: number) => void;
}

/** Looks at the folders of running environments, one round at a time. */
export class StorageWatch {
  readonly #options: StorageWatchOptions;
  /** Earliest next look of a usage, milliseconds of our clock. */
  readonly #due = new Map<number, number>();
  #round: Promise<void> | undefined;

  constructor(options: StorageWatchOptions) {
    this.#options = options;
  }

  /** Begins a round unless one is under way; nobody waits for it. */
  look(rows: readonly UsageRow[]): void {
    if (this.#round) return;
    for (const usageID of this.#due.keys())
      if (!rows.some(({ id }) => id === usageID)) this.#due.delete(usageID);
    const now = this.#options.clock.now().getTime();
    const due = rows.filter(
      (row) =>
        row.endedAt === null &&
        row.phase === 'ready' &&
        row.status === 1 &&
        (this.#due.get(row.id) ?? 0) <= now,
    );
    if (due.length === 0) return;
    this.#round = this.#lookAt(due).finally(() => {
      this.#round = undefined;
    });
  }

  /** Waits for the round that is under way. */
  async close(): Promise<void> {
    await this.#round;
  }

  async #lookAt(rows: readonly UsageRow[]): Promise<void> {
    const { folderOf, failed, measure = measureFolder, clock } = this.#options;
    for (const row of rows) {
      const began = performance.now();
      try {
        await this.#judge(row, await measure(await folderOf(row.userID)));
      } catch (error) {
        failed(row.id, error);
      }
      const took = performance.now() - began;
      this.#due.set(row.id, clock.now().getTime() + Math.max(LOOK_MS, took * BUSY_SHARE));
    }
  }

  async #judge(row: UsageRow, bytes: number): Promise<void> {
    const { database, clock, quotaBytes, over } = this.#options;
    const quota = quotaBytes();
    const base = row.storageBase ?? bytes;
    if (bytes > storageLimit(quota, base)) {
      over(row.id, bytes);
      await queries.endUsage(database, row.id, clock.now(), 'out_of_storage');
      return;
    }
    const known = row.storageBytes;
    const isNews =
      known === null ||
      known > quota !== bytes > quota ||
      Math.abs(known - bytes) >= Math.min(STEP_BYTES, quota / 50);
    if (isNews)
      await queries.changeUsage(database, row.id, undefined, {
        storageBytes: bytes,
        storageBase: base,
      });
  }
}

const measureFolder = (folder: string): Promise<number> =>
  diskBytesOf(folder, 'looking at a personal folder', LOOK_LIMIT_MS);
