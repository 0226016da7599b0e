/** What somebody may see and do in a course, from what they are in it. */
import { CourseJoinMode, type CourseRole, type CourseSummary } from '@hypercube/contract';
import type { StaffRole } from '../admin/role.ts';

const WORKS_ON_IT: readonly (CourseRole | null)[] = ['assistant', 'collaborator', 'owner'];

/** Whether somebody works on a course. */
export const isCourseStaff = (role: CourseRole | null): boolean => WORKS_ON_IT.includes(role);

/** Whether somebody is in a course: its notices and members are for them. */
export const isInside = (role: CourseRole | null): boolean =>
  role === 'member' || isCourseStaff(role);

/**
 * Whether the admin area shows a course to somebody.
 * @param staffRole in which they would enter it; null: it does not let them in
 */
export const mayManage = (staffRole: StaffRole | null, role: CourseRole | null): boolean =>
  staffRole === 'admin' ||
  (staffRole === 'teacher' && isCourseStaff(role)) ||
  (staffRole === 'assistant' && role === 'assistant');

/** Whether somebody may delete a course and change who works on it and how it is joined. */
export const mayOwn = (staffRole: StaffRole | null, role: CourseRole | null): boolean =>
  staffRole === 'admin' || (staffRole === 'teacher' && role === 'owner');

/** How the rest gets into a course: a private one is joined with a code only. */
export const wayIn = ({
  IsPrivate,
  JoinMode,
}: Pick<CourseSummary, 'IsPrivate' | 'JoinMode'>): CourseJoinMode =>
  IsPrivate ? CourseJoinMode.inviteCode : JoinMode;

/** Parts of a course's page. */
export const COURSE_TABS = ['content', 'homework', 'notice', 'member'] as const;
export type CourseTab = (typeof COURSE_TABS)[number];

/** The part that an address asks for; anything that is none is the first. */
export const tabOf = (given: unknown): CourseTab =>
  COURSE_TABS.find((tab) => tab === given) ?? 'content';
