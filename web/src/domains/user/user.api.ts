/** Calls of those who run the place about accounts. */
import {
  routes,
  type BodyInputOf,
  type ImportRow,
  type ManagedUser,
  type UserColumn,
} from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { addressOf, call } from '../../kernel/api.ts';
import { upload } from '../../kernel/upload.ts';
import type { ReadList } from '../../ui/table/use-list.ts';

export const USERS_KEY = ['managed-user'] as const;
export const CENTRES_KEY = ['centre'] as const;

export const readUsers: ReadList<ManagedUser> = (query, signal) =>
  call(routes.listUsers, { query, signal });

export const updateUserRoles = (userID: number, body: BodyInputOf<typeof routes.updateUserRoles>) =>
  call(routes.updateUserRoles, { params: { userID }, body });

export const updateUserState = (userID: number, IsDisabled: boolean, Version: number) =>
  call(routes.updateUserState, { params: { userID }, body: { IsDisabled, Version } });

export const userDependentsQuery = (userID: number) =>
  queryOptions({
    queryKey: [...USERS_KEY, 'dependents', userID],
    queryFn: ({ signal }) => call(routes.listUserDependents, { params: { userID }, signal }),
    // What belongs to somebody may have changed since it was looked at.
    staleTime: 0,
    meta: { isHandled: true },
  });

export const deleteUser = (userID: number, confirm: string) =>
  call(routes.deleteUser, { params: { userID }, query: { confirm } });

/** Where the browser fetches an export of what the list shows. */
export const exportAddress = (
  query: Readonly<Record<string, string>>,
  columns: readonly UserColumn[],
): string => {
  const { page: _page, pageSize: _pageSize, ...filters } = query;
  return addressOf(routes.exportUsers, {}, { ...filters, columns: columns.join(',') });
};

export const previewImport = (file: File, onProgress: (share: number) => void) =>
  upload(routes.previewUserImport, { params: {}, file, onProgress });

export const importUsers = (Rows: ImportRow[]) => call(routes.importUsers, { body: { Rows } });

export const centresQuery = (language: string) =>
  queryOptions({
    queryKey: [...CENTRES_KEY, language],
    queryFn: async ({ signal }) => (await call(routes.listCentres, { signal })).List,
    meta: { isHandled: true },
  });

export const createCentre = (NameZh: string, NameEn: string) =>
  call(routes.createCentre, { body: { NameZh, NameEn } });
export const updateCentre = (centreID: number, NameZh: string, NameEn: string) =>
  call(routes.updateCentre, { params: { centreID }, body: { NameZh, NameEn } });
export const deleteCentre = (centreID: number) =>
  call(routes.deleteCentre, { params: { centreID } });
