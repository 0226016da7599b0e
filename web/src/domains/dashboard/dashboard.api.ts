/** Calls about the figures of the place, and about one's own study time. */
import { routes, type Language, type MapName } from '@hypercube/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import { readShapes } from '../../ui/chart/shapes.ts';
import type { StreamState } from '../usage/watch.ts';
import { NOW_KEY } from './live.ts';

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
  queryKey: NOW_KEY,
  queryFn: ({ signal }) => call(routes.getDashboardNow, { signal }),
  meta: { isHandled: true },
});

/** The figures are pushed; asking is for the time in which no stream stands. */
export const nowPollMs = (stream: StreamState): number => (stream === 'open' ? 60_000 : 10_000);

/** A map as the installation has it. @throws when the file is no such map */
export const mapQuery = (name: MapName) =>
  queryOptions({
    queryKey: ['dashboard', 'map', name],
    queryFn: async ({ signal }) =>
      readShapes(await call(routes.getMap, { params: { name }, signal })),
    staleTime: Infinity,
    retry: false,
    meta: { isHandled: true },
  });

export const overviewQuery = (language: Language) =>
  queryOptions({
    queryKey: ['dashboard', 'overview', language],
    queryFn: ({ signal }) => call(routes.getOverview, { signal }),
    meta: { isHandled: true },
  });

export const studyQuery = (days: number) =>
  queryOptions({
    queryKey: ['statistics', 'study', days],
    queryFn: ({ signal }) => call(routes.getStudyStatistics, { query: { days }, signal }),
    placeholderData: keepPreviousData,
    meta: { isHandled: true },
  });

export const nextQuery = (language: Language) =>
  queryOptions({
    queryKey: ['statistics', 'next', language],
    queryFn: ({ signal }) => call(routes.getStudyNext, { signal }),
    meta: { isHandled: true },
  });
