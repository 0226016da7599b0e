/** Both clipboards by hand, for browsers that keep theirs to themselves. */
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { readClipboard, writeClipboard } from '../../kernel/clipboard.ts';
import { useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';

export function ClipboardPanel({
  remoteText,
  isConnected,
  onSend,
  onClose,
}: {
  /** What was copied last on the desktop. */
  readonly remoteText: string;
  readonly isConnected: boolean;
  readonly onSend: (text: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.desktop;
  const id = useId();
  const [text, setText] = useState(remoteText);
  const [shown, setShown] = useState(remoteText);
  const area = useRef<HTMLTextAreaElement>(null);
  // Something was copied on the desktop meanwhile: that is what one opened the panel for.
  if (remoteText !== shown) {
    setShown(remoteText);
    setText(remoteText);
  }
  const panel = useRef<HTMLElement>(null);
  useEffect(() => area.current?.focus(), []);
  useEffect(() => {
    const element = panel.current;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onClose();
    };
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, [onClose]);
  const copy = async (): Promise<void> => {
    if (await writeClipboard(text)) {
      toast('success', messages.common.copied);
      return;
    }
    // What is selected can be copied by the keyboard everywhere.
    area.current?.select();
    toast('info', words.copyByKey);
  };
  const take = async (): Promise<void> => {
    const local = await readClipboard();
    if (local === null) toast('info', words.pasteByKey);
    else setText(local);
    area.current?.focus();
  };
  return (
    <section ref={panel} className="clipboard-panel" aria-label={words.clipboard}>
      <div className="row row-apart">
        <label htmlFor={id} className="field-label">
          {words.clipboardText}
        </label>
        <Button look="quiet" isIcon isSmall aria-label={messages.common.close} onClick={onClose}>
          <CloseIcon />
        </Button>
      </div>
      <textarea
        ref={area}
        id={id}
        value={text}
        spellCheck={false}
        rows={6}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="field-hint">{words.clipboardHint}</p>
      <div className="row row-wrap">
        <Button
          look="primary"
          isSmall
          obstacle={isConnected ? null : words.states[5]}
          onClick={() => {
            onSend(text);
            toast('success', words.sent);
          }}
        >
          {words.send}
        </Button>
        <Button isSmall onClick={() => void take()}>
          {words.take}
        </Button>
        <Button isSmall onClick={() => void copy()}>
          {words.copyOut}
        </Button>
      </div>
    </section>
  );
}
