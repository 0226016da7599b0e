/** Sending mails: written into the outbox with what they tell of; the mailer does the rest. */
import { randomUUID } from 'node:crypto';
import type { Language, MailTemplate } from '@hypercube/contract';
import { mailTexts, trialTexts } from '@hypercube/messages/mails';
import type { Executor } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { layOutMail } from '../../platform/mail/layout.ts';
import type { MailTransport } from '../../platform/mail/transport.ts';
import { readSiteNames } from '../setting/setting.service.ts';
import { insertMail } from './mail.queries.ts';

/** One address and nothing else: no comma, no line end, no name. */
const ADDRESS = /^[^\s,;:<>()"@\\[\]\p{Cc}]+@[^\s,;:<>()"@\\\p{Cc}]+$/u;

const messageID = (): string => `<${randomUUID()}@hypercube>`;

/** A mail to try the mail server with. */
export interface Trial {
  readonly to: string;
  readonly language: Language;
  readonly names: Readonly<Record<Language, string>>;
  readonly password: string | null;
}

export interface QueuedMail {
  readonly to: string;
  readonly language: Language;
  readonly template: MailTemplate;
  /** What the template tells of; the contract names them. */
  readonly values: Record<string, string>;
}

/**
 * Queues a mail; it goes out once the transaction has committed, and not if it is undone.
 * @throws Error when `to` is not one plain address: whoever calls has checked it
 */
export async function queueMail(tx: Executor, mail: QueuedMail): Promise<void> {
  if (!ADDRESS.test(mail.to)) throw new Error('a mail needs one plain address');
  const names = await readSiteNames(tx);
  const site = names[mail.language];
  const { subject, text, html } = layOutMail(
    mail.language,
    signatureOf(mail.language, names),
    mailTexts[mail.language][mail.template]({ site, ...mail.values }),
  );
  await insertMail(tx, {
    recipient: mail.to,
    language: mail.language,
    template: mail.template,
    subject,
    text,
    html,
    messageID: messageID(),
  });
  await notify(tx, 'mail', '');
}

/** Who writes: among Chinese readers both names are known. */
const signatureOf = (language: Language, names: Readonly<Record<Language, string>>): string =>
  language === 'zh-CN' ? [...new Set([names['zh-CN'], names['en-US']])].join(' ') : names[language];

/** Longest answer of a mail server that is told. */
const ANSWER_LENGTH = 500;

/**
 * Sends a mail at once and past the outbox, to see whether the mail server takes it.
 * @param password of the mail server; an answer that repeats it is told without it
 * @returns what the server, or the way to it, answered
 */
export async function tryMail(
  transport: MailTransport,
  { to, language, names, password }: Trial,
): Promise<{ isSent: boolean; answer: string }> {
  const mail = trialTexts[language]({ site: names[language] });
  const laidOut = layOutMail(language, signatureOf(language, names), mail);
  const tell = (answer: string): string =>
    (password === null ? answer : answer.replaceAll(password, '•••')).slice(0, ANSWER_LENGTH);
  try {
    const answer = await transport.send({ to, ...laidOut, messageID: messageID() });
    return { isSent: true, answer: tell(answer) };
  } catch (error) {
    return { isSent: false, answer: tell(error instanceof Error ? error.message : String(error)) };
  } finally {
    transport.close();
  }
}
