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

/** Query keys whose answers belong to an account. */
const PRIVATE_KEYS: readonly unknown[] = ['usage', 'user', 'course'];

/** Forgets everything that belonged to the account: the environment and the answers it could see. */
export function forgetAccount(client: QueryClient): void {
  const isPrivate = (query: { readonly queryKey: readonly unknown[] }): boolean =>
    PRIVATE_KEYS.includes(query.queryKey[0]);
  // Calls under way would bring the old account's answers back.
  void client.cancelQueries({ predicate: isPrivate });
  client.removeQueries({ predicate: isPrivate });
  client.setQueryData(loginQuery.queryKey, null);
}
