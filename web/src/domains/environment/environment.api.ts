/** Calls about everybody's environments. */
import { routes, type Environment } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import type { ReadList } from '../../ui/table/use-list.ts';

export const ENVIRONMENTS_KEY = ['environment'] as const;

export const readEnvironments: ReadList<Environment> = (query, signal) =>
  call(routes.listEnvironments, { query, signal });

export const capacityQuery = queryOptions({
  queryKey: [...ENVIRONMENTS_KEY, 'capacity'],
  queryFn: ({ signal }) => call(routes.getCapacity, { signal }),
  refetchInterval: 5000,
  meta: { isHandled: true },
});

export const endEnvironment = (usageID: number, Reason: string) =>
  call(routes.endEnvironment, { params: { usageID }, body: { Reason } });
