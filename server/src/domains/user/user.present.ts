import { LANGUAGES, ROLES, type LoginSession, type Role } from '@hypercube/contract';
import { unixSeconds } from '../../platform/clock.ts';
import type { LoginRow, UserRow } from './user.queries.ts';

/** Roles as the wire has them: those of the account and anonymous, which everybody has. */
const presentRoles = (roles: readonly string[]): { Name: Role }[] =>
  ROLES.filter((role) => role === 'anonymous' || roles.includes(role)).map((Name) => ({ Name }));

export const presentLoginSession = ({ user, roles, expiresAt }: LoginRow): LoginSession => ({
  ID: user.id,
  Username: user.username,
  Nickname: user.nickname,
  Roles: presentRoles(roles),
  Type: user.type as LoginSession['Type'],
  Status: user.applyStatus as LoginSession['Status'],
  Avatar: null,
  Exp: unixSeconds(expiresAt),
});

/** An account as its owner sees it. */
export const presentOwnUser = (user: UserRow & { roles: readonly string[] }) => ({
  ID: user.id,
  Username: user.username,
  Nickname: user.nickname,
  Email: user.email,
  Type: user.type as LoginSession['Type'],
  Status: user.applyStatus as LoginSession['Status'],
  Roles: presentRoles(user.roles),
  Avatar: null,
  Language: LANGUAGES.find((known) => known === user.language) ?? null,
});
