/** Calls of staff about software. */
import { routes, type BodyInputOf, type ManagedSoftwareRow } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../kernel/api.ts';
import type { ReadList } from '../../../ui/table/use-list.ts';

export const MANAGED_SOFTWARE_KEY = ['managed-software'] as const;

export const readManagedSoftware: ReadList<ManagedSoftwareRow> = (query, signal) =>
  call(routes.listManagedSoftware, { query, signal });

export const managedSoftwareQuery = (softwareID: number, language: string) =>
  queryOptions({
    queryKey: [...MANAGED_SOFTWARE_KEY, 'one', softwareID, language],
    queryFn: ({ signal }) => call(routes.getManagedSoftware, { params: { softwareID }, signal }),
    meta: { isHandled: true },
  });

export type SoftwareBody = BodyInputOf<typeof routes.createSoftware>;
export const createSoftware = (body: SoftwareBody) => call(routes.createSoftware, { body });
export const updateSoftware = (softwareID: number, body: SoftwareBody & { Version: number }) =>
  call(routes.updateSoftware, { params: { softwareID }, body });
export const deleteSoftware = (softwareID: number) =>
  call(routes.deleteSoftware, { params: { softwareID } });
export const orderSoftware = (SoftwareIDList: number[]) =>
  call(routes.orderSoftware, { body: { SoftwareIDList } });
