/** Calls about single sign-on. */
import { routes, type BodyInputOf, type SsoProvider } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

export const providersQuery = queryOptions({
  queryKey: ['sso-providers'],
  queryFn: ({ signal }) => call(routes.listProviders, { signal }),
  staleTime: 60_000,
  meta: { isHandled: true },
});

export const beginSignOn = (provider: SsoProvider, body: BodyInputOf<typeof routes.beginSignOn>) =>
  call(routes.beginSignOn, { params: { provider }, body });

export const finishSignOn = (provider: SsoProvider, Query: string) =>
  call(routes.finishSignOn, { params: { provider }, body: { Query } });

export const pendingIdentityQuery = queryOptions({
  queryKey: ['sso-identity'],
  queryFn: ({ signal }) => call(routes.getPendingIdentity, { signal }),
  staleTime: Infinity,
  // It is gone once it was used, and nobody else may find it here.
  gcTime: 0,
  meta: { isHandled: true },
});

export const linkIdentity = (body: BodyInputOf<typeof routes.linkIdentity>) =>
  call(routes.linkIdentity, { body });
export const createIdentityAccount = (body: BodyInputOf<typeof routes.createIdentityAccount>) =>
  call(routes.createIdentityAccount, { body });

export const sendEmailCode = (body: BodyInputOf<typeof routes.sendEmailCode>) =>
  call(routes.sendEmailCode, { body });

export const identitiesQuery = (userID: number) =>
  queryOptions({
    queryKey: ['user', userID, 'identity'],
    queryFn: ({ signal }) => call(routes.listIdentities, { params: { userID }, signal }),
    meta: { isHandled: true },
  });

export const deleteIdentity = (userID: number, identityID: number) =>
  call(routes.deleteIdentity, { params: { userID, identityID } });
