import {
  API_BASE,
  LANGUAGES,
  MAIL_CHOICES,
  NOTIFICATION_KINDS,
  ROLES,
  THEME_CHOICES,
  type Device,
  type LoginSession,
  type NotificationChoices,
  type Role,
  type User,
} from '@hypercube/contract';
import { z } from 'zod';
import { unixSeconds } from '../../platform/clock.ts';
import { readUserAgent } from './device.ts';
import type { LoginRow, LoginSessionRow, UserRow } from './user.queries.ts';

/** Roles as the wire has them: those of the account and anonymous, which everybody has. */
const presentRoles = (roles: readonly string[]): { Name: Role }[] =>
  ROLES.filter((role) => role === 'anonymous' || roles.includes(role)).map((Name) => ({ Name }));

/** Address of a picture; it changes with the picture, so that a browser may keep what it has. */
export const avatarPath = ({ id, avatarAt }: Pick<UserRow, 'id' | 'avatarAt'>): string | null =>
  avatarAt === null ? null : `${API_BASE}/user/${id}/avatar?t=${avatarAt.getTime()}`;

const languageOf = ({ language }: UserRow) => LANGUAGES.find((known) => known === language) ?? null;
const themeOf = ({ theme }: UserRow) => THEME_CHOICES.find((known) => known === theme) ?? null;

/** What holds for a kind while its owner has not chosen. */
const USUAL_CHOICE = { inbox: true, mail: 'daily' } as const;
/** A choice as the database keeps it. */
const storedChoice = z.object({ inbox: z.boolean(), mail: z.enum(MAIL_CHOICES) });

/** What a user wants to hear of and how, every kind included. */
const presentChoices = ({ notificationChoices }: UserRow): NotificationChoices => {
  const kept = notificationChoices as Partial<Record<string, unknown>>;
  return Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => {
      const { inbox, mail } = storedChoice.safeParse(kept[kind]).data ?? USUAL_CHOICE;
      return [kind, { Inbox: inbox, Mail: mail }];
    }),
  ) as NotificationChoices;
};

export const presentLoginSession = ({ user, roles, expiresAt }: LoginRow): LoginSession => ({
  ID: user.id,
  Username: user.username,
  Nickname: user.nickname,
  Roles: presentRoles(roles),
  Type: user.type as LoginSession['Type'],
  Status: user.applyStatus as LoginSession['Status'],
  Avatar: avatarPath(user),
  Language: languageOf(user),
  Theme: themeOf(user),
  Exp: unixSeconds(expiresAt),
});

/** An account as its owner sees it. */
export const presentOwnUser = (user: UserRow & { roles: readonly string[] }): User => ({
  ID: user.id,
  Username: user.username,
  Nickname: user.nickname,
  Email: user.email,
  RealName: user.realName,
  Phone: user.phone,
  Gender: user.gender as User['Gender'],
  Organisation: user.organisation,
  StudentNumber: user.studentID,
  Type: user.type as User['Type'],
  Status: user.applyStatus as User['Status'],
  Roles: presentRoles(user.roles),
  Avatar: avatarPath(user),
  Language: languageOf(user),
  Theme: themeOf(user),
  NotificationChoices: presentChoices(user),
  HasPassword: user.passwordHash !== null,
});

export const presentDevice = (row: LoginSessionRow, currentID: number): Device => ({
  ID: row.id,
  ...readUserAgent(row.userAgent),
  Address: row.address,
  CreatedAt: row.createdAt.toISOString(),
  LastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  IsCurrent: row.id === currentID,
});
