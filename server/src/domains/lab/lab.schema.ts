import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { at, itemColumns } from '../../platform/database/columns.ts';
import { domains, tags } from '../domain/domain.schema.ts';
import { specifications } from '../specification/specification.schema.ts';
import { users } from '../user/user.schema.ts';

export const labs = pgTable(
  'lab',
  {
    ...itemColumns(),
    /** LabType of the contract. */
    type: smallint('type').notNull(),
    domainID: integer('domain_id').references(() => domains.id, { onDelete: 'set null' }),
    specificationID: integer('specification_id')
      .notNull()
      .references(() => specifications.id),
    /** Folder with `bundle/` and `media/`, below the data folder; null when it has no files. */
    folder: text('folder'),
    /** Who made it; null for the first content and for accounts that are gone. */
    ownerID: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    /** Environments opened for it. */
    uses: integer('uses').notNull().default(0),
  },
  (table) => [
    check('lab_type', sql`${table.type} between 1 and 2`),
    index('lab_sequence').on(table.sequence, table.id),
    index('lab_updated').on(table.updatedAt, table.id),
    index('lab_uses').on(table.uses, table.id),
    index('lab_words').using('gin', table.words),
    index('lab_title_zh_trgm').using('gin', sql`${table.titleZh} gin_trgm_ops`),
    index('lab_title_en_trgm').using('gin', sql`${table.titleEn} gin_trgm_ops`),
  ],
);

export const labTags = pgTable(
  'lab_tag',
  {
    labID: integer('lab_id')
      .notNull()
      .references(() => labs.id, { onDelete: 'cascade' }),
    tagID: integer('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.labID, table.tagID] }),
    index('lab_tag_tag').on(table.tagID),
  ],
);

export const labTasks = pgTable(
  'lab_task',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    labID: integer('lab_id')
      .notNull()
      .references(() => labs.id, { onDelete: 'cascade' }),
    slug: text('slug'),
    sequence: integer('sequence').notNull(),
    titleZh: text('title_zh').notNull(),
    titleEn: text('title_en').notNull(),
    contentZh: text('content_zh').notNull(),
    contentEn: text('content_en').notNull(),
    minutes: integer('minutes').notNull().default(0),
    /** Moves at every change. */
    version: integer('version').notNull().default(1),
  },
  (table) => [
    index('lab_task_lab').on(table.labID, table.sequence),
    uniqueIndex('lab_task_slug').on(table.labID, table.slug),
  ],
);

/** Starter files and data sets, each a file or a folder; they lie in the lab's bundle folder. */
export const labResources = pgTable(
  'lab_resource',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    labID: integer('lab_id')
      .notNull()
      .references(() => labs.id, { onDelete: 'cascade' }),
    /** ResourceType of the contract. */
    type: smallint('type').notNull(),
    titleZh: text('title_zh').notNull(),
    titleEn: text('title_en').notNull(),
    /** Below the bundle folder, with forward slashes. */
    path: text('path').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    sequence: integer('sequence').notNull(),
  },
  (table) => [
    uniqueIndex('lab_resource_path').on(table.labID, table.path),
    check('lab_resource_type', sql`${table.type} between 1 and 2`),
  ],
);

/**
 * Folders that were a lab's until its files changed or it was deleted. Environments that were open
 * then may have mounted them, so they stay as long as one of those does.
 */
export const labEditions = pgTable('lab_edition', {
  folder: text('folder').primaryKey(),
  retiredAt: at('retired_at').notNull(),
});
