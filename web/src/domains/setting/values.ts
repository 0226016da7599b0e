/** The settings as they stand in the fields of the page, and what is wrong with them. */
import {
  EMAIL_DOMAIN_PATTERN,
  HOST_PATTERN,
  SETTING_LIMITS,
  SITE_LIMITS,
  type LimitSettings,
  type SettingValues,
  type SiteSettings,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { isEmail } from '../registration/registration.ts';

export type FieldErrors = Readonly<Record<string, string>>;

/** Those that hold, by field. */
const found = (entries: Readonly<Record<string, string | null | undefined>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([field, text]) => (text == null ? [] : [[field, text]])),
  );

/** What is wrong with a line of text; null when nothing is. */
export function lineError(
  messages: Catalogue,
  label: string,
  text: string,
  max: number,
  isRequired = false,
): string | null {
  if (isRequired && text.trim() === '') return messages.form.required(label);
  return text.trim().length > max ? messages.form.tooLong(label, max) : null;
}

/** A page elsewhere that can be linked to. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text) && text.length <= SITE_LIMITS.address;

/** A whole number between bounds; undefined when the text is none. */
export function wholeOf(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : undefined;
}

// Limits

export interface LimitEntry {
  readonly key: keyof LimitSettings;
  readonly label: 'maxSessions' | 'queueLimit' | 'lifetime' | 'hold' | 'keep' | 'quota' | 'upload';
  readonly hint?: 'maxSessionsHint' | 'lifetimeHint' | 'holdHint';
  /** What one unit on the page is on the wire. */
  readonly unit: number;
  readonly limits: { readonly min: number; readonly max: number };
}

const MEBIBYTE = 1024 * 1024;

/** Each limit in the unit in which people think of it. */
export const LIMIT_ENTRIES: readonly LimitEntry[] = [
  {
    key: 'MaxSessions',
    label: 'maxSessions',
    hint: 'maxSessionsHint',
    unit: 1,
    limits: SETTING_LIMITS.maxSessions,
  },
  { key: 'QueueLimit', label: 'queueLimit', unit: 1, limits: SETTING_LIMITS.queue },
  {
    key: 'LifetimeSeconds',
    label: 'lifetime',
    hint: 'lifetimeHint',
    unit: 60,
    limits: SETTING_LIMITS.lifetimeSeconds,
  },
  {
    key: 'HoldSeconds',
    label: 'hold',
    hint: 'holdHint',
    unit: 60,
    limits: SETTING_LIMITS.holdSeconds,
  },
  { key: 'KeepSeconds', label: 'keep', unit: 3600, limits: SETTING_LIMITS.keepSeconds },
  {
    key: 'PersonalQuotaBytes',
    label: 'quota',
    unit: MEBIBYTE,
    limits: SETTING_LIMITS.quotaBytes,
  },
  { key: 'UploadBytes', label: 'upload', unit: MEBIBYTE, limits: SETTING_LIMITS.uploadBytes },
];

export type LimitTexts = Record<keyof LimitSettings, string>;

/** Limits as they stand in the fields. */
export const limitTexts = (limits: LimitSettings): LimitTexts =>
  Object.fromEntries(
    LIMIT_ENTRIES.map(({ key, unit }) => {
      const value = limits[key];
      return [key, value === null ? '' : String(value / unit)];
    }),
  ) as LimitTexts;

/** The limit in a field; undefined when it is none. */
export function limitOf(entry: LimitEntry, text: string): number | null | undefined {
  if (text.trim() === '') return entry.key === 'MaxSessions' ? null : undefined;
  const value = Math.round(Number(text) * entry.unit);
  return Number.isFinite(value) && value >= entry.limits.min && value <= entry.limits.max
    ? value
    : undefined;
}

// The site

/** A row that is edited; its number stays with it while rows move. */
export interface Numbered {
  readonly Key: number;
}
export type SupporterRow = Numbered & {
  readonly NameZh: string;
  readonly NameEn: string;
  readonly URL: string;
  readonly Logo: string | null;
};
export type LinkRow = Numbered & {
  readonly TitleZh: string;
  readonly TitleEn: string;
  readonly URL: string;
};
export type SiteTexts = Omit<SiteSettings, 'Supporters' | 'Links'> & {
  readonly Supporters: readonly SupporterRow[];
  readonly Links: readonly LinkRow[];
};

/** The number of a new row. */
export const nextKey = (rows: readonly Numbered[]): number =>
  Math.max(-1, ...rows.map(({ Key }) => Key)) + 1;

export const siteTexts = (site: SiteSettings): SiteTexts => ({
  ...site,
  Supporters: site.Supporters.map((row, Key) => ({ ...row, URL: row.URL ?? '', Key })),
  Links: site.Links.map((row, Key) => ({ ...row, Key })),
});

export const siteOf = ({ Supporters, Links, ...texts }: SiteTexts): SiteSettings => ({
  ...texts,
  Supporters: Supporters.map(({ Key: _key, URL: address, ...row }) => ({
    ...row,
    URL: address.trim() === '' ? null : address.trim(),
  })),
  Links: Links.map(({ Key: _key, ...row }) => ({ ...row, URL: row.URL.trim() })),
});

export function siteErrors(values: SiteTexts, messages: Catalogue): FieldErrors {
  const words = messages.setting.site;
  const { inChinese, inEnglish, invalid } = messages.form;
  const line = (label: string, text: string, max: number, isRequired = false) =>
    lineError(messages, label, text, max, isRequired);
  return found({
    NameZh: line(inChinese(words.name), values.NameZh, SITE_LIMITS.name, true),
    NameEn: line(inEnglish(words.name), values.NameEn, SITE_LIMITS.name, true),
    TaglineZh: line(inChinese(words.tagline), values.TaglineZh, SITE_LIMITS.tagline),
    TaglineEn: line(inEnglish(words.tagline), values.TaglineEn, SITE_LIMITS.tagline),
    IntroZh: line(inChinese(words.intro), values.IntroZh, SITE_LIMITS.intro),
    IntroEn: line(inEnglish(words.intro), values.IntroEn, SITE_LIMITS.intro),
    FooterZh: line(inChinese(words.footer), values.FooterZh, SITE_LIMITS.footer),
    FooterEn: line(inEnglish(words.footer), values.FooterEn, SITE_LIMITS.footer),
    Record: line(words.record, values.Record, SITE_LIMITS.record),
    ...Object.fromEntries(
      values.Supporters.flatMap(({ Key, NameZh, NameEn, URL: address }) => [
        [
          `Supporters.${Key}.NameZh`,
          line(inChinese(words.supporterName), NameZh, SITE_LIMITS.supporterName, true),
        ],
        [
          `Supporters.${Key}.NameEn`,
          line(inEnglish(words.supporterName), NameEn, SITE_LIMITS.supporterName),
        ],
        [
          `Supporters.${Key}.URL`,
          address.trim() === '' || isWebAddress(address.trim())
            ? null
            : invalid(words.supporterAddress),
        ],
      ]),
    ),
    ...Object.fromEntries(
      values.Links.flatMap(({ Key, TitleZh, TitleEn, URL: address }) => [
        [
          `Links.${Key}.TitleZh`,
          line(inChinese(words.linkTitle), TitleZh, SITE_LIMITS.linkTitle, true),
        ],
        [`Links.${Key}.TitleEn`, line(inEnglish(words.linkTitle), TitleEn, SITE_LIMITS.linkTitle)],
        [`Links.${Key}.URL`, isWebAddress(address.trim()) ? null : invalid(words.linkAddress)],
      ]),
    ),
  });
}

// Registration

export type RegistrationTexts = Omit<SettingValues['registration'], 'Domains'> & {
  /** One a line. */
  readonly Domains: string;
};

export const domainsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;\uFF0C\uFF1B\u3001]+/)
      .map((domain) => domain.toLowerCase().replace(/^@/, ''))
      .filter((domain) => domain !== ''),
  ),
];

export const registrationTexts = (values: SettingValues['registration']): RegistrationTexts => ({
  ...values,
  Domains: values.Domains.join('\n'),
});

export function registrationErrors(values: RegistrationTexts, messages: Catalogue): FieldErrors {
  const words = messages.setting.registration;
  const domains = domainsOf(values.Domains);
  const wrong = domains.find((domain) => !EMAIL_DOMAIN_PATTERN.test(domain));
  return found({
    Domains:
      wrong !== undefined
        ? words.domainWrong(wrong)
        : values.Mode === 'byDomain' && domains.length === 0
          ? messages.form.required(words.domains)
          : domains.length > SITE_LIMITS.emailDomains
            ? messages.form.outOfRange(words.domains, '1', String(SITE_LIMITS.emailDomains))
            : null,
    Identities: values.Identities.length === 0 ? words.identitiesMissing : null,
  });
}

// Mail

export type MailTexts = Omit<SettingValues['mail'], 'Port'> & { readonly Port: string };

export const mailErrors = (values: MailTexts, messages: Catalogue): FieldErrors => {
  const words = messages.setting.mail;
  const { form } = messages;
  const { port } = SETTING_LIMITS;
  const host = values.Host.trim();
  const sender = values.SenderAddress.trim();
  return found({
    Host:
      host === ''
        ? values.IsOn
          ? form.required(words.host)
          : null
        : HOST_PATTERN.test(host) && host.length <= SITE_LIMITS.host
          ? null
          : form.invalid(words.host),
    Port:
      wholeOf(values.Port, port) === undefined
        ? form.outOfRange(words.port, String(port.min), String(port.max))
        : null,
    User: lineError(messages, words.user, values.User, SITE_LIMITS.account),
    SenderName: lineError(messages, words.senderName, values.SenderName, SITE_LIMITS.name),
    SenderAddress:
      sender === ''
        ? values.IsOn
          ? form.required(words.senderAddress)
          : null
        : isEmail(sender)
          ? null
          : form.invalid(words.senderAddress),
  });
};
