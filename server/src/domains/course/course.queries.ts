import { CourseJoinMode, type CourseRole } from '@hypercube/contract';
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { prepareCatalogue } from '../../platform/database/catalogue.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { likePattern, searchVector } from '../../platform/search.ts';
import { tagJson, type TagFacts } from '../domain/domain.service.ts';
import type { PersonRole } from './course.people.queries.ts';
import { courseNotices, coursePeople, courseTags, courses } from './course.schema.ts';

/** A course, and what the one who asks is in it. */
export type CourseRow = typeof courses.$inferSelect & { myRole: CourseRole | null };

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

export interface DependentCounts {
  readonly members: number;
  readonly waiting: number;
  readonly assistants: number;
  readonly collaborators: number;
  readonly notices: number;
  readonly homework: number;
  readonly submissions: number;
}

export async function countDependents(db: Executor, courseID: number): Promise<DependentCounts> {
  const [people, notices, { rows: counted }] = await Promise.all([
    db
      .select({ role: coursePeople.role, count: sql<number>`count(*)::int` })
      .from(coursePeople)
      .where(eq(coursePeople.courseID, courseID))
      .groupBy(coursePeople.role),
    db.$count(courseNotices, eq(courseNotices.courseID, courseID)),
    db.execute<{ homework: number; submissions: number }>(sql`
      select count(distinct h.id)::int as homework, count(s.id)::int as submissions
        from homework h left join homework_submission s on s.homework_id = h.id
       where h.course_id = ${courseID}`),
  ]);
  const countOfRole = (role: PersonRole): number =>
    people.find((row) => row.role === role)?.count ?? 0;
  return {
    members: countOfRole('member'),
    waiting: countOfRole('waiting'),
    assistants: countOfRole('assistant'),
    collaborators: countOfRole('collaborator'),
    notices,
    homework: counted[0]?.homework ?? 0,
    submissions: counted[0]?.submissions ?? 0,
  };
}

/** Gives an owner's courses to somebody else, who is nothing beside an owner in them. */
export async function moveCourses(tx: Executor, fromID: number, toID: number): Promise<void> {
  await tx.execute(sql`
    delete from course_person p using course c
     where c.id = p.course_id and c.owner_id = ${fromID} and p.user_id = ${toID}`);
  await tx.execute(sql`update course set owner_id = ${toID} where owner_id = ${fromID}`);
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
