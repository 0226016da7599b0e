/** How the workspace divides the window; kept in this browser. */
import { useSyncExternalStore } from 'react';

export const MODES = ['both', 'environment', 'document'] as const;
export type Mode = (typeof MODES)[number];

export const MIN_PERCENT = 20;
export const MAX_PERCENT = 75;
const DEFAULT_PERCENT = 42;

export const clampPercent = (percent: number): number =>
  Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, Math.round(percent * 10) / 10));

/** Where a key moves the divider; null for other keys. */
export function dividerTarget(percent: number, key: string, isBig: boolean): number | null {
  const step = isBig ? 10 : 2;
  switch (key) {
    case 'ArrowLeft':
      return clampPercent(percent - step);
    case 'ArrowRight':
      return clampPercent(percent + step);
    case 'Home':
      return MIN_PERCENT;
    case 'End':
      return MAX_PERCENT;
    default:
      return null;
  }
}

export const readPercent = (stored: string | null): number => {
  const value = Number(stored ?? '');
  return stored !== null && stored !== '' && Number.isFinite(value)
    ? clampPercent(value)
    : DEFAULT_PERCENT;
};
export const readMode = (stored: string | null): Mode =>
  MODES.find((mode) => mode === stored) ?? 'both';

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
const write = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice lasts as long as the page.
  }
};

export const loadPercent = (): number => readPercent(read('workspace-divider'));
export const savePercent = (percent: number): void => write('workspace-divider', String(percent));
export const loadMode = (): Mode => readMode(read('workspace-mode'));
export const saveMode = (mode: Mode): void => write('workspace-mode', mode);

const NARROW = '(max-width: 860px)';

/** Whether two panes do not fit side by side. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      const query = matchMedia(NARROW);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(NARROW).matches,
    () => false,
  );
