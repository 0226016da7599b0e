/** The mails in every language. Apart from the catalogue: no page shows them. */
import type { Language } from '@hypercube/contract';
import type { MailTexts } from './types.ts';
import { common as enCommon } from './en-US/common.ts';
import { mails as en } from './en-US/mail.ts';
import { common as zhCommon } from './zh-CN/common.ts';
import { mails as zh } from './zh-CN/mail.ts';

export type { MailText, MailTexts, MailValues } from './types.ts';

export const mailTexts: Readonly<Record<Language, MailTexts>> = { 'zh-CN': zh, 'en-US': en };

/** Who writes. */
export const mailBrands: Readonly<Record<Language, string>> = {
  'zh-CN': `${zhCommon.brand} ${zhCommon.brandLatin}`,
  'en-US': enCommon.brand,
};
