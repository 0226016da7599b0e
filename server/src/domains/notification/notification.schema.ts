import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { courseNotices, courses } from '../course/course.schema.ts';
import { users } from '../user/user.schema.ts';

/** What was or will be told. Who was told is in {@link notificationReceipts}. */
export const notifications = pgTable(
  'notification',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').notNull(),
    titleZh: text('title_zh').notNull(),
    titleEn: text('title_en').notNull(),
    contentZh: text('content_zh').notNull(),
    contentEn: text('content_en').notNull(),
    /** An own page of the site. */
    path: text('path'),
    /** `all`, `role`, `users` or `course` of what staff send; null for what the platform itself tells. */
    audience: text('audience'),
    role: text('role'),
    /** The users named, while it waits for its time. */
    namedIDs: integer('named_ids').array(),
    /** The course whose people are meant. */
    courseID: integer('course_id').references(() => courses.id, { onDelete: 'set null' }),
    /** The notice of a course that it tells of; it goes with it. */
    noticeID: integer('notice_id').references(() => courseNotices.id, { onDelete: 'cascade' }),
    senderID: integer('sender_id').references(() => users.id, { onDelete: 'set null' }),
    sendAt: at('send_at').notNull(),
    /** null while it waits. */
    sentAt: at('sent_at'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    check('notification_kind', sql`${table.kind} in ('system', 'review', 'course', 'suggestion')`),
    index('notification_waiting')
      .on(table.sendAt)
      .where(sql`${table.sentAt} is null`),
    index('notification_sent')
      .on(table.sendAt)
      .where(sql`${table.audience} is not null`),
    index('notification_notice')
      .on(table.noticeID)
      .where(sql`${table.noticeID} is not null`),
    index('notification_course')
      .on(table.courseID)
      .where(sql`${table.courseID} is not null`),
  ],
);

/** A notification in a user's list. */
export const notificationReceipts = pgTable(
  'notification_receipt',
  {
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    notificationID: integer('notification_id')
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    readAt: at('read_at'),
    /** When it went out by mail, alone or in a digest. */
    mailedAt: at('mailed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userID, table.notificationID] }),
    index('notification_receipt_unread')
      .on(table.userID)
      .where(sql`${table.readAt} is null`),
    index('notification_receipt_notification').on(table.notificationID),
  ],
);
