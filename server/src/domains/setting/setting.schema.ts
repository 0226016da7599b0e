import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { users } from '../user/user.schema.ts';

/** Values that the installation keeps for itself, by name; `settings` are those of the admins. */
export const settings = pgTable('setting', {
  key: text('key').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  /** Moves at every change by an admin, so that two of them do not overwrite each other. */
  version: integer('version').notNull().default(1),
  updatedAt: at('updated_at').notNull().defaultNow(),
  updatedBy: integer('updated_by').references(() => users.id, { onDelete: 'set null' }),
});
