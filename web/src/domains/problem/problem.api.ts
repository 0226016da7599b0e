/** Calls about problems and what is submitted to them. */
import {
  JudgeState,
  routes,
  type BodyInputOf,
  type ProblemSubmission,
  type ProblemSubmissionSummary,
  type ProblemSummary,
} from '@hypercube/contract';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import type { ReadList } from '../../ui/table/use-list.ts';
import { PROBLEM_KEY, SUBMISSION_KEY } from './keys.ts';

export const readProblems: ReadList<ProblemSummary> = (query, signal) =>
  call(routes.listProblems, { query, signal });

/** Problems for the command palette. */
export const foundProblemsQuery = (keyword: string, language: string) =>
  queryOptions({
    queryKey: [...PROBLEM_KEY, 'found', language, keyword],
    queryFn: ({ signal }) => call(routes.listProblems, { query: { keyword, pageSize: 6 }, signal }),
    staleTime: 60_000,
    meta: { isHandled: true },
  });

/** Those that were tried and not solved, for going on. */
export const begunProblemsQuery = (language: string) =>
  queryOptions({
    queryKey: [...PROBLEM_KEY, 'begun', language],
    queryFn: ({ signal }) =>
      call(routes.listProblems, { query: { state: 'tried', pageSize: 3 }, signal }),
    meta: { isHandled: true },
  });

export const progressQuery = queryOptions({
  queryKey: [...PROBLEM_KEY, 'progress'],
  queryFn: async ({ signal }) => (await call(routes.getProblemProgress, { signal })).List,
  meta: { isHandled: true },
});

export const problemQuery = (problemID: number, language: string) =>
  queryOptions({
    queryKey: [...PROBLEM_KEY, 'one', problemID, language],
    queryFn: ({ signal }) => call(routes.getProblem, { params: { problemID }, signal }),
    retry: false,
    meta: { isHandled: true },
  });

/** @param isStaff who asks in a staff role is told more, so that it is another answer */
export const judgeQuery = (isStaff: boolean) =>
  queryOptions({
    queryKey: ['judge', isStaff],
    queryFn: ({ signal }) => call(routes.getJudge, { signal }),
    // Until it is ready the page says so; then it need not ask any more.
    refetchInterval: ({ state }) => (state.data?.IsReady === true ? 60_000 : 5000),
    meta: { isHandled: true },
  });

const isOpen = (submission: ProblemSubmission | undefined): boolean =>
  submission !== undefined && submission.State !== JudgeState.done;

/** @param isPushed whether the event stream stands; without it, the page asks more often */
export const submissionQuery = (problemID: number, submissionID: number, isPushed: boolean) =>
  queryOptions({
    queryKey: [...SUBMISSION_KEY, 'one', problemID, submissionID],
    queryFn: ({ signal }) =>
      call(routes.getProblemSubmission, { params: { problemID, submissionID }, signal }),
    refetchInterval: ({ state }) => (isOpen(state.data) ? (isPushed ? 5000 : 1000) : false),
    retry: false,
    meta: { isHandled: true },
  });

export const readSubmissions =
  (problemID: number): ReadList<ProblemSubmissionSummary> =>
  ({ sort: _sort, ...query }, signal) =>
    call(routes.listProblemSubmissions, { params: { problemID }, query, signal });

export const submitProblem = (
  problemID: number,
  body: BodyInputOf<typeof routes.createProblemSubmission>,
) => call(routes.createProblemSubmission, { params: { problemID }, body });

export const runProblem = (problemID: number, body: BodyInputOf<typeof routes.runProblem>) =>
  call(routes.runProblem, { params: { problemID }, body });

/** After a verdict: what was solved shows in the lists and in the statistics. */
export function progressChanged(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: PROBLEM_KEY });
  void client.invalidateQueries({ queryKey: ['statistics'] });
}
