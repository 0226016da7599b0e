/** Calls about notifications, and how the event stream's news become the page's state. */
import {
  routes,
  type BodyInputOf,
  type Language,
  type Notification,
  type SentNotification,
} from '@hypercube/contract';
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import type { ReadList } from '../../ui/table/use-list.ts';

const KEY = ['notification'] as const;
const UNREAD_KEY = [...KEY, 'unread'] as const;
/** One's own lists; the event stream says when they changed. */
export const NOTIFICATIONS_KEY = [...KEY, 'list'] as const;
export const SENT_KEY = ['notification-sent'] as const;

/** The number on the bell; the event stream keeps it fresh. A count that fails is none. */
export const unreadQuery = queryOptions({
  queryKey: UNREAD_KEY,
  queryFn: async ({ signal }): Promise<number> => {
    const answer = await call(routes.listNotifications, {
      query: { count: 'true' },
      signal,
    }).catch(() => 0);
    return typeof answer === 'number' ? answer : 0;
  },
  staleTime: 60_000,
  meta: { isHandled: true },
});

/** What the stream told. */
export function acceptUnread(client: QueryClient, unread: number): void {
  client.setQueryData<number>(UNREAD_KEY, unread);
}

export interface NotificationSearch {
  readonly page: number;
  readonly state: 'unread' | 'read' | undefined;
  readonly kind: Notification['Kind'] | undefined;
}

export const NOTIFICATION_PAGE_SIZE = 20;

export const notificationsQuery = (search: NotificationSearch, language: Language) =>
  queryOptions({
    queryKey: [...NOTIFICATIONS_KEY, search, language],
    queryFn: async ({ signal }) => {
      const answer = await call(routes.listNotifications, {
        query: {
          page: search.page,
          pageSize: NOTIFICATION_PAGE_SIZE,
          ...(search.state ? { state: search.state } : {}),
          ...(search.kind ? { kind: search.kind } : {}),
        },
        signal,
      });
      return typeof answer === 'number' ? { List: [], Total: 0 } : answer;
    },
    placeholderData: keepPreviousData,
    meta: { isHandled: true },
  });

/** @param ids undefined: all of them */
export async function markRead(client: QueryClient, ids?: readonly number[]): Promise<void> {
  const { Unread } = await call(routes.readNotifications, {
    body: ids ? { UpdateIDList: [...ids] } : { All: true },
  });
  client.setQueryData<number>(UNREAD_KEY, Unread);
  await client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY });
}

export async function removeNotification(
  client: QueryClient,
  notificationID: number,
): Promise<void> {
  await call(routes.deleteNotification, { params: { notificationID } });
  await client.invalidateQueries({ queryKey: KEY });
}

export const readSent: ReadList<SentNotification> = (query, signal) =>
  call(routes.listSentNotifications, { query, signal });

export const sendNotification = (body: BodyInputOf<typeof routes.sendNotification>) =>
  call(routes.sendNotification, { body });

export const cancelNotification = (sentNotificationID: number) =>
  call(routes.cancelNotification, { params: { sentNotificationID } });
