/** A modal dialog on the browser's own element: it keeps the focus, and Escape closes it. */
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useMessages } from '../kernel/language.tsx';
import { Button } from './Button.tsx';
import { CloseIcon } from './icons.tsx';
import { useModal } from './modal.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** Open while it is rendered. Focus returns to where it was. */
export function Dialog({ title, onClose, isWide, children }: DialogProps): ReactNode {
  const messages = useMessages();
  const ref = useModal(onClose);
  const titleID = useId();
  return (
    <dialog
      ref={ref}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleID}
    >
      <div className="dialog-head">
        <h2 id={titleID}>{title}</h2>
        <Button look="quiet" isIcon isSmall aria-label={messages.common.close} onClick={onClose}>
          <CloseIcon />
        </Button>
      </div>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What else there is to know before. */
  readonly children?: ReactNode;
}

/** Asks before something that cannot be taken back; the safe answer has the focus. */
export function ConfirmDialog({
  title,
  text,
  confirm,
  isBusy,
  onConfirm,
  onClose,
  children,
}: ConfirmProps): ReactNode {
  const messages = useMessages();
  const safe = useRef<HTMLButtonElement>(null);
  useEffect(() => safe.current?.focus(), []);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {children}
      <div className="dialog-actions">
        <Button ref={safe} onClick={onClose}>
          {messages.common.cancel}
        </Button>
        <Button look="danger-solid" isBusy={isBusy} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
