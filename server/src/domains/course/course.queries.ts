import { CourseJoinMode, type CourseRole, type MemberSort } from '@hypercube/contract';
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { prepareCatalogue } from '../../platform/database/catalogue.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { likePattern, searchVector } from '../../platform/search.ts';
import { tagJson, type TagFacts } from '../domain/domain.service.ts';
import { users } from '../user/user.schema.ts';
import { courseNotices, coursePeople, courseTags, courses } from './course.schema.ts';

/** A course, and what the one who asks is in it. */
export type CourseRow = typeof courses.$inferSelect & { myRole: CourseRole | null };
export type NoticeRow = typeof courseNotices.$inferSelect & { author: string | null };
/** What somebody other than the owner can be in a course. */
export type PersonRole = Exclude<CourseRole, 'owner'>;

/** A course as the catalogue shows it: without the long text and what its staff alone are told. */
export type CourseListRow = Pick<
  typeof courses.$inferSelect,
  | 'id'
  | 'titleZh'
  | 'titleEn'
  | 'descriptionZh'
  | 'descriptionEn'
  | 'coverKind'
  | 'coverSeed'
  | 'isPrivate'
  | 'joinMode'
  | 'updatedAt'
> & {
  domain: TagFacts | null;
  tags: TagFacts[];
  members: number;
  /** `avatarAt` as JSON has it. */
  owner: { id: number; nickname: string; avatarAt: string | null } | null;
  myRole: CourseRole | null;
};

/** A course as those who work on it see it. */
export type ManagedCourseRow = Omit<
  typeof courses.$inferSelect,
  'contentZh' | 'contentEn' | 'words'
> & {
  tags: TagFacts[];
  members: number;
  waiting: number;
  ownerName: string | null;
  myRole: CourseRole | null;
};

const {
  contentZh: _contentZh,
  contentEn: _contentEn,
  words: _words,
  ...shortColumns
} = getTableColumns(courses);

// Written out: in a statement on one table drizzle leaves the table's name away, and `id` inside a
// sub-select would then be the wrong table's.
const tagsColumn = sql<
  TagFacts[]
>`coalesce((select json_agg(${tagJson('t')} order by t.sequence, t.id) from course_tag l join tag t on t.id = l.tag_id where l.course_id = course.id), '[]')`.as(
  'tags',
);
const countOf = (role: 'member' | 'waiting'): SQL<number> =>
  sql<number>`(select count(*)::int from course_person p where p.course_id = course.id and p.role = ${sql.raw(`'${role}'`)})`;
const roleOf = (userID: SQLWrapper): SQL<CourseRole | null> =>
  sql<CourseRole | null>`(case when course.owner_id = ${userID}::integer then 'owner' else (select p.role from course_person p where p.course_id = course.id and p.user_id = ${userID}::integer) end)`;
/** A value as a statement on its own has it; the catalogue's have a placeholder there. */
const value = (userID: number | null): SQLWrapper => sql`${sql.param(userID)}`;

const listColumns = (userID: SQLWrapper) => ({
  id: courses.id,
  titleZh: courses.titleZh,
  titleEn: courses.titleEn,
  descriptionZh: courses.descriptionZh,
  descriptionEn: courses.descriptionEn,
  coverKind: courses.coverKind,
  coverSeed: courses.coverSeed,
  isPrivate: courses.isPrivate,
  joinMode: courses.joinMode,
  updatedAt: courses.updatedAt,
  domain:
    sql<TagFacts | null>`(select ${tagJson('d')} from domain d where d.id = course.domain_id)`.as(
      'domain',
    ),
  tags: tagsColumn,
  members: countOf('member').as('members'),
  owner: sql<
    CourseListRow['owner']
  >`(select json_build_object('id', u.id, 'nickname', u.nickname, 'avatarAt', u.avatar_at) from user_account u where u.id = course.owner_id)`.as(
    'owner',
  ),
  myRole: roleOf(userID).as('my_role'),
});

const managedColumns = (userID: number | null) => ({
  ...shortColumns,
  tags: tagsColumn,
  members: countOf('member').as('members'),
  waiting: countOf('waiting').as('waiting'),
  ownerName: sql<
    string | null
  >`(select u.nickname from user_account u where u.id = course.owner_id)`.as('owner_name'),
  myRole: roleOf(value(userID)).as('my_role'),
});

/** The catalogue's statements. */
export const prepareCourseLists = (database: Database) =>
  prepareCatalogue<CourseListRow>(database, {
    name: 'course',
    table: courses,
    heat: countOf('member'),
    isShown: sql`(course.is_published and not course.is_hidden)`,
    isOwn: sql`(course.is_published and (course.owner_id = ${sql.placeholder('user')}::integer or exists (select 1 from course_person p where p.course_id = course.id and p.user_id = ${sql.placeholder('user')}::integer)))`,
    columns: listColumns(sql.placeholder('user')),
    hasTag: sql`exists (select 1 from course_tag l where l.course_id = course.id and l.tag_id = any(${sql.placeholder('tags')}::int[]))`,
  });

/** Names of the catalogue's courses, in its order. */
export async function listTitles(
  db: Executor,
  filter: {
    readonly keyword: string | undefined;
    readonly page: number;
    readonly pageSize: number;
  },
): Promise<{ rows: { id: number; titleZh: string; titleEn: string }[]; total: number }> {
  const condition = and(
    eq(courses.isPublished, true),
    eq(courses.isHidden, false),
    hasTitle(filter.keyword),
  );
  const rows = await db
    .select({ id: courses.id, titleZh: courses.titleZh, titleEn: courses.titleEn })
    .from(courses)
    .where(condition)
    .orderBy(asc(courses.sequence), asc(courses.id))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return { rows, total: await db.$count(courses, condition) };
}

function hasTitle(keyword: string | undefined): SQL | undefined {
  if (!keyword) return undefined;
  const like = likePattern(keyword);
  return sql`(${courses.titleZh} ilike ${like} or ${courses.titleEn} ilike ${like})`;
}

/** Courses by id, drafts included, with what somebody is in them. */
export const findCourses = (
  db: Executor,
  ids: readonly number[],
  userID: number | null,
): Promise<CourseRow[]> =>
  db
    .select({ ...getTableColumns(courses), myRole: roleOf(value(userID)).as('my_role') })
    .from(courses)
    .where(inArray(courses.id, [...ids]));

export async function getCourseListRow(
  db: Executor,
  courseID: number,
  userID: number | null,
): Promise<CourseListRow> {
  const [found] = await db
    .select(listColumns(value(userID)))
    .from(courses)
    .where(eq(courses.id, courseID));
  if (!found) throw new Error(`course ${courseID} vanished`);
  return found;
}

export async function getManagedRow(
  db: Executor,
  courseID: number,
  userID: number | null,
): Promise<ManagedCourseRow> {
  const [found] = await db
    .select(managedColumns(userID))
    .from(courses)
    .where(eq(courses.id, courseID));
  if (!found) throw new Error(`course ${courseID} vanished`);
  return found;
}

/** Whose courses are meant, in the role in which they act. */
export interface CourseActor {
  readonly userID: number;
  readonly isAdmin: boolean;
  /** Owners and collaborators act as teachers; an assistant only where they assist. */
  readonly isTeacher: boolean;
}

/** Whether somebody works on a course; the statement reads the table by its own name. */
export const isWorkedOn = ({ userID, isAdmin, isTeacher }: CourseActor): SQL =>
  isAdmin
    ? sql`true`
    : sql`(${isTeacher ? sql`course.owner_id = ${userID} or ` : sql``}exists (select 1 from course_person w where w.course_id = course.id and w.user_id = ${userID} and w.role = any(${sql.param(isTeacher ? ['assistant', 'collaborator'] : ['assistant'])}::text[])))`;

export interface ManagedFilter {
  readonly actor: CourseActor;
  readonly relation: 'all' | 'mine' | 'cooperation';
  readonly keyword: string | undefined;
  readonly state: 'published' | 'draft' | undefined;
  /** Only those where somebody waits for an answer. */
  readonly isWaiting: boolean;
  readonly sort: 'sequence' | 'latest' | 'title' | 'members';
  readonly page: number;
  readonly pageSize: number;
}

/** A page of what somebody works on, and how many there are in all. */
export async function listManagedRows(
  db: Executor,
  filter: ManagedFilter,
): Promise<{ rows: ManagedCourseRow[]; total: number }> {
  const { userID } = filter.actor;
  const relations: Record<ManagedFilter['relation'], SQL | undefined> = {
    all: undefined,
    mine: eq(courses.ownerID, userID),
    cooperation: sql`exists (select 1 from course_person c where c.course_id = course.id and c.user_id = ${userID} and c.role in ('assistant', 'collaborator'))`,
  };
  const condition = and(
    isWorkedOn(filter.actor),
    relations[filter.relation],
    filter.state === undefined ? undefined : eq(courses.isPublished, filter.state === 'published'),
    filter.isWaiting
      ? sql`exists (select 1 from course_person w where w.course_id = course.id and w.role = 'waiting')`
      : undefined,
    hasTitle(filter.keyword),
  );
  const orders: Record<ManagedFilter['sort'], SQL[]> = {
    sequence: [asc(courses.sequence)],
    latest: [desc(courses.updatedAt)],
    title: [asc(courses.titleZh)],
    members: [desc(countOf('member'))],
  };
  const rows = await db
    .select(managedColumns(userID))
    .from(courses)
    .where(condition)
    .orderBy(...orders[filter.sort], asc(courses.id))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return { rows, total: await db.$count(courses, condition) };
}

/** What a course says of itself. */
export type CourseValues = Pick<
  typeof courses.$inferInsert,
  | 'titleZh'
  | 'titleEn'
  | 'descriptionZh'
  | 'descriptionEn'
  | 'contentZh'
  | 'contentEn'
  | 'coverKind'
> & { domainID: number | null; isPublished: boolean };

/** Who finds a course and how it is joined. */
export type JoinValues = Pick<
  typeof courses.$inferSelect,
  'isHidden' | 'isPrivate' | 'joinMode' | 'inviteCode' | 'inviteFrom' | 'inviteUntil'
>;

/** The words by which it is found: a search would else tell what a private text holds. */
const wordsOf = (
  values: Omit<CourseValues, 'coverKind' | 'domainID' | 'isPublished'>,
  isPrivate: boolean,
): string =>
  searchVector(
    [values.titleZh, values.titleEn],
    [
      values.descriptionZh,
      values.descriptionEn,
      ...(isPrivate ? [] : [values.contentZh, values.contentEn]),
    ],
  ) as unknown as string;

async function writeTags(db: Executor, courseID: number, tagIDs: readonly number[]) {
  await db.delete(courseTags).where(eq(courseTags.courseID, courseID));
  if (tagIDs.length > 0)
    await db.insert(courseTags).values(tagIDs.map((tagID) => ({ courseID, tagID })));
}

/** Adds a course at the end of the order. @returns its id */
export async function insertCourse(
  db: Database,
  values: CourseValues & JoinValues,
  ownerID: number,
  tagIDs: readonly number[],
  now: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(courses)
      .values({
        ...values,
        ownerID,
        words: wordsOf(values, values.isPrivate),
        coverSeed: sql`floor(random() * 100000)::int`,
        sequence: sql`(select coalesce(max(o.sequence), 0) + 10 from course o)`,
        createdAt: now,
        updatedAt: now,
      })
      .returning({ id: courses.id });
    if (!row) throw new Error('the course was not made');
    await writeTags(tx, row.id, tagIDs);
    return row.id;
  });
}

/** @returns false when somebody else changed it since `version` */
export async function updateCourseRow(
  db: Database,
  course: CourseRow,
  version: number,
  values: CourseValues,
  tagIDs: readonly number[],
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(courses)
      .set({
        ...values,
        // A change of who may read it moves the version, so this is what it still is.
        words: wordsOf(values, course.isPrivate),
        version: sql`${courses.version} + 1`,
        updatedAt: now,
      })
      .where(
        and(
          eq(courses.id, course.id),
          eq(courses.version, version),
          eq(courses.isPrivate, course.isPrivate),
        ),
      )
      .returning({ id: courses.id });
    if (changed) await writeTags(tx, course.id, tagIDs);
    return changed !== undefined;
  });
}

/** @returns false when somebody else changed it since `version` */
export async function updateJoining(
  db: Database,
  courseID: number,
  version: number,
  values: JoinValues,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(courses)
      .set({ ...values, version: sql`${courses.version} + 1`, updatedAt: now })
      .where(and(eq(courses.id, courseID), eq(courses.version, version)))
      .returning();
    if (!changed) return false;
    await tx
      .update(courses)
      .set({ words: wordsOf(changed, values.isPrivate) })
      .where(eq(courses.id, courseID));
    return true;
  });
}

export async function deleteCourseRow(db: Executor, courseID: number): Promise<void> {
  await db.delete(courses).where(eq(courses.id, courseID));
}

/** Gives the named ones, in their new order, the places that they had among all. */
export async function orderCourseRows(
  db: Database,
  rows: readonly Pick<CourseRow, 'id' | 'sequence'>[],
): Promise<void> {
  const places = rows.map((row) => row.sequence).toSorted((a, b) => a - b);
  await db.transaction(async (tx) => {
    for (const [index, row] of rows.entries())
      await tx
        .update(courses)
        .set({ sequence: places[index] ?? row.sequence })
        .where(eq(courses.id, row.id));
  });
}

// People ------------------------------------------------------------------------------------------

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

export interface DependentCounts {
  readonly members: number;
  readonly waiting: number;
  readonly assistants: number;
  readonly collaborators: number;
  readonly notices: number;
}

export async function countDependents(db: Executor, courseID: number): Promise<DependentCounts> {
  const [people, notices] = await Promise.all([
    db
      .select({ role: coursePeople.role, count: sql<number>`count(*)::int` })
      .from(coursePeople)
      .where(eq(coursePeople.courseID, courseID))
      .groupBy(coursePeople.role),
    db.$count(courseNotices, eq(courseNotices.courseID, courseID)),
  ]);
  const countOfRole = (role: PersonRole): number =>
    people.find((row) => row.role === role)?.count ?? 0;
  return {
    members: countOfRole('member'),
    waiting: countOfRole('waiting'),
    assistants: countOfRole('assistant'),
    collaborators: countOfRole('collaborator'),
    notices,
  };
}

/** Gives an owner's courses to somebody else, who is nothing beside an owner in them. */
export async function moveCourses(tx: Executor, fromID: number, toID: number): Promise<void> {
  await tx.execute(sql`
    delete from course_person p using course c
     where c.id = p.course_id and c.owner_id = ${fromID} and p.user_id = ${toID}`);
  await tx.execute(sql`update course set owner_id = ${toID} where owner_id = ${fromID}`);
}

// Notices -----------------------------------------------------------------------------------------

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

// First content -----------------------------------------------------------------------------------

export const countPublished = (db: Executor): Promise<number> =>
  db.$count(courses, and(eq(courses.isPublished, true), eq(courses.isHidden, false)));

export type SeedCourse = Omit<CourseValues, 'isPublished'> & {
  slug: string;
  coverSeed: number;
  sequence: number;
};

/**
 * Puts a course of the first content in place. It belongs to a teacher afterwards: what somebody
 * changed since is not written over.
 */
export async function seedCourse(
  db: Executor,
  { slug, ...changing }: SeedCourse,
  tagIDs: readonly number[],
): Promise<void> {
  const words = wordsOf(changing, false);
  const [row] = await db
    .insert(courses)
    .values({
      slug,
      ...changing,
      words,
      isPublished: true,
      joinMode: CourseJoinMode.public,
    })
    .onConflictDoUpdate({
      target: courses.slug,
      set: { ...changing, words, updatedAt: sql`now()` },
      setWhere: eq(courses.version, 1),
    })
    .returning({ id: courses.id });
  if (row) await writeTags(db, row.id, tagIDs);
}

/** Whose a course of the first content is, and who is in it. */
export async function seedPerson(
  db: Executor,
  { slug, userID, role }: { slug: string; userID: number; role: CourseRole },
  now: Date,
): Promise<void> {
  if (role === 'owner')
    await db.update(courses).set({ ownerID: userID }).where(eq(courses.slug, slug));
  else
    await db.execute(sql`
      insert into course_person (course_id, user_id, role, applied_at, joined_at)
      select c.id, ${userID}, ${role}, ${now}, ${role === 'waiting' ? null : now} from course c where c.slug = ${slug}
      on conflict do nothing`);
}
