/** Calls about the account. */
import { routes, type BodyInputOf } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

export const login = (body: BodyInputOf<typeof routes.login>) => call(routes.login, { body });
export const logout = () => call(routes.logout, {});
export const changePassword = (userID: number, body: BodyInputOf<typeof routes.changePassword>) =>
  call(routes.changePassword, { params: { userID }, body });

export const userQuery = (userID: number) =>
  queryOptions({
    queryKey: ['user', userID],
    queryFn: ({ signal }) => call(routes.getUser, { params: { userID }, signal }),
    staleTime: 60_000,
    meta: { isHandled: true },
  });
