/** Who is signed in, as every page needs to know it. */
import {
  TIMES,
  actingRoles,
  meets,
  routes,
  type LoginSession,
  type Requirement,
} from '@hypercube/contract';
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { call, serverNowMs } from './api.ts';

/** The login session, or null when there is none or it ends within the margin. */
export function usableSession(session: LoginSession | null, nowMs: number): LoginSession | null {
  if (session === null) return null;
  return session.Exp * 1000 - nowMs > TIMES.loginExpiryMarginSeconds * 1000 ? session : null;
}

/** Whether a session may do something outside of the admin area, where everybody acts as a student. */
export const may = (session: LoginSession | null, requirement: Requirement): boolean =>
  meets(actingRoles(session?.Roles.map((role) => role.Name) ?? [], 'student'), requirement);

export const loginQuery = queryOptions({
  queryKey: ['login'],
  queryFn: async ({ signal }) =>
    usableSession(await call(routes.getLoginSession, { signal }), serverNowMs()),
  staleTime: 60_000,
  meta: { isHandled: true },
});

export interface LoginState {
  /** undefined while it is not known yet. */
  readonly session: LoginSession | null | undefined;
  readonly error: unknown;
}

/** The login session; checked against its end on every reading. */
export function useLogin(): LoginState {
  const { data, error } = useQuery(loginQuery);
  return {
    session: data === undefined ? undefined : usableSession(data, serverNowMs()),
    error: data === undefined ? error : null,
  };
}

/** Of leaving the account by oneself. */
export const LOGOUT_KEY = ['logout'] as const;

/** Query keys whose answers are the same for everybody; what is not named belongs to an account. */
const COMMON_KEYS: readonly unknown[] = [
  'captcha',
  'site',
  'sso-providers',
  'universities',
  'verification',
];

/** Whether a query's answer was for the account that asked, and for nobody after it. */
export const isPrivate = ({ queryKey: [name] }: { readonly queryKey: readonly unknown[] }) =>
  name !== loginQuery.queryKey[0] && !COMMON_KEYS.includes(name);

/** Forgets the answers that an account could see. */
export function forgetAnswers(client: QueryClient): void {
  // Calls under way would bring the old account's answers back.
  void client.cancelQueries({ predicate: isPrivate });
  client.removeQueries({ predicate: isPrivate });
}

/** Forgets everything that belonged to the account: the environment and the answers it could see. */
export function forgetAccount(client: QueryClient): void {
  forgetAnswers(client);
  client.setQueryData(loginQuery.queryKey, null);
}
