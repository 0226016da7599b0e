/** Calls of those who set homework and grade it. */
import {
  routes,
  type BodyInputOf,
  type HomeworkFile,
  type ManagedHomeworkRow,
  type ScoreRow,
  type WaitingHomework,
} from '@hypercube/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { addressOf, call } from '../../../kernel/api.ts';
import { upload } from '../../../kernel/upload.ts';
import type { ReadList } from '../../../ui/table/use-list.ts';
import type { SendFile } from '../Files.tsx';
import { HOMEWORK_KEY } from '../keys.ts';

export const MANAGED_HOMEWORK_KEY = ['managed-homework'] as const;

/** @returns what makes every page see that something of homework has changed */
export function useManagedHomeworkChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    void client.invalidateQueries({ queryKey: HOMEWORK_KEY });
    await client.invalidateQueries({ queryKey: MANAGED_HOMEWORK_KEY });
  };
}

export const readManagedHomeworkList =
  (courseID: number): ReadList<ManagedHomeworkRow> =>
  (query, signal) =>
    call(routes.listManagedHomework, { params: { courseID }, query, signal });

export const managedHomeworkQuery = (courseID: number, homeworkID: number, language: string) =>
  queryOptions({
    queryKey: [...MANAGED_HOMEWORK_KEY, 'one', courseID, homeworkID, language],
    queryFn: ({ signal }) =>
      call(routes.getManagedHomework, { params: { courseID, homeworkID }, signal }),
    meta: { isHandled: true },
  });

type HomeworkBody = BodyInputOf<typeof routes.createHomework>;
export const createHomework = (courseID: number, body: HomeworkBody) =>
  call(routes.createHomework, { params: { courseID }, body });
export const updateHomework = (
  courseID: number,
  homeworkID: number,
  body: HomeworkBody & { readonly Version: number },
) => call(routes.updateHomework, { params: { courseID, homeworkID }, body });
export const publishHomework = (
  courseID: number,
  homework: Pick<ManagedHomeworkRow, 'ID' | 'Version'>,
  IsPublished: boolean,
) =>
  call(routes.publishHomework, {
    params: { courseID, homeworkID: homework.ID },
    body: { IsPublished, Version: homework.Version },
  });
export const deleteHomework = (courseID: number, homeworkID: number) =>
  call(routes.deleteHomework, { params: { courseID, homeworkID } });

export const homeworkDependentsQuery = (courseID: number, homeworkID: number) =>
  queryOptions({
    queryKey: [...MANAGED_HOMEWORK_KEY, 'dependents', courseID, homeworkID],
    queryFn: ({ signal }) =>
      call(routes.getHomeworkDependents, { params: { courseID, homeworkID }, signal }),
    // Somebody may have handed in since it was looked at.
    staleTime: 0,
    meta: { isHandled: true },
  });

/** Sends a file that is to be attached. */
export const sendAttachment =
  (courseID: number): SendFile =>
  (file, onProgress, signal): Promise<HomeworkFile> =>
    upload(routes.uploadHomeworkAttachment, { params: { courseID }, file, onProgress, signal });

// Grading -----------------------------------------------------------------------------------------

export const readScores =
  (courseID: number, homeworkID: number): ReadList<ScoreRow> =>
  (query, signal) =>
    call(routes.listScores, { params: { courseID, homeworkID }, query, signal });

export const scoreQuery = (
  courseID: number,
  homeworkID: number,
  userID: number,
  language: string,
) =>
  queryOptions({
    queryKey: [...MANAGED_HOMEWORK_KEY, 'score', courseID, homeworkID, userID, language],
    queryFn: ({ signal }) =>
      call(routes.getScore, { params: { courseID, homeworkID, userID }, signal }),
    meta: { isHandled: true },
  });

export const updateScore = (
  courseID: number,
  homeworkID: number,
  userID: number,
  body: BodyInputOf<typeof routes.updateScore>,
) => call(routes.updateScore, { params: { courseID, homeworkID, userID }, body });
export const resetScore = (courseID: number, homeworkID: number, userID: number, Version: number) =>
  call(routes.resetScore, { params: { courseID, homeworkID, userID }, body: { Version } });

/** Sends a PDF that is to go with a score. */
export const sendCommentFile =
  (courseID: number, homeworkID: number): SendFile =>
  (file, onProgress, signal) =>
    upload(routes.uploadCommentFile, {
      params: { courseID, homeworkID },
      file,
      onProgress,
      signal,
    });

/** Which homework an import or an export is about. */
export interface HomeworkPlace {
  readonly courseID: number;
  readonly homeworkID: number;
}
export const scoresAddress = (place: HomeworkPlace): string =>
  addressOf(routes.exportScores, { ...place });
export const submissionsAddress = (place: HomeworkPlace): string =>
  addressOf(routes.exportSubmissions, { ...place });
export const previewScores = (place: HomeworkPlace, file: File) =>
  upload(routes.previewScores, { params: place, file });
export const importScores = (place: HomeworkPlace, file: File, token: string) =>
  upload(routes.importScores, { params: place, query: { token }, file });
/** @param isPreview only says who would get which */
export const importCommentFiles = (place: HomeworkPlace, file: File, isPreview: boolean) =>
  upload(routes.importCommentFiles, {
    params: place,
    query: { preview: isPreview ? 'true' : 'false' },
    file,
  });

export const readWaiting: ReadList<WaitingHomework> = (query, signal) =>
  call(routes.listWaitingHomework, { query, signal });

/** So many stand on the first page of the admin area. */
export const WAITING_SHOWN = 5;
export const waitingHomeworkQuery = (language: string) =>
  queryOptions({
    queryKey: [...MANAGED_HOMEWORK_KEY, 'waiting', 'first', language],
    queryFn: ({ signal }) =>
      call(routes.listWaitingHomework, { query: { pageSize: WAITING_SHOWN }, signal }),
    meta: { isHandled: true },
  });
