/** The rules of programming problems, in the domain's words. */
import { join } from 'node:path';
import { COUNT_LIMITS, PROBLEM_LIMITS, SIZE_LIMITS, type JudgeKind } from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { DomainError, isNoSpace } from '../../platform/errors.ts';
import type { IncomingFile } from '../../platform/http/upload.ts';
import { Uploads } from '../../platform/storage/uploads.ts';
import { unpackZip } from '../../platform/storage/zip.ts';
import { guessLimit } from '../user/user.service.ts';
import { readJudges } from './problem.judge.queries.ts';
import type { SubmissionFacts } from './problem.present.ts';
import * as queries from './problem.queries.ts';
import type { ProblemRow } from './problem.queries.ts';
import * as submissions from './problem.submission.queries.ts';
import type { SubmissionRow } from './problem.submission.queries.ts';
import { PACKAGE_LIMITS, ProblemTests } from './problem.tests.ts';

export { seedProblem } from './problem.seed.ts';
export { countProblems, type CodeValues } from './problem.queries.ts';

/** Submissions and runs of one user within the window of the limit on guesses. */
const SUBMISSIONS_PER_WINDOW = 120;

export interface ProblemOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Absolute. */
  readonly dataFolder: string;
}

export type ProblemService = ReturnType<typeof createProblemService>;

/** Problems that a user solved for the first time, by day since a moment, and in all. */
export async function readSolved(
  db: Executor,
  userID: number,
  since: Date,
  zone: string,
): Promise<{ days: ReadonlyMap<string, number>; ever: number }> {
  const [days, ever] = await Promise.all([
    submissions.listSolvedDays(db, userID, since, zone),
    submissions.countSolved(db, userID),
  ]);
  return { days: new Map(days.map(({ day, count }) => [day, count])), ever };
}

export function createProblemService({ database, clock, dataFolder }: ProblemOptions) {
  const tests = new ProblemTests(dataFolder);
  const uploads = new Uploads(dataFolder);
  const admit = guessLimit({ database, clock });

  function translate(error: unknown): never {
    if (isNoSpace(error)) throw new DomainError('storage_full', {}, { cause: error });
    throw error;
  }

  const codeOf = async (problem: ProblemRow, language: number) =>
    (await queries.listCodes(database, problem.id)).find((code) => code.language === language);

  async function enqueue(
    problem: ProblemRow,
    userID: number,
    kind: JudgeKind,
    sent: { readonly language: number; readonly source: string; readonly stdin?: string },
  ): Promise<SubmissionRow> {
    const row = await submissions.insertSubmission(
      database,
      {
        problemID: problem.id,
        userID,
        kind,
        language: sent.language,
        source: sent.source,
        stdin: sent.stdin ?? '',
        total: kind === 'run' ? 0 : problem.testCount,
        testsVersion: problem.testsVersion,
      },
      clock.now(),
      // A check of every language at once is an honest wish.
      kind === 'check' ? 8 : PROBLEM_LIMITS.waiting,
    );
    if (!row) throw new DomainError('submissions_waiting', { Limit: PROBLEM_LIMITS.waiting });
    return row;
  }

  return {
    tests,
    uploads,

    /** A submission with what its page needs besides. */
    async facts(
      problem: ProblemRow,
      row: SubmissionRow,
      isManaged: boolean,
    ): Promise<SubmissionFacts> {
      const [position, nickname] = await Promise.all([
        submissions.findPosition(database, row),
        submissions.findNickname(database, row.userID),
      ]);
      return { row, problem, position, nickname: nickname ?? '', isManaged };
    },

    async judge(): Promise<Awaited<ReturnType<typeof readJudges>> & { waiting: number }> {
      const [state, waiting] = await Promise.all([
        readJudges(database, clock.now()),
        submissions.countWaiting(database),
      ]);
      return { ...state, waiting };
    },

    /** @throws DomainError `tests_missing`, `language_not_offered`, `submissions_waiting`, `too_many_guesses` */
    async submit(
      problem: ProblemRow,
      userID: number,
      sent: { readonly language: number; readonly source: string },
    ): Promise<SubmissionRow> {
      if (problem.testCount === 0) throw new DomainError('tests_missing');
      if (!(await codeOf(problem, sent.language))) throw new DomainError('language_not_offered');
      await admit(`submission:${userID}`, SUBMISSIONS_PER_WINDOW);
      return enqueue(problem, userID, 'submission', sent);
    },

    /** @throws DomainError `language_not_offered`, `submissions_waiting`, `too_many_guesses` */
    async run(
      problem: ProblemRow,
      userID: number,
      sent: { readonly language: number; readonly source: string; readonly stdin: string },
    ): Promise<SubmissionRow> {
      if (!(await codeOf(problem, sent.language))) throw new DomainError('language_not_offered');
      await admit(`submission:${userID}`, SUBMISSIONS_PER_WINDOW);
      return enqueue(problem, userID, 'run', sent);
    },

    /** Judges a reference solution. @throws DomainError `tests_missing`, `reference_missing` */
    async check(problem: ProblemRow, userID: number, language: number): Promise<SubmissionRow> {
      if (problem.testCount === 0) throw new DomainError('tests_missing');
      const code = await codeOf(problem, language);
      if (!code || code.referenceCode.trim() === '') throw new DomainError('reference_missing');
      return enqueue(problem, userID, 'check', { language, source: code.referenceCode });
    },

    /** @throws DomainError `tests_missing`, `submission_not_done` */
    async rejudge(problem: ProblemRow, row: SubmissionRow): Promise<SubmissionRow> {
      if (problem.testCount === 0) throw new DomainError('tests_missing');
      const changed = await submissions.rejudgeRow(database, row, clock.now());
      if (!changed) throw new DomainError('submission_not_done');
      return changed;
    },

    /** Judges again what older tests judged. @returns how many. @throws DomainError `tests_missing` */
    async rejudgeAll(problem: ProblemRow): Promise<number> {
      if (problem.testCount === 0) throw new DomainError('tests_missing');
      return database.transaction((tx) => submissions.rejudgeRows(tx, problem, clock.now()));
    },

    /** @throws DomainError `tests_missing` */
    async publish(problem: ProblemRow, isPublished: boolean): Promise<ProblemRow> {
      const row = await queries.publishProblemRow(database, problem, isPublished);
      if (!row) throw new DomainError('tests_missing');
      return row;
    },

    /**
     * Puts a package of tests in place; what was judged before keeps its results.
     * @throws DomainError `upload_type`, `upload_too_large`, `zip_refused`, `tests_refused`, `storage_full`
     */
    async putTests(problem: ProblemRow, file: IncomingFile): Promise<void> {
      if (!/\.zip$/i.test(file.name)) {
        file.stream.destroy();
        throw new DomainError('upload_type', { Allowed: ['zip'] });
      }
      await using workplace = await uploads.workplace().catch(translate);
      const received = await uploads.receive(file, SIZE_LIMITS.upload, workplace).catch(translate);
      const unpacked = join(workplace.path, 'unpacked');
      const testsBytes = await unpackZip(
        received.path,
        received.sizeBytes,
        unpacked,
        PACKAGE_LIMITS,
      ).catch(translate);
      const { folder, count } = await tests.take(problem.id, unpacked).catch(translate);
      try {
        const before = await queries.setTests(
          database,
          problem,
          { testsFolder: folder, testCount: count, testsBytes },
          clock.now(),
        );
        if (before !== null) await tests.retire(before);
      } catch (error) {
        await tests.discard(folder);
        throw error;
      }
    },

    async remove(problem: ProblemRow): Promise<void> {
      await queries.deleteProblemRow(database, problem);
      if (problem.testsFolder !== null) await tests.retire(problem.testsFolder);
    },

    /** Removes the tests that nothing names any more. */
    async sweep(): Promise<void> {
      await tests.sweep(new Set(await queries.listTestFolders(database)));
    },

    /** How many samples there are to show. */
    samplesOf: (problem: ProblemRow) =>
      problem.testsFolder === null
        ? Promise.resolve([])
        : tests.samples(problem.testsFolder, Math.min(problem.samples, problem.testCount)),

    pairsOf: (problem: ProblemRow) =>
      problem.testsFolder === null
        ? Promise.resolve([])
        : tests.pairs(problem.testsFolder, Math.min(problem.testCount, COUNT_LIMITS.testPairs)),
  };
}
