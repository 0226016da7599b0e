import { index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { labs } from '../lab/lab.schema.ts';
import { users } from '../user/user.schema.ts';

/**
 * Views of pages as they were told. Partitioned by month, which the migration says since the
 * schema language cannot; no keys to other tables, so that a view costs one short row.
 */
export const trackRecords = pgTable(
  'track_record',
  {
    at: at('at').notNull(),
    /** The module in hundreds. */
    type: smallint('type').notNull(),
    fields: integer('fields').array().notNull(),
    sessionID: text('session_id').notNull(),
    /** null for visitors. No address is kept of anybody. */
    userID: integer('user_id'),
    url: text('url').notNull(),
    fromURL: text('from_url').notNull(),
  },
  (table) => [index('track_record_at').on(table.at)],
);

/** Views rolled up by hour: what dashboards and study times read. */
export const trackHours = pgTable(
  'track_hour',
  {
    hour: at('hour').notNull(),
    /** The module: 1 lab, 2 course, 3 software, … */
    module: smallint('module').notNull(),
    /** 0 for visitors, all together. */
    userID: integer('user_id').notNull(),
    views: integer('views').notNull(),
    sessions: integer('sessions').notNull(),
    /** Minutes in which the user looked; each minute belongs to one module only. */
    minutes: integer('minutes').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.hour, table.module, table.userID] }),
    index('track_hour_user').on(table.userID, table.hour),
  ],
);

/** Which labs and which of their tasks a user looked at: what is next is told by it. */
export const trackVisits = pgTable(
  'track_visit',
  {
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    labID: integer('lab_id')
      .notNull()
      .references(() => labs.id, { onDelete: 'cascade' }),
    /** 0 for the lab's own page. */
    taskID: integer('task_id').notNull(),
    lastAt: at('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userID, table.labID, table.taskID] })],
);
