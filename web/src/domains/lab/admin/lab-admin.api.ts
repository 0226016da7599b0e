/** Calls of staff about labs, their tasks and their resources. */
import { routes, type BodyInputOf, type ManagedLabRow } from '@hypercube/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../kernel/api.ts';
import { upload } from '../../../kernel/upload.ts';
import type { ReadList } from '../../../ui/table/use-list.ts';

export const MANAGED_LABS_KEY = ['managed-lab'] as const;

/** Reads again what shows labs, after a change of one. */
export function useLabsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    void client.invalidateQueries({ queryKey: ['lab'] });
    await client.invalidateQueries({ queryKey: MANAGED_LABS_KEY });
  };
}

export const readManagedLabs: ReadList<ManagedLabRow> = (query, signal) =>
  call(routes.listManagedLabs, { query, signal });

export const managedLabQuery = (labID: number, language: string) =>
  queryOptions({
    queryKey: [...MANAGED_LABS_KEY, 'one', labID, language],
    queryFn: ({ signal }) => call(routes.getManagedLab, { params: { labID }, signal }),
    meta: { isHandled: true },
  });

export const managedTasksQuery = (labID: number) =>
  queryOptions({
    queryKey: [...MANAGED_LABS_KEY, 'tasks', labID],
    queryFn: async ({ signal }) =>
      (await call(routes.listManagedLabTasks, { params: { labID }, signal })).List,
    meta: { isHandled: true },
  });

export type LabBody = BodyInputOf<typeof routes.createLab>;
export const createLab = (body: LabBody) => call(routes.createLab, { body });
export const updateLab = (labID: number, body: LabBody & { Version: number }) =>
  call(routes.updateLab, { params: { labID }, body });
export const publishLab = (labID: number, IsPublished: boolean) =>
  call(routes.publishLab, { params: { labID }, body: { IsPublished } });
export const duplicateLab = (labID: number) =>
  call(routes.duplicateLab, { params: { labID }, body: {} });
export const deleteLab = (labID: number) => call(routes.deleteLab, { params: { labID } });
export const readDependents = (labID: number, signal: AbortSignal) =>
  call(routes.listLabDependents, { params: { labID }, signal });
export const orderLabs = (LabIDList: number[]) => call(routes.orderLabs, { body: { LabIDList } });

export type TaskBody = BodyInputOf<typeof routes.createLabTask>;
export const createTask = (labID: number, body: TaskBody) =>
  call(routes.createLabTask, { params: { labID }, body });
export const updateTask = (labID: number, taskID: number, body: TaskBody & { Version: number }) =>
  call(routes.updateLabTask, { params: { labID, taskID }, body });
export const deleteTask = (labID: number, taskID: number) =>
  call(routes.deleteLabTask, { params: { labID, taskID } });
export const orderTasks = (labID: number, TaskIDList: number[]) =>
  call(routes.orderLabTasks, { params: { labID }, body: { TaskIDList } });

/** Stores a picture of a lab's texts. @returns its address in a text */
export const uploadMedia = async (labID: number, file: File): Promise<string> =>
  (await upload(routes.uploadLabMedia, { params: { labID }, file })).Path;
export const deleteResource = (labID: number, resourceID: number) =>
  call(routes.deleteLabResource, { params: { labID, resourceID } });
export const orderResources = (labID: number, ResourceIDList: number[]) =>
  call(routes.orderLabResources, { params: { labID }, body: { ResourceIDList } });
export const readEntries = async (labID: number, resourceID: number, signal: AbortSignal) =>
  (await call(routes.listLabResourceEntries, { params: { labID, resourceID }, signal })).List;
