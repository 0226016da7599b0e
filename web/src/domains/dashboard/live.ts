/** Which tab shows the live figures: the one event stream of the browser then tells them. */
import type { DashboardNow } from '@hypercube/contract';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

export const NOW_KEY = ['dashboard', 'now'] as const;

let shown = 0;
const listeners = new Set<() => void>();

function change(by: 1 | -1): void {
  shown += by;
  for (const listener of listeners) listener();
}

/** Whether a page of this tab shows them. */
export const areFiguresShown = (): boolean => shown > 0;

/** @returns how to end it */
export function watchFiguresShown(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks for the live figures as long as a component stands. */
export function useLiveFigures(): void {
  useEffect(() => {
    change(1);
    return () => change(-1);
  }, []);
}

/** Takes over what the stream told. */
export const acceptFigures = (client: QueryClient, now: DashboardNow): void =>
  void client.setQueryData(NOW_KEY, now);
