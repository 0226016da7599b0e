/** Handing in: what a learner may send, change and take back, and until when. */
import { HomeworkSubmitState, UPLOAD_TYPES } from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { IncomingFile } from '../../platform/http/upload.ts';
import type { CourseRow } from '../course/course.service.ts';
import { holdHomework, type HomeworkRow } from './homework.queries.ts';
import * as queries from './homework.submission.queries.ts';
import type { FileKind, FileRow, SubmissionRow } from './homework.submission.queries.ts';

/** Keeps a file that is being sent, until something names it. */
export type KeepFile = (
  incoming: IncomingFile,
  allowed: readonly string[],
  place: {
    readonly kind: FileKind;
    readonly courseID: number;
    readonly homeworkID: number | null;
    readonly userID: number;
  },
) => Promise<FileRow>;

/** Members hand in; those who work on the course, and admins who look at it, do not. */
function checkMember(course: CourseRow): void {
  if (course.myRole !== 'member') throw new DomainError('homework_not_member');
}

/** @throws DomainError `homework_corrected`: it opens again when staff reset the points */
function checkOpen(row: Pick<SubmissionRow, 'scoreTenths'> | undefined): void {
  if (row && row.scoreTenths !== null) throw new DomainError('homework_corrected');
}

export function createHandingIn({
  database,
  clock,
  keepFile,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly keepFile: KeepFile;
}) {
  /** Runs a change of one's own record, which nobody else changes meanwhile. */
  const change = (
    course: CourseRow,
    homework: HomeworkRow,
    userID: number,
    run: (tx: Executor, current: SubmissionRow, now: HomeworkRow) => Promise<SubmissionRow>,
  ): Promise<SubmissionRow> => {
    checkMember(course);
    return database.transaction(async (tx) => {
      const now = await holdHomework(tx, homework.id);
      if (!now) throw new DomainError('not_found');
      const current = await queries.lockSubmission(tx, homework.id, userID);
      checkOpen(current);
      return run(tx, current, now);
    });
  };

  async function write(
    tx: Executor,
    current: SubmissionRow,
    homework: HomeworkRow,
    text: string,
    files: readonly FileRow[],
  ): Promise<SubmissionRow> {
    if (text.trim() === '' && files.length === 0) throw new DomainError('submission_empty');
    const now = clock.now();
    const row = await queries.updateSubmissionRow(tx, current.id, {
      text,
      submittedAt: now,
      state:
        now > homework.dueAt ? HomeworkSubmitState.submittedLate : HomeworkSubmitState.submitted,
    });
    await queries.writeFiles(
      tx,
      current.id,
      'submission',
      files.map(({ id }) => id),
    );
    return row;
  }

  return {
    /** @throws DomainError `homework_not_member`, `homework_corrected`, and what {@link KeepFile} throws */
    async keepSubmissionFile(
      course: CourseRow,
      homework: HomeworkRow,
      readFile: () => Promise<IncomingFile>,
      userID: number,
    ): Promise<FileRow> {
      checkMember(course);
      checkOpen(await queries.findSubmissionOf(database, homework.id, userID));
      return keepFile(await readFile(), UPLOAD_TYPES.homeworkSubmission, {
        kind: 'submission',
        courseID: course.id,
        homeworkID: homework.id,
        userID,
      });
    },

    /** @throws DomainError `homework_not_member`, `homework_corrected`, `submission_empty`, `changed_meanwhile` */
    submit: (
      course: CourseRow,
      homework: HomeworkRow,
      userID: number,
      text: string,
      files: readonly FileRow[],
    ): Promise<SubmissionRow> =>
      change(course, homework, userID, (tx, current, now) => {
        // Another page of the same learner was quicker.
        if (current.state !== HomeworkSubmitState.unsubmitted)
          throw new DomainError('changed_meanwhile');
        return write(tx, current, now, text, files);
      }),

    /** @throws DomainError `homework_not_member`, `homework_corrected`, `submission_empty`, `changed_meanwhile` */
    resubmit: (
      course: CourseRow,
      homework: HomeworkRow,
      userID: number,
      version: number,
      text: string,
      files: readonly FileRow[],
    ): Promise<SubmissionRow> =>
      change(course, homework, userID, (tx, current, now) => {
        if (current.version !== version) throw new DomainError('changed_meanwhile');
        return write(tx, current, now, text, files);
      }),

    /** Takes back what was handed in. @throws DomainError `homework_not_member`, `homework_corrected` */
    withdraw: (course: CourseRow, homework: HomeworkRow, userID: number): Promise<SubmissionRow> =>
      change(course, homework, userID, async (tx, current) => {
        await queries.writeFiles(tx, current.id, 'submission', []);
        return queries.updateSubmissionRow(tx, current.id, queries.EMPTY_SUBMISSION);
      }),
  };
}
