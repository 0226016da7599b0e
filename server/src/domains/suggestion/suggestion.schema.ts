import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { users } from '../user/user.schema.ts';

/** Suggestions of users. */
export const suggestions = pgTable(
  'suggestion',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** null once the account is gone; what was suggested stays. */
    userID: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    title: text('title').notNull(),
    content: text('content').notNull(),
    /** SuggestionStatus of the contract. */
    status: smallint('status').notNull().default(1),
    isPublic: boolean('is_public').notNull(),
    /** Names of files in the folder of suggestion pictures. */
    pictures: text('pictures').array().notNull().default([]),
    replies: integer('replies').notNull().default(0),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (table) => [
    check('suggestion_status', sql`${table.status} between 1 and 2`),
    index('suggestion_updated').on(table.updatedAt, table.id),
    index('suggestion_user').on(table.userID),
  ],
);

/** What was said about a suggestion. */
export const suggestionReplies = pgTable(
  'suggestion_reply',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    suggestionID: integer('suggestion_id')
      .notNull()
      .references(() => suggestions.id, { onDelete: 'cascade' }),
    userID: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Whether it was said in the name of the place. */
    isStaff: boolean('is_staff').notNull(),
    content: text('content').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [index('suggestion_reply_suggestion').on(table.suggestionID, table.id)],
);

/** Pictures that were sent and whose they are; those in no suggestion are swept after a day. */
export const suggestionPictures = pgTable(
  'suggestion_picture',
  {
    name: text('name').primaryKey(),
    userID: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: at('created_at').notNull(),
  },
  (table) => [index('suggestion_picture_user').on(table.userID)],
);
