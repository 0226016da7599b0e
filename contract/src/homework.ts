/** Homework of a course as its members have it: what is set, and what they hand in. */
import { z } from 'zod';
import {
  COUNT_LIMITS,
  CorrectionState,
  HomeworkSubmitState,
  HomeworkType,
  TEXT_LIMITS,
  id,
  listOf,
  listQuery,
  pathID,
  route,
  version,
} from './kernel/index.ts';

/** A file of a homework, of a submission, or of a comment on one. */
export const homeworkFile = z.object({
  ID: id(),
  Name: z.string(),
  SizeBytes: z.int().nonnegative(),
  /** Where its bytes are, below the address of the site; null until it belongs to something. */
  Path: z.string().nullable(),
});
export type HomeworkFile = z.output<typeof homeworkFile>;

/** What was given for a submission. Points have one decimal. */
const points = z.number().nonnegative();
export const homeworkResult = z.object({
  Score: points,
  Comment: z.string(),
  CommentFile: homeworkFile.nullable(),
  GradedAt: z.iso.datetime(),
});
export type HomeworkResult = z.output<typeof homeworkResult>;

/** How a homework stands for one learner. */
const standing = {
  State: z.enum(HomeworkSubmitState),
  Correction: z.enum(CorrectionState),
  /** null until it is corrected. */
  Score: points.nullable(),
};

export const homeworkSummary = z.object({
  ID: id(),
  Title: z.string(),
  Type: z.enum(HomeworkType),
  DueAt: z.iso.datetime(),
  MaxScore: points,
  ...standing,
});
export type HomeworkSummary = z.output<typeof homeworkSummary>;

/** One’s own submission. */
export const submission = z.object({
  ID: id(),
  State: z.enum(HomeworkSubmitState),
  Correction: z.enum(CorrectionState),
  /** Markdown. */
  Text: z.string(),
  Files: z.array(homeworkFile),
  SubmittedAt: z.iso.datetime().nullable(),
  /** null until it is corrected. */
  Result: homeworkResult.nullable(),
  /** Sent back with a change, so that two pages do not overwrite each other. */
  Version: version(),
});
export type Submission = z.output<typeof submission>;

export const homeworkDetail = homeworkSummary.extend({
  /** Markdown. */
  Content: z.string(),
  Attachments: z.array(homeworkFile),
  /** null while nothing was handed in and nothing was given, and for those who work on the course. */
  Submission: submission.nullable(),
});
export type HomeworkDetail = z.output<typeof homeworkDetail>;

export const listHomework = route({
  method: 'GET',
  path: '/course/:courseID/homework',
  summary: 'Homework of a course that is open, by when it is due, with one’s own state',
  access: { need: ['homework.list'] },
  params: { courseID: pathID() },
  query: listQuery,
  response: listOf(homeworkSummary),
  errors: [],
  scope: { courseID: 'joinedCourse' },
});

export const dueHomework = homeworkSummary.extend({
  CourseID: id(),
  Course: z.string(),
});
export type DueHomework = z.output<typeof dueHomework>;

export const listDueHomework = route({
  method: 'GET',
  path: '/homework',
  summary:
    'Homework of the courses that one has joined and has not handed in, what is due first first',
  access: { need: ['homework.list'] },
  query: listQuery,
  response: listOf(dueHomework),
  errors: [],
  scope: {},
});

export const getHomework = route({
  method: 'GET',
  path: '/course/:courseID/homework/:homeworkID',
  summary: 'A homework with its text, its attachments and one’s own submission',
  access: { need: ['homework.detail'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  response: homeworkDetail,
  errors: [],
  scope: { courseID: 'joinedCourse', homeworkID: 'homework' },
});

/** Films are shown where they stand; everything else is handed out as a download. */
export const getHomeworkAttachment = route({
  method: 'GET',
  path: '/course/:courseID/homework/:homeworkID/file/:fileID',
  summary: 'An attachment of a homework, whole or in part',
  access: { need: ['homework.detail'] },
  params: { courseID: pathID(), homeworkID: pathID(), fileID: pathID() },
  response: z.unknown(),
  errors: [],
  scope: { courseID: 'joinedCourse', homeworkID: 'homework', fileID: 'homeworkAttachment' },
  kind: 'file',
});

/** Multipart, one file named `File`; it is handed in with a submission that names it. */
export const uploadSubmissionFile = route({
  method: 'POST',
  path: '/course/:courseID/homework/:homeworkID/submission/file',
  summary:
    'Send a file that is about to be handed in; one that is in no submission goes after a day',
  access: { need: ['submission.create'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  upload: true,
  response: homeworkFile,
  status: 201,
  errors: [
    'upload_missing',
    'upload_too_large',
    'upload_type',
    'file_name_invalid',
    'homework_corrected',
    'homework_not_member',
    'storage_full',
  ],
  scope: { courseID: 'joinedCourse', homeworkID: 'homework' },
  timeoutMs: 600_000,
});

const submissionFields = {
  Text: z.string().max(TEXT_LIMITS.markdown).default(''),
  FileIDList: z.array(id()).max(COUNT_LIMITS.homeworkFiles).default([]),
};

export const createSubmission = route({
  method: 'POST',
  path: '/course/:courseID/homework/:homeworkID/submission',
  summary: 'Hand in; after the due time it is marked as late',
  access: { need: ['submission.create'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  body: submissionFields,
  response: submission,
  status: 201,
  errors: ['changed_meanwhile', 'homework_corrected', 'homework_not_member', 'submission_empty'],
  scope: { courseID: 'joinedCourse', homeworkID: 'homework', FileIDList: 'submissionUpload' },
});

export const updateSubmission = route({
  method: 'PUT',
  path: '/course/:courseID/homework/:homeworkID/submission/:submissionID',
  summary: 'Hand in anew, in place of what was handed in; refused once it is corrected',
  access: { need: ['submission.update'] },
  params: { courseID: pathID(), homeworkID: pathID(), submissionID: pathID() },
  body: { ...submissionFields, Version: version() },
  response: submission,
  errors: ['changed_meanwhile', 'homework_corrected', 'homework_not_member', 'submission_empty'],
  scope: {
    courseID: 'joinedCourse',
    homeworkID: 'homework',
    submissionID: 'ownSubmission',
    FileIDList: 'submissionUpload',
  },
});

export const deleteSubmission = route({
  method: 'DELETE',
  path: '/course/:courseID/homework/:homeworkID/submission/:submissionID',
  summary: 'Take back what was handed in; refused once it is corrected',
  access: { need: ['submission.delete'] },
  params: { courseID: pathID(), homeworkID: pathID(), submissionID: pathID() },
  response: z.null(),
  errors: ['homework_corrected', 'homework_not_member'],
  scope: { courseID: 'joinedCourse', homeworkID: 'homework', submissionID: 'ownSubmission' },
});

export const getSubmissionFile = route({
  method: 'GET',
  path: '/course/:courseID/homework/:homeworkID/submission/:submissionID/file/:fileID',
  summary: 'A file of a submission or of the comment on it: its learner’s and the staff’s',
  access: { need: ['submission.detail'] },
  params: { courseID: pathID(), homeworkID: pathID(), submissionID: pathID(), fileID: pathID() },
  response: z.unknown(),
  errors: [],
  scope: {
    courseID: 'joinedCourse',
    homeworkID: 'homework',
    submissionID: 'readableSubmission',
    fileID: 'submissionFile',
  },
  kind: 'file',
});
