import type { NotificationKind } from '@hypercube/contract';
import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { courses } from '../course/course.schema.ts';
import { users } from '../user/user.schema.ts';
import { notificationReceipts, notifications } from './notification.schema.ts';

export type NotificationRow = typeof notifications.$inferSelect;
export type OwnRow = NotificationRow & { readAt: Date | null };

export async function insertNotification(
  db: Executor,
  row: typeof notifications.$inferInsert,
): Promise<NotificationRow> {
  const [made] = await db.insert(notifications).values(row).returning();
  if (!made) throw new Error('the notification was not made');
  return made;
}

/** Whether a user wants notifications of a kind in their list; everybody does until they say no. */
const wantsInbox = (kind: SQL): SQL =>
  sql`coalesce((u.notification_choices -> ${kind} ->> 'inbox')::boolean, true)`;

/**
 * Puts a notification into the lists of those it is for. Whoever has it already keeps it as it is.
 * @returns how many were told
 */
export async function deliver(
  db: Executor,
  row: Pick<NotificationRow, 'id' | 'kind' | 'audience' | 'role'>,
  userIDs: readonly number[],
): Promise<number> {
  const isMeant =
    row.audience === 'all'
      ? sql`true`
      : row.audience === 'role'
        ? sql`exists (select 1 from user_role r where r.user_id = u.id and r.role = ${row.role})`
        : sql`u.id = any(${sql.param([...userIDs])}::integer[])`;
  const { rowCount } = await db.execute(sql`
    insert into notification_receipt (user_id, notification_id)
    select u.id, ${row.id}
      from user_account u
     where u.disabled_at is null and ${isMeant} and ${wantsInbox(sql`${row.kind}::text`)}
    on conflict do nothing`);
  return rowCount ?? 0;
}

/**
 * Puts a notification into the lists of everybody in a course, its owner and those who work on it
 * included, but for who sends it; those who wait are not in it.
 * @returns who was told
 */
export async function deliverToCourse(
  db: Executor,
  row: Pick<NotificationRow, 'id' | 'kind' | 'courseID' | 'senderID'>,
): Promise<number[]> {
  const { rows } = await db.execute<{ user_id: number }>(sql`
    insert into notification_receipt (user_id, notification_id)
    select u.id, ${row.id}
      from user_account u
     where u.disabled_at is null and u.id is distinct from ${row.senderID}::integer and ${wantsInbox(sql`${row.kind}::text`)}
       and u.id in (select p.user_id from course_person p where p.course_id = ${row.courseID} and p.role <> 'waiting'
                    union all select c.owner_id from course c where c.id = ${row.courseID})
    on conflict do nothing
    returning user_id`);
  return rows.map(({ user_id }) => user_id);
}

/** The words of what was told of a notice. */
export async function changeNoticeNotification(
  db: Executor,
  noticeID: number,
  words: Pick<NotificationRow, 'titleZh' | 'titleEn' | 'contentZh' | 'contentEn'>,
): Promise<void> {
  await db.update(notifications).set(words).where(eq(notifications.noticeID, noticeID));
}

/** Takes what was told of a notice out of every list. @returns who had it */
export async function deleteNoticeNotification(db: Executor, noticeID: number): Promise<number[]> {
  const rows = await db
    .select({ userID: notificationReceipts.userID })
    .from(notificationReceipts)
    .innerJoin(notifications, eq(notifications.id, notificationReceipts.notificationID))
    .where(eq(notifications.noticeID, noticeID));
  await db.delete(notifications).where(eq(notifications.noticeID, noticeID));
  return rows.map(({ userID }) => userID);
}

/** Those whose time has come, taken by this process until its transaction ends. */
export async function takeDue(db: Executor, now: Date): Promise<NotificationRow[]> {
  return db
    .select()
    .from(notifications)
    .where(and(isNull(notifications.sentAt), lte(notifications.sendAt, now)))
    .orderBy(asc(notifications.sendAt))
    .limit(20)
    .for('update', { skipLocked: true });
}

export async function markSent(db: Executor, id: number, now: Date): Promise<void> {
  await db
    .update(notifications)
    .set({ sentAt: now, namedIDs: null })
    .where(eq(notifications.id, id));
}

export interface OwnFilter {
  readonly keyword?: string | undefined;
  readonly kind?: NotificationKind | undefined;
  readonly state?: 'unread' | 'read' | undefined;
  readonly page: number;
  readonly pageSize: number;
}

export async function listOwn(
  db: Executor,
  userID: number,
  filter: OwnFilter,
): Promise<{ rows: OwnRow[]; total: number }> {
  const like = filter.keyword ? likePattern(filter.keyword) : undefined;
  const where = and(
    eq(notificationReceipts.userID, userID),
    filter.state === 'unread' ? isNull(notificationReceipts.readAt) : undefined,
    filter.state === 'read' ? isNotNull(notificationReceipts.readAt) : undefined,
    filter.kind ? eq(notifications.kind, filter.kind) : undefined,
    like === undefined
      ? undefined
      : or(
          sql`${notifications.titleZh} ilike ${like}`,
          sql`${notifications.titleEn} ilike ${like}`,
          sql`${notifications.contentZh} ilike ${like}`,
          sql`${notifications.contentEn} ilike ${like}`,
        ),
  );
  const rows = await db
    .select({ notification: notifications, readAt: notificationReceipts.readAt })
    .from(notificationReceipts)
    .innerJoin(notifications, eq(notifications.id, notificationReceipts.notificationID))
    .where(where)
    .orderBy(desc(notifications.sentAt), desc(notifications.id))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  const [counted] = await db
    .select({ total: sql<number>`count(*)::int` })
    .from(notificationReceipts)
    .innerJoin(notifications, eq(notifications.id, notificationReceipts.notificationID))
    .where(where);
  return {
    rows: rows.map(({ notification, readAt }) => ({ ...notification, readAt })),
    total: counted?.total ?? 0,
  };
}

export async function countUnread(db: Executor, userID: number): Promise<number> {
  return db.$count(
    notificationReceipts,
    and(eq(notificationReceipts.userID, userID), isNull(notificationReceipts.readAt)),
  );
}

/** Those of the ids that are in the user's list. */
export async function findOwn(
  db: Executor,
  userID: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await db
    .select({ id: notificationReceipts.notificationID })
    .from(notificationReceipts)
    .where(
      and(
        eq(notificationReceipts.userID, userID),
        inArray(notificationReceipts.notificationID, [...ids]),
      ),
    );
  return rows.map(({ id }) => id);
}

/** @param ids undefined: all of them */
export async function markRead(
  db: Executor,
  userID: number,
  ids: readonly number[] | undefined,
  now: Date,
): Promise<void> {
  await db
    .update(notificationReceipts)
    .set({ readAt: now })
    .where(
      and(
        eq(notificationReceipts.userID, userID),
        isNull(notificationReceipts.readAt),
        ids ? inArray(notificationReceipts.notificationID, [...ids]) : undefined,
      ),
    );
}

export async function deleteOwn(db: Executor, userID: number, id: number): Promise<void> {
  await db
    .delete(notificationReceipts)
    .where(
      and(eq(notificationReceipts.userID, userID), eq(notificationReceipts.notificationID, id)),
    );
}

export interface SentRow extends NotificationRow {
  readonly sender: string | null;
  /** Title of the course whose people are meant. */
  readonly courseZh: string | null;
  readonly courseEn: string | null;
  readonly recipients: number;
  readonly read: number;
}

const sentColumns = {
  notification: notifications,
  sender: users.nickname,
  courseZh: courses.titleZh,
  courseEn: courses.titleEn,
  recipients:
    sql<number>`coalesce(cardinality(${notifications.namedIDs}), (select count(*) from notification_receipt r where r.notification_id = ${notifications.id}))`.mapWith(
      Number,
    ),
  read: sql<number>`(select count(r.read_at) from notification_receipt r where r.notification_id = ${notifications.id})`.mapWith(
    Number,
  ),
};

export async function listSent(
  db: Executor,
  filter: {
    readonly keyword?: string | undefined;
    readonly state?: 'sent' | 'scheduled' | undefined;
    readonly sort: 'latest' | 'oldest';
    readonly page: number;
    readonly pageSize: number;
  },
): Promise<{ rows: SentRow[]; total: number }> {
  const like = filter.keyword ? likePattern(filter.keyword) : undefined;
  const order = filter.sort === 'latest' ? desc : asc;
  const where = and(
    isNotNull(notifications.audience),
    filter.state === 'sent' ? isNotNull(notifications.sentAt) : undefined,
    filter.state === 'scheduled' ? isNull(notifications.sentAt) : undefined,
    like === undefined
      ? undefined
      : or(
          sql`${notifications.titleZh} ilike ${like}`,
          sql`${notifications.titleEn} ilike ${like}`,
        ),
  );
  const rows = await db
    .select(sentColumns)
    .from(notifications)
    .leftJoin(users, eq(users.id, notifications.senderID))
    .leftJoin(courses, eq(courses.id, notifications.courseID))
    .where(where)
    .orderBy(order(notifications.sendAt), order(notifications.id))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return {
    rows: rows.map(({ notification, ...rest }) => ({ ...notification, ...rest })),
    total: await db.$count(notifications, where),
  };
}

export async function findSent(db: Executor, ids: readonly number[]): Promise<SentRow[]> {
  const rows = await db
    .select(sentColumns)
    .from(notifications)
    .leftJoin(users, eq(users.id, notifications.senderID))
    .leftJoin(courses, eq(courses.id, notifications.courseID))
    .where(and(isNotNull(notifications.audience), inArray(notifications.id, [...ids])));
  return rows.map(({ notification, ...rest }) => ({ ...notification, ...rest }));
}

export async function deleteNotificationRow(db: Executor, id: number): Promise<void> {
  await db.delete(notifications).where(eq(notifications.id, id));
}

export interface MailRow {
  readonly userID: number;
  readonly notificationID: number;
  readonly email: string;
  readonly language: string | null;
  readonly nickname: string;
  readonly titleZh: string;
  readonly titleEn: string;
  readonly contentZh: string;
  readonly contentEn: string;
}

/**
 * Unread notifications that have not gone out by mail and whose reader wants that: at once, or
 * once a day together. Taken by this process until its transaction ends.
 * @param before only what was sent before; a digest says what the day brought
 */
export async function takeForMail(
  db: Executor,
  choice: 'now' | 'daily',
  before: Date,
  limit: number,
): Promise<MailRow[]> {
  const { rows } = await db.execute(sql`
    select r.user_id as "userID", r.notification_id as "notificationID", u.email, u.language, u.nickname,
           n.title_zh as "titleZh", n.title_en as "titleEn", n.content_zh as "contentZh", n.content_en as "contentEn"
      from notification_receipt r
      join notification n on n.id = r.notification_id
      join user_account u on u.id = r.user_id
     where r.read_at is null and r.mailed_at is null and u.disabled_at is null and n.sent_at <= ${before}
       and coalesce(u.notification_choices -> n.kind ->> 'mail', 'daily') = ${choice}
     order by r.user_id, n.sent_at
     limit ${limit}
     for update of r skip locked`);
  return rows as unknown as MailRow[];
}

export async function markMailed(
  db: Executor,
  rows: readonly Pick<MailRow, 'userID' | 'notificationID'>[],
  now: Date,
): Promise<void> {
  await db.execute(sql`
    update notification_receipt r set mailed_at = ${now}
      from unnest(${sql.param(rows.map(({ userID }) => userID))}::integer[], ${sql.param(
        rows.map(({ notificationID }) => notificationID),
      )}::integer[]) as m (user_id, notification_id)
     where r.user_id = m.user_id and r.notification_id = m.notification_id`);
}

/** Accounts by username or e-mail, whatever the case; with the name that found each. */
export async function findNamed(
  db: Executor,
  names: readonly string[],
): Promise<{ id: number; username: string; email: string }[]> {
  const wanted = sql`any(${sql.param(names.map((name) => name.toLowerCase()))}::text[])`;
  return db
    .select({ id: users.id, username: users.username, email: users.email })
    .from(users)
    .where(or(sql`lower(${users.username}) = ${wanted}`, sql`lower(${users.email}) = ${wanted}`));
}
