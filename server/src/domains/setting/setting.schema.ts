import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';

/** Values that the installation keeps for itself, by name. */
export const settings = pgTable('setting', {
  key: text('key').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
});
