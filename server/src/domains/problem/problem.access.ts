/**
 * Published problems are open to everybody; drafts exist for their owner and for admins only. A
 * submission is its sender's and the problem's staff's, and is reached through its problem.
 */
import type { Resolver } from '../../platform/access/access.ts';
import { managesRow } from '../../platform/access/managed.ts';
import type { Database } from '../../platform/database/database.ts';
import { findProblems, type ProblemRow } from './problem.queries.ts';
import { findSubmissions, type SubmissionRow } from './problem.submission.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    problem: ProblemRow;
    managedProblem: ProblemRow;
    problemSubmission: SubmissionRow;
  }
}

export const resolveProblems =
  (database: Database): Resolver<'problem'> =>
  async (ids, actor) =>
    new Map(
      (await findProblems(database, ids))
        .filter((row) => row.isPublished || managesRow(actor, row))
        .map((row) => [row.id, row]),
    );

export const resolveManagedProblems =
  (database: Database): Resolver<'managedProblem'> =>
  async (ids, actor) =>
    new Map(
      (await findProblems(database, ids))
        .filter((row) => managesRow(actor, row))
        .map((row) => [row.id, row]),
    );

export const resolveProblemSubmissions =
  (database: Database): Resolver<'problemSubmission'> =>
  async (ids, actor, found) => {
    const problem = found['problemID'] as ProblemRow | undefined;
    if (!problem) return new Map();
    const isManaged = managesRow(actor, problem);
    return new Map(
      (await findSubmissions(database, ids))
        .filter(
          (row) =>
            row.problemID === problem.id &&
            (row.userID === actor.userID || (isManaged && row.kind !== 'run')),
        )
        .map((row) => [row.id, row]),
    );
  };
