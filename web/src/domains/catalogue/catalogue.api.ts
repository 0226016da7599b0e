/** Calls that every catalogue makes. */
import { routes } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

/** Domains with their tags: the filters of every catalogue. */
export const domainsQuery = (language: string) =>
  queryOptions({
    queryKey: ['domain', language],
    queryFn: async ({ signal }) => (await call(routes.listDomains, { signal })).List,
    staleTime: 300_000,
    meta: { isHandled: true },
  });
