/** The navigation on a phone. */
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../kernel/language.tsx';
import { Button } from '../ui/Button.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import { useModal } from '../ui/modal.ts';
import { isCurrent, shownNavigation } from './pages.ts';
import { LanguageButton, ThemeButton } from './switches.tsx';

export function Drawer({ onClose }: { readonly onClose: () => void }): ReactNode {
  const messages = useMessages();
  const { pathname } = useLocation();
  const ref = useModal(onClose);
  return (
    <dialog ref={ref} className="drawer" aria-label={messages.shell.menu}>
      <div className="row row-apart">
        <strong>{messages.shell.menu}</strong>
        <Button look="quiet" isIcon aria-label={messages.common.close} onClick={onClose}>
          <CloseIcon size={20} />
        </Button>
      </div>
      <nav aria-label={messages.shell.nav.label}>
        <ul className="drawer-links">
          {shownNavigation().map(({ name, path }) => (
            <li key={name}>
              <Link
                to={path}
                aria-current={isCurrent(path, pathname) ? 'page' : undefined}
                onClick={onClose}
              >
                {messages.shell.nav[name]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="drawer-foot">
        <LanguageButton isWide />
        <ThemeButton />
      </div>
    </dialog>
  );
}
