/** Calls of learners about homework: what is set, what is due, handing in. */
import { API_BASE, routes, type HomeworkFile } from '@hypercube/contract';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { addressOf, call } from '../../kernel/api.ts';
import { upload } from '../../kernel/upload.ts';
import { HOMEWORK_KEY } from './keys.ts';

/** @returns what makes every page see that something of homework has changed */
export function useHomeworkChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: HOMEWORK_KEY });
}

export const HOMEWORK_PER_PAGE = 20;
export const homeworkListQuery = (courseID: number, page: number, language: string) =>
  queryOptions({
    queryKey: [...HOMEWORK_KEY, 'list', language, courseID, page],
    queryFn: ({ signal }) =>
      call(routes.listHomework, {
        params: { courseID },
        query: { page, pageSize: HOMEWORK_PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { isHandled: true },
  });

/** So many stand on the personal home. */
export const DUE_SHOWN = 5;
export const dueHomeworkQuery = (language: string) =>
  queryOptions({
    queryKey: [...HOMEWORK_KEY, 'due', language],
    queryFn: ({ signal }) =>
      call(routes.listDueHomework, { query: { pageSize: DUE_SHOWN }, signal }),
    meta: { isHandled: true },
  });

export const homeworkQuery = (courseID: number, homeworkID: number, language: string) =>
  queryOptions({
    queryKey: [...HOMEWORK_KEY, 'one', language, courseID, homeworkID],
    queryFn: ({ signal }) => call(routes.getHomework, { params: { courseID, homeworkID }, signal }),
    meta: { isHandled: true },
  });

/** Sends a file that is to be handed in. */
export const sendSubmissionFile =
  (courseID: number, homeworkID: number) =>
  (file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<HomeworkFile> =>
    upload(routes.uploadSubmissionFile, {
      params: { courseID, homeworkID },
      file,
      onProgress,
      signal,
    });

interface SubmissionBody {
  readonly Text: string;
  readonly FileIDList: number[];
}
export const createSubmission = (courseID: number, homeworkID: number, body: SubmissionBody) =>
  call(routes.createSubmission, { params: { courseID, homeworkID }, body });
export const updateSubmission = (
  courseID: number,
  homeworkID: number,
  submissionID: number,
  body: SubmissionBody & { readonly Version: number },
) => call(routes.updateSubmission, { params: { courseID, homeworkID, submissionID }, body });
export const deleteSubmission = (courseID: number, homeworkID: number, submissionID: number) =>
  call(routes.deleteSubmission, { params: { courseID, homeworkID, submissionID } });

/** Where the browser fetches a file, in the role in which one acts; null until it belongs to something. */
export const fileAddress = ({ Path }: Pick<HomeworkFile, 'Path'>): string | null =>
  Path === null ? null : addressOf({ path: Path.slice(API_BASE.length) });
