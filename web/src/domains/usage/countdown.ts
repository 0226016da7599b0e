/** The countdown of an environment: one rule, one ticking clock, for every place that shows it. */
import { TIMES, UsageStatus, remainingSeconds, type Usage } from '@hypercube/contract';
import { useCallback, useSyncExternalStore } from 'react';
import type { UsageState } from './usage.api.ts';

/** Seconds left, whole; null while nothing counts down. */
export function remainingOf(state: UsageState | undefined, nowMs: number): number | null {
  if (state === undefined || state.usage === null) return null;
  const left = remainingSeconds(state.usage, Math.max(0, nowMs - state.receivedAt) / 1000);
  return left === null ? null : Math.ceil(left);
}

export const WARNING_LEVELS = ['none', 'soon', 'last'] as const;
/** none; `soon` under 5 minutes; `last` under 1 minute, when it can no longer be renewed. */
export type WarningLevel = (typeof WARNING_LEVELS)[number];

export function warningLevel(remaining: number | null): WarningLevel {
  const [soon, last] = TIMES.usageWarningsSeconds;
  if (remaining === null) return 'none';
  if (remaining < last) return 'last';
  return remaining < soon ? 'soon' : 'none';
}

/** Why a button is off; null when it is on. */
export function renewObstacle(
  usage: Usage,
  remaining: number | null,
): 'too_late' | 'not_running' | null {
  if (usage.Status !== UsageStatus.running || usage.Phase !== 'ready') return 'not_running';
  return remaining !== null && remaining < TIMES.renewalMarginSeconds ? 'too_late' : null;
}

/** How an environment is, in the words that pages use. */
export type UsageMood = 'running' | 'paused' | 'held' | 'queued' | 'starting' | 'failed';

export function moodOf(usage: Usage): UsageMood {
  if (usage.Phase === 'failed') return 'failed';
  if (usage.Phase === 'queued') return 'queued';
  if (usage.Phase !== 'ready') return 'starting';
  if (usage.Status === UsageStatus.stopped) return usage.IsHeld ? 'held' : 'paused';
  return 'running';
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all countdowns of the page. */
function subscribeTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 250);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** Seconds left; renders again only when the second changes. */
export function useRemaining(state: UsageState | undefined): number | null {
  const read = useCallback(() => remainingOf(state, performance.now()), [state]);
  return useSyncExternalStore(subscribeTick, read, () => null);
}

/** Elapsed milliseconds since an ISO moment of the server, to a tenth of a second. */
export function useElapsed(sinceMs: number | null, now: () => number): number | null {
  const read = useCallback(
    () => (sinceMs === null ? null : Math.max(0, Math.floor((now() - sinceMs) / 500) * 500)),
    [sinceMs, now],
  );
  return useSyncExternalStore(subscribeTick, read, () => null);
}
