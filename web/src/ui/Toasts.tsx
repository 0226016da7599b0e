/** Shows the toasts: 100 px from the top, at most three, above dialogs. */
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useMessages } from '../kernel/language.tsx';
import { toastList, type Toast } from '../kernel/toasts.ts';
import { CheckIcon, CloseIcon, ErrorIcon, InfoIcon, WarnIcon } from './icons.tsx';

const ICONS = { info: InfoIcon, success: CheckIcon, warning: WarnIcon, error: ErrorIcon } as const;

function ToastItem({ toast }: { readonly toast: Toast }): ReactNode {
  const messages = useMessages();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    // Whoever reads it (pointer or focus on it) keeps it.
    if (isHeld) return;
    const timer = setTimeout(() => toastList.remove(toast.id), toast.durationMs);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  const Icon = ICONS[toast.kind];
  const kind = {
    info: messages.common.toastInfo,
    success: messages.common.toastSuccess,
    warning: messages.common.toastWarning,
    error: messages.common.toastError,
  }[toast.kind];
  return (
    // Reading holds it: not an action, so it needs no role.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={`toast toast-${toast.kind}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon />
      <p>
        <span className="visually-hidden">{kind}</span>
        {toast.text}
        {toast.action ? (
          <button
            type="button"
            className="toast-action"
            onClick={() => {
              toast.action?.run();
              toastList.remove(toast.id);
            }}
          >
            {toast.action.label}
          </button>
        ) : null}
      </p>
      <button
        type="button"
        className="toast-close"
        aria-label={messages.common.dismiss}
        onClick={() => toastList.remove(toast.id)}
      >
        <CloseIcon size={14} />
      </button>
    </div>
  );
}

export function Toasts(): ReactNode {
  const messages = useMessages();
  const toasts = useSyncExternalStore(toastList.subscribe, toastList.current, toastList.current);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = ref.current;
    if (list === null || typeof list.showPopover !== 'function') return;
    if (list.matches(':popover-open')) list.hidePopover();
    // Opened again for every change, so that it lies above a dialog that came meanwhile.
    if (toasts.length > 0) list.showPopover();
  }, [toasts]);
  return (
    <div
      ref={ref}
      className="toasts"
      popover="manual"
      role="log"
      aria-live="polite"
      aria-relevant="additions"
      aria-label={messages.common.toasts}
    >
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </div>
  );
}
