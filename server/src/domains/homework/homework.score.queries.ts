/** The grading list: every member of a course by what they handed in and got, and its history. */
import { CorrectionState, type HomeworkSubmitState, type ScoreSort } from '@hypercube/contract';
import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { users } from '../user/user.schema.ts';
import { homeworkScoreChanges } from './homework.schema.ts';

/** A member, or somebody who was one and handed something in. */
export interface GradedPersonRow {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly studentID: string | null;
  readonly hasLeft: boolean;
  readonly submissionID: number | null;
  readonly state: HomeworkSubmitState;
  readonly submittedAt: Date | null;
  readonly scoreTenths: number | null;
  readonly comment: string;
  readonly gradedAt: Date | null;
  readonly files: number;
  /** 0 while there is no record. */
  readonly version: number;
}

const momentOf = (value: unknown): Date | null =>
  value === null ? null : new Date(value as string);

const personOf = (row: Record<string, unknown>): GradedPersonRow => ({
  id: Number(row['id']),
  username: String(row['username']),
  name: String(row['name']),
  studentID: row['student_id'] as string | null,
  hasLeft: row['has_left'] === true,
  submissionID: row['submission_id'] === null ? null : Number(row['submission_id']),
  state: Number(row['state']) as HomeworkSubmitState,
  submittedAt: momentOf(row['submitted_at']),
  scoreTenths: row['score_tenths'] === null ? null : Number(row['score_tenths']),
  comment: String(row['comment']),
  gradedAt: momentOf(row['graded_at']),
  files: Number(row['files']),
  version: Number(row['version']),
});

/** Everybody in the grading list of a homework, as a table `g`. */
const graded = (homeworkID: number): SQL => sql`(
  select u.id, u.username, coalesce(nullif(u.real_name, ''), u.nickname) as name, nullif(u.student_id, '') as student_id,
         u.nickname, p.user_id is null as has_left,
         s.id as submission_id, coalesce(s.state, 0) as state, s.submitted_at, s.score_tenths,
         coalesce(s.comment, '') as comment, s.graded_at, coalesce(s.version, 0) as version,
         (select count(*)::int from homework_file f where f.submission_id = s.id and f.kind = 'submission') as files
    from homework h
    join user_account u on true
    left join course_person p on p.course_id = h.course_id and p.user_id = u.id and p.role = 'member'
    left join homework_submission s on s.homework_id = h.id and s.user_id = u.id
   where h.id = ${homeworkID}
     and u.id in (select m.user_id from course_person m where m.course_id = h.course_id and m.role = 'member'
                  union select o.user_id from homework_submission o
                   where o.homework_id = h.id and (o.state > 0 or o.score_tenths is not null))) g`;

const ORDERS: Record<ScoreSort, SQL> = {
  studentID: sql`g.student_id nulls last, g.id`,
  name: sql`g.name, g.id`,
  submitted: sql`g.submitted_at nulls last, g.id`,
  score: sql`g.score_tenths desc nulls last, g.id`,
};

/** What waits to be corrected. */
const isWaiting = sql`(g.state > 0 and g.score_tenths is null)`;

export interface ScoreFilter {
  readonly keyword: string | undefined;
  readonly state: HomeworkSubmitState | undefined;
  readonly correction: CorrectionState | undefined;
  readonly sort: ScoreSort;
  readonly page: number;
  readonly pageSize: number;
}

/** A page of the grading list. */
export async function listScoreRows(
  db: Executor,
  homeworkID: number,
  filter: ScoreFilter,
): Promise<{ rows: GradedPersonRow[]; total: number }> {
  const like = filter.keyword ? likePattern(filter.keyword) : undefined;
  const condition =
    and(
      filter.state === undefined ? undefined : sql`g.state = ${filter.state}`,
      filter.correction === undefined
        ? undefined
        : filter.correction === CorrectionState.corrected
          ? sql`g.score_tenths is not null`
          : isWaiting,
      like === undefined
        ? undefined
        : sql`(g.name ilike ${like} or g.nickname ilike ${like} or g.username ilike ${like} or g.student_id ilike ${like})`,
    ) ?? sql`true`;
  const [{ rows }, { rows: counted }] = await Promise.all([
    db.execute<Record<string, unknown>>(sql`
      select * from ${graded(homeworkID)} where ${condition} order by ${ORDERS[filter.sort]}
       limit ${filter.pageSize} offset ${(filter.page - 1) * filter.pageSize}`),
    db.execute<{ total: number }>(
      sql`select count(*)::int as total from ${graded(homeworkID)} where ${condition}`,
    ),
  ]);
  return { rows: rows.map(personOf), total: counted[0]?.total ?? 0 };
}

/** Everybody in the list, in the order of their student numbers. */
export async function listAllScores(db: Executor, homeworkID: number): Promise<GradedPersonRow[]> {
  const { rows } = await db.execute<Record<string, unknown>>(
    sql`select * from ${graded(homeworkID)} order by ${ORDERS.studentID}`,
  );
  return rows.map(personOf);
}

/** Those of the users who are in the list. */
export async function findGraded(
  db: Executor,
  homeworkID: number,
  userIDs: readonly number[],
): Promise<GradedPersonRow[]> {
  const { rows } = await db.execute<Record<string, unknown>>(
    sql`select * from ${graded(homeworkID)} where g.id = any(${sql.param(userIDs)}::int[])`,
  );
  return rows.map(personOf);
}

/** The neighbours of somebody among those who wait to be corrected, by student number. */
export async function findNeighbours(
  db: Executor,
  homeworkID: number,
  userID: number,
): Promise<{ previous: number | null; next: number | null }> {
  const { rows } = await db.execute<{ previous: number | null; next: number | null }>(sql`
    select n.previous, n.next from (
      select g.id, lag(g.id) over (order by ${ORDERS.studentID}) as previous,
             lead(g.id) over (order by ${ORDERS.studentID}) as next
        from ${graded(homeworkID)} where ${isWaiting} or g.id = ${userID}) n
     where n.id = ${userID}`);
  return rows[0] ?? { previous: null, next: null };
}

export async function insertScoreChange(
  tx: Executor,
  row: typeof homeworkScoreChanges.$inferInsert,
): Promise<void> {
  await tx.insert(homeworkScoreChanges).values(row);
}

/** What somebody is listed with: a long quarrel over points has no end of changes. */
const HISTORY_MAX = 200;

/** Changes of what was given for a submission, newest first. */
export const listScoreChanges = (db: Executor, submissionID: number) =>
  db
    .select({ change: homeworkScoreChanges, by: users.nickname })
    .from(homeworkScoreChanges)
    .leftJoin(users, eq(users.id, homeworkScoreChanges.byID))
    .where(eq(homeworkScoreChanges.submissionID, submissionID))
    .orderBy(desc(homeworkScoreChanges.id))
    .limit(HISTORY_MAX);

export type ScoreChangeRow = Awaited<ReturnType<typeof listScoreChanges>>[number];
