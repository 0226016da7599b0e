/** Coming in: registration, and a new password for whoever forgot theirs. */
import { z } from 'zod';
import { captchaFields } from './captcha.ts';
import { accountFields, loginSession } from './user.ts';
import {
  ACCOUNT_LIMITS,
  EMAIL_CODE_PATTERN,
  USERNAME_PATTERN,
  UserType,
  route,
} from './kernel/index.ts';

const email = z.email().max(ACCOUNT_LIMITS.emailMax);
const username = z.string().trim().regex(USERNAME_PATTERN);
const password = z.string().min(ACCOUNT_LIMITS.passwordMin).max(ACCOUNT_LIMITS.passwordMax);

/** What one may say one is; staff are made by staff. */
export const IDENTITIES = [UserType.teacher, UserType.graduate, UserType.undergraduate] as const;
export type Identity = (typeof IDENTITIES)[number];

export const verifyAccount = route({
  method: 'GET',
  path: '/user/verification',
  summary: 'Whether a username or an e-mail can still be used; one of the two is asked',
  access: { need: ['user.verify'] },
  query: { email: email.optional(), username: username.optional() },
  response: z.object({ IsAvailable: z.boolean() }),
  errors: ['too_many_requests'],
  scope: {},
});

export const sendEmailCode = route({
  method: 'POST',
  path: '/user/captcha',
  summary:
    'Mail a code for a registration; the answer is the same for an address that has an account',
  access: { need: ['user.register'] },
  body: { Email: email, ...captchaFields },
  response: z.object({
    /** The next code can be sent after this. */
    ResendSeconds: z.int().nonnegative(),
  }),
  status: 202,
  errors: [
    'captcha_failed',
    'captcha_unavailable',
    'code_too_soon',
    'too_many_requests',
    'registration_closed',
    'registration_domain',
  ],
  scope: {},
});

export const register = route({
  method: 'POST',
  path: '/user',
  summary: 'Make an account, and sign in; a teacher is a student until staff have approved',
  access: { need: ['user.register'] },
  body: {
    Username: username,
    Email: email,
    EmailCode: z.string().trim().regex(EMAIL_CODE_PATTERN),
    Password: password,
    Nickname: accountFields.Nickname,
    Phone: accountFields.Phone,
    Gender: accountFields.Gender,
    /** From the list, or any other. */
    Organisation: accountFields.Organisation,
    Type: z.literal(IDENTITIES),
    StudentNumber: accountFields.StudentNumber.optional(),
    ...captchaFields,
  },
  response: loginSession,
  status: 201,
  errors: [
    'captcha_failed',
    'captcha_unavailable',
    'wrong_code',
    'username_taken',
    'email_taken',
    'too_many_requests',
    'registration_closed',
    'registration_domain',
    'registration_identity',
  ],
  scope: {},
});

export const requestPasswordReset = route({
  method: 'POST',
  path: '/user/reset',
  summary: 'Mail a link for a new password; the answer is the same whether the account exists',
  access: { need: ['user.resetPassword'] },
  body: {
    /** Or the e-mail address. */
    Username: z.string().trim().min(1).max(ACCOUNT_LIMITS.emailMax),
    ...captchaFields,
  },
  response: z.null(),
  status: 202,
  errors: ['captcha_failed', 'captcha_unavailable', 'too_many_requests'],
  scope: {},
});

export const resetPassword = route({
  method: 'PUT',
  path: '/user/reset',
  summary: 'Set a new password by the link of the mail; every login session of the account ends',
  access: { need: ['user.resetPassword'] },
  body: { Password: password, Token: z.string().min(1).max(100) },
  response: z.null(),
  errors: ['reset_link_invalid', 'too_many_requests'],
  scope: {},
});
