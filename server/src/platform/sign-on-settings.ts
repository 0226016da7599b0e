/** The settings of single sign-on: the same for each provider, below a prefix of its own. */
import { SSO_PROVIDERS, UserType, isSafeAddress, type SsoProvider } from '@hypercube/contract';
import { z } from 'zod';

/** What of a person we ask for, and how most providers call it. */
const USUAL_FIELDS = {
  subject: 'sub',
  username: 'preferred_username',
  name: 'name',
  email: 'email',
  type: 'type',
} as const;
type Field = keyof typeof USUAL_FIELDS;

/** Types that a provider's word may stand for; staff are made by staff. */
const TYPES = {
  teacher: UserType.teacher,
  graduate: UserType.graduate,
  undergraduate: UserType.undergraduate,
} as const;

const address = (description: string) =>
  z
    .url({ protocol: /^https?$/ })
    .refine(isSafeAddress, {
      message: 'must begin with https:// (http:// only on this machine)',
    })
    .optional()
    .meta({ description });

/** `a=b,c=d` as pairs. */
const pairsOf = (value: string): (readonly [string, string])[] =>
  value
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [key = '', ...rest] = pair.split('=');
      return [key.trim(), rest.join('=').trim()] as const;
    });

/** The settings of one provider, without their prefix. */
const settingsOf = (name: string) => ({
  ISSUER: address(
    `${name}: address of an OpenID Connect provider; the other addresses are read from its description.`,
  ),
  AUTHORIZE_URL: address(
    `${name}: where the browser goes to sign in, for a provider without such a description.`,
  ),
  TOKEN_URL: address(`${name}: where a code becomes a token.`),
  USERINFO_URL: address(`${name}: where the fields of a person are read.`),
  CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .meta({ description: `${name}: our name there. Without it the login page shows no button.` }),
  CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .meta({ description: `${name}: our secret there.` }),
  CLIENT_AUTH: z
    .enum(['post', 'basic'])
    .default('post')
    .meta({
      description: `${name}: whether the secret is sent in the body or in the Authorization header.`,
    }),
  SCOPE: z
    .string()
    .trim()
    .min(1)
    .default('openid profile email')
    .meta({
      description: `${name}: what is asked for. Without openid it is plain OAuth 2.`,
    }),
  FIELDS: z
    .string()
    .default('')
    .refine(
      (value) => pairsOf(value).every(([key, field]) => key in USUAL_FIELDS && field !== ''),
      {
        message: `must be such as subject=id,username=login; the fields are ${Object.keys(USUAL_FIELDS).join(', ')}`,
      },
    )
    .meta({
      description: `${name}: how the provider calls what we ask for, where it differs from ${Object.entries(
        USUAL_FIELDS,
      )
        .map((pair) => pair.join('='))
        .join(',')}.`,
    }),
  TYPES: z
    .string()
    .default('')
    .refine((value) => pairsOf(value).every(([, type]) => type in TYPES), {
      message: `must be such as faculty=teacher; the types are ${Object.keys(TYPES).join(', ')}`,
    })
    .meta({
      description: `${name}: identity of a new account by the provider’s type, such as faculty=teacher,master=graduate; undergraduate otherwise. A teacher waits for approval.`,
    }),
});
type Settings = ReturnType<typeof settingsOf>;
type Prefixed<P extends string> = { [K in keyof Settings as `HC_SSO_${P}_${K}`]: Settings[K] };

const prefixed = <P extends 'AROSE' | 'SCNET'>(provider: P, name: string): Prefixed<P> =>
  Object.fromEntries(
    Object.entries(settingsOf(name)).map(([key, rule]) => [`HC_SSO_${provider}_${key}`, rule]),
  ) as Prefixed<P>;

/** The settings of both providers. */
export const SIGN_ON_SETTINGS = {
  ...prefixed('AROSE', 'Single sign-on “arose” (national grid)'),
  ...prefixed('SCNET', 'Single sign-on “scnet” (supercomputing network)'),
};
type Values = z.output<z.ZodObject<typeof SIGN_ON_SETTINGS>>;

/** A provider as it is configured. */
export interface SignOnConfig {
  readonly issuer: string | undefined;
  readonly authorizeURL: string | undefined;
  readonly tokenURL: string | undefined;
  readonly userInfoURL: string | undefined;
  readonly clientID: string;
  readonly clientSecret: string;
  readonly clientAuth: 'post' | 'basic';
  readonly scope: string;
  readonly claims: Readonly<Record<Field, string>>;
  readonly types: Readonly<Record<string, UserType>>;
}

const prefixOf = (provider: SsoProvider) =>
  `HC_SSO_${provider === 'arose' ? 'AROSE' : 'SCNET'}` as const;

/** What is missing of providers that are configured in part. */
export const signOnFaults = (values: Values): string[] =>
  SSO_PROVIDERS.flatMap((provider) => {
    const prefix = prefixOf(provider);
    if (values[`${prefix}_CLIENT_ID`] === undefined) return [];
    const hasAddresses =
      values[`${prefix}_AUTHORIZE_URL`] !== undefined &&
      values[`${prefix}_TOKEN_URL`] !== undefined;
    const isOpenID = values[`${prefix}_SCOPE`].split(' ').includes('openid');
    return [
      values[`${prefix}_CLIENT_SECRET`] === undefined
        ? [`${prefix}_CLIENT_SECRET: is needed with ${prefix}_CLIENT_ID`]
        : [],
      values[`${prefix}_ISSUER`] === undefined && !hasAddresses
        ? [`${prefix}_ISSUER: is needed, or ${prefix}_AUTHORIZE_URL and ${prefix}_TOKEN_URL`]
        : [],
      hasAddresses && !isOpenID && values[`${prefix}_USERINFO_URL`] === undefined
        ? [`${prefix}_USERINFO_URL: is needed without openid in ${prefix}_SCOPE`]
        : [],
    ].flat();
  });

/** A provider; undefined when it is not configured. */
export function readSignOn(values: Values, provider: SsoProvider): SignOnConfig | undefined {
  const prefix = prefixOf(provider);
  const clientID = values[`${prefix}_CLIENT_ID`];
  const clientSecret = values[`${prefix}_CLIENT_SECRET`];
  if (clientID === undefined || clientSecret === undefined) return undefined;
  const issuer = values[`${prefix}_ISSUER`] ?? '';
  return signOnOf(values, provider, { issuer, clientID, clientSecret });
}

/** Whether the configuration names where to go without an issuer. */
export function hasOwnAddresses(values: Values, provider: SsoProvider): boolean {
  const prefix = prefixOf(provider);
  return (
    values[`${prefix}_AUTHORIZE_URL`] !== undefined && values[`${prefix}_TOKEN_URL`] !== undefined
  );
}

/** A provider as it is set in the browser, or by the configuration itself. */
export function signOnOf(
  values: Values,
  provider: SsoProvider,
  { issuer, clientID, clientSecret }: { issuer: string; clientID: string; clientSecret: string },
): SignOnConfig {
  const prefix = prefixOf(provider);
  // The configuration's addresses are those of its own issuer, and of no other.
  const isOwn = issuer === '' || issuer === values[`${prefix}_ISSUER`];
  return {
    issuer: issuer === '' ? undefined : issuer,
    authorizeURL: isOwn ? values[`${prefix}_AUTHORIZE_URL`] : undefined,
    tokenURL: isOwn ? values[`${prefix}_TOKEN_URL`] : undefined,
    userInfoURL: isOwn ? values[`${prefix}_USERINFO_URL`] : undefined,
    clientID,
    clientSecret,
    clientAuth: values[`${prefix}_CLIENT_AUTH`],
    scope: values[`${prefix}_SCOPE`],
    claims: { ...USUAL_FIELDS, ...Object.fromEntries(pairsOf(values[`${prefix}_FIELDS`])) },
    types: Object.fromEntries(
      pairsOf(values[`${prefix}_TYPES`]).map(([word, type]) => [
        word,
        TYPES[type as keyof typeof TYPES],
      ]),
    ),
  };
}
