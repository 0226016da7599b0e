/** The mails in every language. Apart from the catalogue: no page shows them. */
import type { Language } from '@hypercube/contract';
import type { MailText, MailTexts, MailValues } from './types.ts';
import { common as enCommon } from './en-US/common.ts';
import { mails as en, trial as enTrial } from './en-US/mail.ts';
import { common as zhCommon } from './zh-CN/common.ts';
import { mails as zh, trial as zhTrial } from './zh-CN/mail.ts';

export type { MailText, MailTexts, MailValues } from './types.ts';

export const mailTexts: Readonly<Record<Language, MailTexts>> = { 'zh-CN': zh, 'en-US': en };

/** What an admin sends to themselves. */
export const trialTexts: Readonly<Record<Language, (values: MailValues) => MailText>> = {
  'zh-CN': zhTrial,
  'en-US': enTrial,
};

/** Who writes, unless the site was given names of its own. */
export const mailBrands: Readonly<Record<Language, string>> = {
  'zh-CN': zhCommon.brand,
  'en-US': enCommon.brand,
};
