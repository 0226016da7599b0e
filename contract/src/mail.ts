/** The mails that the platform sends, as those who run it see them. */
import { z } from 'zod';
import { id, listOf, listQuery, pathID, route } from './kernel/index.ts';

/** Kinds of mail; each has its text in every language, held by a type of the messages. */
export const MAIL_TEMPLATES = [
  /** The code of a registration: code, minutes. */
  'registrationCode',
  /** What a user has not read yet, together: name, count, list, url. */
  'digest',
  /** Somebody registers with an address that has an account: username, url. */
  'registrationKnown',
  /** The one-time link: name, url, minutes. */
  'passwordReset',
  /** Told after a reset: name. */
  'passwordChanged',
  /** A teacher application was approved: name, reason, url. */
  'applicationApproved',
  /** It was rejected: name, reason, url. */
  'applicationRejected',
  /** An account was made from a class list: name, username, days, url. */
  'invitation',
  /** The code that confirms a new address: name, code, minutes. */
  'emailChangeCode',
  /** Told to the old address: name, email. */
  'emailChanged',
] as const;
export type MailTemplate = (typeof MAIL_TEMPLATES)[number];

/** `failed` is tried again as long as it has a next try; `captured` was kept here, nothing left. */
export const MAIL_STATES = ['waiting', 'sent', 'failed', 'captured'] as const;
export type MailState = (typeof MAIL_STATES)[number];

const mailRow = z.object({
  ID: id(),
  To: z.string(),
  Subject: z.string(),
  Template: z.enum(MAIL_TEMPLATES),
  State: z.enum(MAIL_STATES),
  /** How often it was tried. */
  Attempts: z.int().nonnegative(),
  CreatedAt: z.iso.datetime(),
  SentAt: z.iso.datetime().nullable(),
  /** When it is tried again; null when that is over. */
  NextTryAt: z.iso.datetime().nullable(),
  /** What the mail server, or the way to it, answered last. */
  Error: z.string().nullable(),
});
export type MailRow = z.output<typeof mailRow>;

const mail = mailRow.extend({ Text: z.string(), HTML: z.string() });
export type Mail = z.output<typeof mail>;

export const listMails = route({
  method: 'GET',
  path: '/mail',
  summary: 'Mails that were sent, wait or failed',
  access: { need: ['mail.list'] },
  query: {
    ...listQuery,
    state: z.enum(MAIL_STATES).optional(),
    template: z.enum(MAIL_TEMPLATES).optional(),
    sort: z.enum(['latest', 'oldest']).default('latest'),
  },
  response: listOf(mailRow),
  errors: [],
  scope: {},
});

export const getMail = route({
  method: 'GET',
  path: '/mail/:mailID',
  summary: 'A mail with what it says; mails carry codes and links, so a reading is recorded',
  access: { need: ['mail.detail'] },
  params: { mailID: pathID() },
  response: mail,
  errors: [],
  scope: { mailID: 'mail' },
  isRecorded: true,
});

export const retryMail = route({
  method: 'POST',
  path: '/mail/:mailID/retry',
  summary: 'Try a failed mail again now',
  access: { need: ['mail.retry'] },
  params: { mailID: pathID() },
  response: mailRow,
  errors: ['mail_not_failed'],
  scope: { mailID: 'mail' },
});
