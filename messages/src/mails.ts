/** The mails in every language. Apart from the catalogue: no page shows them. */
import type { Language } from '@hypercube/contract';
import type { MailTexts } from './types.ts';
import { mails as en } from './en-US/mail.ts';
import { mails as zh } from './zh-CN/mail.ts';

export type { MailText, MailTexts, MailValues } from './types.ts';

export const mailTexts: Readonly<Record<Language, MailTexts>> = { 'zh-CN': zh, 'en-US': en };
