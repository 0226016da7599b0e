/** A list whose order can be changed: by dragging, and by buttons for keyboard and screen reader. */
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../kernel/language.tsx';
import { Announcement } from './Announcement.tsx';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ChevronDownIcon } from './icons.tsx';
import { useKeptFocus } from './kept-focus.ts';
import './order.css';

/** The items with one of them moved to another place. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(to, 0, item);
  return next;
}

interface OrderProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => number;
  readonly nameOf: (item: T) => string;
  readonly render: (item: T, index: number) => ReactNode;
  readonly onOrder: (items: T[]) => void;
  /** The order cannot be changed. */
  readonly isFixed?: boolean;
  /** A change is being saved: the buttons stay, and with them the focus, but nothing moves. */
  readonly isBusy?: boolean;
}

export function Order<T>({
  label,
  items,
  keyOf,
  nameOf,
  render,
  onOrder,
  isFixed = false,
  isBusy = false,
}: OrderProps<T>): ReactNode {
  const messages = useMessages();
  const kept = useKeptFocus<HTMLOListElement>();
  /** What a screen reader is told after a move. */
  const [told, setTold] = useState('');
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const move = (from: number, to: number): void => {
    const item = items[from];
    if (isBusy || item === undefined || from === to || to < 0 || to >= items.length) return;
    onOrder(moved(items, from, to));
    setTold(messages.form.movedTo(nameOf(item), to + 1, items.length));
  };
  return (
    <>
      <Announcement>{told}</Announcement>
      <ol className="order" aria-label={label} {...kept}>
        {items.map((item, index) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dragging is one more way; the buttons do the same
          <li
            key={keyOf(item)}
            className={over === index && dragged !== index ? 'order-over' : undefined}
            draggable={!isFixed && !isBusy && items.length > 1}
            onDragStart={() => setDragged(index)}
            onDragEnd={() => {
              setDragged(null);
              setOver(null);
            }}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              setOver(index);
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null) move(dragged, index);
              setOver(null);
            }}
          >
            {isFixed || items.length < 2 ? null : (
              <span className="order-moves">
                <Button
                  look="quiet"
                  isIcon
                  isSmall
                  className="order-up"
                  aria-label={messages.form.moveUp(nameOf(item))}
                  aria-disabled={isBusy || index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <ChevronDownIcon />
                </Button>
                <Button
                  look="quiet"
                  isIcon
                  isSmall
                  aria-label={messages.form.moveDown(nameOf(item))}
                  aria-disabled={isBusy || index === items.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <ChevronDownIcon />
                </Button>
              </span>
            )}
            <div className="order-item">{render(item, index)}</div>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The order of what a list shows, in a dialog that saves it. */
export function OrderDialog<T>({
  title,
  text,
  items,
  keyOf,
  nameOf,
  save,
  onSaved,
  onClose,
}: {
  readonly title: string;
  readonly text: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => number;
  readonly nameOf: (item: T) => string;
  readonly save: (ids: number[]) => Promise<unknown>;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const [order, setOrder] = useState(items);
  const saving = useMutation({ mutationFn: () => save(order.map(keyOf)), onSuccess: onSaved });
  return (
    <Dialog title={title} isWide onClose={onClose}>
      <p className="muted">{text}</p>
      <Order
        label={title}
        items={order}
        keyOf={keyOf}
        nameOf={nameOf}
        render={(item) => <span>{nameOf(item)}</span>}
        onOrder={setOrder}
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button look="primary" isBusy={saving.isPending} onClick={() => saving.mutate()}>
          {messages.form.save}
        </Button>
      </div>
    </Dialog>
  );
}
