import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';

/**
 * The outbox. A mail is written down, whole, with what it tells of; the mailer sends it. A row says
 * `failed` after a try that failed, and has a next try until they are over.
 */
export const mails = pgTable(
  'mail',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    recipient: text('recipient').notNull(),
    language: text('language').notNull(),
    /** MAIL_TEMPLATES of the contract. */
    template: text('template').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** The same at every try, so that a mail that came twice is known to be one. */
    messageID: text('message_id').notNull(),
    state: text('state').notNull().default('waiting'),
    attempts: smallint('attempts').notNull().default(0),
    createdAt: at('created_at').notNull().defaultNow(),
    sentAt: at('sent_at'),
    /**
     * When it is due; a waiting one without is due at once, a failed one never again. While a mailer
     * has it, when another one may take it over.
     */
    nextTryAt: at('next_try_at'),
    error: text('error'),
  },
  (table) => [
    index('mail_due')
      .on(table.nextTryAt, table.id)
      .where(sql`${table.state} in ('waiting', 'failed')`),
    index('mail_created').on(table.createdAt),
    check('mail_state', sql`${table.state} in ('waiting', 'sent', 'failed', 'captured')`),
  ],
);
