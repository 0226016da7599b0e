import type { FastifyRequest } from 'fastify';
import { signedIn } from '../../platform/access/access.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { CaptchaService } from '../captcha/captcha.service.ts';
import type { Logins } from './login.ts';
import { presentLoginSession } from './user.present.ts';
import type { Arrival, UserService } from './user.service.ts';

/** From where a request comes, for the list of one's own devices. */
export const arrivalOf = (request: FastifyRequest, logins: Logins): Arrival => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
  previousToken: logins.tokenOf(request),
});

export const userHandlers = (
  service: UserService,
  logins: Logins,
  captcha: CaptchaService,
): HandlersOf<'getLoginSession' | 'login' | 'logout' | 'changePassword'> => ({
  getLoginSession: async ({ request }) => {
    const login = await logins.find(logins.tokenOf(request));
    return login ? presentLoginSession(login) : null;
  },

  login: async ({ body, request, reply }) => {
    await captcha.verify(body.Captcha, request.ip);
    const { token, login } = await service.login({
      name: body.Username,
      password: body.Password,
      ...arrivalOf(request, logins),
    });
    logins.setCookie(reply, token, login.expiresAt);
    return presentLoginSession(login);
  },

  logout: async ({ request, reply }) => {
    await service.logout(logins.tokenOf(request));
    logins.clearCookie(reply);
    return null;
  },

  changePassword: async ({ scoped, actor, body, request, reply }) => {
    const { userID, loginSessionID } = signedIn(actor);
    const { token, expiresAt } = await service.changePassword(
      scoped.userID,
      loginSessionID,
      body.OriginalPassword,
      body.Password,
    );
    logins.setCookie(reply, token, expiresAt);
    // Not before the browser has the new token: what it has open comes back by it.
    reply.raw.once('close', () => {
      service
        .announce(userID)
        .catch((error: unknown) => request.log.error({ err: error }, 'a change was not announced'));
    });
    return null;
  },
});
