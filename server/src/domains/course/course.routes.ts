import type { BodyOf, Language, routes } from '@hypercube/contract';
import type pg from 'pg';
import { signedIn, type Actor } from '../../platform/access/access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { inLanguage } from '../../platform/language.ts';
import { XLSX_TYPE } from '../../platform/sheet/write.ts';
import { listTeachers } from '../user/user.service.ts';
import { actsAsAdmin, isIn } from './course.access.ts';
import { exportMembers } from './course.export.ts';
import {
  presentCourse,
  presentCourseDetail,
  presentDependents,
  presentManaged,
  presentManagedMember,
  presentManagedRow,
  presentMember,
  presentNotice,
  presentStaff,
  presentTeacher,
} from './course.present.ts';
import { findNotices, listNoticeRows } from './course.notice.queries.ts';
import { listManagedMemberRows, listMemberRows, listStaffRows } from './course.people.queries.ts';
import {
  countDependents,
  findCourses,
  getCourseListRow,
  getManagedRow,
  insertCourse,
  listManagedRows,
  listTitles,
  orderCourseRows,
  prepareCourseLists,
  updateCourseRow,
  updateJoining,
  type CourseValues,
  type CourseActor,
} from './course.queries.ts';
import { joinValuesOf, makeInviteCode, type CourseService } from './course.service.ts';

type Names =
  | 'listCourses'
  | 'listCourseTitles'
  | 'getCourse'
  | 'joinCourse'
  | 'leaveCourse'
  | 'listCourseMembers'
  | 'listCourseNotices'
  | 'createCourseNotice'
  | 'updateCourseNotice'
  | 'deleteCourseNotice'
  | 'listManagedCourses'
  | 'getManagedCourse'
  | 'createCourse'
  | 'updateCourse'
  | 'updateCoursePermission'
  | 'suggestInviteCode'
  | 'deleteCourse'
  | 'getCourseDependents'
  | 'orderCourses'
  | 'listManagedMembers'
  | 'exportMembers'
  | 'reviewMembers'
  | 'removeMembers'
  | 'listAssistants'
  | 'addAssistant'
  | 'removeAssistant'
  | 'listCollaborators'
  | 'addCollaborator'
  | 'removeCollaborator'
  | 'listTeachers';

const valuesOf = (
  body: Omit<BodyOf<typeof routes.updateCourse>, 'Version' | 'TagIDList'>,
): CourseValues => ({
  titleZh: body.TitleZh,
  titleEn: body.TitleEn,
  descriptionZh: body.DescriptionZh,
  descriptionEn: body.DescriptionEn,
  contentZh: body.ContentZh,
  contentEn: body.ContentEn,
  coverKind: body.CoverKind,
  domainID: body.DomainID ?? null,
  isPublished: body.IsPublished,
});

/** Whose courses an actor works on, in the role in which they act. */
const courseActorOf = (actor: Actor): CourseActor => ({
  userID: signedIn(actor).userID,
  isAdmin: actsAsAdmin(actor),
  isTeacher: actor.roles.includes('teacher'),
});

export function courseHandlers({
  database,
  pool,
  clock,
  service,
}: {
  readonly database: Database;
  /** For the connection of its own on which an export reads. */
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly service: CourseService;
}): HandlersOf<Names> {
  const list = prepareCourseLists(database);

  /** A course as it is now, for those who work on it. */
  async function managed(courseID: number, actor: Actor, language: Language) {
    const { userID } = signedIn(actor);
    const [[row], listRow] = await Promise.all([
      findCourses(database, [courseID], userID),
      getManagedRow(database, courseID, userID),
    ]);
    if (!row) throw new DomainError('not_found');
    return presentManaged(row, listRow, language);
  }

  async function noticeOf(courseID: number, noticeID: number, language: Language) {
    const [row] = await findNotices(database, courseID, [noticeID]);
    if (!row) throw new DomainError('not_found');
    return presentNotice(row, language);
  }

  return {
    listCourses: async ({ actor, query }) => {
      const { rows, total } = await list({
        ...query,
        isOwn: query.joined === 'true',
        userID: actor.userID,
      });
      return { List: rows.map((row) => presentCourse(row, query.lang)), Total: total };
    },

    listCourseTitles: async ({ query }) => {
      const { rows, total } = await listTitles(database, { ...query, keyword: query.keyword });
      return {
        List: rows.map((row) => ({
          ID: row.id,
          Title: inLanguage(query.lang, row.titleZh, row.titleEn),
        })),
        Total: total,
      };
    },

    getCourse: async ({ actor, scoped: { courseID: row }, query }) =>
      presentCourseDetail(
        row,
        await getCourseListRow(database, row.id, actor.userID),
        !row.isPrivate || isIn(row) || actsAsAdmin(actor),
        query.lang,
      ),

    joinCourse: async ({ actor, scoped, body }) => {
      const { userID } = signedIn(actor);
      return { MyRole: await service.join(scoped.courseID, userID, body.Code) };
    },

    leaveCourse: async ({ actor, scoped }) => {
      await service.leave(scoped.courseID, signedIn(actor).userID);
      return null;
    },

    listCourseMembers: async ({ scoped, query }) => {
      const { rows, total } = await listMemberRows(database, scoped.courseID.id, {
        ...query,
        keyword: query.keyword,
      });
      return { List: rows.map(presentMember), Total: total };
    },

    listCourseNotices: async ({ scoped, query }) => {
      const { rows, total } = await listNoticeRows(database, scoped.courseID.id, {
        ...query,
        keyword: query.keyword,
      });
      return { List: rows.map((row) => presentNotice(row, query.lang)), Total: total };
    },

    createCourseNotice: async ({ actor, scoped: { courseID: course }, body, query }) => {
      const noticeID = await service.addNotice(course, body, signedIn(actor).userID);
      return noticeOf(course.id, noticeID, query.lang);
    },

    updateCourseNotice: async ({ scoped: { courseID: course, noticeID: notice }, body, query }) => {
      await service.changeNotice(course, notice, body, body.Version);
      return noticeOf(course.id, notice.id, query.lang);
    },

    deleteCourseNotice: async ({ scoped }) => {
      await service.removeNotice(scoped.noticeID);
      return null;
    },

    listManagedCourses: async ({ actor, query }) => {
      const { rows, total } = await listManagedRows(database, {
        ...query,
        actor: courseActorOf(actor),
        keyword: query.keyword,
        state: query.state,
        isWaiting: query.waiting === 'true',
      });
      return { List: rows.map((row) => presentManagedRow(row, query.lang)), Total: total };
    },

    getManagedCourse: async ({ actor, scoped, query }) =>
      managed(scoped.courseID.id, actor, query.lang),

    createCourse: async ({ actor, body, query }) => {
      const courseID = await insertCourse(
        database,
        { ...valuesOf(body), ...joinValuesOf(body) },
        signedIn(actor).userID,
        body.TagIDList,
        clock.now(),
      );
      return managed(courseID, actor, query.lang);
    },

    updateCourse: async ({ actor, scoped: { courseID: course }, body, query }) => {
      const isChanged = await updateCourseRow(
        database,
        course,
        body.Version,
        valuesOf(body),
        body.TagIDList,
        clock.now(),
      );
      if (!isChanged) throw new DomainError('changed_meanwhile');
      return managed(course.id, actor, query.lang);
    },

    updateCoursePermission: async ({ actor, scoped: { courseID: course }, body, query }) => {
      const isChanged = await updateJoining(
        database,
        course.id,
        body.Version,
        joinValuesOf(body),
        clock.now(),
      );
      if (!isChanged) throw new DomainError('changed_meanwhile');
      return managed(course.id, actor, query.lang);
    },

    suggestInviteCode: async () => ({ InviteCode: makeInviteCode() }),

    deleteCourse: async ({ actor, scoped }) => {
      await service.remove(scoped.courseID, signedIn(actor).userID);
      return null;
    },

    getCourseDependents: async ({ scoped }) =>
      presentDependents(await countDependents(database, scoped.courseID.id)),

    orderCourses: async ({ scoped }) => {
      await orderCourseRows(database, scoped.CourseIDList ?? []);
      return null;
    },

    listManagedMembers: async ({ scoped, query }) => {
      const { rows, total } = await listManagedMemberRows(database, scoped.courseID.id, {
        ...query,
        keyword: query.keyword,
        state: query.state,
      });
      return { List: rows.map(presentManagedMember), Total: total };
    },

    exportMembers: async ({ scoped, query, reply }) => {
      const sheet = await exportMembers(
        { database, pool },
        scoped.courseID.id,
        { keyword: query.keyword, state: query.state, sort: query.sort },
        query.columns,
        query.lang,
      );
      reply.headers({
        'content-type': XLSX_TYPE,
        'content-disposition': 'attachment; filename="members.xlsx"',
        'cache-control': 'no-store',
      });
      return sheet;
    },

    reviewMembers: async ({ scoped, body }) => ({
      Answered: await service.review(scoped.courseID, scoped.UserIDList ?? [], body.IsApproved),
    }),

    removeMembers: async ({ scoped }) => ({
      Removed: await service.removeMembers(scoped.courseID, scoped.UserIDList ?? []),
    }),

    listAssistants: async ({ scoped }) => {
      const rows = await listStaffRows(database, scoped.courseID.id, 'assistant');
      return { List: rows.map(presentStaff), Total: rows.length };
    },

    addAssistant: async ({ scoped, body }) =>
      presentStaff(await service.addAssistant(scoped.courseID, body.Name)),

    removeAssistant: async ({ scoped }) => {
      await service.removeAssistant(scoped.courseID, scoped.userID);
      return null;
    },

    listCollaborators: async ({ scoped }) => {
      const rows = await listStaffRows(database, scoped.courseID.id, 'collaborator');
      return { List: rows.map(presentStaff), Total: rows.length };
    },

    addCollaborator: async ({ scoped, body }) =>
      presentStaff(await service.addCollaborator(scoped.courseID, body.Name)),

    removeCollaborator: async ({ scoped }) => {
      await service.removeCollaborator(scoped.courseID, scoped.userID);
      return null;
    },

    listTeachers: async ({ query }) => {
      const { rows, total } = await listTeachers(database, query);
      return { List: rows.map(presentTeacher), Total: total };
    },
  };
}
