/** Calls about applications for machine time. */
import {
  COUNT_LIMITS,
  routes,
  type BodyInputOf,
  type ManagedResourceRow,
  type ResourceApplyStatus,
} from '@hypercube/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { addressOf, call } from '../../kernel/api.ts';
import type { ReadList } from '../../ui/table/use-list.ts';

/** Everything about applications. */
export const RESOURCE_KEY = ['resource'] as const;

export interface ResourceSearch {
  readonly page: number;
  readonly status: ResourceApplyStatus | undefined;
}

export const RESOURCE_PAGE_SIZE = 10;

// The language is part of every answer (names of centres and software), so it is part of the key.
export const resourcesQuery = (
  search: ResourceSearch,
  language: string,
  pageSize = RESOURCE_PAGE_SIZE,
) =>
  queryOptions({
    queryKey: [...RESOURCE_KEY, 'list', language, search, pageSize],
    queryFn: ({ signal }) =>
      call(routes.listResources, {
        query: {
          page: search.page,
          pageSize,
          ...(search.status === undefined ? {} : { status: String(search.status) }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { isHandled: true },
  });

/** @param role in which one acts: which of them one looks after depends on it */
export const resourceCentresQuery = (language: string, role: string | null = null) =>
  queryOptions({
    queryKey: [...RESOURCE_KEY, 'centre', language, role],
    queryFn: async ({ signal }) => (await call(routes.listResourceCentres, { signal })).List,
    meta: { isHandled: true },
  });

/** Software that the time can be for, in the order of its catalogue. */
export const resourceSoftwareQuery = (language: string) =>
  queryOptions({
    queryKey: [...RESOURCE_KEY, 'software', language],
    queryFn: async ({ signal }) =>
      (
        await call(routes.listSoftware, {
          query: { pageSize: COUNT_LIMITS.pageSizeMax },
          signal,
        })
      ).List,
    staleTime: 60_000,
    meta: { isHandled: true },
  });

export const resourceQuery = (applyID: number, language: string) =>
  queryOptions({
    queryKey: [...RESOURCE_KEY, 'one', applyID, language],
    queryFn: ({ signal }) => call(routes.getResource, { params: { applyID }, signal }),
    retry: false,
    meta: { isHandled: true },
  });

/**
 * Each call is recorded as a view, so it is made once for a visit, and what it answers is forgotten
 * when the page is left.
 */
const ONCE = {
  staleTime: Infinity,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
  meta: { isHandled: true },
} as const;

export const resourceAccountQuery = (applyID: number) =>
  queryOptions({
    queryKey: ['resource-account', 'own', applyID],
    queryFn: ({ signal }) => call(routes.getResourceAccount, { params: { applyID }, signal }),
    ...ONCE,
  });

export const managedAccountQuery = (applyID: number) =>
  queryOptions({
    queryKey: ['resource-account', 'managed', applyID],
    queryFn: ({ signal }) =>
      call(routes.getManagedResourceAccount, { params: { applyID }, signal }),
    ...ONCE,
  });

export const createResource = (body: BodyInputOf<typeof routes.createResource>) =>
  call(routes.createResource, { body });
export const updateResource = (applyID: number, body: BodyInputOf<typeof routes.updateResource>) =>
  call(routes.updateResource, { params: { applyID }, body });
export const deleteResource = (applyID: number) =>
  call(routes.deleteResource, { params: { applyID } });

export const readManagedResources: ReadList<ManagedResourceRow> = (query, signal) =>
  call(routes.listManagedResources, { query, signal });

/** Where the browser fetches an export of what the list shows. */
export const exportAddress = (query: Readonly<Record<string, string>>): string => {
  const { page: _page, pageSize: _pageSize, ...filters } = query;
  return addressOf(routes.exportResources, {}, filters);
};

export const managedResourceQuery = (applyID: number, language: string) =>
  queryOptions({
    queryKey: [...RESOURCE_KEY, 'managed', applyID, language],
    queryFn: ({ signal }) => call(routes.getManagedResource, { params: { applyID }, signal }),
    retry: false,
    meta: { isHandled: true },
  });

export const rejectResource = (applyID: number, body: BodyInputOf<typeof routes.rejectResource>) =>
  call(routes.rejectResource, { params: { applyID }, body });
export const updateResourceAccount = (
  applyID: number,
  body: BodyInputOf<typeof routes.updateResourceAccount>,
) => call(routes.updateResourceAccount, { params: { applyID }, body });
