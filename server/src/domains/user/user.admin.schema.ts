import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { users } from './user.schema.ts';

/** Supercomputing centres: what a machine admin looks after. */
export const centres = pgTable('centre', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  nameZh: text('name_zh').notNull(),
  nameEn: text('name_en').notNull(),
});

/** The centres of each machine admin. */
export const userCentres = pgTable(
  'user_centre',
  {
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    centreID: integer('centre_id')
      .notNull()
      .references(() => centres.id, { onDelete: 'restrict' }),
  },
  (table) => [
    primaryKey({ columns: [table.userID, table.centreID] }),
    index('user_centre_centre').on(table.centreID),
  ],
);

/**
 * What staff find an account by, once more and apart from the rest of it: one or two signs have no
 * trigram, so that all accounts are read, and the account itself is much longer than its words.
 * Triggers keep it.
 */
export const userWords = pgTable('user_words', {
  userID: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  words: text('words').notNull(),
});
