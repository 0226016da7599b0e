/**
 * Whether the session answers: a small request to it about every second while the page is seen.
 * A request that stalls is given up, so that the next one takes a new connection: a link that
 * comes back is then found at once, and not when the old connection has found it out.
 */
import { useEffect, useRef, useState } from 'react';
import type { StreamState } from '../usage/watch.ts';

export type Health = 'connected' | 'unstable' | 'lost';

/** From the end of one request to the begin of the next. */
const PAUSE_MS = 900;
/** An answer that takes longer is told: with the pause before it, within 1.5 s of a stall. */
const UNSTABLE_MS = 500;
const LOST_MS = 10_000;
const QUICK_TIMEOUT_MS = 1000;
/** On a slow link the quick ones never come back; one that waits finds out that it is only slow. */
const PATIENT_TIMEOUT_MS = 8000;
/** After a silence of this length what stood before is better made anew than waited for. */
export const STALE_MS = 1500;

export interface HeartbeatListener {
  readonly onHealth: (health: Health) => void;
  /** An answer came after a silence of so many milliseconds. */
  readonly onReturn: (silentMs: number) => void;
}

/** Asks again and again, and tells what that says of the link. */
export class Heartbeat {
  readonly #ask: (signal: AbortSignal) => Promise<boolean>;
  readonly #listener: HeartbeatListener;
  #run = new AbortController();
  #health: Health = 'connected';
  #answeredAt = performance.now();
  #hasFailed = false;
  #isPatient = false;
  /** How long an answer takes on this link. */
  #roundTripMs = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(ask: (signal: AbortSignal) => Promise<boolean>, listener: HeartbeatListener) {
    this.#ask = ask;
    this.#listener = listener;
  }

  /** Begins anew, as after the page was hidden: what was not asked is not a silence. */
  start(): void {
    this.pause();
    this.#answeredAt = performance.now();
    this.#hasFailed = false;
    this.#run = new AbortController();
    void this.#beat(this.#run.signal);
  }

  /** Asks no more, and gives up what is under way. */
  pause(): void {
    this.#run.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, ms);
    this.#timers.push(timer);
    return () => {
      clearTimeout(timer);
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  async #beat(run: AbortSignal): Promise<void> {
    const patience = Math.min(
      PATIENT_TIMEOUT_MS,
      Math.max(QUICK_TIMEOUT_MS, 2 * this.#roundTripMs),
    );
    const isSlow = this.#after(Math.max(UNSTABLE_MS, 2 * this.#roundTripMs), () => this.#judge());
    const isAlive = await this.#once(patience, run);
    if (run.aborted) return;
    isSlow();
    if (isAlive) {
      this.#answered();
    } else {
      this.#hasFailed = true;
      this.#judge();
      void this.#waitPatiently(run);
    }
    // What failed at once must not be asked in a loop; what stalled has waited already.
    this.#after(isAlive ? PAUSE_MS : 250, () => void this.#beat(run));
  }

  async #waitPatiently(run: AbortSignal): Promise<void> {
    if (this.#isPatient) return;
    this.#isPatient = true;
    const isAlive = await this.#once(PATIENT_TIMEOUT_MS, run);
    this.#isPatient = false;
    if (isAlive && !run.aborted) this.#answered();
  }

  async #once(timeoutMs: number, run: AbortSignal): Promise<boolean> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    const began = performance.now();
    const isAlive = await this.#ask(AbortSignal.any([run, limit.signal])).catch(() => false);
    clearTimeout(timer);
    if (isAlive) this.#roundTripMs = performance.now() - began;
    return isAlive;
  }

  #answered(): void {
    const silentMs = performance.now() - this.#answeredAt;
    this.#answeredAt = performance.now();
    const hadFailed = this.#hasFailed;
    this.#hasFailed = false;
    this.#tell('connected');
    if (hadFailed) this.#listener.onReturn(silentMs);
  }

  /** Called when something is wrong: how wrong is a matter of how long. */
  #judge(): void {
    this.#tell(performance.now() - this.#answeredAt >= LOST_MS ? 'lost' : 'unstable');
  }

  #tell(health: Health): void {
    if (health === this.#health) return;
    this.#health = health;
    this.#listener.onHealth(health);
  }
}

/** What the light shows: the event stream's trouble is at least a doubt. */
export const healthOf = (heard: Health, stream: StreamState): Health =>
  heard === 'connected' && stream === 'broken' ? 'unstable' : heard;

async function ping(address: string, signal: AbortSignal): Promise<boolean> {
  const isSameOrigin = new URL(address, location.href).origin === location.origin;
  const response = await fetch(address, {
    cache: 'no-store',
    credentials: 'include',
    // Of another origin nothing can be read, but that it answered can be told.
    mode: isSameOrigin ? 'same-origin' : 'no-cors',
    signal,
  });
  return response.type === 'opaque' || response.ok;
}

/**
 * @param address what to ask; null while nothing should be asked
 * @param onReturn told after a silence that a connection may not have outlived
 */
export function useHealth(
  address: string | null,
  stream: StreamState,
  onReturn: () => void,
): Health {
  const [heard, setHeard] = useState<{ address: string; health: Health } | null>(null);
  const told = useRef(onReturn);
  useEffect(() => {
    told.current = onReturn;
  }, [onReturn]);
  useEffect(() => {
    if (address === null) return;
    const heartbeat = new Heartbeat((signal) => ping(address, signal), {
      onHealth: (health) => setHeard({ address, health }),
      onReturn: (silentMs) => {
        if (silentMs >= STALE_MS) told.current();
      },
    });
    const onVisibility = (): void => {
      if (document.visibilityState === 'visible') heartbeat.start();
      else heartbeat.pause();
    };
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      heartbeat.pause();
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [address]);
  // What was heard belongs to the address that was asked.
  return healthOf(
    heard?.address === address ? (heard?.health ?? 'connected') : 'connected',
    stream,
  );
}
