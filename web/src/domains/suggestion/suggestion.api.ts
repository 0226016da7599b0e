/** Calls about suggestions and the conversations about them. */
import {
  COUNT_LIMITS,
  routes,
  type BodyInputOf,
  type Suggestion,
  type SuggestionStatus,
} from '@hypercube/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import { upload } from '../../kernel/upload.ts';
import type { ReadList } from '../../ui/table/use-list.ts';

/** Everything about suggestions; the event stream says when something of it changed. */
export const SUGGESTION_KEY = ['suggestion'] as const;

export interface SuggestionSearch {
  readonly page: number;
  readonly keyword: string;
  readonly own: boolean;
  readonly status: SuggestionStatus | undefined;
}

export const SUGGESTION_PAGE_SIZE = 10;

export const suggestionsQuery = (search: SuggestionSearch) =>
  queryOptions({
    queryKey: [...SUGGESTION_KEY, 'list', search],
    queryFn: ({ signal }) =>
      call(routes.listSuggestions, {
        query: {
          page: search.page,
          pageSize: SUGGESTION_PAGE_SIZE,
          own: search.own ? 'true' : 'false',
          ...(search.keyword === '' ? {} : { keyword: search.keyword }),
          ...(search.status === undefined ? {} : { status: String(search.status) }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { isHandled: true },
  });

export const suggestionQuery = (suggestionID: number) =>
  queryOptions({
    queryKey: [...SUGGESTION_KEY, 'one', suggestionID],
    queryFn: ({ signal }) => call(routes.getSuggestion, { params: { suggestionID }, signal }),
    retry: false,
    meta: { isHandled: true },
  });

/** The whole conversation, a page after the other. */
export const repliesQuery = (suggestionID: number) =>
  queryOptions({
    queryKey: [...SUGGESTION_KEY, 'replies', suggestionID],
    queryFn: async ({ signal }) => {
      const read = (page: number) =>
        call(routes.listReplies, {
          params: { suggestionID },
          query: { page, pageSize: COUNT_LIMITS.pageSizeMax },
          signal,
        });
      const first = await read(1);
      const list = [...first.List];
      for (let page = 2; list.length < first.Total; page += 1) {
        const next = await read(page);
        if (next.List.length === 0) break;
        list.push(...next.List);
      }
      return list;
    },
    retry: false,
    meta: { isHandled: true },
  });

export const readManagedSuggestions: ReadList<Suggestion> = (query, signal) =>
  call(routes.listManagedSuggestions, { query, signal });

type Fields = BodyInputOf<typeof routes.createSuggestion>;

export const createSuggestion = (body: Fields) => call(routes.createSuggestion, { body });
export const updateSuggestion = (suggestionID: number, body: Fields) =>
  call(routes.updateSuggestion, { params: { suggestionID }, body });
export const finishSuggestion = (suggestionID: number, Status: SuggestionStatus) =>
  call(routes.finishSuggestion, { params: { suggestionID }, body: { Status } });
export const deleteSuggestion = (suggestionID: number) =>
  call(routes.deleteSuggestion, { params: { suggestionID } });
export const createReply = (suggestionID: number, Content: string) =>
  call(routes.createReply, { params: { suggestionID }, body: { Content } });
export const uploadPicture = (file: File) =>
  upload(routes.uploadSuggestionPicture, { params: {}, file });
