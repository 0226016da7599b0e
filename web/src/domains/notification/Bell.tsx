/** The bell in the header: the number of unread notifications, as the server tells it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { BellIcon } from '../../ui/icons.tsx';
import { unreadQuery } from './notification.api.ts';
import './bell.css';

/** More than this does not fit, and nobody counts further. */
const SHOWN = 99;

export function Bell(): ReactNode {
  const messages = useMessages();
  const unread = useQuery(unreadQuery).data ?? 0;
  const label = messages.notification.bell(unread);
  return (
    <Link
      to={paths.notifications}
      className="btn btn-quiet btn-icon bell"
      aria-label={label}
      title={label}
    >
      <BellIcon size={18} />
      {unread > 0 ? (
        <span className="bell-count num" aria-hidden="true">
          {unread > SHOWN ? `${SHOWN}+` : unread}
        </span>
      ) : null}
    </Link>
  );
}
