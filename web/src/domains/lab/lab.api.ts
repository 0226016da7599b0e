/** Calls about labs. */
import { routes, type BodyInputOf } from '@hypercube/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import { queryOfSearch, type CatalogueSearch } from '../catalogue/search.ts';

// The language is part of every answer (titles of tags), so it is part of the key.
export const labsQuery = (search: CatalogueSearch, language: string) =>
  queryOptions({
    queryKey: ['lab', 'list', language, search],
    queryFn: ({ signal }) => call(routes.listLabs, { query: queryOfSearch(search), signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    meta: { isHandled: true },
  });

export const NEWEST_COUNT = 4;
export const newestLabsQuery = (language: string) =>
  queryOptions({
    queryKey: ['lab', 'newest', language],
    queryFn: ({ signal }) =>
      call(routes.listLabs, { query: { sort: 'latest', pageSize: NEWEST_COUNT }, signal }),
    staleTime: 60_000,
    meta: { isHandled: true },
  });

/** Labs for the command palette. */
export const foundLabsQuery = (keyword: string, language: string) =>
  queryOptions({
    queryKey: ['lab', 'found', language, keyword],
    queryFn: ({ signal }) => call(routes.listLabs, { query: { keyword, pageSize: 6 }, signal }),
    staleTime: 60_000,
    meta: { isHandled: true },
  });

export const labQuery = (labID: number, language: string) =>
  queryOptions({
    queryKey: ['lab', 'one', language, labID],
    queryFn: ({ signal }) => call(routes.getLab, { params: { labID }, signal }),
    staleTime: 60_000,
    meta: { isHandled: true },
  });

export const labTasksQuery = (labID: number, language: string) =>
  queryOptions({
    queryKey: ['lab', 'tasks', language, labID],
    queryFn: async ({ signal }) =>
      (await call(routes.listLabTasks, { params: { labID }, signal })).List,
    staleTime: 60_000,
    meta: { isHandled: true },
  });

export const labTaskQuery = (labID: number, taskID: number, language: string) =>
  queryOptions({
    queryKey: ['lab', 'task', language, labID, taskID],
    queryFn: ({ signal }) => call(routes.getLabTask, { params: { labID, taskID }, signal }),
    staleTime: 60_000,
    meta: { isHandled: true },
  });

export const labResourcesQuery = (labID: number) =>
  queryOptions({
    queryKey: ['lab', 'resources', labID],
    queryFn: async ({ signal }) =>
      (await call(routes.listLabResources, { params: { labID }, signal })).List,
    staleTime: 60_000,
    meta: { isHandled: true },
  });

/** Copies starter files into the personal folder; a conflict is told before anything is written. */
export const copyResources = (labID: number, body: BodyInputOf<typeof routes.copyLabResources>) =>
  call(routes.copyLabResources, { params: { labID }, body });
