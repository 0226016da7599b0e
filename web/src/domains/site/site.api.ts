/** The site's own counts and whether environments can be opened. */
import { routes } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => call(routes.getSite, { signal }),
  staleTime: 30_000,
  meta: { isHandled: true },
});
