/** Accounts and login sessions: what the wire says of them. */
import { z } from 'zod';
import {
  ACCOUNT_LIMITS,
  LANGUAGES,
  ROLES,
  TeacherApplyStatus,
  UserType,
  id,
  pathID,
  route,
} from './kernel/index.ts';

const role = z.enum(ROLES);

/** The answer of a login, and of asking who is signed in. `Exp` is Unix seconds. */
export const loginSession = z.object({
  ID: id(),
  Username: z.string(),
  Nickname: z.string(),
  Roles: z.array(z.object({ Name: role })),
  Type: z.enum(UserType),
  Status: z.enum(TeacherApplyStatus),
  /** Path of the picture, from the user's id; null when there is none. */
  Avatar: z.string().nullable(),
  Exp: z.int(),
});
export type LoginSession = z.output<typeof loginSession>;

export const getLoginSession = route({
  method: 'GET',
  path: '/user/auth',
  summary: 'Who is signed in; null for a visitor',
  access: { public: 'every page asks it before it knows who the visitor is' },
  response: loginSession.nullable(),
  errors: [],
  scope: {},
});

export const login = route({
  method: 'POST',
  path: '/user/auth',
  summary: 'Sign in with username or e-mail and password',
  access: { need: ['user.login'] },
  body: {
    Username: z.string().trim().min(1).max(100),
    // No minimum here: a short guess is a wrong password, not a different answer.
    Password: z.string().min(1).max(100),
  },
  response: loginSession,
  errors: ['wrong_credentials', 'too_many_guesses', 'account_disabled'],
  scope: {},
});

export const logout = route({
  method: 'DELETE',
  path: '/user/auth',
  summary: 'Sign out; the login session ends on the server',
  access: { need: ['user.logout'] },
  response: z.null(),
  errors: [],
  scope: {},
});

export const user = z.object({
  ID: id(),
  Username: z.string(),
  Nickname: z.string(),
  Email: z.string(),
  Type: z.enum(UserType),
  Status: z.enum(TeacherApplyStatus),
  Roles: z.array(z.object({ Name: role })),
  Avatar: z.string().nullable(),
  Language: z.enum(LANGUAGES).nullable(),
});

export const getUser = route({
  method: 'GET',
  path: '/user/:userID',
  summary: 'An account; one’s own',
  access: { need: ['user.detail'] },
  params: { userID: pathID() },
  response: user,
  errors: [],
  scope: { userID: 'self' },
});

export const changePassword = route({
  method: 'PUT',
  path: '/user/:userID/password',
  summary: 'Change one’s own password; every other login session of the account ends',
  access: { need: ['user.update'] },
  params: { userID: pathID() },
  body: {
    OriginalPassword: z.string().min(1).max(100),
    Password: z.string().min(ACCOUNT_LIMITS.passwordMin).max(ACCOUNT_LIMITS.passwordMax),
  },
  response: z.null(),
  errors: ['wrong_original_password', 'too_many_guesses'],
  scope: { userID: 'self' },
});
