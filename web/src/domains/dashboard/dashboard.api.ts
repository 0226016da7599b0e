/** Calls about the figures of the place, and about one's own study time. */
import { routes } from '@hypercube/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

export type Period = 'day' | 'month' | 'year';

export const dashboardQuery = (period: Period) =>
  queryOptions({
    queryKey: ['dashboard', period],
    queryFn: ({ signal }) => call(routes.getDashboard, { query: { period }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { isHandled: true },
  });

export const nowQuery = queryOptions({
  queryKey: ['dashboard', 'now'],
  queryFn: ({ signal }) => call(routes.getDashboardNow, { signal }),
  refetchInterval: 10_000,
  meta: { isHandled: true },
});

export const studyQuery = (days: number) =>
  queryOptions({
    queryKey: ['statistics', 'study', days],
    queryFn: ({ signal }) => call(routes.getStudyStatistics, { query: { days }, signal }),
    placeholderData: keepPreviousData,
    meta: { isHandled: true },
  });
