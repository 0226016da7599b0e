import { signedIn } from '../../platform/access/access.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { Logins } from './login.ts';
import { presentLoginSession, presentOwnUser } from './user.present.ts';
import type { UserService } from './user.service.ts';

export const userHandlers = (
  service: UserService,
  logins: Logins,
): HandlersOf<'getLoginSession' | 'login' | 'logout' | 'getUser' | 'changePassword'> => ({
  getLoginSession: async ({ request }) => {
    const login = await logins.find(logins.tokenOf(request));
    return login ? presentLoginSession(login) : null;
  },

  login: async ({ body, request, reply }) => {
    const { token, login } = await service.login({
      name: body.Username,
      password: body.Password,
      address: request.ip,
      previousToken: logins.tokenOf(request),
    });
    logins.setCookie(reply, token, login.expiresAt);
    return presentLoginSession(login);
  },

  logout: async ({ request, reply }) => {
    await service.logout(logins.tokenOf(request));
    logins.clearCookie(reply);
    return null;
  },

  getUser: async ({ scoped }) => presentOwnUser(scoped.userID),

  changePassword: async ({ scoped, actor, body }) => {
    await service.changePassword(
      scoped.userID,
      signedIn(actor).loginSessionID,
      body.OriginalPassword,
      body.Password,
    );
    return null;
  },
});
