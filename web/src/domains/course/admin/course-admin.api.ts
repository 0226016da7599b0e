/** Calls of those who work on courses. */
import {
  routes,
  type BodyInputOf,
  type ManagedCourse,
  type ManagedCourseRow,
  type ManagedMember,
  type MemberColumn,
} from '@hypercube/contract';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { addressOf, call } from '../../../kernel/api.ts';
import type { ReadList } from '../../../ui/table/use-list.ts';
import { textBodyOf, textValuesOf } from '../../lab/admin/ItemFields.tsx';
import { COURSE_KEY } from '../course.api.ts';

export const MANAGED_COURSES_KEY = ['managed-course'] as const;

/** @returns what makes every page see that something of a course has changed */
export function useCoursesChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    void client.invalidateQueries({ queryKey: COURSE_KEY });
    await client.invalidateQueries({ queryKey: MANAGED_COURSES_KEY });
  };
}

export const readManagedCourses: ReadList<ManagedCourseRow> = (query, signal) =>
  call(routes.listManagedCourses, { query, signal });

const readManagedCourse = (courseID: number, signal?: AbortSignal) =>
  call(routes.getManagedCourse, { params: { courseID }, signal });

export const managedCourseQuery = (courseID: number, language: string) =>
  queryOptions({
    queryKey: [...MANAGED_COURSES_KEY, 'one', courseID, language],
    queryFn: ({ signal }) => readManagedCourse(courseID, signal),
    meta: { isHandled: true },
  });

/** Courses to choose one from, by a part of the title. */
export const choosableCoursesQuery = (keyword: string, language: string) =>
  queryOptions({
    queryKey: [...MANAGED_COURSES_KEY, 'choosable', keyword, language],
    queryFn: ({ signal }) =>
      call(routes.listManagedCourses, {
        query: { pageSize: 50, sort: 'latest', ...(keyword === '' ? {} : { keyword }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { isHandled: true },
  });

export const createCourse = (body: BodyInputOf<typeof routes.createCourse>) =>
  call(routes.createCourse, { body });
export const updateCourse = (courseID: number, body: BodyInputOf<typeof routes.updateCourse>) =>
  call(routes.updateCourse, { params: { courseID }, body });
export const updatePermission = (
  courseID: number,
  body: BodyInputOf<typeof routes.updateCoursePermission>,
) => call(routes.updateCoursePermission, { params: { courseID }, body });
export const suggestCode = async () => (await call(routes.suggestInviteCode, {})).InviteCode;
export const deleteCourse = (courseID: number) =>
  call(routes.deleteCourse, { params: { courseID } });
export const orderCourses = (CourseIDList: number[]) =>
  call(routes.orderCourses, { body: { CourseIDList } });

/** Publishes a course as it is now, or takes it back. */
export async function publishCourse(
  courseID: number,
  IsPublished: boolean,
): Promise<ManagedCourse> {
  const course = await readManagedCourse(courseID);
  return updateCourse(courseID, {
    ...textBodyOf(textValuesOf(course)),
    IsPublished,
    Version: course.Version,
  });
}

export const courseDependentsQuery = (courseID: number) =>
  queryOptions({
    queryKey: [...MANAGED_COURSES_KEY, 'dependents', courseID],
    queryFn: ({ signal }) => call(routes.getCourseDependents, { params: { courseID }, signal }),
    // Who is in it may have changed since it was looked at.
    staleTime: 0,
    meta: { isHandled: true },
  });

type NoticeBody = BodyInputOf<typeof routes.createCourseNotice>;
export const createNotice = (courseID: number, body: NoticeBody) =>
  call(routes.createCourseNotice, { params: { courseID }, body });
export const updateNotice = (
  courseID: number,
  noticeID: number,
  body: NoticeBody & { readonly Version: number },
) => call(routes.updateCourseNotice, { params: { courseID, noticeID }, body });
export const deleteNotice = (courseID: number, noticeID: number) =>
  call(routes.deleteCourseNotice, { params: { courseID, noticeID } });

export const readMembers =
  (courseID: number): ReadList<ManagedMember> =>
  (query, signal) =>
    call(routes.listManagedMembers, { params: { courseID }, query, signal });
export const reviewMembers = async (courseID: number, UserIDList: number[], IsApproved: boolean) =>
  (await call(routes.reviewMembers, { params: { courseID }, body: { UserIDList, IsApproved } }))
    .Answered;
export const removeMembers = async (courseID: number, ids: readonly number[]) =>
  (
    await call(routes.removeMembers, {
      params: { courseID },
      query: { UserIDList: ids.join(',') },
    })
  ).Removed;

/** Where the browser fetches an export of what the list of members shows. */
export const membersAddress = (
  courseID: number,
  query: Readonly<Record<string, string>>,
  columns: readonly MemberColumn[],
): string => {
  const { page: _page, pageSize: _pageSize, ...filters } = query;
  return addressOf(routes.exportMembers, { courseID }, { ...filters, columns: columns.join(',') });
};

/** The two kinds of people beside the owner who work on a course. */
export type Helper = 'assistant' | 'collaborator';

const HELPERS = {
  assistant: {
    list: routes.listAssistants,
    add: routes.addAssistant,
    remove: routes.removeAssistant,
  },
  collaborator: {
    list: routes.listCollaborators,
    add: routes.addCollaborator,
    remove: routes.removeCollaborator,
  },
} as const;

export const helpersQuery = (courseID: number, helper: Helper) =>
  queryOptions({
    queryKey: [...MANAGED_COURSES_KEY, helper, courseID],
    queryFn: async ({ signal }) =>
      (await call(HELPERS[helper].list, { params: { courseID }, signal })).List,
    meta: { isHandled: true },
  });
export const addHelper = (courseID: number, helper: Helper, Name: string) =>
  call(HELPERS[helper].add, { params: { courseID }, body: { Name } });
export const removeHelper = (courseID: number, helper: Helper, userID: number) =>
  call(HELPERS[helper].remove, { params: { courseID, userID } });
