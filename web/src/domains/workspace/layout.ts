/** How the workspace divides the window; kept in this browser. */
import { useSyncExternalStore } from 'react';
import { chosen, readStored, writeStored } from '../../kernel/stored.ts';

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
export const readMode = (stored: string | null): Mode => chosen(stored, MODES, 'both');

export const loadPercent = (): number => readPercent(readStored('workspace-divider'));
export const savePercent = (percent: number): void =>
  writeStored('workspace-divider', String(percent));
export const loadMode = (): Mode => readMode(readStored('workspace-mode'));
export const saveMode = (mode: Mode): void => writeStored('workspace-mode', mode);

/** Sizes of the document's text, in pixels. */
export const FONT_SIZES = [14, 15, 16, 18, 20, 24] as const;
const USUAL_FONT_SIZE = 15;

/** The size beside one, larger or smaller; the same at the ends. */
export function fontSizeBeside(size: number, step: 1 | -1): number {
  const index = FONT_SIZES.findIndex((known) => known === size);
  return FONT_SIZES[index + step] ?? size;
}
export const readFontSize = (stored: string | null): number =>
  FONT_SIZES.find((known) => String(known) === stored) ?? USUAL_FONT_SIZE;
export const loadFontSize = (): number => readFontSize(readStored('workspace-font'));
export const saveFontSize = (size: number): void => writeStored('workspace-font', String(size));

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
