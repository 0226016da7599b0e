/** Calls about one's own account. */
import { routes, type BodyInputOf, type User } from '@hypercube/contract';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import { loginQuery } from '../../kernel/login.ts';
import { upload } from '../../kernel/upload.ts';
import { userQuery } from './account.api.ts';

export const updateUser = (userID: number, body: BodyInputOf<typeof routes.updateUser>) =>
  call(routes.updateUser, { params: { userID }, body });
export const updatePreferences = (
  userID: number,
  body: BodyInputOf<typeof routes.updatePreferences>,
) => call(routes.updatePreferences, { params: { userID }, body });
export const uploadAvatar = (userID: number, file: File) =>
  upload(routes.uploadAvatar, { params: { userID }, file });
export const deleteAvatar = (userID: number) => call(routes.deleteAvatar, { params: { userID } });
export const requestEmailChange = (
  userID: number,
  body: BodyInputOf<typeof routes.requestEmailChange>,
) => call(routes.requestEmailChange, { params: { userID }, body });
export const changeEmail = (userID: number, body: BodyInputOf<typeof routes.changeEmail>) =>
  call(routes.changeEmail, { params: { userID }, body });

export const devicesQuery = (userID: number) =>
  queryOptions({
    queryKey: ['user', userID, 'device'],
    queryFn: ({ signal }) => call(routes.listDevices, { params: { userID }, signal }),
    meta: { isHandled: true },
  });
export const endDevice = (userID: number, deviceID: number) =>
  call(routes.endDevice, { params: { userID, deviceID } });
export const endOtherDevices = (userID: number) =>
  call(routes.endOtherDevices, { params: { userID } });

/** Shows a changed account at once, in the settings and in the header. */
export function showUser(client: QueryClient, user: User): void {
  client.setQueryData(userQuery(user.ID).queryKey, user);
  client.setQueryData(
    loginQuery.queryKey,
    (session) => session && { ...session, Nickname: user.Nickname, Avatar: user.Avatar },
  );
}
