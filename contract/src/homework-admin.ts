/** Homework as those who work on a course have it: setting it, and what each learner got for it. */
import { z } from 'zod';
import {
  COUNT_LIMITS,
  CorrectionState,
  HOMEWORK_LIMITS,
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
import { homeworkFile } from './homework.ts';

const count = z.int().nonnegative();
/** Points with one decimal. */
const score = z.number().min(0).max(HOMEWORK_LIMITS.scoreMax).multipleOf(0.1);

/** A homework with everything that can be changed, and how far its correction is. */
export const managedHomework = z.object({
  ID: id(),
  /** In the language of the request. */
  Title: z.string(),
  TitleZh: z.string(),
  TitleEn: z.string(),
  ContentZh: z.string(),
  ContentEn: z.string(),
  Type: z.enum(HomeworkType),
  /** Hidden from learners before; null: open as soon as it is published. */
  OpenAt: z.iso.datetime().nullable(),
  DueAt: z.iso.datetime(),
  MaxScore: z.number(),
  IsPublished: z.boolean(),
  Attachments: z.array(homeworkFile),
  Members: count,
  /** Submissions, those of people who left included. */
  Submitted: count,
  Uncorrected: count,
  Corrected: count,
  UpdatedAt: z.iso.datetime(),
  /** Sent back with a change, so that two people do not overwrite each other. */
  Version: version(),
});
export type ManagedHomework = z.output<typeof managedHomework>;

const managedHomeworkRow = managedHomework.omit({
  ContentZh: true,
  ContentEn: true,
  Attachments: true,
});
export type ManagedHomeworkRow = z.output<typeof managedHomeworkRow>;

const homeworkFields = {
  TitleZh: z.string().trim().min(1).max(TEXT_LIMITS.title),
  /** Empty: the Chinese text is shown in both languages. */
  TitleEn: z.string().trim().max(TEXT_LIMITS.title).default(''),
  ContentZh: z.string().max(TEXT_LIMITS.markdown).default(''),
  ContentEn: z.string().max(TEXT_LIMITS.markdown).default(''),
  OpenAt: z.iso.datetime().nullable().default(null),
  DueAt: z.iso.datetime(),
  MaxScore: score.min(1).default(HOMEWORK_LIMITS.scoreDefault),
  IsPublished: z.boolean(),
  /** Of files that were sent before, in the order in which they are to stand. */
  AttachmentIDList: z.array(id()).max(COUNT_LIMITS.homeworkFiles).default([]),
};

export const listManagedHomework = route({
  method: 'GET',
  path: '/course/:courseID/homework/managed',
  summary: 'Homework of a course, drafts included, with how far its correction is',
  access: { need: ['homework.update'] },
  params: { courseID: pathID() },
  query: {
    ...listQuery,
    state: z.enum(['published', 'draft']).optional(),
    sort: z.enum(['due', 'latest', 'title', 'uncorrected']).default('due'),
  },
  response: listOf(managedHomeworkRow),
  errors: [],
  scope: { courseID: 'managedCourse' },
});

export const getManagedHomework = route({
  method: 'GET',
  path: '/course/:courseID/homework/:homeworkID/managed',
  summary: 'A homework with everything that can be changed',
  access: { need: ['homework.update'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  response: managedHomework,
  errors: [],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
});

/** Multipart, one file named `File`; it is attached by the homework that names it. */
export const uploadHomeworkAttachment = route({
  method: 'POST',
  path: '/course/:courseID/homework/file',
  summary:
    'Send a file that is about to be attached; one that is nowhere attached goes after a day',
  access: { need: ['homework.create'] },
  params: { courseID: pathID() },
  upload: true,
  response: homeworkFile,
  status: 201,
  errors: [
    'upload_missing',
    'upload_too_large',
    'upload_type',
    'file_name_invalid',
    'storage_full',
  ],
  scope: { courseID: 'managedCourse' },
  timeoutMs: 600_000,
});

export const createHomework = route({
  method: 'POST',
  path: '/course/:courseID/homework',
  summary: 'Set a homework; the members are told when it is published',
  access: { need: ['homework.create'] },
  params: { courseID: pathID() },
  body: homeworkFields,
  response: managedHomework,
  status: 201,
  errors: ['homework_period_reversed'],
  scope: { courseID: 'managedCourse', AttachmentIDList: 'attachmentUpload' },
});

export const updateHomework = route({
  method: 'PUT',
  path: '/course/:courseID/homework/:homeworkID',
  summary: 'Change a homework; the members are told of its publication and of another due time',
  access: { need: ['homework.update'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  body: { ...homeworkFields, Version: version() },
  response: managedHomework,
  errors: ['changed_meanwhile', 'homework_period_reversed', 'homework_score_given'],
  scope: {
    courseID: 'managedCourse',
    homeworkID: 'managedHomework',
    AttachmentIDList: 'attachmentUpload',
  },
});

export const publishHomework = route({
  method: 'PUT',
  path: '/course/:courseID/homework/:homeworkID/publish',
  summary: 'Publish a homework, or take it back to a draft',
  access: { need: ['homework.update'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  body: { IsPublished: z.boolean(), Version: version() },
  response: managedHomework,
  errors: ['changed_meanwhile'],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
});

export const homeworkDependents = z.object({
  Submissions: count,
  /** Submissions and others for which points were given. */
  Scores: count,
  Files: count,
});
export type HomeworkDependents = z.output<typeof homeworkDependents>;

export const getHomeworkDependents = route({
  method: 'GET',
  path: '/course/:courseID/homework/:homeworkID/dependent',
  summary: 'What goes with a homework if it is deleted',
  access: { need: ['homework.delete'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  response: homeworkDependents,
  errors: [],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
});

export const deleteHomework = route({
  method: 'DELETE',
  path: '/course/:courseID/homework/:homeworkID',
  summary: 'Delete a homework with everything that was handed in and given for it',
  access: { need: ['homework.delete'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  response: z.null(),
  errors: [],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
});

// Grading -----------------------------------------------------------------------------------------

/** A member, or somebody who was one, in the grading list. */
export const scoreRow = z.object({
  UserID: id(),
  Username: z.string(),
  /** The real name, or the nickname of who has told none. */
  Name: z.string(),
  StudentID: z.string().nullable(),
  /** They handed something in and are no member any more. */
  HasLeft: z.boolean(),
  State: z.enum(HomeworkSubmitState),
  Correction: z.enum(CorrectionState),
  SubmittedAt: z.iso.datetime().nullable(),
  Files: count,
  Score: z.number().nullable(),
  Comment: z.string(),
});
export type ScoreRow = z.output<typeof scoreRow>;

export const SCORE_SORTS = ['studentID', 'name', 'submitted', 'score'] as const;
export type ScoreSort = (typeof SCORE_SORTS)[number];

const stateInQuery = z.coerce.number<string>().pipe(z.enum(HomeworkSubmitState)).optional();
const correctionInQuery = z.coerce.number<string>().pipe(z.enum(CorrectionState)).optional();

export const listScores = route({
  method: 'GET',
  path: '/course/:courseID/homework/:homeworkID/score',
  summary: 'Every member of a course by what they handed in and got, filtered, sorted and paged',
  access: { need: ['score.list'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  query: {
    ...listQuery,
    state: stateInQuery,
    correction: correctionInQuery,
    sort: z.enum(SCORE_SORTS).default('studentID'),
  },
  response: listOf(scoreRow),
  errors: [],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
});

/** A change of what was given; a score of null is a reset. */
export const scoreChange = z.object({
  At: z.iso.datetime(),
  /** Nickname; null once the account is gone. */
  By: z.string().nullable(),
  ScoreBefore: z.number().nullable(),
  ScoreAfter: z.number().nullable(),
  CommentBefore: z.string(),
  CommentAfter: z.string(),
});
export type ScoreChange = z.output<typeof scoreChange>;

export const scoreDetail = scoreRow.extend({
  /** null while nothing was handed in and nothing was given. */
  SubmissionID: id().nullable(),
  /** Markdown. */
  Text: z.string(),
  FileList: z.array(homeworkFile),
  CommentFile: homeworkFile.nullable(),
  GradedAt: z.iso.datetime().nullable(),
  /** Newest first. */
  History: z.array(scoreChange),
  /** The neighbours among those who wait to be corrected, in the order of the list. */
  PreviousUncorrected: id().nullable(),
  NextUncorrected: id().nullable(),
  /** 0 while there is no record yet. */
  Version: version(),
});
export type ScoreDetail = z.output<typeof scoreDetail>;

export const getScore = route({
  method: 'GET',
  path: '/course/:courseID/homework/:homeworkID/score/:userID',
  summary: 'What somebody handed in and got, with every change of it',
  access: { need: ['submission.list'] },
  params: { courseID: pathID(), homeworkID: pathID(), userID: pathID() },
  response: scoreDetail,
  errors: [],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework', userID: 'gradedPerson' },
});

/** Multipart, one PDF named `File`; it is given with a score that names it. */
export const uploadCommentFile = route({
  method: 'POST',
  path: '/course/:courseID/homework/:homeworkID/score/file',
  summary:
    'Send a PDF that is about to go with a score; one that is nowhere given goes after a day',
  access: { need: ['score.update'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  upload: true,
  response: homeworkFile,
  status: 201,
  errors: [
    'upload_missing',
    'upload_too_large',
    'upload_type',
    'file_name_invalid',
    'storage_full',
  ],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
  timeoutMs: 600_000,
});

export const updateScore = route({
  method: 'PUT',
  path: '/course/:courseID/homework/:homeworkID/score/:userID',
  summary: 'Give somebody points, or other ones; they see them at once and are told',
  access: { need: ['score.update'] },
  params: { courseID: pathID(), homeworkID: pathID(), userID: pathID() },
  body: {
    Score: score,
    Comment: z.string().trim().max(TEXT_LIMITS.homeworkComment).default(''),
    /** Left out: there is none. */
    CommentFileID: id().optional(),
    Version: version(),
  },
  response: scoreDetail,
  errors: ['changed_meanwhile', 'score_too_high'],
  scope: {
    courseID: 'managedCourse',
    homeworkID: 'managedHomework',
    userID: 'gradedPerson',
    CommentFileID: 'commentUpload',
  },
});

export const resetScore = route({
  method: 'PUT',
  path: '/course/:courseID/homework/:homeworkID/score/:userID/reset',
  summary: 'Take points and comment back, and let the learner hand in anew; they are told',
  access: { need: ['submission.reset'] },
  params: { courseID: pathID(), homeworkID: pathID(), userID: pathID() },
  body: { Version: version() },
  response: scoreDetail,
  errors: ['changed_meanwhile'],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework', userID: 'gradedPerson' },
});

export const exportSubmissions = route({
  method: 'GET',
  path: '/course/:courseID/homework/:homeworkID/submission/export',
  summary: 'Everything that was handed in, as a zip with a folder for each learner',
  access: { need: ['submission.list'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  response: z.unknown(),
  errors: [],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
  kind: 'file',
  isRecorded: true,
});

export const exportScores = route({
  method: 'GET',
  path: '/course/:courseID/homework/:homeworkID/score/export',
  summary: 'The grade sheet as xlsx; what is not changed in it changes nothing when it comes back',
  access: { need: ['score.export'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  response: z.unknown(),
  errors: [],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
  kind: 'file',
  isRecorded: true,
});

/** What can be wrong with a row of a grade sheet. */
export const SCORE_PROBLEMS = [
  /** Nobody in the course has this number and name. */
  'unknown',
  /** Several do. */
  'ambiguous',
  /** The number is somebody’s of another name. */
  'name_differs',
  /** The same person stands in an earlier row. */
  'repeated',
  /** No number from 0 to the maximum with one decimal. */
  'score_invalid',
  /** A sheet gives points and changes them; it never takes them back. */
  'score_missing',
  'comment_too_long',
] as const;
export type ScoreProblem = (typeof SCORE_PROBLEMS)[number];

const given = z.object({ Score: z.number().nullable(), Comment: z.string() });

export const scoreImport = z.object({
  /** What would change. */
  Changes: z.array(
    z.object({
      /** Its number in the sheet, from 1, the heading included. */
      Row: z.int().positive(),
      StudentID: z.string(),
      Name: z.string(),
      Before: given,
      After: given,
    }),
  ),
  /** Rows that are left out, and why. */
  Problems: z.array(
    z.object({
      Row: z.int().positive(),
      StudentID: z.string(),
      Name: z.string(),
      Problem: z.enum(SCORE_PROBLEMS),
    }),
  ),
  /** Rows that say what is so already. */
  Unchanged: count,
  /** Names this preview; sent with the import, which is refused if it would do something else. */
  Token: z.string(),
});
export type ScoreImport = z.output<typeof scoreImport>;

export const previewScores = route({
  method: 'POST',
  path: '/course/:courseID/homework/:homeworkID/score/import/preview',
  summary: 'Read a grade sheet (xlsx or xls) and say what it would change; nothing is written',
  access: { need: ['score.import'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  upload: true,
  response: scoreImport,
  errors: [
    'upload_missing',
    'upload_too_large',
    'upload_type',
    'sheet_unreadable',
    'sheet_too_long',
  ],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
});

export const importScores = route({
  method: 'POST',
  path: '/course/:courseID/homework/:homeworkID/score/import',
  summary: 'Write what the preview of a grade sheet said would change; all of it or nothing',
  access: { need: ['score.import'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  query: { token: z.string().max(100) },
  upload: true,
  response: z.object({ Changed: count }),
  errors: [
    'upload_missing',
    'upload_too_large',
    'upload_type',
    'sheet_unreadable',
    'sheet_too_long',
    'changed_meanwhile',
  ],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
});

/** Why a file of a zip goes to nobody. */
export const COMMENT_FILE_PROBLEMS = [
  'unknown',
  'ambiguous',
  'name_differs',
  /** Another file of the zip is for the same person. */
  'repeated',
  'no_pdf',
  'too_large',
] as const;
export type CommentFileProblem = (typeof COMMENT_FILE_PROBLEMS)[number];

export const commentFileImport = z.object({
  Matched: z.array(
    z.object({
      File: z.string(),
      UserID: id(),
      StudentID: z.string(),
      Name: z.string(),
      /** Another comment file is there, whose place it takes. */
      IsReplaced: z.boolean(),
    }),
  ),
  Unmatched: z.array(z.object({ File: z.string(), Problem: z.enum(COMMENT_FILE_PROBLEMS) })),
});
export type CommentFileImport = z.output<typeof commentFileImport>;

export const importCommentFiles = route({
  method: 'POST',
  path: '/course/:courseID/homework/:homeworkID/score/comment-file',
  summary:
    'Give out a zip of PDFs named by student number and name; first only say who would get which',
  access: { need: ['score.import'] },
  params: { courseID: pathID(), homeworkID: pathID() },
  query: { preview: z.enum(['true', 'false']).default('true') },
  upload: true,
  response: commentFileImport,
  errors: ['upload_missing', 'upload_too_large', 'zip_refused', 'storage_full'],
  scope: { courseID: 'managedCourse', homeworkID: 'managedHomework' },
  timeoutMs: 600_000,
});

/** A homework of which submissions wait to be corrected. */
export const waitingHomework = z.object({
  ID: id(),
  CourseID: id(),
  Title: z.string(),
  Course: z.string(),
  DueAt: z.iso.datetime(),
  Uncorrected: z.int().positive(),
});
export type WaitingHomework = z.output<typeof waitingHomework>;

export const listWaitingHomework = route({
  method: 'GET',
  path: '/homework/waiting',
  summary: 'Homework with submissions to correct, in the courses that the actor works on',
  access: { need: ['score.list'] },
  query: { ...listQuery, sort: z.enum(['longest', 'due', 'uncorrected']).default('longest') },
  response: listOf(waitingHomework),
  errors: [],
  scope: {},
});
