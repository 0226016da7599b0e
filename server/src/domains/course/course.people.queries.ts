/** Who is in a course and works on it. */
import type { CourseRole, MemberSort } from '@hypercube/contract';
import { and, asc, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { users } from '../user/user.schema.ts';
import { coursePeople, courses } from './course.schema.ts';

/** What somebody other than the owner can be in a course. */
export type PersonRole = Exclude<CourseRole, 'owner'>;

/**
 * A course while its people change: how it is joined, and who owns it, stay as they are until the
 * transaction ends.
 */
export async function holdCourse(
  tx: Executor,
  courseID: number,
): Promise<typeof courses.$inferSelect | undefined> {
  const [row] = await tx.select().from(courses).where(eq(courses.id, courseID)).for('share');
  return row;
}

export async function findNickname(db: Executor, userID: number): Promise<string> {
  const [row] = await db
    .select({ nickname: users.nickname })
    .from(users)
    .where(eq(users.id, userID));
  return row?.nickname ?? '';
}

export async function findRole(
  db: Executor,
  courseID: number,
  userID: number,
): Promise<PersonRole | null> {
  const [row] = await db
    .select({ role: coursePeople.role })
    .from(coursePeople)
    .where(and(eq(coursePeople.courseID, courseID), eq(coursePeople.userID, userID)));
  return (row?.role as PersonRole | undefined) ?? null;
}

/**
 * Makes somebody a part of a course, whatever part they had.
 * @param from what they may have been; undefined: they must not have been anything
 * @returns false when they were something else
 */
export async function putPerson(
  tx: Executor,
  person: typeof coursePeople.$inferInsert,
  from: readonly PersonRole[],
): Promise<boolean> {
  const insert = tx.insert(coursePeople).values(person);
  const written = await (
    from.length === 0
      ? insert.onConflictDoNothing()
      : insert.onConflictDoUpdate({
          target: [coursePeople.courseID, coursePeople.userID],
          set: { role: person.role, joinedAt: person.joinedAt ?? null },
          setWhere: inArray(coursePeople.role, [...from]),
        })
  ).returning({ userID: coursePeople.userID });
  return written.length > 0;
}

/** Locks a course that is about to go, so that nobody comes to it meanwhile; before any account. */
export async function lockCourse(tx: Executor, courseID: number): Promise<void> {
  await tx.execute(sql`select 1 from course where id = ${courseID} for update`);
}

/** Those of the users who wait join. @returns who did */
export async function admitPeople(
  tx: Executor,
  courseID: number,
  userIDs: readonly number[],
  now: Date,
): Promise<number[]> {
  const rows = await tx
    .update(coursePeople)
    .set({ role: 'member', joinedAt: now })
    .where(
      and(
        eq(coursePeople.courseID, courseID),
        inArray(coursePeople.userID, [...userIDs]),
        eq(coursePeople.role, 'waiting'),
      ),
    )
    .returning({ userID: coursePeople.userID });
  return rows.map(({ userID }) => userID);
}

/** Those of the users who are one of `roles` are nothing any more. @returns who, and what they were */
export async function removePeople(
  tx: Executor,
  courseID: number,
  userIDs: readonly number[],
  roles: readonly PersonRole[],
): Promise<{ userID: number; role: PersonRole }[]> {
  const rows = await tx
    .delete(coursePeople)
    .where(
      and(
        eq(coursePeople.courseID, courseID),
        inArray(coursePeople.userID, [...userIDs]),
        inArray(coursePeople.role, [...roles]),
      ),
    )
    .returning({ userID: coursePeople.userID, role: coursePeople.role });
  return rows.map(({ userID, role }) => ({ userID, role: role as PersonRole }));
}

/** Everybody of these roles in a course. */
export async function listPeopleIDs(
  db: Executor,
  courseID: number,
  roles: readonly PersonRole[],
): Promise<number[]> {
  const rows = await db
    .select({ userID: coursePeople.userID })
    .from(coursePeople)
    .where(and(eq(coursePeople.courseID, courseID), inArray(coursePeople.role, [...roles])))
    .orderBy(asc(coursePeople.userID));
  return rows.map(({ userID }) => userID);
}

/** Locks an account, so that two changes of what it assists cannot both believe to be the last. */
export async function lockAccount(tx: Executor, userID: number): Promise<void> {
  await tx.execute(sql`select 1 from user_account where id = ${userID} for update`);
}

export const assistsSomething = async (db: Executor, userID: number): Promise<boolean> =>
  (await db.$count(
    coursePeople,
    and(eq(coursePeople.userID, userID), eq(coursePeople.role, 'assistant')),
  )) > 0;

/** An account as it is added to the staff of a course. */
export interface CandidateRow {
  readonly id: number;
  readonly isTeacher: boolean;
}

/** The account of a username or an e-mail address, whatever the case. */
export async function findCandidate(db: Executor, name: string): Promise<CandidateRow | undefined> {
  const { rows } = await db.execute<{ id: number; isTeacher: boolean }>(sql`
    select u.id, exists (select 1 from user_role r where r.user_id = u.id and r.role = 'teacher') as "isTeacher"
      from user_account u
     where u.disabled_at is null and (lower(u.username) = lower(${name}) or lower(u.email) = lower(${name}))
     limit 1`);
  return rows[0];
}

/** Those of the users who are one of `roles` in a course. */
export async function findPeople(
  db: Executor,
  courseID: number,
  userIDs: readonly number[],
  roles: readonly PersonRole[],
): Promise<{ id: number; username: string; role: PersonRole }[]> {
  const rows = await db
    .select({ id: users.id, username: users.username, role: coursePeople.role })
    .from(coursePeople)
    .innerJoin(users, eq(users.id, coursePeople.userID))
    .where(
      and(
        eq(coursePeople.courseID, courseID),
        inArray(coursePeople.userID, [...userIDs]),
        inArray(coursePeople.role, [...roles]),
      ),
    );
  return rows.map((row) => ({ ...row, role: row.role as PersonRole }));
}

export interface MemberRow {
  readonly id: number;
  readonly nickname: string;
  readonly organisation: string | null;
  readonly avatarAt: Date | null;
}

/** A page of those who joined, in the order in which they did. */
export async function listMemberRows(
  db: Executor,
  courseID: number,
  filter: {
    readonly keyword: string | undefined;
    readonly page: number;
    readonly pageSize: number;
  },
): Promise<{ rows: MemberRow[]; total: number }> {
  const condition = and(
    eq(coursePeople.courseID, courseID),
    eq(coursePeople.role, 'member'),
    filter.keyword ? sql`${users.nickname} ilike ${likePattern(filter.keyword)}` : undefined,
  );
  const rows = await db
    .select({
      id: users.id,
      nickname: users.nickname,
      organisation: users.organisation,
      avatarAt: users.avatarAt,
    })
    .from(coursePeople)
    .innerJoin(users, eq(users.id, coursePeople.userID))
    .where(condition)
    .orderBy(asc(coursePeople.joinedAt), asc(coursePeople.userID))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return { rows, total: await countPeople(db, condition) };
}

async function countPeople(db: Executor, condition: SQL | undefined): Promise<number> {
  const [counted] = await db
    .select({ total: sql<number>`count(*)::int` })
    .from(coursePeople)
    .innerJoin(users, eq(users.id, coursePeople.userID))
    .where(condition);
  return counted?.total ?? 0;
}

export interface MemberFilter {
  readonly keyword: string | undefined;
  readonly state: 'waiting' | 'joined' | undefined;
  readonly sort: MemberSort;
}

const memberColumns = {
  id: users.id,
  username: users.username,
  nickname: users.nickname,
  realName: users.realName,
  studentID: users.studentID,
  organisation: users.organisation,
  email: users.email,
  avatarAt: users.avatarAt,
  role: coursePeople.role,
  appliedAt: coursePeople.appliedAt,
  joinedAt: coursePeople.joinedAt,
};

const MEMBER_ORDERS: Record<MemberSort, SQL[]> = {
  latest: [desc(coursePeople.appliedAt), desc(coursePeople.userID)],
  oldest: [asc(coursePeople.appliedAt), asc(coursePeople.userID)],
  name: [sql`coalesce(${users.realName}, ${users.nickname})`, asc(coursePeople.userID)],
  studentID: [sql`${users.studentID} nulls last`, asc(coursePeople.userID)],
};

function isMember(courseID: number, { keyword, state }: MemberFilter): SQL | undefined {
  const like = keyword ? likePattern(keyword) : undefined;
  return and(
    eq(coursePeople.courseID, courseID),
    state === undefined
      ? inArray(coursePeople.role, ['waiting', 'member'])
      : eq(coursePeople.role, state === 'joined' ? 'member' : 'waiting'),
    like === undefined
      ? undefined
      : or(
          sql`${users.nickname} ilike ${like}`,
          sql`${users.username} ilike ${like}`,
          sql`${users.realName} ilike ${like}`,
          sql`${users.studentID} ilike ${like}`,
          sql`${users.organisation} ilike ${like}`,
          sql`${users.email} ilike ${like}`,
        ),
  );
}

const selectMembers = (db: Executor, courseID: number, filter: MemberFilter) =>
  db
    .select(memberColumns)
    .from(coursePeople)
    .innerJoin(users, eq(users.id, coursePeople.userID))
    .where(isMember(courseID, filter))
    .orderBy(...MEMBER_ORDERS[filter.sort]);

export type ManagedMemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

/** A page of members and of those who applied. */
export async function listManagedMemberRows(
  db: Executor,
  courseID: number,
  filter: MemberFilter & { readonly page: number; readonly pageSize: number },
): Promise<{ rows: ManagedMemberRow[]; total: number }> {
  const rows = await selectMembers(db, courseID, filter)
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return { rows, total: await countPeople(db, isMember(courseID, filter)) };
}

/** The statement of an export; its rows are {@link MemberExportRow}s. */
export const memberExportStatement = (db: Executor, courseID: number, filter: MemberFilter) =>
  selectMembers(db, courseID, filter).toSQL();

/** A row of that statement, as the database names its columns. */
export interface MemberExportRow {
  readonly username: string;
  readonly nickname: string;
  readonly real_name: string | null;
  readonly student_id: string | null;
  readonly organisation: string | null;
  readonly email: string;
  readonly role: string;
  readonly applied_at: Date;
  readonly joined_at: Date | null;
}

export interface StaffRow extends MemberRow {
  readonly username: string;
  readonly realName: string | null;
  readonly since: Date;
}

/** Assistants or collaborators of a course; there are few. */
export async function listStaffRows(
  db: Executor,
  courseID: number,
  role: 'assistant' | 'collaborator',
): Promise<StaffRow[]> {
  const rows = await db
    .select(memberColumns)
    .from(coursePeople)
    .innerJoin(users, eq(users.id, coursePeople.userID))
    .where(and(eq(coursePeople.courseID, courseID), eq(coursePeople.role, role)))
    .orderBy(asc(coursePeople.joinedAt), asc(coursePeople.userID))
    .limit(1000);
  return rows.map((row) => ({ ...row, since: row.joinedAt ?? row.appliedAt }));
}
