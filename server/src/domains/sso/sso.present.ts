import {
  ACCOUNT_LIMITS,
  USERNAME_PATTERN,
  accountFields,
  type AnswerInputOf,
  type LinkedIdentity,
  type SsoProvider,
  type UserType,
  type routes,
} from '@hypercube/contract';
import type { ExternalIdentity } from '../../engines/sso/provider.ts';
import type { IdentityRow } from './sso.queries.ts';

export const presentIdentity = (row: IdentityRow): LinkedIdentity => ({
  ID: row.id,
  Provider: row.provider as SsoProvider,
  Name: row.name,
  CreatedAt: row.createdAt.toISOString(),
  LastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

/** What fits as a username of ours, made of what the provider says; empty when nothing does. */
export function suggestUsername({ username, email }: ExternalIdentity): string {
  const said =
    username.includes('@') || username === '' ? (email.split('@', 1)[0] ?? '') : username;
  const fitting = said.replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, ACCOUNT_LIMITS.usernameMax);
  return USERNAME_PATTERN.test(fitting) ? fitting : '';
}

/** The new identity as the page that chooses an account shows it: suggestions, never decisions. */
export const presentPending = (
  provider: SsoProvider,
  identity: ExternalIdentity,
  type: UserType,
): NonNullable<AnswerInputOf<typeof routes.getPendingIdentity>> => ({
  Provider: provider,
  Name: identity.name,
  Username: suggestUsername(identity),
  Nickname: accountFields.Nickname.safeParse(identity.name).data ?? '',
  Email: identity.email,
  IsEmailVerified: identity.isEmailVerified,
  Type: type,
});
