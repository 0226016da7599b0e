/** Where the widget stands: distances from the right and bottom edge, kept in this browser. */
import { LAYOUT } from '@hypercube/contract';

export interface Position {
  readonly right: number;
  readonly bottom: number;
}
export interface Box {
  readonly width: number;
  readonly height: number;
}

export const DEFAULT_POSITION: Position = { right: 24, bottom: LAYOUT.widgetOffsetPx };
/** A pointer that moved less than this has clicked, not dragged. */
export const DRAG_THRESHOLD_PX = 4;
const EDGE_PX = 8;
/** The header stays free. */
const TOP_PX = 64;
const STEP_PX = 16;
const BIG_STEP_PX = 64;
const KEY = 'widget-position';

const clamp = (value: number, min: number, max: number): number =>
  Math.min(Math.max(value, min), Math.max(min, max));

/** The nearest position at which the whole widget is in sight. */
export const inside = (position: Position, widget: Box, viewport: Box): Position => ({
  right: clamp(position.right, EDGE_PX, viewport.width - widget.width - EDGE_PX),
  bottom: clamp(position.bottom, EDGE_PX, viewport.height - widget.height - TOP_PX),
});

export const isDrag = (dx: number, dy: number): boolean => Math.hypot(dx, dy) >= DRAG_THRESHOLD_PX;

/** Where an arrow key moves it; null for other keys. */
export function moved(position: Position, key: string, isBig: boolean): Position | null {
  const step = isBig ? BIG_STEP_PX : STEP_PX;
  switch (key) {
    case 'ArrowLeft':
      return { ...position, right: position.right + step };
    case 'ArrowRight':
      return { ...position, right: position.right - step };
    case 'ArrowUp':
      return { ...position, bottom: position.bottom + step };
    case 'ArrowDown':
      return { ...position, bottom: position.bottom - step };
    default:
      return null;
  }
}

/** A stored position, or the default for anything that is not one. */
export function readPosition(stored: string | null): Position {
  try {
    const value = JSON.parse(stored ?? 'null') as Partial<Position> | null;
    if (Number.isFinite(value?.right) && Number.isFinite(value?.bottom)) {
      return { right: Number(value?.right), bottom: Number(value?.bottom) };
    }
  } catch {
    // Damaged by hand or by another version.
  }
  return DEFAULT_POSITION;
}

export function loadPosition(): Position {
  try {
    return readPosition(localStorage.getItem(KEY));
  } catch {
    return DEFAULT_POSITION;
  }
}

export function savePosition(position: Position): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(position));
  } catch {
    // It then stands at the default after a reload.
  }
}
