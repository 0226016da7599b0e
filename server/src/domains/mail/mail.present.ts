import { MAIL_STATES, MAIL_TEMPLATES, type MailRow as Row } from '@hypercube/contract';
import type { ListedMail, MailRow } from './mail.queries.ts';

export function presentMailRow(row: ListedMail): Row {
  const template = MAIL_TEMPLATES.find((known) => known === row.template);
  if (template === undefined) throw new Error(`mail ${row.id} has an unknown template`);
  return {
    ID: row.id,
    To: row.recipient,
    Subject: row.subject,
    Template: template,
    State: MAIL_STATES.find((known) => known === row.state) ?? 'failed',
    Attempts: row.attempts,
    CreatedAt: row.createdAt.toISOString(),
    SentAt: row.sentAt?.toISOString() ?? null,
    NextTryAt: row.state === 'failed' ? (row.nextTryAt?.toISOString() ?? null) : null,
    Error: row.error,
  };
}

export const presentMail = (row: MailRow) => ({
  ...presentMailRow(row),
  Text: row.text,
  HTML: row.html,
});
