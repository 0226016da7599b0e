/** What all modal dialogs share. */
import { useEffect, useRef, type RefObject } from 'react';

/**
 * Opens a dialog element as a modal while it is rendered: the browser keeps the focus in it,
 * Escape and a click on the backdrop ask to close, and the focus goes back to where it was.
 */
export function useModal(onClose: () => void): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    const before = document.activeElement;
    const onCancel = (event: Event): void => {
      event.preventDefault();
      close.current();
    };
    const onClick = (event: MouseEvent): void => {
      // The backdrop belongs to the dialog element itself.
      if (event.target === dialog) close.current();
    };
    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('click', onClick);
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('click', onClick);
      const hadFocus =
        document.activeElement === document.body || dialog.contains(document.activeElement);
      dialog.close();
      // Unless what was chosen has put it somewhere else.
      if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return ref;
}
