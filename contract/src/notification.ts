/** Notifications: what a user was told, the count on the bell, and what staff send. */
import { z } from 'zod';
import {
  COUNT_LIMITS,
  NOTIFICATION_KINDS,
  ROLES,
  TEXT_LIMITS,
  id,
  listOf,
  listQuery,
  pathID,
  route,
  sitePath,
} from './kernel/index.ts';

/** A user's own notification, in the language of the request. */
export const notification = z.object({
  ID: id(),
  Kind: z.enum(NOTIFICATION_KINDS),
  Title: z.string(),
  Content: z.string(),
  /** Page of the site to which it leads; null when it only tells. */
  Path: z.string().nullable(),
  IsRead: z.boolean(),
  SentAt: z.iso.datetime(),
});
export type Notification = z.output<typeof notification>;

export const listNotifications = route({
  method: 'GET',
  path: '/notification',
  summary: 'One’s own notifications, newest first; with `count=true` the number of unread ones',
  access: { need: ['notification.list'] },
  query: {
    ...listQuery,
    count: z.enum(['true', 'false']).default('false'),
    state: z.enum(['unread', 'read']).optional(),
    kind: z.enum(NOTIFICATION_KINDS).optional(),
  },
  response: z.union([z.int().nonnegative(), listOf(notification)]),
  errors: [],
  scope: {},
});

export const readNotifications = route({
  method: 'PUT',
  path: '/notification',
  summary: 'Mark one’s own notifications as read: those named, or all',
  access: { need: ['notification.update'] },
  body: {
    UpdateIDList: z.array(id()).max(COUNT_LIMITS.pageSizeMax).optional(),
    All: z.literal(true).optional(),
  },
  response: z.object({ Unread: z.int().nonnegative() }),
  errors: [],
  scope: { UpdateIDList: 'ownNotification' },
});

export const deleteNotification = route({
  method: 'DELETE',
  path: '/notification/:notificationID',
  summary: 'Take a notification out of one’s own list',
  access: { need: ['notification.update'] },
  params: { notificationID: pathID() },
  response: z.null(),
  errors: [],
  scope: { notificationID: 'ownNotification' },
});

/** Who is meant: exactly one of these. */
const AUDIENCES = ['all', 'role', 'users', 'course'] as const;

/** What staff sent or will send. */
export const sentNotification = z.object({
  ID: id(),
  TitleZh: z.string(),
  TitleEn: z.string(),
  ContentZh: z.string(),
  ContentEn: z.string(),
  Path: z.string().nullable(),
  Audience: z.enum(AUDIENCES),
  Role: z.enum(ROLES).nullable(),
  /** Its title, in the language of the request; null for other audiences and once it is gone. */
  Course: z.string().nullable(),
  Sender: z.string().nullable(),
  /** When it goes out, or went. */
  SendAt: z.iso.datetime(),
  IsSent: z.boolean(),
  Recipients: z.int().nonnegative(),
  Read: z.int().nonnegative(),
});
export type SentNotification = z.output<typeof sentNotification>;

export const listSentNotifications = route({
  method: 'GET',
  path: '/notification/sent',
  summary: 'What staff sent or will send, newest first',
  access: { need: ['notification.send'] },
  query: {
    ...listQuery,
    state: z.enum(['sent', 'scheduled']).optional(),
    sort: z.enum(['latest', 'oldest']).default('latest'),
  },
  response: listOf(sentNotification),
  errors: [],
  scope: {},
});

export const sendNotification = route({
  method: 'POST',
  path: '/notification',
  summary: 'Send a notification to everybody, a role, named users or a course; now or later',
  access: { need: ['notification.send'] },
  body: {
    TitleZh: z.string().trim().min(1).max(TEXT_LIMITS.notificationTitle),
    TitleEn: z.string().trim().max(TEXT_LIMITS.notificationTitle).default(''),
    ContentZh: z.string().trim().min(1).max(TEXT_LIMITS.notificationContent),
    ContentEn: z.string().trim().max(TEXT_LIMITS.notificationContent).default(''),
    Audience: z.enum(AUDIENCES),
    /** For the audience `role`. */
    Role: z.enum(ROLES).optional(),
    /** For the audience `users`: usernames or e-mail addresses. */
    Names: z.array(z.string().trim().min(1).max(100)).max(COUNT_LIMITS.namedRecipients).optional(),
    /** For the audience `course`: its members and those who work on it. */
    CourseID: id().optional(),
    /** An own page of the site, such as `/lab/3`. */
    Path: sitePath(300).optional(),
    /** Left out: now. */
    SendAt: z.iso.datetime().optional(),
  },
  response: sentNotification,
  status: 201,
  errors: ['recipients_missing', 'recipients_unknown'],
  scope: { CourseID: 'managedCourse' },
});

export const cancelNotification = route({
  method: 'DELETE',
  path: '/notification/sent/:sentNotificationID',
  summary: 'Cancel one that has not been sent, or take a sent one back from everybody’s list',
  access: { need: ['notification.send'] },
  params: { sentNotificationID: pathID() },
  response: z.null(),
  errors: [],
  scope: { sentNotificationID: 'sentNotification' },
});
