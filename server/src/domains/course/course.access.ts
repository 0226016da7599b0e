/**
 * A published course is open, a private one without its text; a draft exists for those who work on
 * it. Who works on a course does so in a role: whoever acts as an assistant reaches the courses that
 * they assist and no other, whatever else they may do as a teacher.
 */
import type { Actor, Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findNotices, type NoticeRow } from './course.notice.queries.ts';
import { findPeople, type PersonRole } from './course.people.queries.ts';
import { findCourses, type CourseRow } from './course.queries.ts';

/** Somebody who has to do with a course. */
export interface ScopedPerson {
  readonly id: number;
  readonly username: string;
  readonly role: PersonRole;
}

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    course: CourseRow;
    joinedCourse: CourseRow;
    managedCourse: CourseRow;
    ownCourse: CourseRow;
    courseMember: ScopedPerson;
    courseAssistant: ScopedPerson;
    courseCollaborator: ScopedPerson;
    courseNotice: NoticeRow;
  }
}

const STAFF = ['assistant', 'collaborator', 'owner'] as const;

/** Whether somebody works on a course, whatever the role in which they act. */
export const isStaff = ({ myRole }: Pick<CourseRow, 'myRole'>): boolean =>
  STAFF.some((role) => role === myRole);

/** Whether somebody is in a course; those who wait are not. */
export const isIn = (row: Pick<CourseRow, 'myRole'>): boolean =>
  row.myRole === 'member' || isStaff(row);

export const actsAsAdmin = ({ roles }: Actor): boolean => roles.includes('admin');

/** Whether an actor may change a course, in the role in which they act. */
const manages = (actor: Actor, row: CourseRow): boolean =>
  actsAsAdmin(actor) ||
  (actor.roles.includes('teacher') && isStaff(row)) ||
  (actor.roles.includes('assistant') && row.myRole === 'assistant');

const owns = (actor: Actor, row: CourseRow): boolean =>
  actsAsAdmin(actor) || (actor.roles.includes('teacher') && row.myRole === 'owner');

const isVisible = (actor: Actor, row: CourseRow): boolean =>
  row.isPublished || isStaff(row) || actsAsAdmin(actor);

/** Those of the courses that are meant. */
async function load(
  database: Database,
  ids: readonly number[],
  actor: Actor,
  isMeant: (actor: Actor, row: CourseRow) => boolean,
): Promise<Map<number, CourseRow>> {
  const rows = await findCourses(database, ids, actor.userID);
  return new Map(rows.filter((row) => isMeant(actor, row)).map((row) => [row.id, row]));
}

export const resolveCourses =
  (database: Database): Resolver<'course'> =>
  (ids, actor) =>
    load(database, ids, actor, isVisible);

export const resolveJoinedCourses =
  (database: Database): Resolver<'joinedCourse'> =>
  (ids, actor) =>
    load(
      database,
      ids,
      actor,
      (_actor, row) => isVisible(actor, row) && (isIn(row) || actsAsAdmin(actor)),
    );

export const resolveManagedCourses =
  (database: Database): Resolver<'managedCourse'> =>
  (ids, actor) =>
    load(database, ids, actor, manages);

export const resolveOwnCourses =
  (database: Database): Resolver<'ownCourse'> =>
  (ids, actor) =>
    load(database, ids, actor, owns);

/** People and notices are reached through the course that the same request names, and no other. */
const courseOf = (found: Readonly<Record<string, unknown>>): CourseRow | undefined =>
  found['courseID'] as CourseRow | undefined;

async function loadPeople(
  database: Database,
  ids: readonly number[],
  found: Readonly<Record<string, unknown>>,
  roles: readonly PersonRole[],
): Promise<Map<number, ScopedPerson>> {
  const course = courseOf(found);
  const rows = course ? await findPeople(database, course.id, ids, roles) : [];
  return new Map(rows.map((row) => [row.id, row]));
}

export const resolveCourseMembers =
  (database: Database): Resolver<'courseMember'> =>
  (ids, _actor, found) =>
    loadPeople(database, ids, found, ['waiting', 'member']);

export const resolveCourseAssistants =
  (database: Database): Resolver<'courseAssistant'> =>
  (ids, _actor, found) =>
    loadPeople(database, ids, found, ['assistant']);

export const resolveCourseCollaborators =
  (database: Database): Resolver<'courseCollaborator'> =>
  (ids, _actor, found) =>
    loadPeople(database, ids, found, ['collaborator']);

export const resolveCourseNotices =
  (database: Database): Resolver<'courseNotice'> =>
  async (ids, _actor, found) => {
    const course = courseOf(found);
    return new Map(
      course ? (await findNotices(database, course.id, ids)).map((row) => [row.id, row]) : [],
    );
  };
