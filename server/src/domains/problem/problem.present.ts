import {
  JudgeState,
  wallMsOf,
  type Language,
  type ManagedProblem,
  type ManagedProblemRow as ManagedRowOnWire,
  type ManagedProblemSubmission,
  type ProblemDetail,
  type ProblemSubmission,
  type ProblemSubmissionSummary,
  type ProblemSummary,
  type ReferenceCheck,
} from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import { presentTag } from '../domain/domain.present.ts';
import type { CodeRow, ManagedProblemRow, ProblemListRow, ProblemRow } from './problem.queries.ts';
import type { SubmissionListRow, SubmissionRow } from './problem.submission.queries.ts';
import type { TestPair } from './problem.tests.ts';

export const presentProblem = (row: ProblemListRow, language: Language): ProblemSummary => ({
  ID: row.id,
  Type: row.type as ProblemSummary['Type'],
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Difficulty: row.difficulty as ProblemSummary['Difficulty'],
  Languages: row.languages as ProblemSummary['Languages'],
  Domain: row.domain && presentTag(row.domain, language),
  Tags: row.tags.map((tag) => presentTag(tag, language)),
  Tried: row.tried,
  Solved: row.solved,
  MyState: row.myState,
  UpdatedAt: row.updatedAt.toISOString(),
});

const limitsOf = (row: Pick<ProblemRow, 'cpuMs' | 'memoryBytes' | 'parallelism'>) => ({
  CpuMs: row.cpuMs,
  WallMs: wallMsOf(row.cpuMs),
  MemoryBytes: row.memoryBytes,
  Parallelism: row.parallelism,
});

/** @param isManaged whether the one who asks may change it */
export const presentProblemDetail = (
  problem: ProblemRow,
  row: ProblemListRow,
  codes: readonly CodeRow[],
  samples: readonly { input: string; output: string; isCut: boolean }[],
  isManaged: boolean,
  language: Language,
): ProblemDetail => ({
  ...presentProblem(row, language),
  Content: inLanguage(language, problem.contentZh, problem.contentEn),
  ...limitsOf(problem),
  TestCount: problem.testCount,
  Samples: samples.map(({ input, output, isCut }) => ({
    Input: input,
    Output: output,
    IsCut: isCut,
  })),
  DefaultCodes: codes.map((code) => ({
    Language: code.language as ProblemSummary['Languages'][number],
    Code: code.defaultCode,
  })),
  IsManaged: isManaged,
});

const summaryOf = (
  row: Omit<SubmissionListRow, 'nickname' | 'username'>,
): ProblemSubmissionSummary => ({
  ID: row.id,
  ProblemID: row.problemID,
  Kind: row.kind as ProblemSubmissionSummary['Kind'],
  Language: row.language as ProblemSubmissionSummary['Language'],
  State: row.state as ProblemSubmissionSummary['State'],
  Verdict: row.verdict as ProblemSubmissionSummary['Verdict'],
  Passed: row.passed,
  Total: row.total,
  CpuMs: row.cpuMs,
  MemoryBytes: row.memoryBytes,
  HasOlderTests: row.kind !== 'run' && row.testsVersion < row.currentVersion,
  CreatedAt: row.createdAt.toISOString(),
  // Of what is judged again it is the time of the verdict before.
  JudgedAt: row.state === JudgeState.done ? (row.judgedAt?.toISOString() ?? null) : null,
});

export const presentSubmissionRow = (row: SubmissionListRow): ProblemSubmissionSummary =>
  summaryOf(row);

export const presentManagedSubmission = (row: SubmissionListRow): ManagedProblemSubmission => ({
  ...summaryOf(row),
  Nickname: row.nickname,
  Username: row.username,
});

export interface SubmissionFacts {
  readonly row: SubmissionRow;
  readonly problem: Pick<ProblemRow, 'samples' | 'testsVersion'>;
  readonly position: number | null;
  readonly nickname: string;
  /** Staff of the problem are told what was expected; others of the examples alone. */
  readonly isManaged: boolean;
}

export const presentSubmission = ({
  row,
  problem,
  position,
  nickname,
  isManaged,
}: SubmissionFacts): ProblemSubmission => ({
  ...summaryOf({ ...row, currentVersion: problem.testsVersion }),
  Source: row.source,
  Position: position,
  ReturnCode: row.returnCode,
  CompilerOutput: row.compilerOutput,
  Tests: row.tests.map((test) => {
    // What a program writes of a hidden test could be the test itself.
    const isOpen = isManaged || row.kind === 'run' || test.number <= problem.samples;
    return {
      Number: test.number,
      Verdict: test.verdict as ProblemSubmission['Tests'][number]['Verdict'],
      CpuMs: test.cpuMs,
      WallMs: test.wallMs,
      MemoryBytes: test.memoryBytes,
      ExitCode: test.exitCode,
      Signal: test.signal,
      Difference:
        isOpen && test.difference
          ? {
              Token: test.difference.token,
              Expected: test.difference.expected,
              Found: test.difference.found,
            }
          : null,
      ErrorOutput: isOpen ? test.errorOutput : '',
    };
  }),
  Stdin: row.stdin,
  Output: row.output,
  StartedAt: row.startedAt?.toISOString() ?? null,
  Nickname: nickname,
});

/** A problem as staff see it in a list: both languages, drafts included. */
export const presentManagedRow = (
  row: ManagedProblemRow,
  language: Language,
): ManagedRowOnWire => ({
  ID: row.id,
  Type: row.type as ManagedRowOnWire['Type'],
  Title: inLanguage(language, row.titleZh, row.titleEn),
  TitleZh: row.titleZh,
  TitleEn: row.titleEn,
  Difficulty: row.difficulty as ManagedRowOnWire['Difficulty'],
  ...limitsOf(row),
  SampleCount: row.samples,
  Languages: row.languages as ManagedRowOnWire['Languages'],
  TestCount: row.testCount,
  Tried: row.tried,
  Solved: row.solved,
  DomainID: row.domainID,
  TagIDList: row.tags.map((tag) => tag.id),
  IsPublished: row.isPublished,
  IsBuiltIn: row.slug !== null,
  SequenceNumber: row.sequence,
  Owner: row.owner,
  Uses: row.uses,
  UpdatedAt: row.updatedAt.toISOString(),
  Version: row.version,
});

/** How the newest check of a language stands with what there is now. */
const presentCheck = (
  check: SubmissionRow,
  problem: ProblemRow,
  codes: readonly CodeRow[],
): ReferenceCheck => ({
  Language: check.language as ReferenceCheck['Language'],
  SubmissionID: check.id,
  State: check.state as ReferenceCheck['State'],
  Verdict: check.verdict as ReferenceCheck['Verdict'],
  Passed: check.passed,
  Total: check.total,
  IsOutdated:
    check.testsVersion < problem.testsVersion ||
    codes.find(({ language }) => language === check.language)?.referenceCode !== check.source,
});

export const presentManaged = (
  problem: ProblemRow,
  row: ManagedProblemRow,
  parts: {
    readonly codes: readonly CodeRow[];
    readonly pairs: readonly TestPair[];
    readonly checks: readonly SubmissionRow[];
  },
  language: Language,
): ManagedProblem => ({
  ...presentManagedRow(row, language),
  ContentZh: problem.contentZh,
  ContentEn: problem.contentEn,
  Codes: parts.codes.map((code) => ({
    Language: code.language as ReferenceCheck['Language'],
    DefaultCode: code.defaultCode,
    ReferenceCode: code.referenceCode,
  })),
  Tests: problem.testsAt && {
    Pairs: parts.pairs.map(({ number, inputBytes, outputBytes }) => ({
      Number: number,
      InputBytes: inputBytes,
      OutputBytes: outputBytes,
    })),
    SizeBytes: problem.testsBytes,
    UploadedAt: problem.testsAt.toISOString(),
  },
  Checks: parts.checks.map((check) => presentCheck(check, problem, parts.codes)),
});
