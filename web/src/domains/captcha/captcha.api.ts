/** Calls of the human check. */
import { routes, type BodyInputOf, type CaptchaPayload } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

/** What a guarded call takes beside its own fields; nothing where the check is off. */
export interface PassedCheck {
  readonly Captcha?: CaptchaPayload;
}

export const captchaQuery = queryOptions({
  queryKey: ['captcha'],
  queryFn: ({ signal }) => call(routes.getCaptcha, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { isHandled: true },
});

export const createChallenge = (
  body: BodyInputOf<typeof routes.createCaptchaChallenge>,
  signal?: AbortSignal,
) => call(routes.createCaptchaChallenge, { body, signal });
export const answerChallenge = (body: BodyInputOf<typeof routes.answerCaptcha>) =>
  call(routes.answerCaptcha, { body });
