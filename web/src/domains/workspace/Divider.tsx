/** The bar between document and environment: dragged, or moved by arrow keys. */
import { useRef, type PointerEvent, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { MAX_PERCENT, MIN_PERCENT, clampPercent, dividerTarget } from './layout.ts';

interface DividerProps {
  readonly percent: number;
  /** Id of the pane whose width it sets. */
  readonly controls: string;
  readonly onMove: (percent: number) => void;
  readonly onDragging: (isDragging: boolean) => void;
  readonly onDone: (percent: number) => void;
}

export function Divider({
  percent,
  controls,
  onMove,
  onDragging,
  onDone,
}: DividerProps): ReactNode {
  const messages = useMessages();
  const isDragging = useRef(false);
  const at = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    return box === undefined
      ? percent
      : clampPercent(((event.clientX - box.left) / box.width) * 100);
  };
  const end = (): void => {
    if (!isDragging.current) return;
    isDragging.current = false;
    onDragging(false);
    onDone(percent);
  };
  return (
    // A focusable separator is a control (WAI-ARIA "window splitter").
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a rule cannot be moved
      role="separator"
      className="divider"
      aria-orientation="vertical"
      aria-label={messages.usage.workspace.divider}
      aria-controls={controls}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={MIN_PERCENT}
      aria-valuemax={MAX_PERCENT}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        isDragging.current = true;
        onDragging(true);
      }}
      onPointerMove={(event) => {
        if (isDragging.current) onMove(at(event));
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={(event) => {
        const target = dividerTarget(percent, event.key, event.shiftKey);
        if (target === null) return;
        event.preventDefault();
        onMove(target);
        onDone(target);
      }}
    >
      <i />
    </div>
  );
}
