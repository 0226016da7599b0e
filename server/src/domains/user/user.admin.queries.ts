import { and, asc, desc, eq, getTableColumns, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { UserSort } from '@hypercube/contract';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { centres, userCentres, userWords } from './user.admin.schema.ts';
import type { UserRow } from './user.queries.ts';
import { loginSessions, userRoles, users } from './user.schema.ts';

export type CentreRow = typeof centres.$inferSelect;

/** An account as staff see it: everything but the password. */
export type ManagedUserRow = Omit<UserRow, 'passwordHash' | 'words'> & {
  roles: string[];
  centres: { id: number; nameZh: string; nameEn: string }[];
};

const { passwordHash: _passwordHash, words: _words, ...columns } = getTableColumns(users);

// Written out: in a statement on one table drizzle leaves the table's name away, and `id` inside a
// sub-select would then be the wrong table's.
const managedColumns = {
  ...columns,
  roles: sql<
    string[]
  >`coalesce((select array_agg(r.role order by r.role) from user_role r where r.user_id = user_account.id), '{}')`.as(
    'roles',
  ),
  centres: sql<
    ManagedUserRow['centres']
  >`coalesce((select json_agg(json_build_object('id', c.id, 'nameZh', c.name_zh, 'nameEn', c.name_en) order by c.id) from user_centre l join centre c on c.id = l.centre_id where l.user_id = user_account.id), '[]')`.as(
    'centres',
  ),
};

export interface UserFilter {
  readonly keyword?: string | undefined;
  readonly type?: number | undefined;
  readonly holds?: string | undefined;
  /** Only teacher applications that wait. */
  readonly isUnapproved: boolean;
  readonly organisation?: string | undefined;
  readonly active?: 'active' | 'disabled' | undefined;
  readonly sort: UserSort;
}

function conditionOf(filter: UserFilter): SQL | undefined {
  const like = (text: string | undefined): string | undefined =>
    text ? likePattern(text.toLowerCase()) : undefined;
  const [keyword, organisation] = [like(filter.keyword), like(filter.organisation)];
  return and(
    keyword === undefined ? undefined : sql`user_account.words like ${keyword}`,
    // The words contain the organisation, so that their index narrows this down as well.
    organisation === undefined
      ? undefined
      : sql`(user_account.words like ${organisation} and lower(user_account.organisation) like ${organisation})`,
    filter.type === undefined ? undefined : eq(users.type, filter.type),
    filter.holds === undefined
      ? undefined
      : sql`exists (select 1 from user_role r where r.user_id = user_account.id and r.role = ${filter.holds})`,
    filter.isUnapproved ? sql`user_account.apply_status = 1` : undefined,
    filter.active === undefined
      ? undefined
      : filter.active === 'active'
        ? isNull(users.disabledAt)
        : sql`user_account.disabled_at is not null`,
  );
}

const ORDERS: Readonly<Record<UserSort, SQL[]>> = {
  latest: [desc(users.createdAt), desc(users.id)],
  oldest: [asc(users.createdAt), asc(users.id)],
  username: [sql`lower(${users.username})`],
  organisation: [sql`coalesce(${users.organisation}, '')`, asc(users.id)],
  seen: [sql`${users.lastSeenAt} desc nulls last`, sql`${users.id} desc nulls last`],
};

/** Shorter keywords have no trigram, and so no index. */
const TRIGRAM = 3;
/** Share of the accounts from which on a keyword is common: its page comes soon in the list's order. */
const COMMON = 0.1;

/** So much of the words is looked at to tell that; all of them on a small site. */
const SAMPLE_BYTES = 200_000;

/** The only thing that a filter asks for; undefined when there are more, or none. */
function onlyFilterOf({ sort: _sort, isUnapproved, ...others }: UserFilter): string | undefined {
  const [only, ...more] = Object.entries(others).filter(([, value]) => Boolean(value));
  return isUnapproved || more.length > 0 ? undefined : only?.[0];
}

/** What a keyword that no index serves looks for, where it is all that is asked for. */
function shortPatternOf(filter: UserFilter): string | undefined {
  const keyword = filter.keyword?.toLowerCase() ?? '';
  return onlyFilterOf(filter) === 'keyword' && Array.from(keyword).length < TRIGRAM
    ? likePattern(keyword)
    : undefined;
}

/** How many match. A role alone is counted where roles are: joining every account to it takes ten times as long. */
function countMatching(db: Executor, filter: UserFilter): Promise<number> {
  return filter.holds !== undefined && onlyFilterOf(filter) === 'holds'
    ? db.$count(userRoles, eq(userRoles.role, filter.holds))
    : db.$count(users, conditionOf(filter));
}

/** Whether many accounts have a short keyword, by a sample of them: how to look, not what is found. */
async function isCommon(db: Executor, pattern: string): Promise<boolean> {
  const { rows } = await db.execute<{ common: boolean | null }>(sql`
    select avg((words like ${pattern})::int) >= ${COMMON} as common from user_words
      tablesample system (least(100, 100.0 * ${SAMPLE_BYTES} / greatest(1, pg_relation_size('user_words'))))`);
  return rows[0]?.common ?? false;
}

/** A page of those with a rare short keyword, and how many there are: all are found, then put in order. */
async function findRare(
  db: Executor,
  pattern: string,
  sort: UserSort,
  page: number,
  pageSize: number,
): Promise<{ total: number; ids: number[] }> {
  const { rows } = await db.execute<{ total: number; ids: number[] }>(sql`
    with hit as materialized (select user_id from user_words where words like ${pattern})
    select (select count(*)::int from hit) as total,
           array(select user_account.id from user_account join hit on hit.user_id = user_account.id
                  order by ${sql.join(ORDERS[sort], sql`, `)}
                  limit ${pageSize} offset ${(page - 1) * pageSize}) as ids`);
  return rows[0] ?? { total: 0, ids: [] };
}

/** A page of accounts and how many there are in all. */
export async function listUserRows(
  db: Executor,
  filter: UserFilter,
  page: number,
  pageSize: number,
): Promise<{ rows: ManagedUserRow[]; total: number }> {
  const order = ORDERS[filter.sort];
  const pattern = shortPatternOf(filter);
  if (pattern !== undefined && !(await isCommon(db, pattern))) {
    const { total, ids } = await findRare(db, pattern, filter.sort, page, pageSize);
    const rows = await db
      .select(managedColumns)
      .from(users)
      .where(inArray(users.id, ids))
      .orderBy(...order);
    return { rows, total };
  }
  // First which ones, by an index alone; what belongs to each is read for the page only.
  const chosen = db
    .select({ id: users.id })
    .from(users)
    .where(conditionOf(filter))
    .orderBy(...order)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .as('chosen');
  const [rows, total] = await Promise.all([
    db
      .select(managedColumns)
      .from(users)
      .innerJoin(chosen, eq(users.id, chosen.id))
      .orderBy(...order),
    pattern === undefined
      ? countMatching(db, filter)
      : db.$count(userWords, sql`${userWords.words} like ${pattern}`),
  ]);
  return { rows, total };
}

/** The statement of an export; its rows are {@link ExportRow}s. */
export const exportStatement = (db: Executor, filter: UserFilter) =>
  db
    .select(managedColumns)
    .from(users)
    .where(conditionOf(filter))
    .orderBy(...ORDERS[filter.sort])
    .toSQL();

/** A row of that statement, as the database names its columns. */
export interface ExportRow {
  readonly username: string;
  readonly nickname: string;
  readonly real_name: string | null;
  readonly email: string;
  readonly phone: string | null;
  readonly gender: number | null;
  readonly organisation: string | null;
  readonly student_id: string | null;
  readonly type: number;
  readonly apply_status: number;
  readonly roles: readonly string[];
  readonly disabled_at: Date | null;
  readonly created_at: Date;
  readonly last_seen_at: Date | null;
}

export const findManagedUsers = (db: Executor, ids: readonly number[]): Promise<ManagedUserRow[]> =>
  db
    .select(managedColumns)
    .from(users)
    .where(inArray(users.id, [...ids]));

/**
 * One change at a time to who the admins are: of two that would each leave the other's admin, the
 * second sees what the first did.
 */
export async function lockAdmins(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('hypercube admins'))`);
}

/** How many could act as admin if this account could not. */
export async function countOtherAdmins(tx: Executor, userID: number): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from user_role r join user_account u on u.id = r.user_id
     where r.role = 'admin' and u.disabled_at is null and u.id <> ${userID}`);
  return rows[0]?.count ?? 0;
}

/** @returns undefined when somebody else changed it since `version` */
export async function changeUser(
  tx: Executor,
  userID: number,
  version: number,
  values: Partial<Pick<UserRow, 'type' | 'applyStatus' | 'applyReason' | 'disabledAt'>>,
): Promise<boolean> {
  const changed = await tx
    .update(users)
    .set({ ...values, version: sql`${users.version} + 1` })
    .where(and(eq(users.id, userID), eq(users.version, version)))
    .returning({ id: users.id });
  return changed.length > 0;
}

/** Gives and takes roles; those that are in neither list stay. */
export async function setRoles(
  tx: Executor,
  userID: number,
  given: readonly string[],
  taken: readonly string[],
): Promise<void> {
  if (taken.length > 0)
    await tx
      .delete(userRoles)
      .where(and(eq(userRoles.userID, userID), inArray(userRoles.role, [...taken])));
  if (given.length > 0)
    await tx
      .insert(userRoles)
      .values(given.map((role) => ({ userID, role })))
      .onConflictDoNothing();
}

export async function setCentres(
  tx: Executor,
  userID: number,
  centreIDs: readonly number[],
): Promise<void> {
  await tx.delete(userCentres).where(eq(userCentres.userID, userID));
  if (centreIDs.length > 0)
    await tx
      .insert(userCentres)
      .values(centreIDs.map((centreID) => ({ userID, centreID })))
      .onConflictDoNothing();
}

export async function deleteLoginSessionsOf(tx: Executor, userID: number): Promise<void> {
  await tx.delete(loginSessions).where(eq(loginSessions.userID, userID));
}

// What belongs to an account ----------------------------------------------------------------------

export interface DependentRow {
  readonly kind:
    | 'lab'
    | 'software'
    | 'course'
    | 'specification'
    | 'image'
    | 'computer'
    | 'usage'
    | 'files'
    | 'resourceApply'
    | 'submission'
    | 'problem'
    | 'problemSubmission';
  readonly id: number;
  readonly title: string;
}

/** Everything that would go on to somebody else, be removed, or stand in the way; that first, however much there is. */
export async function listDependents(db: Executor, userID: number): Promise<DependentRow[]> {
  const { rows } = await db.execute<{ kind: DependentRow['kind']; id: number; title: string }>(sql`
    select d.kind, d.id, d.title from (
      select 'usage' as kind, u.id, u.phase as title from usage u where u.user_id = ${userID} and u.ended_at is null
      union all select 'lab', l.id, l.title_zh from lab l where l.owner_id = ${userID}
      union all select 'software', s.id, s.title_zh from software s where s.owner_id = ${userID}
      union all select 'course', c.id, c.title_zh from course c where c.owner_id = ${userID}
      union all select 'specification', p.id, p.name_zh from specification p where p.owner_id = ${userID}
      union all select 'image', i.id, i.title_zh from image i where i.owner_id = ${userID}
      union all select 'computer', c.id, c.name from computer c where c.user_id = ${userID} and c.deleted_at is null
      union all select 'resourceApply', r.id, r.project from resource_apply r where r.user_id = ${userID}
      union all select 'submission', s.id, h.title_zh from homework_submission s join homework h on h.id = s.homework_id where s.user_id = ${userID}
      union all select 'problem', p.id, p.title_zh from problem p where p.owner_id = ${userID}
      union all select distinct 'problemSubmission', p.id, p.title_zh from problem_submission s join problem p on p.id = s.problem_id where s.user_id = ${userID}
    ) d order by d.kind <> 'usage', d.kind, d.id limit 1000`);
  return rows.map(({ kind, id, title }) => ({ kind, id, title }));
}

/** Locks an account, so that nothing new can come to belong to it until the transaction ends. */
export async function lockUser(tx: Executor, userID: number): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`select id from user_account where id = ${userID} for update`,
  );
  return rows.length > 0;
}

/** Gives what staff made to another owner. */
export async function moveWorks(tx: Executor, fromID: number, toID: number): Promise<void> {
  for (const table of ['lab', 'software', 'specification', 'image', 'problem'])
    await tx.execute(
      sql`update ${sql.raw(table)} set owner_id = ${toID} where owner_id = ${fromID}`,
    );
}

/** Computers whose home folders go with their user; deleted ones that are not yet cleared included. */
export async function listComputerIDs(tx: Executor, userID: number): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(
    sql`select id from computer where user_id = ${userID}`,
  );
  return rows.map(({ id }) => id);
}

export async function deleteUserRow(tx: Executor, userID: number): Promise<void> {
  await tx.delete(users).where(eq(users.id, userID));
}

// Class lists -------------------------------------------------------------------------------------

/** Which of these usernames and e-mail addresses accounts have, in lower case. */
export async function findTaken(
  db: Executor,
  usernames: readonly string[],
  emails: readonly string[],
): Promise<{ usernames: Set<string>; emails: Set<string> }> {
  const lower = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());
  const { rows } = await db.execute<{ username: string; email: string }>(sql`
    select lower(username) as username, lower(email) as email from user_account
     where lower(username) = any(${sql.param(lower(usernames))}::text[])
        or lower(email) = any(${sql.param(lower(emails))}::text[])`);
  return {
    usernames: new Set(rows.map(({ username }) => username)),
    emails: new Set(rows.map(({ email }) => email)),
  };
}

export type NewUser = Pick<
  typeof users.$inferInsert,
  | 'username'
  | 'email'
  | 'nickname'
  | 'realName'
  | 'studentID'
  | 'organisation'
  | 'type'
  | 'passwordHash'
  | 'language'
>;

/** Makes student accounts. @returns their ids, in the order of the rows */
export async function insertStudents(tx: Executor, rows: readonly NewUser[]): Promise<number[]> {
  const made = await tx
    .insert(users)
    .values([...rows])
    .returning({ id: users.id });
  await tx.insert(userRoles).values(made.map(({ id }) => ({ userID: id, role: 'student' })));
  return made.map(({ id }) => id);
}

// Centres -----------------------------------------------------------------------------------------

export interface CentreListRow extends CentreRow {
  readonly admins: number;
}

const centreColumns = {
  ...getTableColumns(centres),
  admins: sql<number>`(select count(*)::int from user_centre l where l.centre_id = centre.id)`.as(
    'admins',
  ),
};

export const listCentreRows = (db: Executor): Promise<CentreListRow[]> =>
  db.select(centreColumns).from(centres).orderBy(asc(centres.id));

export const findCentres = (db: Executor, ids: readonly number[]): Promise<CentreListRow[]> =>
  db
    .select(centreColumns)
    .from(centres)
    .where(inArray(centres.id, [...ids]));

type CentreValues = Pick<CentreRow, 'nameZh' | 'nameEn'>;

export async function insertCentre(db: Executor, values: CentreValues): Promise<CentreListRow> {
  const [row] = await db.insert(centres).values(values).returning();
  if (!row) throw new Error('the centre was not made');
  return { ...row, admins: 0 };
}

export async function changeCentre(
  db: Executor,
  centreID: number,
  values: CentreValues,
): Promise<void> {
  await db.update(centres).set(values).where(eq(centres.id, centreID));
}

/** Locks a centre, so that nothing new can come to belong to it until the transaction ends. */
export async function lockCentre(tx: Executor, centreID: number): Promise<void> {
  await tx.execute(sql`select id from centre where id = ${centreID} for update`);
}

/** Who looks after a centre. */
export async function listCentreAdmins(
  db: Executor,
  centreID: number,
): Promise<{ id: number; nickname: string }[]> {
  return db
    .select({ id: users.id, nickname: users.nickname })
    .from(userCentres)
    .innerJoin(users, eq(users.id, userCentres.userID))
    .where(eq(userCentres.centreID, centreID))
    .orderBy(asc(users.id))
    .limit(100);
}

/** What users applied for at a centre: it cannot go while that is there. */
export async function listCentreApplications(
  db: Executor,
  centreID: number,
): Promise<{ id: number; project: string }[]> {
  const { rows } = await db.execute<{ id: number; project: string }>(sql`
    select r.id, r.project from resource_apply r where r.centre_id = ${centreID} order by r.id limit 100`);
  return rows;
}

export async function deleteCentreRow(db: Executor, centreID: number): Promise<void> {
  await db.delete(centres).where(eq(centres.id, centreID));
}
