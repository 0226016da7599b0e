/** Calls about courses: the catalogue, joining and leaving, notices and members. */
import { routes } from '@hypercube/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import { queryOfSearch, type CatalogueSearch } from '../catalogue/search.ts';

/** Answers say what one is in a course, so they are forgotten with the account. */
export const COURSE_KEY = ['course'] as const;

export const coursesQuery = (search: CatalogueSearch, language: string) =>
  queryOptions({
    queryKey: [...COURSE_KEY, 'list', language, search],
    queryFn: ({ signal }) =>
      call(routes.listCourses, {
        query: { ...queryOfSearch(search), ...(search.joined ? { joined: 'true' as const } : {}) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    meta: { isHandled: true },
  });

/** So many stand on the personal home. */
export const MY_COURSES = 3;

/** The latest courses that one has something to do with. */
export const myCoursesQuery = (language: string) =>
  queryOptions({
    queryKey: [...COURSE_KEY, 'mine', language],
    queryFn: ({ signal }) =>
      call(routes.listCourses, {
        query: { joined: 'true', sort: 'latest', pageSize: MY_COURSES },
        signal,
      }),
    staleTime: 30_000,
    meta: { isHandled: true },
  });

/** Courses for the command palette. */
export const foundCoursesQuery = (keyword: string, language: string) =>
  queryOptions({
    queryKey: [...COURSE_KEY, 'found', language, keyword],
    queryFn: ({ signal }) => call(routes.listCourses, { query: { keyword, pageSize: 6 }, signal }),
    staleTime: 60_000,
    meta: { isHandled: true },
  });

export const courseQuery = (courseID: number, language: string) =>
  queryOptions({
    queryKey: [...COURSE_KEY, 'one', language, courseID],
    queryFn: ({ signal }) => call(routes.getCourse, { params: { courseID }, signal }),
    staleTime: 60_000,
    meta: { isHandled: true },
  });

export const NOTICES_PER_PAGE = 10;
export const noticesQuery = (courseID: number, page: number, language: string) =>
  queryOptions({
    queryKey: [...COURSE_KEY, 'notices', language, courseID, page],
    queryFn: ({ signal }) =>
      call(routes.listCourseNotices, {
        params: { courseID },
        query: { page, pageSize: NOTICES_PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { isHandled: true },
  });

export const MEMBERS_PER_PAGE = 60;
export const membersQuery = (courseID: number, page: number) =>
  queryOptions({
    queryKey: [...COURSE_KEY, 'members', courseID, page],
    queryFn: ({ signal }) =>
      call(routes.listCourseMembers, {
        params: { courseID },
        query: { page, pageSize: MEMBERS_PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { isHandled: true },
  });

/** @param code what was typed, where the course asks for one */
export const joinCourse = (courseID: number, code: string | null) =>
  call(routes.joinCourse, { params: { courseID }, body: code === null ? {} : { Code: code } });

/** Leaves a course, or takes the application back. */
export const leaveCourse = (courseID: number) => call(routes.leaveCourse, { params: { courseID } });
