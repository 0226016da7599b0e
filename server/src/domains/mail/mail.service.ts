/** Sending mails: written into the outbox with what they tell of; the mailer does the rest. */
import { randomUUID } from 'node:crypto';
import type { Language, MailTemplate } from '@hypercube/contract';
import { mailTexts } from '@hypercube/messages/mails';
import type { Executor } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { layOutMail } from '../../platform/mail/layout.ts';
import { insertMail } from './mail.queries.ts';

/** One address and nothing else: no comma, no line end, no name. */
const ADDRESS = /^[^\s,;:<>()"@\\[\]\p{Cc}]+@[^\s,;:<>()"@\\\p{Cc}]+$/u;

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
  const { subject, text, html } = layOutMail(
    mail.language,
    mailTexts[mail.language][mail.template](mail.values),
  );
  await insertMail(tx, {
    recipient: mail.to,
    language: mail.language,
    template: mail.template,
    subject,
    text,
    html,
    messageID: `<${randomUUID()}@hypercube>`,
  });
  await notify(tx, 'mail', '');
}
