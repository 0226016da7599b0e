/** Accounts and login sessions: what the wire says of them. */
import { z } from 'zod';
import { captchaFields } from './captcha.ts';
import {
  ACCOUNT_LIMITS,
  EMAIL_CODE_PATTERN,
  Gender,
  LANGUAGES,
  MAIL_CHOICES,
  NOTIFICATION_KINDS,
  PHONE_PATTERN,
  ROLES,
  TEXT_LIMITS,
  THEME_CHOICES,
  TeacherApplyStatus,
  UserType,
  id,
  listOf,
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
  /** Path of the picture, from the user's id and its version; null when there is none. */
  Avatar: z.string().nullable(),
  /** What the account prefers, for a browser that has not been told; null until it was chosen. */
  Language: z.enum(LANGUAGES).nullable(),
  Theme: z.enum(THEME_CHOICES).nullable(),
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
    ...captchaFields,
  },
  response: loginSession,
  errors: [
    'wrong_credentials',
    'too_many_guesses',
    'account_disabled',
    'captcha_failed',
    'captcha_unavailable',
  ],
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

/**
 * Signs without a picture: of no width, or empty as a letter. The joiners that scripts and emoji
 * need stay.
 */
const UNSEEN =
  /[\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2060-\u2064\u206A-\u206F\u2800\u3164\uFEFF\uFFA0]/gu;

/** What people see of a line: a paste brings more along, and some would hide behind it. */
export const seenLine = (text: string): string => {
  const seen = text.replace(UNSEEN, '').trim();
  // Joiners alone join nothing.
  return /^[\s\u200C\u200D\p{M}]*$/u.test(seen) ? '' : seen;
};

/**
 * One line of text that others will see: nothing in it that is not seen, or that turns the
 * direction of writing around it.
 */
export const line = (max: number, min = 1) =>
  z
    .string()
    .overwrite(seenLine)
    .min(min)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u);

/** Rules of what people say of themselves (specification, section 5). */
export const accountFields = {
  Nickname: line(ACCOUNT_LIMITS.nicknameMax, ACCOUNT_LIMITS.nicknameMin),
  Phone: z.string().trim().regex(PHONE_PATTERN),
  Gender: z.enum(Gender),
  Organisation: line(ACCOUNT_LIMITS.organisationMax),
  RealName: line(TEXT_LIMITS.realName),
  StudentNumber: line(ACCOUNT_LIMITS.studentNumberMax),
};

/** How somebody wants to hear of one kind of thing. */
const notificationChoice = z.object({ Inbox: z.boolean(), Mail: z.enum(MAIL_CHOICES) });
export const notificationChoices = z.record(z.enum(NOTIFICATION_KINDS), notificationChoice);
export type NotificationChoices = z.output<typeof notificationChoices>;

export const user = z.object({
  ID: id(),
  Username: z.string(),
  Nickname: z.string(),
  Email: z.string(),
  RealName: z.string().nullable(),
  Phone: z.string().nullable(),
  Gender: z.enum(Gender).nullable(),
  Organisation: z.string().nullable(),
  StudentNumber: z.string().nullable(),
  Type: z.enum(UserType),
  Status: z.enum(TeacherApplyStatus),
  Roles: z.array(z.object({ Name: role })),
  Avatar: z.string().nullable(),
  Language: z.enum(LANGUAGES).nullable(),
  Theme: z.enum(THEME_CHOICES).nullable(),
  NotificationChoices: notificationChoices,
  /** false: it was made by single sign-on, and nobody has set a password yet. */
  HasPassword: z.boolean(),
});
export type User = z.output<typeof user>;

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

/** JSON, and the picture by a route of its own: a refused picture then loses no typed text. */
export const updateUser = route({
  method: 'PUT',
  path: '/user/:userID',
  summary: 'Change one’s own profile; what is left out stays',
  access: { need: ['user.update'] },
  params: { userID: pathID() },
  body: {
    Nickname: accountFields.Nickname.optional(),
    Phone: accountFields.Phone.optional(),
    Gender: accountFields.Gender.optional(),
    Organisation: accountFields.Organisation.optional(),
    RealName: accountFields.RealName.nullable().optional(),
    // Named as a field of the account, not as an id of ours.
    StudentNumber: accountFields.StudentNumber.nullable().optional(),
  },
  response: user,
  errors: [],
  scope: { userID: 'self' },
});

export const updatePreferences = route({
  method: 'PUT',
  path: '/user/:userID/preference',
  summary: 'Change one’s own language, theme or notification choices; what is left out stays',
  access: { need: ['user.update'] },
  params: { userID: pathID() },
  body: {
    Language: z.enum(LANGUAGES).optional(),
    Theme: z.enum(THEME_CHOICES).optional(),
    NotificationChoices: z
      .partialRecord(z.enum(NOTIFICATION_KINDS), notificationChoice.strict())
      .optional(),
  },
  response: user,
  errors: [],
  scope: { userID: 'self' },
});

/** Multipart, one picture named `File`; it is cut to a square, encoded anew and loses its metadata. */
export const uploadAvatar = route({
  method: 'POST',
  path: '/user/:userID/avatar',
  summary: 'Set one’s own picture',
  access: { need: ['user.update'] },
  params: { userID: pathID() },
  upload: true,
  response: z.object({ Avatar: z.string() }),
  status: 201,
  errors: ['upload_missing', 'upload_too_large', 'upload_type', 'storage_full'],
  scope: { userID: 'self' },
});

export const deleteAvatar = route({
  method: 'DELETE',
  path: '/user/:userID/avatar',
  summary: 'Remove one’s own picture',
  access: { need: ['user.update'] },
  params: { userID: pathID() },
  response: z.null(),
  errors: [],
  scope: { userID: 'self' },
});

export const getAvatar = route({
  method: 'GET',
  path: '/user/:userID/avatar',
  summary: 'The picture of an account',
  access: { signedIn: 'a picture stands beside a name wherever that is shown' },
  params: { userID: pathID() },
  response: z.unknown(),
  errors: [],
  scope: { userID: 'pictured' },
  kind: 'file',
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

const emailAddress = z.email().max(ACCOUNT_LIMITS.emailMax);

export const requestEmailChange = route({
  method: 'POST',
  path: '/user/:userID/email',
  summary: 'Send a code to a new address of one’s own account',
  access: { need: ['user.update'] },
  params: { userID: pathID() },
  body: { Email: emailAddress, Password: z.string().min(1).max(100) },
  response: z.object({ ResendSeconds: z.int().nonnegative() }),
  status: 202,
  errors: [
    'wrong_original_password',
    'password_not_set',
    'too_many_guesses',
    'email_taken',
    'code_too_soon',
    'too_many_requests',
  ],
  scope: { userID: 'self' },
});

export const changeEmail = route({
  method: 'PUT',
  path: '/user/:userID/email',
  summary: 'Confirm the new address by the code; the old one is told',
  access: { need: ['user.update'] },
  params: { userID: pathID() },
  body: { Email: emailAddress, EmailCode: z.string().trim().regex(EMAIL_CODE_PATTERN) },
  response: user,
  errors: ['wrong_code', 'too_many_guesses', 'email_taken'],
  scope: { userID: 'self' },
});

/** A signed-in browser. Names are empty where the browser did not tell. */
export const device = z.object({
  ID: id(),
  Browser: z.string(),
  System: z.string(),
  Address: z.string().nullable(),
  CreatedAt: z.iso.datetime(),
  LastSeenAt: z.iso.datetime().nullable(),
  /** The one that asks. */
  IsCurrent: z.boolean(),
});
export type Device = z.output<typeof device>;

export const listDevices = route({
  method: 'GET',
  path: '/user/:userID/device',
  summary: 'Where one is signed in, the latest first',
  access: { need: ['user.detail'] },
  params: { userID: pathID() },
  response: listOf(device),
  errors: [],
  scope: { userID: 'self' },
});

export const endDevice = route({
  method: 'DELETE',
  path: '/user/:userID/device/:deviceID',
  summary: 'Sign one device out',
  access: { need: ['user.update'] },
  params: { userID: pathID(), deviceID: pathID() },
  response: z.null(),
  errors: [],
  scope: { userID: 'self', deviceID: 'ownDevice' },
});

export const endOtherDevices = route({
  method: 'DELETE',
  path: '/user/:userID/device',
  summary: 'Sign out everywhere else',
  access: { need: ['user.update'] },
  params: { userID: pathID() },
  response: z.object({ Ended: z.int().nonnegative() }),
  errors: [],
  scope: { userID: 'self' },
});
