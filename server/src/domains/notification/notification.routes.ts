import { ROLES, type Language, type SentNotification } from '@hypercube/contract';
import { signedIn } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { inLanguage } from '../../platform/language.ts';
import { listOwn, listSent, type OwnRow, type SentRow } from './notification.queries.ts';
import type { NotificationService } from './notification.service.ts';

const presentOwn = (row: OwnRow, language: Language) => ({
  ID: row.id,
  Kind: row.kind as 'system',
  Title: (language === 'en-US' && row.titleEn) || row.titleZh,
  Content: (language === 'en-US' && row.contentEn) || row.contentZh,
  Path: row.path,
  IsRead: row.readAt !== null,
  SentAt: (row.sentAt ?? row.sendAt).toISOString(),
});

const presentSent = (row: SentRow, language: Language): SentNotification => ({
  ID: row.id,
  TitleZh: row.titleZh,
  TitleEn: row.titleEn,
  ContentZh: row.contentZh,
  ContentEn: row.contentEn,
  Path: row.path,
  Audience: (row.audience ?? 'users') as SentNotification['Audience'],
  Role: ROLES.find((role) => role === row.role) ?? null,
  Course: row.courseZh === null ? null : inLanguage(language, row.courseZh, row.courseEn ?? ''),
  Sender: row.sender,
  SendAt: row.sendAt.toISOString(),
  IsSent: row.sentAt !== null,
  Recipients: row.recipients,
  Read: row.read,
});

type Names =
  | 'listNotifications'
  | 'readNotifications'
  | 'deleteNotification'
  | 'listSentNotifications'
  | 'sendNotification'
  | 'cancelNotification';

export const notificationHandlers = (
  database: Database,
  service: NotificationService,
): HandlersOf<Names> => ({
  listNotifications: async ({ actor, query }) => {
    const { userID } = signedIn(actor);
    if (query.count === 'true') return service.countUnread(userID);
    const { rows, total } = await listOwn(database, userID, {
      ...query,
      keyword: query.keyword,
      kind: query.kind,
      state: query.state,
    });
    return { List: rows.map((row) => presentOwn(row, query.lang)), Total: total };
  },

  readNotifications: async ({ actor, body }) => ({
    Unread: await service.markRead(
      signedIn(actor).userID,
      // Neither: nothing was meant, so nothing is marked.
      body.All === true ? undefined : (body.UpdateIDList ?? []),
    ),
  }),

  deleteNotification: async ({ actor, scoped }) => {
    await service.remove(signedIn(actor).userID, scoped.notificationID.id);
    return null;
  },

  listSentNotifications: async ({ query }) => {
    const { rows, total } = await listSent(database, {
      ...query,
      keyword: query.keyword,
      state: query.state,
    });
    return { List: rows.map((row) => presentSent(row, query.lang)), Total: total };
  },

  sendNotification: async ({ actor, body, query }) =>
    presentSent(await service.send(signedIn(actor).userID, body), query.lang),

  cancelNotification: async ({ scoped }) => {
    await service.cancel(scoped.sentNotificationID);
    return null;
  },
});
