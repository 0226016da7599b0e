/** A button with a menu: arrows move, Home and End jump, Escape closes and gives the focus back. */
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from './Button.tsx';

export interface MenuEntry {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** A page of ours; or `onSelect`. */
  readonly to?: string;
  readonly onSelect?: () => void;
  readonly isDangerous?: boolean;
}

interface MenuButtonProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly children: ReactNode;
  readonly head?: ReactNode;
  readonly isSmall?: boolean;
  /** A button with words and this look, instead of an icon. */
  readonly look?: 'primary';
}

/** Index of the item that a key leads to; null for other keys. Moves around the ends. */
export function menuTarget(key: string, current: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (current + 1) % count;
    case 'ArrowUp':
      return (current - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

export function MenuButton({
  label,
  entries,
  children,
  head,
  isSmall,
  look,
}: MenuButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const menuID = useId();

  const items = (): HTMLElement[] => [
    ...(anchor.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
  ];
  const close = (): void => {
    setOpen(false);
    trigger.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    anchor.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const onPointer = (event: PointerEvent): void => {
      if (event.target instanceof Node && !anchor.current?.contains(event.target)) setOpen(false);
    };
    // An iframe swallows pointer events; losing the window's focus closes the menu as well.
    const onBlur = (): void => setOpen(false);
    document.addEventListener('pointerdown', onPointer);
    addEventListener('blur', onBlur);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      removeEventListener('blur', onBlur);
    };
  }, [isOpen]);

  const onMenuKey = (event: KeyboardEvent): void => {
    const all = items();
    const target = menuTarget(
      event.key,
      all.indexOf(document.activeElement as HTMLElement),
      all.length,
    );
    if (target !== null) {
      event.preventDefault();
      all[target]?.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') {
      setOpen(false);
    }
  };

  return (
    <div className="menu-anchor" ref={anchor}>
      <Button
        ref={trigger}
        look={look ?? 'quiet'}
        isIcon={look === undefined}
        isSmall={isSmall}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuID : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && !isOpen) {
            event.preventDefault();
            setOpen(true);
          }
        }}
      >
        {children}
      </Button>
      {isOpen ? (
        <div className="menu">
          {head ? <div className="menu-head">{head}</div> : null}
          <div id={menuID} role="menu" aria-label={label} tabIndex={-1} onKeyDown={onMenuKey}>
            {entries.map((entry) =>
              entry.to === undefined ? (
                <button
                  key={entry.key}
                  type="button"
                  role="menuitem"
                  tabIndex={-1}
                  className={entry.isDangerous ? 'menu-item btn-danger' : 'menu-item'}
                  onClick={() => {
                    close();
                    entry.onSelect?.();
                  }}
                >
                  {entry.icon}
                  {entry.label}
                </button>
              ) : (
                <Link
                  key={entry.key}
                  to={entry.to}
                  role="menuitem"
                  tabIndex={-1}
                  className="menu-item"
                  onClick={() => setOpen(false)}
                >
                  {entry.icon}
                  {entry.label}
                </Link>
              ),
            )}
          </div>
        </div>
      ) : null}
    </div>
  );
}
