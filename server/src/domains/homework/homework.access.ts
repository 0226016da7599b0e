/**
 * Homework is reached through the course that the same request names, and everything of it through
 * the homework. Learners see what is published and open, their own submission and its files; those
 * who work on the course see all of it; nobody sees a file of somebody else's.
 */
import type { Actor, Resolver } from '../../platform/access/access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { actsAsAdmin, isStaff } from '../course/course.access.ts';
import type { CourseRow } from '../course/course.service.ts';
import { findHomework, type HomeworkRow } from './homework.queries.ts';
import { findGraded, type GradedPersonRow } from './homework.score.queries.ts';
import {
  findFiles,
  findSubmissions,
  type FileKind,
  type FileRow,
  type SubmissionRow,
} from './homework.submission.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    homework: HomeworkRow;
    managedHomework: HomeworkRow;
    homeworkAttachment: FileRow;
    ownSubmission: SubmissionRow;
    readableSubmission: SubmissionRow;
    submissionFile: FileRow;
    gradedPerson: GradedPersonRow;
    attachmentUpload: FileRow;
    submissionUpload: FileRow;
    commentUpload: FileRow;
  }
}

type Found = Readonly<Record<string, unknown>>;
const courseOf = (found: Found) => found['courseID'] as CourseRow | undefined;
const homeworkOf = (found: Found) => found['homeworkID'] as HomeworkRow | undefined;
const submissionOf = (found: Found) => found['submissionID'] as SubmissionRow | undefined;
const personOf = (found: Found) => found['userID'] as GradedPersonRow | undefined;

/** Whether somebody works on the course of the request. */
const worksOn = (actor: Actor, found: Found): boolean => {
  const course = courseOf(found);
  return course !== undefined && (actsAsAdmin(actor) || isStaff(course));
};

const byID = <T extends { readonly id: number }>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.id, row]));

/** Whether learners see a homework now. */
const isOpen = (row: HomeworkRow, now: Date): boolean =>
  row.isPublished && (row.openAt === null || row.openAt <= now);

export const resolveHomework =
  (database: Database, clock: Clock): Resolver<'homework'> =>
  async (ids, actor, found) => {
    const course = courseOf(found);
    const rows = course ? await findHomework(database, course.id, ids) : [];
    return byID(rows.filter((row) => isOpen(row, clock.now()) || worksOn(actor, found)));
  };

export const resolveManagedHomework =
  (database: Database): Resolver<'managedHomework'> =>
  async (ids, _actor, found) => {
    const course = courseOf(found);
    return byID(course ? await findHomework(database, course.id, ids) : []);
  };

/** Submissions of the homework of the request that satisfy. */
const resolveSubmissions =
  (database: Database, isMeant: (actor: Actor, row: SubmissionRow, found: Found) => boolean) =>
  async (
    ids: readonly number[],
    actor: Actor,
    found: Found,
  ): Promise<ReadonlyMap<number, SubmissionRow>> => {
    const homework = homeworkOf(found);
    const rows = homework ? await findSubmissions(database, homework.id, ids) : [];
    return byID(rows.filter((row) => isMeant(actor, row, found)));
  };

export const resolveOwnSubmissions = (database: Database): Resolver<'ownSubmission'> =>
  resolveSubmissions(database, (actor, row) => row.userID === actor.userID);

export const resolveReadableSubmissions = (database: Database): Resolver<'readableSubmission'> =>
  resolveSubmissions(
    database,
    (actor, row, found) => row.userID === actor.userID || worksOn(actor, found),
  );

export const resolveGradedPersons =
  (database: Database): Resolver<'gradedPerson'> =>
  async (ids, _actor, found) => {
    const homework = homeworkOf(found);
    return byID(homework ? await findGraded(database, homework.id, ids) : []);
  };

/** Files of one kind that satisfy. */
const resolveFiles =
  (
    database: Database,
    kinds: readonly FileKind[],
    isMeant: (row: FileRow, actor: Actor, found: Found) => boolean,
  ) =>
  async (
    ids: readonly number[],
    actor: Actor,
    found: Found,
  ): Promise<ReadonlyMap<number, FileRow>> =>
    byID(
      (await findFiles(database, ids)).filter(
        (row) => kinds.some((kind) => kind === row.kind) && isMeant(row, actor, found),
      ),
    );

export const resolveHomeworkAttachments = (database: Database): Resolver<'homeworkAttachment'> =>
  resolveFiles(
    database,
    ['attachment'],
    (row, _actor, found) => row.homeworkID !== null && row.homeworkID === homeworkOf(found)?.id,
  );

/** A comment's file is its learner's once the points are. */
export const resolveSubmissionFiles = (database: Database): Resolver<'submissionFile'> =>
  resolveFiles(database, ['submission', 'comment'], (row, actor, found) => {
    const submission = submissionOf(found);
    return (
      submission !== undefined &&
      row.submissionID === submission.id &&
      (row.kind === 'submission' || submission.scoreTenths !== null || worksOn(actor, found))
    );
  });

export const resolveAttachmentUploads = (database: Database): Resolver<'attachmentUpload'> =>
  resolveFiles(database, ['attachment'], (row, actor, found) =>
    row.homeworkID === null
      ? row.userID === actor.userID && row.courseID === courseOf(found)?.id
      : row.homeworkID === homeworkOf(found)?.id,
  );

export const resolveSubmissionUploads = (database: Database): Resolver<'submissionUpload'> =>
  resolveFiles(
    database,
    ['submission'],
    (row, actor, found) =>
      row.userID === actor.userID &&
      row.homeworkID === homeworkOf(found)?.id &&
      (row.submissionID === null || row.submissionID === submissionOf(found)?.id),
  );

export const resolveCommentUploads = (database: Database): Resolver<'commentUpload'> =>
  resolveFiles(database, ['comment'], (row, actor, found) =>
    row.submissionID === null
      ? row.userID === actor.userID && row.homeworkID === homeworkOf(found)?.id
      : row.submissionID === personOf(found)?.submissionID,
  );
