import type {
  CourseDependents,
  CourseDetail,
  CourseMember,
  CourseNotice,
  CourseStaff,
  CourseSummary,
  Language,
  ManagedCourse,
  ManagedCourseRow as ManagedRowOnWire,
  ManagedMember,
  TeacherContact,
} from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import { presentTag } from '../domain/domain.present.ts';
import { avatarPath } from '../user/user.present.ts';
import type { NoticeRow } from './course.notice.queries.ts';
import type { ManagedMemberRow, MemberRow, StaffRow } from './course.people.queries.ts';
import type {
  CourseListRow,
  CourseRow,
  DependentCounts,
  ManagedCourseRow,
} from './course.queries.ts';

const coverOf = (row: Pick<CourseRow, 'coverKind' | 'coverSeed'>): CourseSummary['Cover'] => ({
  Kind: row.coverKind as CourseSummary['Cover']['Kind'],
  Seed: row.coverSeed,
});

const presentOwner = (owner: CourseListRow['owner']): CourseSummary['Owner'] =>
  owner && {
    Nickname: owner.nickname,
    Avatar: avatarPath({
      id: owner.id,
      avatarAt: owner.avatarAt === null ? null : new Date(owner.avatarAt),
    }),
  };

export const presentCourse = (row: CourseListRow, language: Language): CourseSummary => ({
  ID: row.id,
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Description: inLanguage(language, row.descriptionZh, row.descriptionEn),
  Cover: coverOf(row),
  Domain: row.domain && presentTag(row.domain, language),
  Tags: row.tags.map((tag) => presentTag(tag, language)),
  IsPrivate: row.isPrivate,
  JoinMode: row.joinMode as CourseSummary['JoinMode'],
  Owner: presentOwner(row.owner),
  Members: row.members,
  MyRole: row.myRole,
  UpdatedAt: row.updatedAt.toISOString(),
});

/** @param isOpen whether the one who asks may read the text */
export const presentCourseDetail = (
  row: CourseRow,
  listRow: CourseListRow,
  isOpen: boolean,
  language: Language,
): CourseDetail => ({
  ...presentCourse(listRow, language),
  Content: isOpen ? inLanguage(language, row.contentZh, row.contentEn) : null,
});

export const presentManagedRow = (row: ManagedCourseRow, language: Language): ManagedRowOnWire => ({
  ID: row.id,
  Title: inLanguage(language, row.titleZh, row.titleEn),
  TitleZh: row.titleZh,
  TitleEn: row.titleEn,
  DescriptionZh: row.descriptionZh,
  DescriptionEn: row.descriptionEn,
  Cover: coverOf(row),
  DomainID: row.domainID,
  TagIDList: row.tags.map((tag) => tag.id),
  IsPublished: row.isPublished,
  SequenceNumber: row.sequence,
  Owner: row.ownerName,
  UpdatedAt: row.updatedAt.toISOString(),
  Version: row.version,
  IsHidden: row.isHidden,
  IsPrivate: row.isPrivate,
  JoinMode: row.joinMode as ManagedRowOnWire['JoinMode'],
  InviteCode: row.inviteCode,
  InviteFrom: row.inviteFrom?.toISOString() ?? null,
  InviteUntil: row.inviteUntil?.toISOString() ?? null,
  Members: row.members,
  Waiting: row.waiting,
  MyRole: row.myRole,
});

export const presentManaged = (
  row: Pick<CourseRow, 'contentZh' | 'contentEn'>,
  listRow: ManagedCourseRow,
  language: Language,
): ManagedCourse => ({
  ...presentManagedRow(listRow, language),
  ContentZh: row.contentZh,
  ContentEn: row.contentEn,
});

export const presentMember = (row: MemberRow): CourseMember => ({
  ID: row.id,
  Nickname: row.nickname,
  Avatar: avatarPath(row),
  Organisation: row.organisation,
});

export const presentManagedMember = (row: ManagedMemberRow): ManagedMember => ({
  ID: row.id,
  Username: row.username,
  Nickname: row.nickname,
  RealName: row.realName,
  StudentID: row.studentID,
  Organisation: row.organisation,
  Email: row.email,
  Avatar: avatarPath(row),
  State: row.role === 'waiting' ? 'waiting' : 'joined',
  AppliedAt: row.appliedAt.toISOString(),
  JoinedAt: row.joinedAt?.toISOString() ?? null,
});

export const presentStaff = (row: StaffRow): CourseStaff => ({
  ID: row.id,
  Username: row.username,
  Nickname: row.nickname,
  RealName: row.realName,
  Organisation: row.organisation,
  Avatar: avatarPath(row),
  Since: row.since.toISOString(),
});

export const presentNotice = (row: NoticeRow, language: Language): CourseNotice => ({
  ID: row.id,
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Content: inLanguage(language, row.contentZh, row.contentEn),
  TitleZh: row.titleZh,
  TitleEn: row.titleEn,
  ContentZh: row.contentZh,
  ContentEn: row.contentEn,
  Author: row.author,
  CreatedAt: row.createdAt.toISOString(),
  UpdatedAt: row.updatedAt.toISOString(),
  Version: row.version,
});

export const presentDependents = (row: DependentCounts): CourseDependents => ({
  Members: row.members,
  Waiting: row.waiting,
  Assistants: row.assistants,
  Collaborators: row.collaborators,
  Notices: row.notices,
  Homework: row.homework,
  Submissions: row.submissions,
});

export const presentTeacher = (row: {
  readonly id: number;
  readonly name: string;
  readonly organisation: string | null;
  readonly avatarAt: Date | null;
}): TeacherContact => ({
  Name: row.name,
  Organisation: row.organisation,
  Avatar: avatarPath(row),
});
