import type { HandlersOf } from '../../platform/http/register.ts';
import type { CaptchaService } from './captcha.service.ts';

export const captchaHandlers = (
  captcha: CaptchaService,
): HandlersOf<'getCaptcha' | 'createCaptchaChallenge' | 'answerCaptcha'> => ({
  getCaptcha: async () => captcha.site(),

  createCaptchaChallenge: async ({ body, request }) =>
    captcha.challenge(body.Kind, body.Scene, request.ip),

  answerCaptcha: async ({ body }) =>
    captcha.answer({
      sessionID: body.SessionId,
      scene: body.Scene,
      track: body.Track,
      nonces: body.Nonces,
    }),
});
