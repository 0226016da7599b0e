/** What the site is called, its own counts, and whether environments can be opened. */
import { routes } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import { showSite } from '../../kernel/site.ts';

export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: async ({ signal }) => {
    const answer = await call(routes.getSite, { signal });
    showSite(answer.Site);
    return answer;
  },
  staleTime: 30_000,
  meta: { isHandled: true },
});
