/** Homework itself: what is set, for whom it is open, and how far its correction is. */
import { and, asc, desc, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { isWorkedOn, type CourseActor } from '../course/course.service.ts';
import { homework } from './homework.schema.ts';

export type HomeworkRow = typeof homework.$inferSelect;

/** How a homework stands for one learner. */
interface Standing {
  /** null while there is no record of theirs. */
  readonly state: number | null;
  readonly scoreTenths: number | null;
}

export type HomeworkListRow = Omit<HomeworkRow, 'contentZh' | 'contentEn'> & Standing;
export type DueHomeworkRow = HomeworkListRow & {
  readonly courseZh: string;
  readonly courseEn: string;
};

/** How many there are of each, those of people who left included. */
export interface HomeworkCounts {
  readonly members: number;
  readonly submitted: number;
  readonly uncorrected: number;
  readonly corrected: number;
}
export type ManagedHomeworkRow = Omit<HomeworkRow, 'contentZh' | 'contentEn'> & HomeworkCounts;

const { contentZh: _zh, contentEn: _en, ...shortColumns } = getTableColumns(homework);

// Written out: in a statement on one table drizzle leaves the table's name away, and `id` inside a
// sub-select would then be the wrong table's.
const submissionsOf = (condition: SQL): SQL<number> =>
  sql<number>`(select count(*)::int from homework_submission s where s.homework_id = homework.id and ${condition})`;
const uncorrected = submissionsOf(sql`s.state > 0 and s.score_tenths is null`);

const countColumns = {
  members: sql<number>`(select count(*)::int from course_person p where p.course_id = homework.course_id and p.role = 'member')`,
  submitted: submissionsOf(sql`s.state > 0`),
  uncorrected,
  corrected: submissionsOf(sql`s.score_tenths is not null`),
};

const standingColumns = (userID: number) => ({
  state: sql<
    number | null
  >`(select s.state from homework_submission s where s.homework_id = homework.id and s.user_id = ${userID})`,
  scoreTenths: sql<
    number | null
  >`(select s.score_tenths from homework_submission s where s.homework_id = homework.id and s.user_id = ${userID})`,
});

/** Whether learners see it. */
const isOpen = (now: Date): SQL =>
  sql`(homework.is_published and (homework.open_at is null or homework.open_at <= ${now}))`;

function hasTitle(keyword: string | undefined): SQL | undefined {
  if (!keyword) return undefined;
  const like = likePattern(keyword);
  return sql`(homework.title_zh ilike ${like} or homework.title_en ilike ${like})`;
}

interface Page {
  readonly keyword: string | undefined;
  readonly page: number;
  readonly pageSize: number;
}

/** Homework of a course that is open, by when it is due. */
export async function listOpenRows(
  db: Executor,
  courseID: number,
  userID: number,
  now: Date,
  filter: Page,
): Promise<{ rows: HomeworkListRow[]; total: number }> {
  const condition = and(eq(homework.courseID, courseID), isOpen(now), hasTitle(filter.keyword));
  const rows = await db
    .select({ ...shortColumns, ...standingColumns(userID) })
    .from(homework)
    .where(condition)
    .orderBy(asc(homework.dueAt), asc(homework.id))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return { rows, total: await db.$count(homework, condition) };
}

/** Open homework of the courses that somebody joined, which they have not handed in. */
export async function listDueRows(
  db: Executor,
  userID: number,
  now: Date,
  filter: Page,
): Promise<{ rows: DueHomeworkRow[]; total: number }> {
  const condition = and(
    isOpen(now),
    hasTitle(filter.keyword),
    sql`exists (select 1 from course_person p join course c on c.id = p.course_id
                 where p.course_id = homework.course_id and p.user_id = ${userID} and p.role = 'member' and c.is_published)`,
    sql`not exists (select 1 from homework_submission s
                     where s.homework_id = homework.id and s.user_id = ${userID} and (s.state > 0 or s.score_tenths is not null))`,
  );
  const courseTitle = (column: 'title_zh' | 'title_en'): SQL<string> =>
    sql<string>`(select c.${sql.raw(column)} from course c where c.id = homework.course_id)`;
  const rows = await db
    .select({
      ...shortColumns,
      ...standingColumns(userID),
      courseZh: courseTitle('title_zh'),
      courseEn: courseTitle('title_en'),
    })
    .from(homework)
    .where(condition)
    // What can still be in time first, the soonest of it; then what is late, the latest of it.
    .orderBy(
      sql`homework.due_at < ${now}`,
      sql`case when homework.due_at >= ${now} then homework.due_at end`,
      desc(homework.dueAt),
      asc(homework.id),
    )
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return { rows, total: await db.$count(homework, condition) };
}

export interface ManagedHomeworkFilter extends Page {
  readonly state: 'published' | 'draft' | undefined;
  readonly sort: 'due' | 'latest' | 'title' | 'uncorrected';
}

/** A page of a course's homework, drafts included. */
export async function listManagedRows(
  db: Executor,
  courseID: number,
  filter: ManagedHomeworkFilter,
): Promise<{ rows: ManagedHomeworkRow[]; total: number }> {
  const condition = and(
    eq(homework.courseID, courseID),
    filter.state === undefined ? undefined : eq(homework.isPublished, filter.state === 'published'),
    hasTitle(filter.keyword),
  );
  const orders: Record<ManagedHomeworkFilter['sort'], SQL[]> = {
    due: [asc(homework.dueAt)],
    latest: [desc(homework.updatedAt)],
    title: [asc(homework.titleZh)],
    uncorrected: [desc(uncorrected)],
  };
  const rows = await db
    .select({ ...shortColumns, ...countColumns })
    .from(homework)
    .where(condition)
    .orderBy(...orders[filter.sort], asc(homework.id))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return { rows, total: await db.$count(homework, condition) };
}

export async function getManagedRow(
  db: Executor,
  homeworkID: number,
): Promise<HomeworkRow & HomeworkCounts> {
  const [row] = await db
    .select({ ...getTableColumns(homework), ...countColumns })
    .from(homework)
    .where(eq(homework.id, homeworkID));
  if (!row) throw new Error(`homework ${homeworkID} vanished`);
  return row;
}

/** Homework of a course by id, drafts included. */
export const findHomework = (
  db: Executor,
  courseID: number,
  ids: readonly number[],
): Promise<HomeworkRow[]> =>
  db
    .select()
    .from(homework)
    .where(and(eq(homework.courseID, courseID), inArray(homework.id, [...ids])));

/** A homework, kept as it is until the transaction ends. */
export async function holdHomework(
  tx: Executor,
  homeworkID: number,
): Promise<HomeworkRow | undefined> {
  const [row] = await tx.select().from(homework).where(eq(homework.id, homeworkID)).for('share');
  return row;
}

/** What staff say of a homework. */
export type HomeworkValues = Pick<
  HomeworkRow,
  | 'titleZh'
  | 'titleEn'
  | 'contentZh'
  | 'contentEn'
  | 'openAt'
  | 'dueAt'
  | 'maxTenths'
  | 'isPublished'
>;

/** @returns its id */
export async function insertHomework(
  tx: Executor,
  row: typeof homework.$inferInsert,
): Promise<number> {
  const [made] = await tx.insert(homework).values(row).returning({ id: homework.id });
  if (!made) throw new Error('the homework was not made');
  return made.id;
}

/** @returns it as it is now; undefined when somebody else changed it since `version` */
export async function updateHomeworkRow(
  tx: Executor,
  homeworkID: number,
  version: number,
  values: Partial<HomeworkValues>,
  now: Date,
): Promise<HomeworkRow | undefined> {
  const [row] = await tx
    .update(homework)
    .set({ ...values, version: sql`${homework.version} + 1`, updatedAt: now })
    .where(and(eq(homework.id, homeworkID), eq(homework.version, version)))
    .returning();
  return row;
}

export async function deleteHomeworkRow(tx: Executor, homeworkID: number): Promise<void> {
  await tx.delete(homework).where(eq(homework.id, homeworkID));
}

/** The most that somebody got; null while nobody did. */
export async function readHighestScore(db: Executor, homeworkID: number): Promise<number | null> {
  const { rows } = await db.execute<{ highest: number | null }>(
    sql`select max(s.score_tenths) as highest from homework_submission s where s.homework_id = ${homeworkID}`,
  );
  return rows[0]?.highest ?? null;
}

/** A homework of which the members are to be told. */
export type UntoldRow = Pick<HomeworkRow, 'id' | 'courseID' | 'titleZh' | 'titleEn' | 'dueAt'> & {
  readonly courseZh: string;
  readonly courseEn: string;
  /** Who set it knows of it. */
  readonly authorID: number | null;
};

/**
 * Homework that has come to be open in a published course and of which nobody was told, marked as
 * told.
 * @param homeworkID only this one
 */
export async function takeUntold(
  tx: Executor,
  now: Date,
  homeworkID?: number,
): Promise<UntoldRow[]> {
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    update homework h set told_at = ${now} from course c
     where c.id = h.course_id and c.is_published and h.is_published and h.told_at is null
       and (h.open_at is null or h.open_at <= ${now})
       and (${homeworkID ?? null}::integer is null or h.id = ${homeworkID ?? null}::integer)
    returning h.id, h.course_id, h.title_zh, h.title_en, h.due_at, h.author_id,
              c.title_zh as course_zh, c.title_en as course_en`);
  return rows.map((row) => ({
    id: Number(row['id']),
    courseID: Number(row['course_id']),
    titleZh: String(row['title_zh']),
    titleEn: String(row['title_en']),
    dueAt: new Date(row['due_at'] as string),
    authorID: row['author_id'] === null ? null : Number(row['author_id']),
    courseZh: String(row['course_zh']),
    courseEn: String(row['course_en']),
  }));
}

export interface HomeworkDependentCounts {
  readonly submissions: number;
  readonly scores: number;
  readonly files: number;
}

export async function countDependents(
  db: Executor,
  homeworkID: number,
): Promise<HomeworkDependentCounts> {
  const { rows } = await db.execute<{ submissions: number; scores: number; files: number }>(sql`
    select count(*) filter (where s.state > 0)::int as submissions,
           count(*) filter (where s.score_tenths is not null)::int as scores,
           (select count(*)::int from homework_file f
             where f.homework_id = ${homeworkID} and (f.kind = 'attachment' or f.submission_id is not null)) as files
      from homework_submission s where s.homework_id = ${homeworkID}`);
  return rows[0] ?? { submissions: 0, scores: 0, files: 0 };
}

export interface WaitingHomeworkRow {
  readonly id: number;
  readonly courseID: number;
  readonly titleZh: string;
  readonly titleEn: string;
  readonly dueAt: Date;
  readonly courseZh: string;
  readonly courseEn: string;
  readonly uncorrected: number;
}

export interface WaitingFilter extends Page {
  /** `longest`: of which somebody has waited longest. */
  readonly sort: 'longest' | 'due' | 'uncorrected';
}
const WAITING_ORDERS: Record<WaitingFilter['sort'], SQL> = {
  longest: sql`w.since`,
  due: sql`homework.due_at`,
  uncorrected: sql`w.uncorrected desc`,
};

/** Homework with submissions to correct, in the courses that somebody works on. */
export async function listWaitingRows(
  db: Executor,
  actor: CourseActor,
  filter: WaitingFilter,
): Promise<{ rows: WaitingHomeworkRow[]; total: number }> {
  const { rows } = await db.execute<Record<string, unknown>>(sql`
    select homework.id, homework.course_id, homework.title_zh, homework.title_en, homework.due_at,
           course.title_zh as course_zh, course.title_en as course_en, w.uncorrected,
           count(*) over ()::int as total
      from (select s.homework_id, count(*)::int as uncorrected, min(s.submitted_at) as since
              from homework_submission s where s.state > 0 and s.score_tenths is null group by s.homework_id) w
      join homework on homework.id = w.homework_id
      join course on course.id = homework.course_id
     where ${and(isWorkedOn(actor), hasTitle(filter.keyword)) ?? sql`true`}
     order by ${WAITING_ORDERS[filter.sort]}, homework.id
     limit ${filter.pageSize} offset ${(filter.page - 1) * filter.pageSize}`);
  return {
    rows: rows.map((row) => ({
      id: Number(row['id']),
      courseID: Number(row['course_id']),
      titleZh: String(row['title_zh']),
      titleEn: String(row['title_en']),
      dueAt: new Date(row['due_at'] as string),
      courseZh: String(row['course_zh']),
      courseEn: String(row['course_en']),
      uncorrected: Number(row['uncorrected']),
    })),
    // An empty page beyond the end says nothing of how many there are before it.
    total: rows[0] === undefined ? await countWaiting(db, actor, filter) : Number(rows[0]['total']),
  };
}

async function countWaiting(db: Executor, actor: CourseActor, filter: Page): Promise<number> {
  if (filter.page === 1) return 0;
  const { rows } = await db.execute<{ total: number }>(sql`
    select count(*)::int as total from homework join course on course.id = homework.course_id
     where ${
       and(
         isWorkedOn(actor),
         hasTitle(filter.keyword),
         sql`exists (select 1 from homework_submission s where s.homework_id = homework.id and s.state > 0 and s.score_tenths is null)`,
       ) ?? sql`true`
     }`);
  return rows[0]?.total ?? 0;
}
