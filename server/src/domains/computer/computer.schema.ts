import { sql } from 'drizzle-orm';
import { bigint, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { specifications } from '../specification/specification.schema.ts';
import { users } from '../user/user.schema.ts';

/** Personal computers, one per user; the home folder lies below the data folder, named by the id. */
export const computers = pgTable(
  'computer',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    specificationID: integer('specification_id')
      .notNull()
      .references(() => specifications.id),
    name: text('name').notNull(),
    /** What the home takes, as it was looked at last. */
    homeBytes: bigint('home_bytes', { mode: 'number' }),
    createdAt: at('created_at').notNull().defaultNow(),
    lastStartedAt: at('last_started_at'),
    /** Deleted by its user; the row goes when the home folder is gone. */
    deletedAt: at('deleted_at'),
  },
  (table) => [
    uniqueIndex('computer_user')
      .on(table.userID)
      .where(sql`deleted_at is null`),
  ],
);
