import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import type { RecordedChange, RecordedThing } from '../../platform/http/record.ts';

/**
 * What staff did. Rows are only ever added: a trigger refuses to change or delete them. Names are
 * kept as text and ids refer to nothing, so that a record outlives what it tells of.
 */
export const auditRecords = pgTable(
  'audit_record',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    at: at('at').notNull(),
    userID: integer('user_id').notNull(),
    username: text('username').notNull(),
    nickname: text('nickname').notNull(),
    role: text('role').notNull(),
    address: text('address').notNull(),
    /** Name of the route in the contract. */
    action: text('action').notNull(),
    method: text('method').notNull(),
    path: text('path').notNull(),
    /** First step of the path. */
    kind: text('kind').notNull(),
    things: jsonb('things').$type<readonly RecordedThing[]>().notNull(),
    changes: jsonb('changes').$type<readonly RecordedChange[]>().notNull(),
    sent: jsonb('sent').$type<readonly { Field: string; Value: string }[]>().notNull(),
    requestID: text('request_id').notNull(),
    /** Code of a refusal; null when it was done. */
    code: text('code'),
    /** What a keyword is looked for in. */
    words: text('words').notNull(),
  },
  (table) => [
    index('audit_record_at').on(table.at, table.id),
    index('audit_record_user').on(table.userID, table.at),
    index('audit_record_kind').on(table.kind, table.at),
    index('audit_record_words').using('gin', sql`${table.words} gin_trgm_ops`),
  ],
);
