/** Single sign-on: accounts of other sites that open one of ours (decision 37). */
import { z } from 'zod';
import { captchaFields } from './captcha.ts';
import {
  ACCOUNT_LIMITS,
  EMAIL_CODE_PATTERN,
  SSO_PROVIDERS,
  USERNAME_PATTERN,
  UserType,
  id,
  listOf,
  pathID,
  route,
  sitePath,
} from './kernel/index.ts';
import { accountFields, loginSession } from './user.ts';

const provider = z.enum(SSO_PROVIDERS);

export const listProviders = route({
  method: 'GET',
  path: '/oauth2',
  summary: 'The providers that are configured; the login page shows a button for each',
  access: { public: 'a visitor chooses one before signing in' },
  response: listOf(z.object({ Provider: provider })),
  errors: [],
  scope: {},
});

export const beginSignOn = route({
  method: 'POST',
  path: '/oauth2/:provider/authorization',
  summary: 'Begin to sign on: the address to which the browser goes',
  access: { need: ['user.login'] },
  params: { provider },
  body: {
    /** Page of ours to go to afterwards. */
    Redirect: sitePath(2000).default('/'),
    /** Adds the provider to the account that is signed in, instead of signing in. */
    IsLinking: z.boolean().default(false),
  },
  response: z.object({ Address: z.string() }),
  errors: ['sso_unavailable', 'not_signed_in'],
  scope: {},
});

/**
 * `signed-in`: a known identity, the cookie is set. `select`: a new one, which the page `select`
 * links to an account or makes one for. `linked`: added to the account that was signed in.
 */
const signOnOutcome = z.object({
  Outcome: z.enum(['signed-in', 'select', 'linked']),
  Session: loginSession.nullable(),
  Redirect: z.string(),
});
export type SignOnOutcome = z.output<typeof signOnOutcome>;

export const finishSignOn = route({
  method: 'POST',
  path: '/oauth2/:provider/auth',
  summary: 'Finish to sign on, with the query of the provider’s callback',
  access: { need: ['user.login'] },
  params: { provider },
  // In the body: a code in an address would stand in logs.
  body: { Query: z.string().max(8000) },
  response: signOnOutcome,
  errors: ['sso_failed', 'sso_unavailable', 'account_disabled', 'identity_taken'],
  scope: {},
});

export const getPendingIdentity = route({
  method: 'GET',
  path: '/oauth2/identity',
  summary: 'The new identity that waits for an account; null when there is none',
  access: { public: 'the visitor has signed on at the provider, and has no account yet' },
  response: z
    .object({
      Provider: provider,
      /** As the provider calls the person. */
      Name: z.string(),
      /** Suggestions for a new account; empty where the provider told nothing that fits. */
      Username: z.string(),
      Nickname: z.string(),
      Email: z.string(),
      /** The provider vouches for the address; another one needs a code. */
      IsEmailVerified: z.boolean(),
      Type: z.enum(UserType),
    })
    .nullable(),
  errors: [],
  scope: {},
});

export const linkIdentity = route({
  method: 'POST',
  path: '/oauth2/identity/link',
  summary: 'Link the new identity to an existing account, by its password, and sign in',
  access: { need: ['user.login'] },
  body: {
    Username: z.string().trim().min(1).max(100),
    Password: z.string().min(1).max(100),
    ...captchaFields,
  },
  response: signOnOutcome,
  errors: [
    'sso_failed',
    'wrong_credentials',
    'too_many_guesses',
    'account_disabled',
    'identity_taken',
    'captcha_failed',
    'captcha_unavailable',
  ],
  scope: {},
});

export const createIdentityAccount = route({
  method: 'POST',
  path: '/oauth2/identity/account',
  summary: 'Make an account for the new identity, and sign in',
  access: { need: ['user.register'] },
  body: {
    Username: z.string().trim().regex(USERNAME_PATTERN),
    Nickname: accountFields.Nickname,
    Email: z.email().max(ACCOUNT_LIMITS.emailMax),
    /** For an address for which the provider does not vouch. */
    EmailCode: z.string().trim().regex(EMAIL_CODE_PATTERN).optional(),
  },
  response: signOnOutcome,
  errors: [
    'sso_failed',
    'wrong_code',
    'username_taken',
    'email_taken',
    'identity_taken',
    'registration_closed',
    'registration_domain',
    'registration_identity',
  ],
  scope: {},
});

/** An identity at a provider that opens the account. */
export const linkedIdentity = z.object({
  ID: id(),
  Provider: provider,
  Name: z.string(),
  CreatedAt: z.iso.datetime(),
  LastUsedAt: z.iso.datetime().nullable(),
});
export type LinkedIdentity = z.output<typeof linkedIdentity>;

export const listIdentities = route({
  method: 'GET',
  path: '/user/:userID/identity',
  summary: 'What opens one’s own account beside its password',
  access: { need: ['user.detail'] },
  params: { userID: pathID() },
  response: listOf(linkedIdentity),
  errors: [],
  scope: { userID: 'self' },
});

export const deleteIdentity = route({
  method: 'DELETE',
  path: '/user/:userID/identity/:identityID',
  summary: 'Unlink an identity; never the last way in',
  access: { need: ['user.update'] },
  params: { userID: pathID(), identityID: pathID() },
  response: z.null(),
  errors: ['last_way_in'],
  scope: { userID: 'self', identityID: 'ownIdentity' },
});
