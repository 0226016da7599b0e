/**
 * The live figures: read once for everybody who follows them on this server, told when they
 * changed, and not read at all while nobody follows.
 */
import type { DashboardNow } from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/notify.ts';
import { readNow } from './dashboard.queries.ts';

/** Who did something within this is online; sessions write down that they were seen now and then. */
const ONLINE_MS = 5 * 60_000;

/** However much happens, they are read at most this often. */
const LEAST_MS = 1000;
/** Who goes away says nothing, so they are read again after this even when nothing was heard. */
const ROUND_MS = 5000;
/** What is heard of whatever is counted: environments, suggestions, logins and applications. */
const CHANNELS = ['usage', 'suggestion', 'login', 'notification', 'resumed'] as const;

/** The live figures as they are now. */
export const readOnline = (database: Executor, clock: Clock): Promise<DashboardNow> =>
  readNow(database, new Date(clock.now().getTime() - ONLINE_MS));

type Follower = (now: DashboardNow) => void;

export interface LiveFiguresOptions {
  readonly read: () => Promise<DashboardNow>;
  readonly listener: Pick<Listener, 'on'>;
  readonly onError: (error: unknown) => void;
}

export class LiveFigures {
  readonly #options: LiveFiguresOptions;
  readonly #followers = new Set<Follower>();
  /** As they were told last; null while nobody follows. */
  #last: DashboardNow | null = null;
  #next: NodeJS.Timeout | undefined;
  #nextAt = Infinity;
  #readAt = -Infinity;

  constructor(options: LiveFiguresOptions) {
    this.#options = options;
    for (const channel of CHANNELS)
      options.listener.on(channel, () => this.#plan(this.#readAt + LEAST_MS));
  }

  /** Tells the figures now and at every change. @returns how to end it */
  follow(tell: Follower): () => void {
    this.#followers.add(tell);
    if (this.#last) tell(this.#last);
    else this.#plan(performance.now());
    return () => {
      this.#followers.delete(tell);
      if (this.#followers.size === 0) this.close();
    };
  }

  /** Reads at that time, unless it was going to be read sooner. */
  #plan(at: number): void {
    if (this.#followers.size === 0 || this.#nextAt <= at) return;
    clearTimeout(this.#next);
    this.#nextAt = at;
    const wait = Math.max(0, at - performance.now());
    this.#next = setTimeout(() => void this.#read(), wait).unref();
  }

  async #read(): Promise<void> {
    this.#nextAt = Infinity;
    this.#readAt = performance.now();
    try {
      const now = await this.#options.read();
      if (this.#followers.size === 0) return;
      const isChanged = JSON.stringify(now) !== JSON.stringify(this.#last);
      this.#last = now;
      if (isChanged) for (const tell of this.#followers) tell(now);
    } catch (error) {
      this.#options.onError(error);
    }
    this.#plan(this.#readAt + ROUND_MS);
  }

  /** Stops reading; whoever follows next begins anew. */
  close(): void {
    clearTimeout(this.#next);
    this.#nextAt = Infinity;
    this.#last = null;
  }
}
