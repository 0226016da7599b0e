/** Where the focus goes when the thing that had it is taken away. */
import { useEffect, useRef, type FocusEvent, type RefObject } from 'react';

interface KeptFocus<E extends HTMLElement> {
  readonly ref: RefObject<E | null>;
  readonly tabIndex: -1;
  readonly onFocus: (event: FocusEvent<E>) => void;
}

/**
 * Props of a list from which rows can be deleted: when the focused row goes, the list takes the
 * focus. Without it the keyboard would begin again at the top of the page.
 */
export function useKeptFocus<E extends HTMLElement>(): KeptFocus<E> {
  const ref = useRef<E>(null);
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    if (focused.current === null || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) ref.current?.focus();
  });
  return {
    ref,
    tabIndex: -1,
    onFocus: (event) => {
      focused.current = event.target;
    },
  };
}
