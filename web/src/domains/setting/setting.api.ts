/** Calls about the settings. */
import { routes, type Settings } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

export const settingsQuery = queryOptions({
  queryKey: ['setting'],
  queryFn: ({ signal }) => call(routes.getSettings, { signal }),
});

export const updateSettings = (Version: number, Values: Partial<Settings>) =>
  call(routes.updateSettings, { body: { Version, Values } });
