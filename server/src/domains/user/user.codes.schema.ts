import { index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { users } from './user.schema.ts';

/** Codes and one-time links that were mailed: the SHA-256 of each, never what was in the mail. */
export const userCodes = pgTable(
  'user_code',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** What it may be used for; a code for one thing is none for another. */
    purpose: text('purpose').notNull(),
    /** Lower case. */
    email: text('email').notNull(),
    userID: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
    attempts: smallint('attempts').notNull().default(0),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [
    index('user_code_email').on(table.purpose, table.email, table.createdAt),
    index('user_code_hash').on(table.purpose, table.hash),
    index('user_code_expires').on(table.expiresAt),
  ],
);
