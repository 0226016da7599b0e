/** Courses: the catalogue, joining and leaving, who works on a course, its members and its notices. */
import { z } from 'zod';
import {
  CATALOGUE_SORTS,
  CourseJoinMode,
  INVITATION_CODE_PATTERN,
  INVITE_CODE_LIMITS,
  TEXT_LIMITS,
  id,
  idsInQuery,
  listOf,
  listQuery,
  pathID,
  route,
  version,
} from './kernel/index.ts';
import { tag } from './domain.ts';
import { cover, describedFields, describedScope, managedItem } from './item.ts';

/** What somebody is in a course, weakest first; null is said for everybody else. */
export const COURSE_ROLES = ['waiting', 'member', 'assistant', 'collaborator', 'owner'] as const;
export type CourseRole = (typeof COURSE_ROLES)[number];

const myRole = z.enum(COURSE_ROLES).nullable();

export const courseSummary = z.object({
  ID: id(),
  Title: z.string(),
  Description: z.string(),
  Cover: cover,
  Domain: tag.nullable(),
  Tags: z.array(tag),
  /** Its text is for those who are in it, and it is joined with an invitation code only. */
  IsPrivate: z.boolean(),
  JoinMode: z.enum(CourseJoinMode),
  /** null once the account is gone. The picture needs a login. */
  Owner: z.object({ Nickname: z.string(), Avatar: z.string().nullable() }).nullable(),
  /** Who joined; those who work on it and those who wait are not counted. */
  Members: z.int().nonnegative(),
  MyRole: myRole,
  UpdatedAt: z.iso.datetime(),
});
export type CourseSummary = z.output<typeof courseSummary>;

export const courseDetail = courseSummary.extend({
  /** Markdown; null for those who are not in a private course. */
  Content: z.string().nullable(),
});
export type CourseDetail = z.output<typeof courseDetail>;

export const listCourses = route({
  method: 'GET',
  path: '/course',
  summary: 'The catalogue of courses; with `joined=true` those that one has something to do with',
  access: { need: ['course.list'] },
  query: {
    ...listQuery,
    sort: z.enum(CATALOGUE_SORTS).default('comprehensive'),
    domains: idsInQuery().optional(),
    tags: idsInQuery().optional(),
    /** Hidden ones are in this list too. */
    joined: z.enum(['true', 'false']).default('false'),
  },
  response: listOf(courseSummary),
  errors: [],
  scope: {},
});

export const listCourseTitles = route({
  method: 'GET',
  path: '/course/titles',
  summary: 'Names of the courses of the catalogue, to choose from',
  access: { need: ['course.titles'] },
  query: listQuery,
  response: listOf(z.object({ ID: id(), Title: z.string() })),
  errors: [],
  scope: {},
});

export const getCourse = route({
  method: 'GET',
  path: '/course/:courseID',
  summary: 'A course; of a private one, visitors read the title and the description',
  access: { need: ['course.detail'] },
  params: { courseID: pathID() },
  response: courseDetail,
  errors: [],
  scope: { courseID: 'course' },
});

/** An invitation code as people type it; what no code can be is a wrong one. */
const guessedCode = z.string().trim().max(100);

export const joinCourse = route({
  method: 'POST',
  path: '/course/:courseID/membership',
  summary: 'Join a course, or apply for it; who is in it already stays as they are',
  access: { need: ['course.join'] },
  params: { courseID: pathID() },
  body: { Code: guessedCode.optional() },
  response: z.object({ MyRole: z.enum(['waiting', 'member']) }),
  errors: ['course_code_wrong', 'course_code_expired', 'course_staff', 'too_many_guesses'],
  scope: { courseID: 'course' },
});

export const leaveCourse = route({
  method: 'DELETE',
  path: '/course/:courseID/membership',
  summary: 'Leave a course, or withdraw one’s application',
  access: { need: ['course.join'] },
  params: { courseID: pathID() },
  response: z.null(),
  errors: [],
  scope: { courseID: 'course' },
});

/** A member as the other members see them. */
export const courseMember = z.object({
  ID: id(),
  Nickname: z.string(),
  Avatar: z.string().nullable(),
  Organisation: z.string().nullable(),
});
export type CourseMember = z.output<typeof courseMember>;

export const listCourseMembers = route({
  method: 'GET',
  path: '/course/:courseID/member',
  summary: 'Who is in a course, in the order of joining; for those who are in it',
  access: { need: ['course.members'] },
  params: { courseID: pathID() },
  query: listQuery,
  response: listOf(courseMember),
  errors: [],
  scope: { courseID: 'joinedCourse' },
});

/** A notice; both languages, so that those who may change it need no second reading. */
export const courseNotice = z.object({
  ID: id(),
  /** In the language of the request. */
  Title: z.string(),
  Content: z.string(),
  TitleZh: z.string(),
  TitleEn: z.string(),
  ContentZh: z.string(),
  ContentEn: z.string(),
  /** Nickname; null once the account is gone. */
  Author: z.string().nullable(),
  CreatedAt: z.iso.datetime(),
  UpdatedAt: z.iso.datetime(),
  /** Sent back with a change, so that two people do not overwrite each other. */
  Version: version(),
});
export type CourseNotice = z.output<typeof courseNotice>;

const noticeFields = {
  TitleZh: z.string().trim().min(1).max(TEXT_LIMITS.notificationTitle),
  /** Empty: the Chinese text is shown in both languages. */
  TitleEn: z.string().trim().max(TEXT_LIMITS.notificationTitle).default(''),
  ContentZh: z.string().trim().min(1).max(TEXT_LIMITS.notificationContent),
  ContentEn: z.string().trim().max(TEXT_LIMITS.notificationContent).default(''),
};

export const listCourseNotices = route({
  method: 'GET',
  path: '/course/:courseID/notice',
  summary: 'Notices of a course, newest first; for those who are in it',
  access: { need: ['courseNotice.list'] },
  params: { courseID: pathID() },
  query: listQuery,
  response: listOf(courseNotice),
  errors: [],
  scope: { courseID: 'joinedCourse' },
});

export const createCourseNotice = route({
  method: 'POST',
  path: '/course/:courseID/notice',
  summary: 'Put up a notice, and tell every member',
  access: { need: ['courseNotice.create'] },
  params: { courseID: pathID() },
  body: noticeFields,
  response: courseNotice,
  status: 201,
  errors: [],
  scope: { courseID: 'managedCourse' },
});

export const updateCourseNotice = route({
  method: 'PUT',
  path: '/course/:courseID/notice/:noticeID',
  summary: 'Change a notice, in the members’ inboxes too; nobody is told again',
  access: { need: ['courseNotice.update'] },
  params: { courseID: pathID(), noticeID: pathID() },
  body: { ...noticeFields, Version: version() },
  response: courseNotice,
  errors: ['changed_meanwhile'],
  scope: { courseID: 'managedCourse', noticeID: 'courseNotice' },
});

export const deleteCourseNotice = route({
  method: 'DELETE',
  path: '/course/:courseID/notice/:noticeID',
  summary: 'Take a notice down, and out of the members’ inboxes',
  access: { need: ['courseNotice.delete'] },
  params: { courseID: pathID(), noticeID: pathID() },
  response: z.null(),
  errors: [],
  scope: { courseID: 'managedCourse', noticeID: 'courseNotice' },
});

/** A course as those who work on it see it: both languages, drafts included. */
export const managedCourse = managedItem
  .omit({ SpecificationID: true, Specification: true, Uses: true, IsBuiltIn: true })
  .extend({
    IsHidden: z.boolean(),
    IsPrivate: z.boolean(),
    JoinMode: z.enum(CourseJoinMode),
    InviteCode: z.string().nullable(),
    /** null: the code holds from the beginning, or without an end. */
    InviteFrom: z.iso.datetime().nullable(),
    InviteUntil: z.iso.datetime().nullable(),
    Members: z.int().nonnegative(),
    /** Applications to join that nobody has answered. */
    Waiting: z.int().nonnegative(),
    /** null for an admin who has no part in it. */
    MyRole: myRole,
  });
export type ManagedCourse = z.output<typeof managedCourse>;

const managedCourseRow = managedCourse.omit({ ContentZh: true, ContentEn: true });
export type ManagedCourseRow = z.output<typeof managedCourseRow>;

const courseFields = { ...describedFields, IsPublished: z.boolean() };

/** Who finds a course and how it is joined. */
const joinFields = {
  /** In no list and no search; its address works. */
  IsHidden: z.boolean(),
  IsPrivate: z.boolean(),
  JoinMode: z.enum(CourseJoinMode),
  /** A private course and the mode `inviteCode` need one. */
  InviteCode: z
    .string()
    .trim()
    .min(INVITE_CODE_LIMITS.min)
    .max(INVITE_CODE_LIMITS.max)
    .regex(INVITATION_CODE_PATTERN)
    .nullable(),
  InviteFrom: z.iso.datetime().nullable(),
  InviteUntil: z.iso.datetime().nullable(),
};

export const listManagedCourses = route({
  method: 'GET',
  path: '/course/managed',
  summary: 'Courses that the actor works on, drafts included; every course for an admin',
  access: { need: ['course.update'] },
  query: {
    ...listQuery,
    /** `mine`: one owns it; `cooperation`: somebody else’s on which one works. */
    relation: z.enum(['all', 'mine', 'cooperation']).default('all'),
    state: z.enum(['published', 'draft']).optional(),
    /** Only those where somebody waits for an answer. */
    waiting: z.enum(['true', 'false']).default('false'),
    sort: z.enum(['sequence', 'latest', 'title', 'members']).default('sequence'),
  },
  response: listOf(managedCourseRow),
  errors: [],
  scope: {},
});

export const getManagedCourse = route({
  method: 'GET',
  path: '/course/:courseID/managed',
  summary: 'A course with everything that can be changed',
  access: { need: ['course.update'] },
  params: { courseID: pathID() },
  response: managedCourse,
  errors: [],
  scope: { courseID: 'managedCourse' },
});

export const createCourse = route({
  method: 'POST',
  path: '/course',
  summary: 'Make a course; one owns it',
  access: { need: ['course.create'] },
  body: {
    ...courseFields,
    IsHidden: joinFields.IsHidden.default(false),
    IsPrivate: joinFields.IsPrivate.default(false),
    JoinMode: joinFields.JoinMode.default(CourseJoinMode.public),
    InviteCode: joinFields.InviteCode.default(null),
    InviteFrom: joinFields.InviteFrom.default(null),
    InviteUntil: joinFields.InviteUntil.default(null),
  },
  response: managedCourse,
  status: 201,
  errors: ['course_code_missing', 'course_period_reversed'],
  scope: describedScope,
});

export const updateCourse = route({
  method: 'PUT',
  path: '/course/:courseID',
  summary: 'Change what a course says of itself, and whether it is published',
  access: { need: ['course.update'] },
  params: { courseID: pathID() },
  body: { ...courseFields, Version: version() },
  response: managedCourse,
  errors: ['changed_meanwhile'],
  scope: { courseID: 'managedCourse', ...describedScope },
});

export const updateCoursePermission = route({
  method: 'PUT',
  path: '/course/:courseID/permission',
  summary: 'Change who finds a course and how it is joined; its owner’s and the admins’',
  access: { need: ['course.permissions'] },
  params: { courseID: pathID() },
  body: { ...joinFields, Version: version() },
  response: managedCourse,
  errors: ['changed_meanwhile', 'course_code_missing', 'course_period_reversed'],
  scope: { courseID: 'ownCourse' },
});

export const suggestInviteCode = route({
  method: 'GET',
  path: '/course/invite-code',
  summary: 'A random invitation code, for a form; nothing is kept',
  access: { need: ['course.permissions'] },
  response: z.object({ InviteCode: z.string() }),
  errors: [],
  scope: {},
});

export const deleteCourse = route({
  method: 'DELETE',
  path: '/course/:courseID',
  summary: 'Delete a course with its people, notices and homework; its members are told',
  access: { need: ['course.delete'] },
  params: { courseID: pathID() },
  response: z.null(),
  errors: [],
  scope: { courseID: 'ownCourse' },
});

/** What goes with a course. */
export const courseDependents = z.object({
  Members: z.int().nonnegative(),
  Waiting: z.int().nonnegative(),
  Assistants: z.int().nonnegative(),
  Collaborators: z.int().nonnegative(),
  Notices: z.int().nonnegative(),
  Homework: z.int().nonnegative(),
  /** What was handed in and given for its homework. */
  Submissions: z.int().nonnegative(),
});
export type CourseDependents = z.output<typeof courseDependents>;

export const getCourseDependents = route({
  method: 'GET',
  path: '/course/:courseID/dependent',
  summary: 'Who would miss a course if it were deleted, and what goes with it',
  access: { need: ['course.delete'] },
  params: { courseID: pathID() },
  response: courseDependents,
  errors: [],
  scope: { courseID: 'ownCourse' },
});

export const orderCourses = route({
  method: 'PUT',
  path: '/course/sequence',
  summary:
    'Put courses in a new order: those named come in this order, at the places that they had',
  access: { need: ['sequence.course'] },
  body: { CourseIDList: z.array(id()).min(1).max(100) },
  response: z.null(),
  errors: [],
  scope: { CourseIDList: 'managedCourse' },
});

/** A member, or somebody who applied, as those who work on the course see them. */
export const managedMember = z.object({
  ID: id(),
  Username: z.string(),
  Nickname: z.string(),
  RealName: z.string().nullable(),
  StudentID: z.string().nullable(),
  Organisation: z.string().nullable(),
  Email: z.string(),
  Avatar: z.string().nullable(),
  State: z.enum(['waiting', 'joined']),
  AppliedAt: z.iso.datetime(),
  /** null while they wait. */
  JoinedAt: z.iso.datetime().nullable(),
});
export type ManagedMember = z.output<typeof managedMember>;

/** What the list can be narrowed to; the export takes the same. */
const memberFilters = {
  /** Part of a name, of an address or of a student number. */
  keyword: listQuery.keyword,
  state: z.enum(['waiting', 'joined']).optional(),
};
export const MEMBER_SORTS = ['latest', 'oldest', 'name', 'studentID'] as const;
export type MemberSort = (typeof MEMBER_SORTS)[number];

export const listManagedMembers = route({
  method: 'GET',
  path: '/course/:courseID/member/managed',
  summary: 'Members and applications of a course, filtered, sorted and paged',
  access: { need: ['member.list'] },
  params: { courseID: pathID() },
  query: { ...listQuery, ...memberFilters, sort: z.enum(MEMBER_SORTS).default('latest') },
  response: listOf(managedMember),
  errors: [],
  scope: { courseID: 'managedCourse' },
});

/** Columns of an export, in the order in which they stand there. */
export const MEMBER_COLUMNS = [
  'StudentID',
  'RealName',
  'Nickname',
  'Username',
  'Organisation',
  'Email',
  'State',
  'AppliedAt',
  'JoinedAt',
] as const;
export type MemberColumn = (typeof MEMBER_COLUMNS)[number];

export const exportMembers = route({
  method: 'GET',
  path: '/course/:courseID/member/export',
  summary: 'The members that match, as xlsx with chosen columns',
  access: { need: ['member.export'] },
  params: { courseID: pathID() },
  query: {
    ...memberFilters,
    sort: z.enum(MEMBER_SORTS).default('latest'),
    columns: z
      .string()
      .max(400)
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(MEMBER_COLUMNS)).min(1).max(MEMBER_COLUMNS.length)),
  },
  response: z.unknown(),
  errors: [],
  scope: { courseID: 'managedCourse' },
  kind: 'file',
  isRecorded: true,
});

export const reviewMembers = route({
  method: 'POST',
  path: '/course/:courseID/member/review',
  summary: 'Answer applications to join; who has been answered meanwhile stays as they are',
  access: { need: ['member.review'] },
  params: { courseID: pathID() },
  body: { UserIDList: z.array(id()).min(1).max(100), IsApproved: z.boolean() },
  /** How many this answered. */
  response: z.object({ Answered: z.int().nonnegative() }),
  errors: [],
  scope: { courseID: 'managedCourse', UserIDList: 'courseMember' },
});

export const removeMembers = route({
  method: 'DELETE',
  path: '/course/:courseID/member',
  summary: 'Take people out of a course; they are told',
  access: { need: ['member.delete'] },
  params: { courseID: pathID() },
  /** `?UserIDList=3,5`: not every proxy lets the body of a DELETE through. */
  query: { UserIDList: idsInQuery() },
  response: z.object({ Removed: z.int().nonnegative() }),
  errors: [],
  scope: { courseID: 'managedCourse', UserIDList: 'courseMember' },
});

/** Somebody who works on a course, as the others who do see them. */
export const courseStaff = z.object({
  ID: id(),
  Username: z.string(),
  Nickname: z.string(),
  RealName: z.string().nullable(),
  Organisation: z.string().nullable(),
  Avatar: z.string().nullable(),
  Since: z.iso.datetime(),
});
export type CourseStaff = z.output<typeof courseStaff>;

/** A username or an e-mail address, in full: nobody is found by guessing. */
const exactName = z.string().trim().min(1).max(100);

export const listAssistants = route({
  method: 'GET',
  path: '/course/:courseID/assistant',
  summary: 'Assistants of a course',
  access: { need: ['member.list'] },
  params: { courseID: pathID() },
  response: listOf(courseStaff),
  errors: [],
  scope: { courseID: 'managedCourse' },
});

export const addAssistant = route({
  method: 'POST',
  path: '/course/:courseID/assistant',
  summary: 'Make somebody an assistant of a course; a member is no member any more',
  access: { need: ['member.addAssistant'] },
  params: { courseID: pathID() },
  body: { Name: exactName },
  response: courseStaff,
  status: 201,
  errors: ['person_unknown', 'course_staff'],
  scope: { courseID: 'ownCourse' },
});

export const removeAssistant = route({
  method: 'DELETE',
  path: '/course/:courseID/assistant/:userID',
  summary: 'Take an assistant off a course; with the last course the role goes',
  access: { need: ['member.removeAssistant'] },
  params: { courseID: pathID(), userID: pathID() },
  response: z.null(),
  errors: [],
  scope: { courseID: 'ownCourse', userID: 'courseAssistant' },
});

export const listCollaborators = route({
  method: 'GET',
  path: '/course/:courseID/collaborator',
  summary: 'Teachers with whom a course is shared',
  access: { need: ['member.list'] },
  params: { courseID: pathID() },
  response: listOf(courseStaff),
  errors: [],
  scope: { courseID: 'managedCourse' },
});

export const addCollaborator = route({
  method: 'POST',
  path: '/course/:courseID/collaborator',
  summary: 'Share a course with another teacher',
  access: { need: ['course.collaborators'] },
  params: { courseID: pathID() },
  body: { Name: exactName },
  response: courseStaff,
  status: 201,
  errors: ['person_unknown', 'course_staff', 'collaborator_no_teacher'],
  scope: { courseID: 'ownCourse' },
});

export const removeCollaborator = route({
  method: 'DELETE',
  path: '/course/:courseID/collaborator/:userID',
  summary: 'Share a course with a teacher no longer',
  access: { need: ['course.collaborators'] },
  params: { courseID: pathID(), userID: pathID() },
  response: z.null(),
  errors: [],
  scope: { courseID: 'ownCourse', userID: 'courseCollaborator' },
});

/** A teacher as assistants find them: whom to ask, and nothing to reach them by. */
export const teacherContact = z.object({
  Name: z.string(),
  Organisation: z.string().nullable(),
  Avatar: z.string().nullable(),
});
export type TeacherContact = z.output<typeof teacherContact>;

export const listTeachers = route({
  method: 'GET',
  path: '/user/teacher',
  summary: 'Teachers by name',
  access: { need: ['user.teacherList'] },
  query: { ...listQuery, keyword: z.string().trim().min(1).max(TEXT_LIMITS.keyword) },
  response: listOf(teacherContact),
  errors: [],
  scope: {},
});
