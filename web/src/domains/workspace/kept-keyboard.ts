/** A frame that nobody sees must not take the keyboard; JupyterLab does so whenever it has started. */
import { useEffect } from 'react';

const isUnseen = (element: Element | null): boolean =>
  element instanceof HTMLIFrameElement && element.closest('[hidden]') !== null;

/** Gives the keyboard back to where it was when a hidden frame takes it. */
export function useKeptKeyboard(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && !isUnseen(target)) last = target;
      else if (target instanceof HTMLElement) last?.focus();
    };
    const onBlur = (): void => {
      // The window knows who has it now only after this event.
      setTimeout(() => {
        if (!isUnseen(document.activeElement)) return;
        window.focus();
        last?.focus();
      }, 0);
    };
    document.addEventListener('focusin', onFocus);
    window.addEventListener('blur', onBlur);
    return () => {
      document.removeEventListener('focusin', onFocus);
      window.removeEventListener('blur', onBlur);
    };
  }, []);
}
