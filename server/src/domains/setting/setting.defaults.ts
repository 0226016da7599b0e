/** What holds where nothing was set in the browser: the configuration. */
import {
  IDENTITIES,
  SIZE_LIMITS,
  SSO_PROVIDERS,
  TIMES,
  type SettingGroup,
  type SettingValues,
  type SsoProvider,
} from '@hypercube/contract';
import { mailBrands } from '@hypercube/messages/mails';
import type { Config } from '../../platform/config.ts';
import { readSignOn } from '../../platform/sign-on-settings.ts';

/** What holds of a group, and its secret where it has one. */
export type SettingDefaults = {
  readonly [G in SettingGroup]: {
    readonly values: SettingValues[G];
    readonly secret: string | null;
  };
};

/** A site that nobody has named: what it is called, and nothing more. */
export const PLAIN_SITE: SettingValues['site'] = {
  NameZh: mailBrands['zh-CN'],
  NameEn: mailBrands['en-US'],
  TaglineZh: '',
  TaglineEn: '',
  IntroZh: '',
  IntroEn: '',
  Supporters: [],
  FooterZh: '',
  FooterEn: '',
  Links: [],
  Record: '',
};

const PORTS = { smtp: 587, smtps: 465 } as const;

/** `name <address>` or an address alone. */
function senderOf(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  return { name, address: address.trim() };
}

function mailOf({ HC_SMTP_URL, HC_MAIL_FROM }: Config): SettingDefaults['mail'] {
  const sender = senderOf(HC_MAIL_FROM);
  const url = HC_SMTP_URL === undefined ? undefined : new URL(HC_SMTP_URL);
  const isTLS = url?.protocol === 'smtps:';
  const password = decodeURIComponent(url?.password ?? '');
  return {
    values: {
      IsOn: url !== undefined,
      Host: url?.hostname.replaceAll(/^\[|\]$/g, '') ?? '',
      Port: Number(url?.port) || (isTLS ? PORTS.smtps : PORTS.smtp),
      Security: isTLS ? 'tls' : 'auto',
      User: decodeURIComponent(url?.username ?? ''),
      SenderName: sender.name,
      SenderAddress: sender.address,
    },
    secret: password === '' ? null : password,
  };
}

function signOnOf(config: Config, provider: SsoProvider): SettingDefaults[SsoProvider] {
  const known = readSignOn(config, provider);
  return {
    values: {
      IsOn: known !== undefined,
      Issuer: known?.issuer ?? '',
      ClientID: known?.clientID ?? '',
      NameZh: '',
      NameEn: '',
    },
    secret: known?.clientSecret ?? null,
  };
}

/** The configuration as the settings' groups. */
export function settingDefaults(config: Config): SettingDefaults {
  const [arose, scnet] = SSO_PROVIDERS.map((provider) => signOnOf(config, provider));
  if (!arose || !scnet) throw new Error('a provider has no settings');
  return {
    site: {
      values: PLAIN_SITE,
      secret: null,
    },
    registration: {
      values: { Mode: 'open', Domains: [], Identities: [...IDENTITIES] },
      secret: null,
    },
    limits: {
      values: {
        MaxSessions: null,
        QueueLimit: config.HC_QUEUE_LIMIT,
        LifetimeSeconds: TIMES.usageLifetimeSeconds,
        HoldSeconds: config.HC_HOLD_SECONDS,
        KeepSeconds: config.HC_KEEP_SECONDS,
        PersonalQuotaBytes: SIZE_LIMITS.personalQuota,
        UploadBytes: SIZE_LIMITS.upload,
      },
      secret: null,
    },
    mail: mailOf(config),
    arose,
    scnet,
    captcha: {
      values: {
        Provider: config.HC_CAPTCHA,
        AppKey: config.HC_CAPTCHA_APP_KEY ?? '',
        AccessKeyID: config.HC_CAPTCHA_ACCESS_KEY_ID ?? '',
      },
      secret: config.HC_CAPTCHA_ACCESS_KEY_SECRET ?? null,
    },
    retention: {
      values: { TrackDays: config.HC_TRACK_DAYS, MailDays: config.HC_MAIL_DAYS },
      secret: null,
    },
  };
}
