/** What was sent to be judged: the queue, its results, and how far learners are. */
import { JudgeState, type JudgeKind, type JudgeVerdict } from '@hypercube/contract';
import { and, count, desc, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { likePattern } from '../../platform/search.ts';
import { users } from '../user/user.schema.ts';
import {
  problemProgress,
  problemSubmissions,
  problems,
  type StoredTest,
} from './problem.schema.ts';

export type SubmissionRow = typeof problemSubmissions.$inferSelect;

/** A submission as a list shows it. */
export type SubmissionListRow = Omit<
  SubmissionRow,
  'source' | 'stdin' | 'compilerOutput' | 'output' | 'tests'
> & { nickname: string; username: string; currentVersion: number };

/** Everybody’s turn lies so far behind their last one: who sends much waits behind who sends little. */
const COST_SECONDS: Readonly<Record<JudgeKind, number>> = { run: 2, submission: 10, check: 10 };
/** What staff judge again comes after what people wait for. */
const REJUDGE_SECONDS = 600;
/** Key of the lock under which turns are given; any number of ours. */
const QUEUE_LOCK = 7_211_010;

const {
  source: _source,
  stdin: _stdin,
  compilerOutput: _compilerOutput,
  output: _output,
  tests: _tests,
  ...shortColumns
} = getTableColumns(problemSubmissions);

const told = (db: Executor, row: Pick<SubmissionRow, 'id' | 'userID'>): Promise<void> =>
  notify(db, 'submission', `${row.id} ${row.userID}`);

export const findSubmissions = (db: Executor, ids: readonly number[]): Promise<SubmissionRow[]> =>
  db
    .select()
    .from(problemSubmissions)
    .where(inArray(problemSubmissions.id, [...ids]));

/** Who sent it. */
export async function findNickname(db: Executor, userID: number): Promise<string | undefined> {
  const [user] = await db
    .select({ nickname: users.nickname })
    .from(users)
    .where(eq(users.id, userID));
  return user?.nickname;
}

export interface NewSubmission {
  readonly problemID: number;
  readonly userID: number;
  readonly kind: JudgeKind;
  readonly language: number;
  readonly source: string;
  readonly stdin: string;
  readonly total: number;
  readonly testsVersion: number;
}

/** Puts something into the queue. @returns undefined when the user has `limit` of its kind there */
export async function insertSubmission(
  db: Database,
  values: NewSubmission,
  now: Date,
  limit: number,
): Promise<SubmissionRow | undefined> {
  return db.transaction(async (tx) => {
    // Two tabs at the same moment would both find room.
    await tx.execute(sql`select pg_advisory_xact_lock(${QUEUE_LOCK}, ${values.userID})`);
    const [open] = await tx
      .select({
        count: sql<number>`count(*) filter (where ${problemSubmissions.kind} = ${values.kind})::int`,
        due: sql<string | null>`max(${problemSubmissions.due})`,
      })
      .from(problemSubmissions)
      // What staff had judged again is none of their wishes: it has a verdict from before.
      .where(
        and(eq(problemSubmissions.userID, values.userID), sql`state < 2 and judged_at is null`),
      );
    if ((open?.count ?? 0) >= limit) return undefined;
    const from = open?.due ? Math.max(now.getTime(), Date.parse(open.due)) : now.getTime();
    const [row] = await tx
      .insert(problemSubmissions)
      .values({
        ...values,
        due: new Date(from + COST_SECONDS[values.kind] * 1000),
        createdAt: now,
      })
      .returning();
    if (!row) throw new Error('the submission was not made');
    if (values.kind === 'submission')
      await tx
        .update(problems)
        .set({ uses: sql`${problems.uses} + 1` })
        .where(eq(problems.id, values.problemID));
    await told(tx, row);
    return row;
  });
}

/** Place in the queue, 1 is next; null when it does not wait. */
export async function findPosition(db: Executor, row: SubmissionRow): Promise<number | null> {
  if (row.state !== JudgeState.queued) return null;
  const { rows } = await db.execute(sql`
    select count(*)::int as position from problem_submission q
     where q.state = 0 and (q.due, q.id) <= (select m.due, m.id from problem_submission m where m.id = ${row.id})`);
  return Math.max(1, Number(rows[0]?.['position'] ?? 1));
}

export const countWaiting = (db: Executor): Promise<number> =>
  db.$count(problemSubmissions, sql`state = 0`);

/** What a judge is given. */
export interface Claimed {
  readonly id: number;
  readonly problemID: number;
  readonly userID: number;
  readonly kind: JudgeKind;
  readonly language: number;
  readonly source: string;
  readonly stdin: string;
  readonly attempts: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly parallelism: number;
  readonly samples: number;
  readonly testsFolder: string | null;
  readonly testCount: number;
}

/**
 * Gives the next one in the queue to a judge. Nobody has two under way, so a user with many is no
 * user with many judges.
 */
export async function claimSubmission(
  db: Database,
  languages: readonly number[],
  lease: string,
  now: Date,
  until: Date,
): Promise<Claimed | undefined> {
  return db.transaction(async (tx) => {
    // One claim at a time: two would not see each other's user.
    await tx.execute(sql`select pg_advisory_xact_lock(${QUEUE_LOCK})`);
    const { rows } = await tx.execute(sql`
      update problem_submission s
         set state = 1, lease = ${lease}, lease_until = ${until}, attempts = s.attempts + 1, started_at = ${now},
             tests = '[]', passed = 0, tests_version = p.tests_version,
             total = case when s.kind = 'run' then 0 else p.test_count end
        from problem p
       where p.id = s.problem_id and s.id = (
         select q.id from problem_submission q
          where q.state = 0 and q.language = any(${sql.param(languages)}::int[])
            and (q.lease_until is null or q.lease_until <= ${now})
            and not exists (select 1 from problem_submission j where j.user_id = q.user_id and j.state = 1)
          order by q.due, q.id limit 1
            for update of q skip locked)
      returning s.id, s.problem_id as "problemID", s.user_id as "userID", s.kind, s.language, s.source, s.stdin, s.attempts,
                p.cpu_ms as "cpuMs", p.memory_bytes::float8 as "memoryBytes", p.parallelism, p.samples,
                p.tests_folder as "testsFolder", p.test_count as "testCount"`);
    const [row] = rows as unknown as Claimed[];
    if (row) await told(tx, row);
    return row;
  });
}

/** What is still a judge’s: its lease holds. */
const held = (id: number, lease: string): SQL | undefined =>
  and(eq(problemSubmissions.id, id), eq(problemSubmissions.lease, lease));

export interface Progress {
  readonly tests: readonly StoredTest[];
  readonly passed: number;
  readonly compilerOutput: string;
}

/** Writes how far it is. @returns whether it is still this judge’s */
export async function writeProgress(
  db: Executor,
  { id, userID }: Pick<Claimed, 'id' | 'userID'>,
  lease: string,
  progress: Progress,
): Promise<boolean> {
  const changed = await db
    .update(problemSubmissions)
    .set({ ...progress })
    .where(held(id, lease))
    .returning({ id: problemSubmissions.id });
  if (changed.length > 0) await told(db, { id, userID });
  return changed.length > 0;
}

/** @returns whether it is still this judge’s */
export async function extendLease(
  db: Executor,
  id: number,
  lease: string,
  until: Date,
): Promise<boolean> {
  const changed = await db
    .update(problemSubmissions)
    .set({ leaseUntil: until })
    .where(held(id, lease))
    .returning({ id: problemSubmissions.id });
  return changed.length > 0;
}

export interface Judgement extends Progress {
  readonly verdict: JudgeVerdict;
  readonly returnCode: number | null;
  readonly cpuMs: number | null;
  readonly memoryBytes: number | null;
  readonly output: string;
}

/** What a learner reached with a problem, from all that was judged. */
async function refreshProgress(db: Executor, problemID: number, userID: number): Promise<void> {
  await db.execute(sql`
    insert into ${problemProgress} (user_id, problem_id, solved_at)
    select ${userID}, ${problemID}, min(s.created_at) filter (where s.verdict = 'accepted')
      from problem_submission s
     where s.problem_id = ${problemID} and s.user_id = ${userID} and s.kind = 'submission' and s.state = 2
       and s.verdict <> 'systemError'
    having count(*) > 0
    on conflict (user_id, problem_id) do update set solved_at = excluded.solved_at`);
}

/** Writes what came of it, unless another judge has it by now. @returns whether it was written */
export async function finishSubmission(
  db: Database,
  { id, userID, problemID, kind }: Pick<Claimed, 'id' | 'userID' | 'problemID' | 'kind'>,
  lease: string,
  judgement: Judgement,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx
      .update(problemSubmissions)
      .set({
        ...judgement,
        state: JudgeState.done,
        lease: null,
        leaseUntil: null,
        judgedAt: now,
      })
      .where(held(id, lease))
      .returning({ id: problemSubmissions.id });
    if (changed.length === 0) return false;
    if (kind === 'submission') await refreshProgress(tx, problemID, userID);
    await told(tx, { id, userID });
    return true;
  });
}

/**
 * Puts back what a judge could not finish.
 * @param restUntil nobody takes it before
 * @param isCounted whether this try counts as one
 */
export async function releaseSubmission(
  db: Executor,
  { id, userID }: Pick<Claimed, 'id' | 'userID'>,
  lease: string,
  restUntil: Date | null,
  isCounted: boolean,
): Promise<void> {
  const changed = await db
    .update(problemSubmissions)
    .set({
      state: JudgeState.queued,
      lease: null,
      leaseUntil: restUntil,
      startedAt: null,
      passed: 0,
      tests: [],
      ...(isCounted ? {} : { attempts: sql`${problemSubmissions.attempts} - 1` }),
    })
    .where(held(id, lease))
    .returning({ id: problemSubmissions.id });
  if (changed.length > 0) await told(db, { id, userID });
}

/** Takes back what judges that died had; what was tried too often is given up as a system error. */
export async function releaseExpired(db: Executor, now: Date, attempts: number): Promise<void> {
  const { rows } = await db.execute(sql`
    update problem_submission s
       set state = case when s.attempts >= ${attempts} then 2 else 0 end,
           verdict = case when s.attempts >= ${attempts} then 'systemError' end,
           judged_at = case when s.attempts >= ${attempts} then ${now}::timestamptz end,
           lease = null, lease_until = null, started_at = null, passed = 0, tests = '[]'
     where s.state = 1 and s.lease_until <= ${now}
    returning s.id, s.user_id as "userID"`);
  for (const row of rows as unknown as Pick<SubmissionRow, 'id' | 'userID'>[]) await told(db, row);
}

export interface SubmissionFilter {
  readonly userID?: number | undefined;
  /** Part of a nickname or a username. */
  readonly keyword?: string | undefined;
  readonly language?: number | undefined;
  readonly verdict?: string | undefined;
  readonly page: number;
  readonly pageSize: number;
}

type SubmissionMatch = Omit<SubmissionFilter, 'page' | 'pageSize'>;

/** Runs and checks are no submissions. */
function matching(problemID: number, filter: SubmissionMatch): SQL | undefined {
  const like = filter.keyword ? likePattern(filter.keyword) : undefined;
  return and(
    eq(problemSubmissions.problemID, problemID),
    eq(problemSubmissions.kind, 'submission'),
    filter.userID === undefined ? undefined : eq(problemSubmissions.userID, filter.userID),
    filter.language === undefined ? undefined : eq(problemSubmissions.language, filter.language),
    filter.verdict === undefined ? undefined : eq(problemSubmissions.verdict, filter.verdict),
    like === undefined
      ? undefined
      : sql`(${users.nickname} ilike ${like} or ${users.username} ilike ${like})`,
  );
}

/** Submissions to a problem, newest first. */
export async function listSubmissionRows(
  db: Executor,
  problemID: number,
  filter: SubmissionFilter,
): Promise<{ rows: SubmissionListRow[]; total: number }> {
  const condition = matching(problemID, filter);
  const rows = await db
    .select({
      ...shortColumns,
      nickname: users.nickname,
      username: users.username,
      currentVersion: problems.testsVersion,
    })
    .from(problemSubmissions)
    .innerJoin(users, eq(users.id, problemSubmissions.userID))
    .innerJoin(problems, eq(problems.id, problemSubmissions.problemID))
    .where(condition)
    .orderBy(desc(problemSubmissions.id))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  const [all] = await db
    .select({ total: count() })
    .from(problemSubmissions)
    .innerJoin(users, eq(users.id, problemSubmissions.userID))
    .where(condition);
  return { rows, total: all?.total ?? 0 };
}

/** A row of the export, as the database names its columns. */
export interface SubmissionExportRow {
  readonly id: number;
  readonly student_id: string | null;
  readonly real_name: string | null;
  readonly nickname: string;
  readonly username: string;
  readonly language: number;
  readonly state: number;
  readonly verdict: string | null;
  readonly passed: number;
  readonly total: number;
  readonly cpu_ms: number | null;
  readonly memory_bytes: string | null;
  readonly created_at: Date;
}

/** The statement of the export, to be read by a cursor. */
export const submissionExportStatement = (
  db: Executor,
  problemID: number,
  filter: SubmissionMatch,
) =>
  db
    .select({
      id: problemSubmissions.id,
      studentID: users.studentID,
      realName: users.realName,
      nickname: users.nickname,
      username: users.username,
      language: problemSubmissions.language,
      state: problemSubmissions.state,
      verdict: problemSubmissions.verdict,
      passed: problemSubmissions.passed,
      total: problemSubmissions.total,
      cpuMs: problemSubmissions.cpuMs,
      memoryBytes: problemSubmissions.memoryBytes,
      createdAt: problemSubmissions.createdAt,
    })
    .from(problemSubmissions)
    .innerJoin(users, eq(users.id, problemSubmissions.userID))
    .where(matching(problemID, filter))
    .orderBy(desc(problemSubmissions.id))
    .toSQL();

/** The newest check of each language’s reference solution. */
export const listChecks = (db: Database, problemID: number): Promise<SubmissionRow[]> =>
  db
    .selectDistinctOn([problemSubmissions.language])
    .from(problemSubmissions)
    .where(and(eq(problemSubmissions.problemID, problemID), eq(problemSubmissions.kind, 'check')))
    .orderBy(problemSubmissions.language, desc(problemSubmissions.id));

/** `judgedAt` stays: it tells what is judged again from what is judged first. */
const again = (now: Date) => ({
  state: JudgeState.queued,
  verdict: null,
  startedAt: null,
  attempts: 0,
  passed: 0,
  tests: [] as StoredTest[],
  due: new Date(now.getTime() + REJUDGE_SECONDS * 1000),
});

/** Puts one into the queue again. @returns undefined when it is there already */
export async function rejudgeRow(
  db: Executor,
  row: Pick<SubmissionRow, 'id'>,
  now: Date,
): Promise<SubmissionRow | undefined> {
  const [changed] = await db
    .update(problemSubmissions)
    .set(again(now))
    .where(and(eq(problemSubmissions.id, row.id), eq(problemSubmissions.state, JudgeState.done)))
    .returning();
  if (changed) await told(db, changed);
  return changed;
}

/** Puts those into the queue again that other tests judged, or nobody could. @returns how many */
export async function rejudgeRows(
  db: Executor,
  problem: Pick<typeof problems.$inferSelect, 'id' | 'testsVersion'>,
  now: Date,
): Promise<number> {
  const changed = await db
    .update(problemSubmissions)
    .set(again(now))
    .where(
      and(
        eq(problemSubmissions.problemID, problem.id),
        eq(problemSubmissions.kind, 'submission'),
        eq(problemSubmissions.state, JudgeState.done),
        sql`(${problemSubmissions.testsVersion} < ${problem.testsVersion} or ${problemSubmissions.verdict} = 'systemError')`,
      ),
    )
    .returning({ id: problemSubmissions.id, userID: problemSubmissions.userID });
  await db.execute(sql`
    select pg_notify('hc_submission', t.text)
      from unnest(${sql.param(changed.map(({ id, userID }) => `${id} ${userID}`))}::text[]) t (text)`);
  return changed.length;
}

/** What would go with a problem. */
export async function countDependents(
  db: Executor,
  problemID: number,
): Promise<{ submissions: number; learners: number; solved: number }> {
  const { rows } = await db.execute(sql`
    select (select count(*)::int from problem_submission s where s.problem_id = ${problemID} and s.kind = 'submission') as submissions,
           (select count(*)::int from problem_progress g where g.problem_id = ${problemID}) as learners,
           (select count(*)::int from problem_progress g where g.problem_id = ${problemID} and g.solved_at is not null) as solved`);
  const [row] = rows as unknown as { submissions: number; learners: number; solved: number }[];
  if (!row) throw new Error('nothing was counted');
  return row;
}

/** Problems that a user solved, by the day of a calendar, since a moment. */
export async function listSolvedDays(
  db: Executor,
  userID: number,
  since: Date,
  zone: string,
): Promise<{ day: string; count: number }[]> {
  const { rows } = await db.execute(sql`
    select to_char(g.solved_at at time zone ${zone}, 'YYYY-MM-DD') as day, count(*)::int as count
      from problem_progress g
     where g.user_id = ${userID} and g.solved_at >= ${since}
     group by 1`);
  return rows as unknown as { day: string; count: number }[];
}

export const countSolved = (db: Executor, userID: number): Promise<number> =>
  db.$count(
    problemProgress,
    and(eq(problemProgress.userID, userID), sql`${problemProgress.solvedAt} is not null`),
  );
