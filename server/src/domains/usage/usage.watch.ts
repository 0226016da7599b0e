/** Waiting for a usage to change, in whichever process that happens. */
import type { Listener } from '../../platform/database/notify.ts';
import type { UsageRow } from './usage.queries.ts';

export interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Reads again at every change until the condition holds.
 * @param read the usage now
 * @returns the last reading; whether the condition held is for the caller to see
 */
export async function waitForUsage(
  listener: Listener,
  usageID: number,
  read: () => Promise<UsageRow | undefined>,
  isDone: (row: UsageRow | undefined) => boolean,
  { timeoutMs, signal }: WaitOptions,
): Promise<UsageRow | undefined> {
  const prefix = `${usageID} `;
  let wake: () => void = () => undefined;
  let hasChanged = false;
  const changed = (): void => {
    hasChanged = true;
    wake();
  };
  const heard = (payload: string): void => {
    if (payload.startsWith(prefix)) changed();
  };
  let isOver = false;
  const finish = (): void => {
    isOver = true;
    wake();
  };
  const timer = setTimeout(finish, timeoutMs);
  listener.on('usage', heard);
  listener.on('resumed', changed);
  signal?.addEventListener('abort', finish);
  try {
    for (;;) {
      hasChanged = false;
      const row = await read();
      if (isDone(row) || isOver) return row;
      if (!hasChanged) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    clearTimeout(timer);
    listener.off('usage', heard);
    listener.off('resumed', changed);
    signal?.removeEventListener('abort', finish);
  }
}
