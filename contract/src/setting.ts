/** Settings that an admin changes in the browser, in groups; they hold at once, on every process. */
import { z } from 'zod';
import { CAPTCHA_PROVIDERS } from './captcha.ts';
import { ACCOUNT_LIMITS, SETTING_LIMITS, SITE_LIMITS, route, version } from './kernel/index.ts';
import { IDENTITIES } from './registration.ts';
import { line } from './user.ts';

const whole = (limits: { readonly min: number; readonly max: number }) =>
  z.int().min(limits.min).max(limits.max);
/** Half a character is none, and no database keeps it. */
const WHOLE_CHARACTERS = /^\P{Cs}*$/u;
/** A page elsewhere; nothing that runs when it is followed. */
const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(SITE_LIMITS.address)
  .regex(WHOLE_CHARACTERS);

/** What is set and saved together. */
export const SETTING_GROUPS = [
  'site',
  'registration',
  'limits',
  'mail',
  'arose',
  'scnet',
  'captcha',
  'retention',
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

/** How a picture of a supporter is called. */
const LOGO_NAME = /^[0-9a-f-]{36}\.webp$/;

const supporter = z.strictObject({
  NameZh: line(SITE_LIMITS.supporterName),
  /** Empty: the Chinese one serves for both. */
  NameEn: line(SITE_LIMITS.supporterName, 0),
  URL: webAddress.nullable(),
  /** Name that the upload of a picture answered. */
  Logo: z.string().regex(LOGO_NAME).nullable(),
});
export type Supporter = z.output<typeof supporter>;

/** Names and texts of the site. An empty text stands for the platform's own words. */
export const siteSettings = z.strictObject({
  NameZh: line(SITE_LIMITS.name),
  NameEn: line(SITE_LIMITS.name),
  TaglineZh: line(SITE_LIMITS.tagline, 0),
  TaglineEn: line(SITE_LIMITS.tagline, 0),
  IntroZh: line(SITE_LIMITS.intro, 0),
  IntroEn: line(SITE_LIMITS.intro, 0),
  Supporters: z.array(supporter).max(SITE_LIMITS.supporters),
  FooterZh: line(SITE_LIMITS.footer, 0),
  FooterEn: line(SITE_LIMITS.footer, 0),
  Links: z
    .array(
      z.strictObject({
        TitleZh: line(SITE_LIMITS.linkTitle),
        TitleEn: line(SITE_LIMITS.linkTitle, 0),
        URL: webAddress,
      }),
    )
    .max(SITE_LIMITS.links),
  /** Number under which the site is filed with the authorities (ICP); empty for none. */
  Record: line(SITE_LIMITS.record, 0),
});

/** Who makes an account on their own. */
export const REGISTRATION_MODES = ['open', 'byDomain', 'closed'] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** A domain of e-mail addresses; `*.edu.cn` stands for every domain below `edu.cn`. */
export const EMAIL_DOMAIN_PATTERN =
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Whether an address belongs to one of the domains. */
export function isEmailOf(email: string, domains: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return domains.some((allowed) =>
    allowed.startsWith('*.') ? domain.endsWith(allowed.slice(1)) : domain === allowed,
  );
}

export const registrationSettings = z
  .strictObject({
    Mode: z.enum(REGISTRATION_MODES),
    Domains: z
      .array(z.string().trim().toLowerCase().max(SITE_LIMITS.host).regex(EMAIL_DOMAIN_PATTERN))
      .max(SITE_LIMITS.emailDomains),
    /** What somebody may say to be. */
    Identities: z
      .array(z.literal(IDENTITIES))
      .min(1)
      .refine((chosen) => new Set(chosen).size === chosen.length),
  })
  .refine(({ Mode, Domains }) => Mode !== 'byDomain' || Domains.length > 0, { path: ['Domains'] });

/** Limits of environments and files. null: no limit, or what the machine gives. */
export const limitSettings = z.strictObject({
  /** Environments that may be open at once, paused ones included. */
  MaxSessions: whole(SETTING_LIMITS.maxSessions).nullable(),
  QueueLimit: whole(SETTING_LIMITS.queue),
  /** Lifetime of an environment whose specification does not say otherwise, seconds. */
  LifetimeSeconds: whole(SETTING_LIMITS.lifetimeSeconds),
  HoldSeconds: whole(SETTING_LIMITS.holdSeconds),
  KeepSeconds: whole(SETTING_LIMITS.keepSeconds),
  PersonalQuotaBytes: whole(SETTING_LIMITS.quotaBytes),
  UploadBytes: whole(SETTING_LIMITS.uploadBytes),
});

/** `auto` uses TLS where the mail server offers it, `starttls` insists on it, `tls` begins with it. */
export const MAIL_SECURITIES = ['auto', 'starttls', 'tls'] as const;
export type MailSecurity = (typeof MAIL_SECURITIES)[number];

/** A name or an address of a machine. */
export const HOST_PATTERN = /^[A-Za-z0-9:][A-Za-z0-9.:_-]*$/;

/** The mail server; its password is the group's secret. Off: mails stay here. */
export const mailSettings = z
  .strictObject({
    IsOn: z.boolean(),
    Host: z.union([z.literal(''), z.string().trim().max(SITE_LIMITS.host).regex(HOST_PATTERN)]),
    Port: whole(SETTING_LIMITS.port),
    Security: z.enum(MAIL_SECURITIES),
    /** Empty: the server asks for no name and no password. */
    User: line(SITE_LIMITS.account, 0),
    SenderName: line(SITE_LIMITS.name, 0),
    SenderAddress: z.union([z.literal(''), z.email().max(ACCOUNT_LIMITS.emailMax)]),
  })
  .refine(({ IsOn, Host }) => !IsOn || Host !== '', { path: ['Host'] })
  .refine(({ IsOn, SenderAddress }) => !IsOn || SenderAddress !== '', { path: ['SenderAddress'] });

/** On another machine the secret and the codes would travel in the open. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
  );
}

/** A provider of single sign-on; our secret there is the group's secret. */
export const signOnSettings = z
  .strictObject({
    IsOn: z.boolean(),
    /** Empty: the addresses of the configuration serve. */
    Issuer: z.union([
      z.literal(''),
      z.string().trim().max(SITE_LIMITS.address).regex(WHOLE_CHARACTERS).refine(isSafeAddress),
    ]),
    ClientID: line(SITE_LIMITS.key, 0),
    /** As its button names it; empty: the platform's own words. */
    NameZh: line(SITE_LIMITS.providerName, 0),
    NameEn: line(SITE_LIMITS.providerName, 0),
  })
  .refine(({ IsOn, ClientID }) => !IsOn || ClientID !== '', { path: ['ClientID'] });

/** The human check; the secret of the access key is the group's secret. */
export const captchaSettings = z
  .strictObject({
    Provider: z.enum(CAPTCHA_PROVIDERS),
    AppKey: line(SITE_LIMITS.key, 0),
    AccessKeyID: line(SITE_LIMITS.key, 0),
  })
  .refine(({ Provider, AppKey }) => Provider !== 'aliyun' || AppKey !== '', { path: ['AppKey'] })
  .refine(({ Provider, AccessKeyID }) => Provider !== 'aliyun' || AccessKeyID !== '', {
    path: ['AccessKeyID'],
  });

/** How long things are kept. What staff did is kept for ever. */
export const retentionSettings = z.strictObject({
  TrackDays: whole(SETTING_LIMITS.trackDays),
  MailDays: whole(SETTING_LIMITS.mailDays),
});

/** The rules of every group. */
export const settingRules = {
  site: siteSettings,
  registration: registrationSettings,
  limits: limitSettings,
  mail: mailSettings,
  arose: signOnSettings,
  scnet: signOnSettings,
  captcha: captchaSettings,
  retention: retentionSettings,
} as const satisfies Record<SettingGroup, z.ZodType>;

/** What holds, by group. Secrets are not among it. */
export type SettingValues = {
  readonly [G in SettingGroup]: z.output<(typeof settingRules)[G]>;
};
export type SiteSettings = SettingValues['site'];
export type LimitSettings = SettingValues['limits'];

/**
 * The same without bounds where a value may come from the configuration: that has its own, and
 * what it says must be shown as it is.
 */
const mailInForce = z.object({
  IsOn: z.boolean(),
  Host: z.string(),
  Port: z.int(),
  Security: z.enum(MAIL_SECURITIES),
  User: z.string(),
  SenderName: z.string(),
  SenderAddress: z.string(),
}) satisfies z.ZodType<SettingValues['mail']>;
const limitsInForce = z.object({
  MaxSessions: z.int().nullable(),
  QueueLimit: z.int(),
  LifetimeSeconds: z.int(),
  HoldSeconds: z.int(),
  KeepSeconds: z.int(),
  PersonalQuotaBytes: z.int(),
  UploadBytes: z.int(),
}) satisfies z.ZodType<LimitSettings>;
const signOnInForce = z.object({
  IsOn: z.boolean(),
  Issuer: z.string(),
  ClientID: z.string(),
  NameZh: z.string(),
  NameEn: z.string(),
}) satisfies z.ZodType<SettingValues['arose']>;
const captchaInForce = z.object({
  Provider: z.enum(CAPTCHA_PROVIDERS),
  AppKey: z.string(),
  AccessKeyID: z.string(),
}) satisfies z.ZodType<SettingValues['captcha']>;

/** `lost`: it was set, and the key that it was kept with is not there. */
export const SECRET_STATES = ['none', 'set', 'lost'] as const;
export type SecretState = (typeof SECRET_STATES)[number];

const groupOf = <T extends z.ZodType>(values: T) =>
  z.object({
    Values: values,
    /** What holds when nothing was set, from the configuration. */
    Defaults: values,
    /** false: what holds is the configuration's. */
    IsSet: z.boolean(),
    /** The configuration says that what is set here does not hold. */
    IsIgnored: z.boolean(),
    /** Whether there is a secret; it is never answered. */
    Secret: z.enum(SECRET_STATES),
    UpdatedAt: z.iso.datetime().nullable(),
    UpdatedBy: z.string().nullable(),
    /** Moves at every change; sent back so that two admins do not overwrite each other. */
    Version: version(),
  });

const groupAnswers = {
  site: groupOf(siteSettings),
  registration: groupOf(registrationSettings),
  limits: groupOf(limitsInForce),
  mail: groupOf(mailInForce),
  arose: groupOf(signOnInForce),
  scnet: groupOf(signOnInForce),
  captcha: groupOf(captchaInForce),
  retention: groupOf(retentionSettings),
} as const;
const groups = z.object(groupAnswers);
export type SettingGroups = z.output<typeof groups>;

export const getSettings = route({
  method: 'GET',
  path: '/setting',
  summary: 'The settings by group, their defaults, and who changed them last',
  access: { need: ['setting.read'] },
  response: z.object({ Groups: groups }),
  errors: [],
  scope: {},
});

/** Left out: it stays. null: it goes. */
const secret = z.string().min(1).max(SITE_LIMITS.secret).nullable().optional();

export const updateSiteSettings = route({
  method: 'PUT',
  path: '/setting/site',
  summary: 'Set the names and texts of the site',
  access: { need: ['setting.update'] },
  body: { Version: version(), Values: siteSettings },
  response: groupAnswers.site,
  errors: ['changed_meanwhile', 'picture_missing'],
  scope: {},
});

export const updateRegistrationSettings = route({
  method: 'PUT',
  path: '/setting/registration',
  summary: 'Set who makes an account on their own',
  access: { need: ['setting.update'] },
  body: { Version: version(), Values: registrationSettings },
  response: groupAnswers.registration,
  errors: ['changed_meanwhile'],
  scope: {},
});

export const updateLimitSettings = route({
  method: 'PUT',
  path: '/setting/limits',
  summary: 'Set limits; those left out stay',
  access: { need: ['setting.update'] },
  body: { Version: version(), Values: limitSettings.partial() },
  response: groupAnswers.limits,
  errors: ['changed_meanwhile'],
  scope: {},
});

export const updateMailSettings = route({
  method: 'PUT',
  path: '/setting/mail',
  summary: 'Set the mail server',
  access: { need: ['setting.update'] },
  body: { Version: version(), Values: mailSettings, Secret: secret },
  response: groupAnswers.mail,
  errors: ['changed_meanwhile', 'secret_needed'],
  scope: {},
});

const signOnRoute = <P extends 'arose' | 'scnet'>(provider: P) =>
  route({
    method: 'PUT',
    path: `/setting/${provider}`,
    summary: `Set the single sign-on ${provider}`,
    access: { need: ['setting.update'] },
    body: { Version: version(), Values: signOnSettings, Secret: secret },
    response: groupAnswers[provider],
    errors: ['changed_meanwhile', 'secret_needed'],
    scope: {},
  });
export const updateAroseSettings = signOnRoute('arose');
export const updateScnetSettings = signOnRoute('scnet');

export const updateCaptchaSettings = route({
  method: 'PUT',
  path: '/setting/captcha',
  summary: 'Set the human check; keys of an external one are tried before they hold',
  access: { need: ['setting.update'] },
  body: { Version: version(), Values: captchaSettings, Secret: secret },
  response: groupAnswers.captcha,
  errors: ['changed_meanwhile', 'secret_needed', 'captcha_unavailable'],
  scope: {},
});

export const updateRetentionSettings = route({
  method: 'PUT',
  path: '/setting/retention',
  summary: 'Set how long page views and mails are kept',
  access: { need: ['setting.update'] },
  body: { Version: version(), Values: retentionSettings },
  response: groupAnswers.retention,
  errors: ['changed_meanwhile'],
  scope: {},
});

export const resetSettings = route({
  method: 'DELETE',
  path: '/setting/:group',
  summary: 'Back to the configuration’s values of a group; its secret goes as well',
  access: { need: ['setting.update'] },
  params: { group: z.enum(SETTING_GROUPS) },
  query: { version: z.coerce.number<string>().pipe(version()) },
  response: z.object({ Groups: groups }),
  errors: ['changed_meanwhile'],
  scope: {},
});

export const sendTestMail = route({
  method: 'POST',
  path: '/setting/mail/test',
  summary: 'Send a mail to oneself, now and past the outbox, and hear what the server answers',
  access: { need: ['setting.update'] },
  response: z.object({
    To: z.string(),
    IsSent: z.boolean(),
    /** What the mail server, or the way to it, answered. */
    Answer: z.string(),
  }),
  errors: ['mail_off'],
  scope: {},
  timeoutMs: 90_000,
});

/** Multipart, one picture named `File`; it is encoded anew and loses its metadata. */
export const uploadLogo = route({
  method: 'POST',
  path: '/setting/site/logo',
  summary: 'Send the picture of a supporter; it is shown once the settings name it',
  access: { need: ['setting.update'] },
  upload: true,
  response: z.object({ Name: z.string(), Path: z.string() }),
  status: 201,
  errors: ['upload_missing', 'upload_too_large', 'upload_type', 'storage_full'],
  scope: {},
});

export const getLogo = route({
  method: 'GET',
  path: '/site/logo/:name',
  summary: 'The picture of a supporter',
  access: { public: 'the home page shows it to visitors' },
  params: { name: z.string().regex(LOGO_NAME) },
  response: z.unknown(),
  errors: [],
  scope: {},
  kind: 'file',
});
