/** One's own notifications, newest first. */
import { NOTIFICATION_KINDS, type Notification } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, readID } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { TrashIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { EmptyState, ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import {
  NOTIFICATION_PAGE_SIZE,
  markRead,
  notificationsQuery,
  removeNotification,
  unreadQuery,
  type NotificationSearch,
} from './notification.api.ts';
import './notification.css';

const STATES = ['unread', 'read'] as const;

function readSearch(given: Readonly<Record<string, unknown>>): NotificationSearch {
  return {
    page: readID(typeof given['page'] === 'string' ? given['page'] : undefined) ?? 1,
    state: STATES.find((state) => state === given['state']),
    kind: NOTIFICATION_KINDS.find((kind) => kind === given['kind']),
  };
}

const writeSearch = ({ page, state, kind }: NotificationSearch): Record<string, string> => ({
  ...(state ? { state } : {}),
  ...(kind ? { kind } : {}),
  ...(page > 1 ? { page: String(page) } : {}),
});

function Item({ item }: { readonly item: Notification }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.notification;
  const client = useQueryClient();
  const navigate = useNavigate();
  const reading = useMutation({ mutationFn: () => markRead(client, [item.ID]) });
  const removing = useMutation({
    mutationFn: () => removeNotification(client, item.ID),
    onSuccess: () => toast('success', words.removed),
  });
  const open = (path: string): void => {
    if (!item.IsRead) reading.mutate();
    // Paths of the site carry searches too, which only the router's parser reads as one.
    void navigate({ href: path } as never);
  };
  return (
    <li className={item.IsRead ? 'notification' : 'notification notification-unread'}>
      <div className="notification-body">
        <div className="row row-wrap">
          {item.IsRead ? null : (
            <>
              <span className="dot dot-busy" aria-hidden="true" />
              <span className="visually-hidden">{words.isUnread}</span>
            </>
          )}
          <b>{item.Title}</b>
          <span className="tag">{words.kinds[item.Kind]}</span>
          <time className="muted num" dateTime={item.SentAt}>
            {formatMoment(item.SentAt, language)}
          </time>
        </div>
        <p>{item.Content}</p>
      </div>
      <div className="row">
        {item.Path === null ? null : (
          <Button isSmall onClick={() => open(item.Path ?? paths.notifications)}>
            {words.open}
          </Button>
        )}
        {item.IsRead ? null : (
          <Button isSmall look="quiet" isBusy={reading.isPending} onClick={() => reading.mutate()}>
            {words.markRead}
          </Button>
        )}
        <Button
          isSmall
          isIcon
          look="quiet"
          aria-label={`${words.remove}: ${item.Title}`}
          isBusy={removing.isPending}
          onClick={() => removing.mutate()}
        >
          <TrashIcon />
        </Button>
      </div>
    </li>
  );
}

export function NotificationsPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.notification;
  const client = useQueryClient();
  const navigate = useNavigate();
  const search = readSearch(useSearch({ strict: false }));
  const list = useQuery(notificationsQuery(search, language));
  const unread = useQuery(unreadQuery).data ?? 0;
  const readingAll = useMutation({
    mutationFn: () => markRead(client),
    onSuccess: () => toast('success', words.allRead),
  });
  const go = (change: Partial<NotificationSearch>): void =>
    void navigate({
      to: paths.notifications,
      search: writeSearch({ ...search, page: 1, ...change }),
    });
  return (
    <div className="wrap">
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        {unread > 0 ? (
          <Button isBusy={readingAll.isPending} onClick={() => readingAll.mutate()}>
            {words.markAll}
          </Button>
        ) : null}
      </div>
      <div className="row row-wrap notification-filters">
        <Segments
          label={words.filter}
          value={search.state ?? 'all'}
          options={(['all', ...STATES] as const).map((value) => ({
            value,
            label: words.states[value],
          }))}
          onChange={(value) => go({ state: value === 'all' ? undefined : value })}
        />
        <Segments
          label={words.title}
          value={search.kind ?? 'all'}
          options={[
            { value: 'all' as const, label: words.states.all },
            ...NOTIFICATION_KINDS.map((value) => ({ value, label: words.kinds[value] })),
          ]}
          onChange={(value) => go({ kind: value === 'all' ? undefined : value })}
        />
      </div>
      {list.data === undefined ? (
        list.error ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 240 }} />
          </LoadingRegion>
        )
      ) : list.data.Total === 0 ? (
        <div className="card">
          <EmptyState title={words.emptyTitle} text={words.emptyText} />
        </div>
      ) : (
        <>
          <ul className="card notifications" aria-label={words.list}>
            {list.data.List.map((item) => (
              <Item key={item.ID} item={item} />
            ))}
          </ul>
          <Pagination
            page={search.page}
            pageSize={NOTIFICATION_PAGE_SIZE}
            total={list.data.Total}
            isEmpty={list.data.List.length === 0}
            to={paths.notifications}
            searchFor={(page) => writeSearch({ ...search, page })}
          />
        </>
      )}
    </div>
  );
}
