/** Programming problems as their staff have them: making one, its tests, everybody's submissions. */
import { z } from 'zod';
import {
  COUNT_LIMITS,
  Difficulty,
  PROBLEM_LIMITS,
  ProblemType,
  ProgrammingLanguage,
  id,
  listOf,
  listQuery,
  pathID,
  route,
  version,
} from './kernel/index.ts';
import { describedFields, describedScope, managedItem } from './item.ts';
import {
  JUDGE_VERDICTS,
  JudgeState,
  problemSubmission,
  problemSubmissionSummary,
  runLimits,
  submissionFilters,
  textOfBytes,
} from './problem.ts';

const count = z.int().nonnegative();
const language = z.enum(ProgrammingLanguage);

/** A language of a problem, with what only its staff read. */
const problemCode = z.object({
  Language: language,
  DefaultCode: textOfBytes(PROBLEM_LIMITS.defaultCodeBytes).default(''),
  ReferenceCode: textOfBytes(PROBLEM_LIMITS.sourceBytes).default(''),
});

/** How the reference solution of a language stands with the tests of now. */
export const referenceCheck = z.object({
  Language: language,
  SubmissionID: id(),
  State: z.enum(JudgeState),
  Verdict: z.enum(JUDGE_VERDICTS).nullable(),
  Passed: count,
  Total: count,
  /** It judged other code, or with other tests. */
  IsOutdated: z.boolean(),
});
export type ReferenceCheck = z.output<typeof referenceCheck>;

export const managedProblem = managedItem
  .omit({
    DescriptionZh: true,
    DescriptionEn: true,
    Cover: true,
    SpecificationID: true,
    Specification: true,
  })
  .extend({
    Type: z.enum(ProblemType),
    Difficulty: z.enum(Difficulty),
    ...runLimits,
    SampleCount: count,
    Codes: z.array(problemCode),
    Languages: z.array(language),
    /** Of the test package; null while there is none. */
    Tests: z
      .object({
        Pairs: z.array(
          z.object({ Number: z.int().positive(), InputBytes: count, OutputBytes: count }),
        ),
        SizeBytes: count,
        UploadedAt: z.iso.datetime(),
      })
      .nullable(),
    TestCount: count,
    Checks: z.array(referenceCheck),
    Tried: count,
    Solved: count,
  });
export type ManagedProblem = z.output<typeof managedProblem>;

const managedProblemRow = managedProblem.omit({
  ContentZh: true,
  ContentEn: true,
  Codes: true,
  Tests: true,
  Checks: true,
});
export type ManagedProblemRow = z.output<typeof managedProblemRow>;

const {
  DescriptionZh: _descriptionZh,
  DescriptionEn: _descriptionEn,
  CoverKind: _coverKind,
  ...texts
} = describedFields;
const problemFields = {
  ...texts,
  Difficulty: z.enum(Difficulty),
  Codes: z
    .array(problemCode)
    .min(1)
    .max(Object.keys(ProgrammingLanguage).length)
    .refine((codes) => new Set(codes.map(({ Language }) => Language)).size === codes.length),
  CpuMs: z.int().min(PROBLEM_LIMITS.cpuMsMin).max(PROBLEM_LIMITS.cpuMsMax),
  MemoryBytes: z.int().min(PROBLEM_LIMITS.memoryMin).max(PROBLEM_LIMITS.memoryMax),
  Parallelism: z.int().min(1).max(PROBLEM_LIMITS.parallelismMax),
  /** So many of the first tests are shown as examples. */
  SampleCount: z.int().min(0).max(PROBLEM_LIMITS.samplesMax),
};

export const listManagedProblems = route({
  method: 'GET',
  path: '/problem/managed',
  summary: 'Problems that the actor may change, drafts included',
  access: { need: ['problem.update'] },
  query: {
    ...listQuery,
    difficulty: z.coerce.number<string>().pipe(z.enum(Difficulty)).optional(),
    state: z.enum(['published', 'draft']).optional(),
    sort: z.enum(['sequence', 'latest', 'title', 'uses']).default('sequence'),
  },
  response: listOf(managedProblemRow),
  errors: [],
  scope: {},
});

export const getManagedProblem = route({
  method: 'GET',
  path: '/problem/:problemID/managed',
  summary: 'A problem with everything that can be changed',
  access: { need: ['problem.update'] },
  params: { problemID: pathID() },
  response: managedProblem,
  errors: [],
  scope: { problemID: 'managedProblem' },
});

export const createProblem = route({
  method: 'POST',
  path: '/problem',
  summary: 'Make a problem, as a draft',
  access: { need: ['problem.create'] },
  body: problemFields,
  response: managedProblem,
  status: 201,
  errors: [],
  scope: describedScope,
});

export const updateProblem = route({
  method: 'PUT',
  path: '/problem/:problemID',
  summary: 'Change a problem',
  access: { need: ['problem.update'] },
  params: { problemID: pathID() },
  body: { ...problemFields, Version: version() },
  response: managedProblem,
  errors: ['changed_meanwhile'],
  scope: { problemID: 'managedProblem', ...describedScope },
});

export const publishProblem = route({
  method: 'PUT',
  path: '/problem/:problemID/publish',
  summary: 'Publish a problem, or take it back to a draft',
  access: { need: ['problem.update'] },
  params: { problemID: pathID() },
  body: { IsPublished: z.boolean() },
  response: managedProblem,
  errors: ['tests_missing'],
  scope: { problemID: 'managedProblem' },
});

/** What goes with a problem that is deleted. */
export const getProblemDependents = route({
  method: 'GET',
  path: '/problem/:problemID/dependent',
  summary: 'What would go with a problem if it were deleted',
  access: { need: ['problem.delete'] },
  params: { problemID: pathID() },
  response: z.object({ Submissions: count, Learners: count, Solved: count }),
  errors: [],
  scope: { problemID: 'managedProblem' },
});

export const deleteProblem = route({
  method: 'DELETE',
  path: '/problem/:problemID',
  summary: 'Delete a problem with its tests and all that was submitted to it',
  access: { need: ['problem.delete'] },
  params: { problemID: pathID() },
  response: z.null(),
  errors: [],
  scope: { problemID: 'managedProblem' },
});

export const uploadProblemTests = route({
  method: 'POST',
  path: '/problem/:problemID/tests',
  summary: `Put a package of tests in place: a zip with input1..${COUNT_LIMITS.testPairs}.txt and output1..${COUNT_LIMITS.testPairs}.txt`,
  access: { need: ['problem.update'] },
  params: { problemID: pathID() },
  upload: true,
  response: managedProblem,
  errors: [
    'upload_missing',
    'upload_too_large',
    'upload_type',
    'zip_refused',
    'tests_refused',
    'storage_full',
  ],
  scope: { problemID: 'managedProblem' },
  timeoutMs: 600_000,
});

export const getProblemTests = route({
  method: 'GET',
  path: '/problem/:problemID/tests',
  summary: 'The package of tests, as it was sent',
  access: { need: ['problem.update'] },
  params: { problemID: pathID() },
  response: z.unknown(),
  errors: ['tests_missing'],
  scope: { problemID: 'managedProblem' },
  kind: 'file',
  isRecorded: true,
});

export const checkProblem = route({
  method: 'POST',
  path: '/problem/:problemID/check',
  summary: 'Judge the reference solution of a language with the tests of now',
  access: { need: ['problem.update'] },
  params: { problemID: pathID() },
  body: { Language: language },
  response: problemSubmission,
  status: 202,
  errors: ['tests_missing', 'reference_missing'],
  scope: { problemID: 'managedProblem' },
});

export const managedProblemSubmission = problemSubmissionSummary.extend({
  Nickname: z.string(),
  Username: z.string(),
});
export type ManagedProblemSubmission = z.output<typeof managedProblemSubmission>;

export const listManagedProblemSubmissions = route({
  method: 'GET',
  path: '/problem/:problemID/submission/managed',
  summary: 'Everybody’s submissions to a problem, newest first; `keyword` names a person',
  access: { need: ['problem.update'] },
  params: { problemID: pathID() },
  query: { ...listQuery, ...submissionFilters },
  response: listOf(managedProblemSubmission),
  errors: [],
  scope: { problemID: 'managedProblem' },
});

export const SUBMISSION_COLUMNS = [
  'Number',
  'StudentID',
  'RealName',
  'Nickname',
  'Username',
  'Language',
  'Verdict',
  'Passed',
  'Total',
  'CpuMs',
  'MemoryBytes',
  'CreatedAt',
] as const;
export type SubmissionColumn = (typeof SUBMISSION_COLUMNS)[number];

export const exportProblemSubmissions = route({
  method: 'GET',
  path: '/problem/:problemID/submission/export',
  summary: 'The submissions that match, as xlsx with chosen columns; sources are not in it',
  access: { need: ['problem.update'] },
  params: { problemID: pathID() },
  query: {
    keyword: listQuery.keyword,
    ...submissionFilters,
    columns: z
      .string()
      .max(400)
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(SUBMISSION_COLUMNS)).min(1).max(SUBMISSION_COLUMNS.length)),
  },
  response: z.unknown(),
  errors: [],
  scope: { problemID: 'managedProblem' },
  kind: 'file',
  isRecorded: true,
});

export const rejudgeProblemSubmission = route({
  method: 'POST',
  path: '/problem/:problemID/submission/:submissionID/rejudge',
  summary: 'Judge a submission again, with the tests of now',
  access: { need: ['problem.update'] },
  params: { problemID: pathID(), submissionID: pathID() },
  body: {},
  response: problemSubmission,
  status: 202,
  errors: ['tests_missing', 'submission_not_done'],
  scope: { problemID: 'managedProblem', submissionID: 'problemSubmission' },
});

export const rejudgeProblem = route({
  method: 'POST',
  path: '/problem/:problemID/rejudge',
  summary: 'Judge again all submissions that older tests judged, and those where the judge failed',
  access: { need: ['problem.update'] },
  params: { problemID: pathID() },
  body: {},
  response: z.object({ Count: count }),
  status: 202,
  errors: ['tests_missing'],
  scope: { problemID: 'managedProblem' },
});
