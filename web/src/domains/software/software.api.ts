/** Calls about software. */
import { routes } from '@hypercube/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import { queryOfSearch, type CatalogueSearch } from '../catalogue/search.ts';

// The language is part of every answer (titles of tags), so it is part of the key.
export const softwareListQuery = (search: CatalogueSearch, language: string) =>
  queryOptions({
    queryKey: ['software', 'list', language, search],
    queryFn: ({ signal }) => call(routes.listSoftware, { query: queryOfSearch(search), signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    meta: { isHandled: true },
  });

/** Software for the command palette. */
export const foundSoftwareQuery = (keyword: string, language: string) =>
  queryOptions({
    queryKey: ['software', 'found', language, keyword],
    queryFn: ({ signal }) => call(routes.listSoftware, { query: { keyword, pageSize: 6 }, signal }),
    staleTime: 60_000,
    meta: { isHandled: true },
  });

export const softwareQuery = (softwareID: number, language: string) =>
  queryOptions({
    queryKey: ['software', 'one', language, softwareID],
    queryFn: ({ signal }) => call(routes.getSoftware, { params: { softwareID }, signal }),
    staleTime: 60_000,
    meta: { isHandled: true },
  });
