/** Calls of staff about problems, their tests and what is submitted to them. */
import {
  routes,
  type BodyInputOf,
  type ManagedProblemRow,
  type ManagedProblemSubmission,
  type ProgrammingLanguage,
  type SubmissionColumn,
} from '@hypercube/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { addressOf, call } from '../../../kernel/api.ts';
import { upload } from '../../../kernel/upload.ts';
import type { ReadList } from '../../../ui/table/use-list.ts';
import { PROBLEM_KEY, SUBMISSION_KEY } from '../keys.ts';

export const MANAGED_PROBLEMS_KEY = ['managed-problem'] as const;

/** Reads again what shows problems, after a change of one. */
export function useProblemsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    void client.invalidateQueries({ queryKey: PROBLEM_KEY });
    await client.invalidateQueries({ queryKey: MANAGED_PROBLEMS_KEY });
  };
}

export const readManagedProblems: ReadList<ManagedProblemRow> = (query, signal) =>
  call(routes.listManagedProblems, { query, signal });

export const managedProblemQuery = (problemID: number, language: string) =>
  queryOptions({
    queryKey: [...MANAGED_PROBLEMS_KEY, 'one', problemID, language],
    queryFn: ({ signal }) => call(routes.getManagedProblem, { params: { problemID }, signal }),
    meta: { isHandled: true },
  });

/** What would go with a problem. */
export const dependentsQuery = (problemID: number) =>
  queryOptions({
    queryKey: [...MANAGED_PROBLEMS_KEY, 'dependents', problemID],
    queryFn: ({ signal }) => call(routes.getProblemDependents, { params: { problemID }, signal }),
    meta: { isHandled: true },
  });

export const MANAGED_SUBMISSIONS_KEY = [...SUBMISSION_KEY, 'managed'] as const;

export const readManagedSubmissions =
  (problemID: number): ReadList<ManagedProblemSubmission> =>
  ({ sort: _sort, ...query }, signal) =>
    call(routes.listManagedProblemSubmissions, { params: { problemID }, query, signal });

/** Address of the sheet of what matches. */
export const submissionsAddress = (
  problemID: number,
  { page: _page, pageSize: _pageSize, sort: _sort, ...query }: Record<string, string>,
  columns: readonly SubmissionColumn[],
): string =>
  addressOf(
    routes.exportProblemSubmissions,
    { problemID },
    { ...query, columns: columns.join(',') },
  );

export type ProblemBody = BodyInputOf<typeof routes.createProblem>;
export const createProblem = (body: ProblemBody) => call(routes.createProblem, { body });
export const updateProblem = (problemID: number, body: ProblemBody & { Version: number }) =>
  call(routes.updateProblem, { params: { problemID }, body });
export const publishProblem = (problemID: number, IsPublished: boolean) =>
  call(routes.publishProblem, { params: { problemID }, body: { IsPublished } });
export const deleteProblem = (problemID: number) =>
  call(routes.deleteProblem, { params: { problemID } });
export const uploadTests = (problemID: number, file: File, onProgress: (share: number) => void) =>
  upload(routes.uploadProblemTests, { params: { problemID }, file, onProgress });
export const checkProblem = (problemID: number, Language: ProgrammingLanguage) =>
  call(routes.checkProblem, { params: { problemID }, body: { Language } });
export const rejudgeSubmission = (problemID: number, submissionID: number) =>
  call(routes.rejudgeProblemSubmission, { params: { problemID, submissionID }, body: {} });
export const rejudgeAll = (problemID: number) =>
  call(routes.rejudgeProblem, { params: { problemID }, body: {} });
