import { TIMES } from '@hypercube/contract';
import { signedIn } from '../../platform/access/access.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { AVATAR_TYPE } from './avatar.ts';
import type { AccountService } from './user.account.ts';
import { avatarPath, presentDevice, presentOwnUser } from './user.present.ts';

type Names =
  | 'getUser'
  | 'updateUser'
  | 'updatePreferences'
  | 'uploadAvatar'
  | 'deleteAvatar'
  | 'getAvatar'
  | 'requestEmailChange'
  | 'changeEmail'
  | 'listDevices'
  | 'endDevice'
  | 'endOtherDevices';

export const accountHandlers = (service: AccountService): HandlersOf<Names> => ({
  getUser: async ({ scoped }) => presentOwnUser(scoped.userID),

  updateUser: async ({ scoped, body }) =>
    presentOwnUser(await service.updateProfile(scoped.userID, body)),

  updatePreferences: async ({ scoped, body }) =>
    presentOwnUser(await service.updatePreferences(scoped.userID, body)),

  uploadAvatar: async ({ scoped, file }) => {
    const path = avatarPath(await service.setAvatar(scoped.userID, await file()));
    // Removed in the same moment, from another window.
    if (path === null) throw new DomainError('not_found');
    return { Avatar: path };
  },

  deleteAvatar: async ({ scoped }) => {
    await service.removeAvatar(scoped.userID);
    return null;
  },

  getAvatar: async ({ scoped, reply }) => {
    const picture = await service.readAvatar(scoped.userID.id);
    if (!picture) throw new DomainError('not_found');
    return reply
      .headers({
        'content-type': AVATAR_TYPE,
        'content-length': picture.sizeBytes,
        'content-disposition': 'inline',
        'content-security-policy': "default-src 'none'; sandbox",
        // Its address changes with it.
        'cache-control': 'private, max-age=31536000, immutable',
      })
      .send(picture.stream);
  },

  requestEmailChange: async ({ scoped, body }) => {
    await service.requestEmailChange(scoped.userID, body.Email, body.Password);
    return { ResendSeconds: TIMES.captchaResendSeconds };
  },

  changeEmail: async ({ scoped, body }) =>
    presentOwnUser(await service.changeEmail(scoped.userID, body.Email, body.EmailCode)),

  listDevices: async ({ scoped, actor }) => {
    const rows = await service.listDevices(scoped.userID.id);
    const { loginSessionID } = signedIn(actor);
    return { List: rows.map((row) => presentDevice(row, loginSessionID)), Total: rows.length };
  },

  endDevice: async ({ scoped }) => {
    await service.endDevice(scoped.deviceID);
    return null;
  },

  endOtherDevices: async ({ scoped, actor }) => ({
    Ended: await service.endOtherDevices(scoped.userID.id, signedIn(actor).loginSessionID),
  }),
});
