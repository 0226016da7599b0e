/** Notices of a course. */
import { and, desc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { courseNotices } from './course.schema.ts';

export type NoticeRow = typeof courseNotices.$inferSelect & { author: string | null };

const noticeColumns = {
  ...getTableColumns(courseNotices),
  author: sql<
    string | null
  >`(select u.nickname from user_account u where u.id = course_notice.author_id)`.as('author'),
};

/** A page of notices, newest first. */
export async function listNoticeRows(
  db: Executor,
  courseID: number,
  filter: {
    readonly keyword: string | undefined;
    readonly page: number;
    readonly pageSize: number;
  },
): Promise<{ rows: NoticeRow[]; total: number }> {
  const like = filter.keyword ? likePattern(filter.keyword) : undefined;
  const condition = and(
    eq(courseNotices.courseID, courseID),
    like === undefined
      ? undefined
      : or(
          sql`${courseNotices.titleZh} ilike ${like}`,
          sql`${courseNotices.titleEn} ilike ${like}`,
          sql`${courseNotices.contentZh} ilike ${like}`,
          sql`${courseNotices.contentEn} ilike ${like}`,
        ),
  );
  const rows = await db
    .select(noticeColumns)
    .from(courseNotices)
    .where(condition)
    .orderBy(desc(courseNotices.createdAt), desc(courseNotices.id))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return { rows, total: await db.$count(courseNotices, condition) };
}

export const findNotices = (
  db: Executor,
  courseID: number,
  ids: readonly number[],
): Promise<NoticeRow[]> =>
  db
    .select(noticeColumns)
    .from(courseNotices)
    .where(and(eq(courseNotices.courseID, courseID), inArray(courseNotices.id, [...ids])));

export type NoticeValues = Pick<
  typeof courseNotices.$inferInsert,
  'titleZh' | 'titleEn' | 'contentZh' | 'contentEn'
>;

/** @returns its id */
export async function insertNotice(
  tx: Executor,
  row: typeof courseNotices.$inferInsert,
): Promise<number> {
  const [made] = await tx.insert(courseNotices).values(row).returning({ id: courseNotices.id });
  if (!made) throw new Error('the notice was not made');
  return made.id;
}

/** @returns false when somebody else changed it since `version` */
export async function updateNoticeRow(
  tx: Executor,
  id: number,
  version: number,
  values: NoticeValues,
  now: Date,
): Promise<boolean> {
  const changed = await tx
    .update(courseNotices)
    .set({ ...values, version: sql`${courseNotices.version} + 1`, updatedAt: now })
    .where(and(eq(courseNotices.id, id), eq(courseNotices.version, version)))
    .returning({ id: courseNotices.id });
  return changed.length > 0;
}

export async function deleteNoticeRow(tx: Executor, id: number): Promise<void> {
  await tx.delete(courseNotices).where(eq(courseNotices.id, id));
}
