/** Whether the command palette is open: opened from the header, by keys, and from the menu. */
import { useSyncExternalStore } from 'react';

let isOpen = false;
const listeners = new Set<() => void>();

export function setPaletteOpen(open: boolean): void {
  if (open === isOpen) return;
  isOpen = open;
  for (const listener of listeners) listener();
}

export const usePaletteOpen = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
    () => false,
  );
