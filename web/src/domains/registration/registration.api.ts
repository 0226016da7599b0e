/** Calls of registration and of a new password. */
import { routes, type BodyInputOf } from '@hypercube/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

/** Whether a username or an address can still be used. */
export const verificationQuery = (asked: { email: string } | { username: string }) =>
  queryOptions({
    queryKey: ['verification', asked],
    queryFn: ({ signal }) => call(routes.verifyAccount, { query: asked, signal }),
    staleTime: 10_000,
    // Nobody is stopped by a question that was not answered: the server decides in the end.
    retry: false,
    meta: { isHandled: true },
  });

export const universitiesQuery = queryOptions({
  queryKey: ['universities'],
  queryFn: ({ signal }) => call(routes.listUniversities, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  placeholderData: keepPreviousData,
  meta: { isHandled: true },
});

export const sendEmailCode = (body: BodyInputOf<typeof routes.sendEmailCode>) =>
  call(routes.sendEmailCode, { body });
export const register = (body: BodyInputOf<typeof routes.register>) =>
  call(routes.register, { body });
export const requestPasswordReset = (body: BodyInputOf<typeof routes.requestPasswordReset>) =>
  call(routes.requestPasswordReset, { body });
export const resetPassword = (body: BodyInputOf<typeof routes.resetPassword>) =>
  call(routes.resetPassword, { body });
