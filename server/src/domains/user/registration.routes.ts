import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { CaptchaService } from '../captcha/captcha.service.ts';
import type { Logins } from './login.ts';
import type { RegistrationService } from './registration.service.ts';
import { presentLoginSession } from './user.present.ts';
import { arrivalOf } from './user.routes.ts';

export const registrationHandlers = (
  service: RegistrationService,
  captcha: CaptchaService,
  logins: Logins,
): HandlersOf<
  'verifyAccount' | 'sendEmailCode' | 'register' | 'requestPasswordReset' | 'resetPassword'
> => ({
  verifyAccount: async ({ query, request }) => {
    if ((query.email === undefined) === (query.username === undefined))
      throw new DomainError('invalid_input', { Fields: [{ Path: 'email', Rule: 'one_of' }] });
    return { IsAvailable: await service.isAvailable(query, request.ip) };
  },

  sendEmailCode: async ({ body, query, request }) => {
    await captcha.verify(body.Captcha, request.ip);
    return { ResendSeconds: await service.sendCode(body.Email, query.lang, request.ip) };
  },

  register: async ({ body: { Captcha: payload, ...fields }, query, request, reply }) => {
    await captcha.verify(payload, request.ip);
    const { token, login } = await service.register(fields, query.lang, arrivalOf(request, logins));
    logins.setCookie(reply, token, login.expiresAt);
    return presentLoginSession(login);
  },

  requestPasswordReset: async ({ body, query, request }) => {
    await captcha.verify(body.Captcha, request.ip);
    await service.requestReset(body.Username, query.lang, request.ip);
    return null;
  },

  resetPassword: async ({ body, query, request }) => {
    await service.reset(body.Token, body.Password, query.lang, request.ip);
    return null;
  },
});
