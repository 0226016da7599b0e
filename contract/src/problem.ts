/** Programming problems: the catalogue, submissions and their verdicts. */
import { z } from 'zod';
import {
  CATALOGUE_SORTS,
  Difficulty,
  PROBLEM_LIMITS,
  ProblemType,
  ProgrammingLanguage,
  id,
  idsInQuery,
  listOf,
  listQuery,
  pathID,
  route,
} from './kernel/index.ts';
import { tag } from './domain.ts';

const count = z.int().nonnegative();
const language = z.enum(ProgrammingLanguage);
const languageInQuery = z.coerce.number<string>().pipe(language).optional();

/** How far somebody is with a problem; null is said for who has not tried it. */
export const PROBLEM_STATES = ['tried', 'solved'] as const;
export type ProblemState = (typeof PROBLEM_STATES)[number];

export const problemSummary = z.object({
  ID: id(),
  Type: z.enum(ProblemType),
  Title: z.string(),
  Difficulty: z.enum(Difficulty),
  Languages: z.array(language),
  Domain: tag.nullable(),
  Tags: z.array(tag),
  /** Learners who submitted, and those of them who solved it. */
  Tried: count,
  Solved: count,
  MyState: z.enum(PROBLEM_STATES).nullable(),
  UpdatedAt: z.iso.datetime(),
});
export type ProblemSummary = z.output<typeof problemSummary>;

/**
 * Time on the wall that goes with a limit of computing: twice as much, since a busy machine shares
 * its cores, and some more for what a program waits for.
 */
export const wallMsOf = (cpuMs: number): number => 2 * cpuMs + 2000;

/** What a program may use in each test. */
export const runLimits = {
  /** Of all its processes together. */
  CpuMs: z.int().positive(),
  WallMs: z.int().positive(),
  MemoryBytes: z.int().positive(),
  /** Ranks of MPI, and what `OMP_NUM_THREADS` says. */
  Parallelism: z.int().positive(),
};

export const problemDetail = problemSummary.extend({
  /** Markdown. */
  Content: z.string(),
  ...runLimits,
  /** How many tests a submission has to pass. */
  TestCount: count,
  /** The first tests, as examples; a long one is cut. */
  Samples: z.array(z.object({ Input: z.string(), Output: z.string(), IsCut: z.boolean() })),
  /** What the editor opens with. */
  DefaultCodes: z.array(z.object({ Language: language, Code: z.string() })),
  /** Whether the one who asks may change it. */
  IsManaged: z.boolean(),
});
export type ProblemDetail = z.output<typeof problemDetail>;

export const listProblems = route({
  method: 'GET',
  path: '/problem',
  summary: 'The catalogue of programming problems',
  access: { need: ['problem.list'] },
  query: {
    ...listQuery,
    sort: z.enum(CATALOGUE_SORTS).default('comprehensive'),
    difficulty: z.coerce.number<string>().pipe(z.enum(Difficulty)).optional(),
    language: languageInQuery,
    /** How far the one who asks is; for visitors every problem is untried. */
    state: z.enum([...PROBLEM_STATES, 'untried']).optional(),
    domains: idsInQuery().optional(),
    tags: idsInQuery().optional(),
  },
  response: listOf(problemSummary),
  errors: [],
  scope: {},
});

export const getProblemProgress = route({
  method: 'GET',
  path: '/problem/progress',
  summary: 'How many problems there are of each difficulty, and how far one is with them',
  access: { need: ['problem.list'] },
  response: z.object({
    List: z.array(
      z.object({ Difficulty: z.enum(Difficulty), Total: count, Solved: count, Tried: count }),
    ),
  }),
  errors: [],
  scope: {},
});

export const getJudge = route({
  method: 'GET',
  path: '/problem/judge',
  summary: 'Whether submissions are judged now; those sent meanwhile wait',
  access: { need: ['problem.detail'] },
  response: z.object({
    IsReady: z.boolean(),
    /** Why not, as the machine says it; for staff. */
    Reason: z.string().nullable(),
    /** What can be compiled and run. */
    Languages: z.array(language),
    /** Submissions that wait. */
    Waiting: count,
  }),
  errors: [],
  scope: {},
});

export const getProblem = route({
  method: 'GET',
  path: '/problem/:problemID',
  summary: 'A problem with its statement and examples',
  access: { need: ['problem.detail'] },
  params: { problemID: pathID() },
  response: problemDetail,
  errors: [],
  scope: { problemID: 'problem' },
});

/** Of a submission. */
export const JudgeState = { queued: 0, judging: 1, done: 2 } as const;
export type JudgeState = (typeof JudgeState)[keyof typeof JudgeState];

/** What the judge says of a submission; `finished` is said of a run with one’s own input. */
export const JUDGE_VERDICTS = [
  'accepted',
  'finished',
  'compileError',
  'wrongAnswer',
  'timeLimit',
  'memoryLimit',
  'outputLimit',
  'runtimeError',
  'systemError',
] as const;
export type JudgeVerdict = (typeof JUDGE_VERDICTS)[number];

/** What was sent: to be judged, to be run with one’s own input, or a reference solution by staff. */
export const JUDGE_KINDS = ['submission', 'run', 'check'] as const;
export type JudgeKind = (typeof JUDGE_KINDS)[number];

export const problemSubmissionSummary = z.object({
  ID: id(),
  ProblemID: id(),
  Kind: z.enum(JUDGE_KINDS),
  Language: language,
  State: z.enum(JudgeState),
  /** null until it is done. */
  Verdict: z.enum(JUDGE_VERDICTS).nullable(),
  /** Tests that passed, of how many. */
  Passed: count,
  Total: count,
  /** The most of any test; null where none ran. */
  CpuMs: count.nullable(),
  MemoryBytes: count.nullable(),
  /** The tests have changed since. */
  HasOlderTests: z.boolean(),
  CreatedAt: z.iso.datetime(),
  JudgedAt: z.iso.datetime().nullable(),
});
export type ProblemSubmissionSummary = z.output<typeof problemSubmissionSummary>;

export const problemSubmissionTest = z.object({
  Number: z.int().positive(),
  Verdict: z.enum(JUDGE_VERDICTS),
  CpuMs: count,
  WallMs: count,
  MemoryBytes: count,
  ExitCode: z.int().nullable(),
  Signal: z.int().nullable(),
  /** Of examples alone, and for staff: where the output first differs, by tokens from 1. */
  Difference: z
    .object({
      Token: z.int().positive(),
      Expected: z.string().nullable(),
      Found: z.string().nullable(),
    })
    .nullable(),
  /** Beginning of standard error; of examples alone, and for staff. */
  ErrorOutput: z.string(),
});
export type ProblemSubmissionTest = z.output<typeof problemSubmissionTest>;

export const problemSubmission = problemSubmissionSummary.extend({
  Source: z.string(),
  /** Place in the queue, 1 is next; null when it does not wait. */
  Position: z.int().positive().nullable(),
  /** Exit code of the first test that did not pass, or of the run. */
  ReturnCode: z.int().nullable(),
  CompilerOutput: z.string(),
  Tests: z.array(problemSubmissionTest),
  /** Of a run: what was given to it and what it printed. */
  Stdin: z.string(),
  Output: z.string(),
  StartedAt: z.iso.datetime().nullable(),
  /** Who sent it. */
  Nickname: z.string(),
});
export type ProblemSubmission = z.output<typeof problemSubmission>;

/** A text of at most so many bytes of UTF-8. */
export const textOfBytes = (bytes: number) =>
  z
    .string()
    .max(bytes)
    .refine((text) => new TextEncoder().encode(text).length <= bytes);

const sourceFields = {
  Language: language,
  Source: textOfBytes(PROBLEM_LIMITS.sourceBytes).refine((text) => text.trim() !== ''),
};
const submitErrors = ['language_not_offered', 'submissions_waiting', 'too_many_guesses'] as const;

/** What every list of submissions is filtered by. */
export const submissionFilters = {
  language: languageInQuery,
  verdict: z.enum(JUDGE_VERDICTS).optional(),
};

export const listProblemSubmissions = route({
  method: 'GET',
  path: '/problem/:problemID/submission',
  summary: 'One’s own submissions to a problem, newest first',
  access: { need: ['problem.submissions'] },
  params: { problemID: pathID() },
  query: { ...listQuery, ...submissionFilters },
  response: listOf(problemSubmissionSummary),
  errors: [],
  scope: { problemID: 'problem' },
});

export const getProblemSubmission = route({
  method: 'GET',
  path: '/problem/:problemID/submission/:submissionID',
  summary:
    'A submission with its source and its tests; for who sent it and for the problem’s staff',
  access: { need: ['problem.submissions'] },
  params: { problemID: pathID(), submissionID: pathID() },
  response: problemSubmission,
  errors: [],
  scope: { problemID: 'problem', submissionID: 'problemSubmission' },
});

export const createProblemSubmission = route({
  method: 'POST',
  path: '/problem/:problemID/submission',
  summary: 'Submit a solution; it is judged in its turn',
  access: { need: ['problem.submit'] },
  params: { problemID: pathID() },
  body: sourceFields,
  response: problemSubmission,
  status: 202,
  errors: [...submitErrors, 'tests_missing'],
  scope: { problemID: 'problem' },
});

export const runProblem = route({
  method: 'POST',
  path: '/problem/:problemID/run',
  summary: 'Run a program with one’s own input; it counts for nothing',
  access: { need: ['problem.submit'] },
  params: { problemID: pathID() },
  body: { ...sourceFields, Stdin: textOfBytes(PROBLEM_LIMITS.stdinBytes).default('') },
  response: problemSubmission,
  status: 202,
  errors: submitErrors,
  scope: { problemID: 'problem' },
});
