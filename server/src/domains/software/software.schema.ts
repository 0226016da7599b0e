import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { at, tsvector } from '../../platform/database/columns.ts';
import { domains, tags } from '../domain/domain.schema.ts';
import { specifications } from '../specification/specification.schema.ts';
import { users } from '../user/user.schema.ts';

/** Software: opened as a desktop, a notebook or a web IDE, without a lab. */
export const software = pgTable(
  'software',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** Folder in the first content; null for what staff made. */
    slug: text('slug').unique(),
    /** SoftwareType of the contract. */
    type: smallint('type').notNull(),
    titleZh: text('title_zh').notNull(),
    titleEn: text('title_en').notNull(),
    descriptionZh: text('description_zh').notNull(),
    descriptionEn: text('description_en').notNull(),
    contentZh: text('content_zh').notNull(),
    contentEn: text('content_en').notNull(),
    coverKind: text('cover_kind').notNull(),
    coverSeed: integer('cover_seed').notNull(),
    domainID: integer('domain_id').references(() => domains.id, { onDelete: 'set null' }),
    specificationID: integer('specification_id')
      .notNull()
      .references(() => specifications.id),
    /** Who made it; null for the first content and for accounts that are gone. */
    ownerID: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    isPublished: boolean('is_published').notNull().default(false),
    sequence: integer('sequence').notNull(),
    /** Environments opened for it. */
    uses: integer('uses').notNull().default(0),
    /** Moves at every change, so that two people do not overwrite each other. */
    version: integer('version').notNull().default(1),
    /** Words of title (A) and text (B), segmented by us. */
    words: tsvector('words')
      .notNull()
      .default(sql`''::tsvector`),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    check('software_type', sql`${table.type} between 1 and 4`),
    index('software_sequence').on(table.sequence, table.id),
    index('software_updated').on(table.updatedAt, table.id),
    index('software_uses').on(table.uses, table.id),
    index('software_words').using('gin', table.words),
    index('software_title_zh_trgm').using('gin', sql`${table.titleZh} gin_trgm_ops`),
    index('software_title_en_trgm').using('gin', sql`${table.titleEn} gin_trgm_ops`),
  ],
);

export const softwareTags = pgTable(
  'software_tag',
  {
    softwareID: integer('software_id')
      .notNull()
      .references(() => software.id, { onDelete: 'cascade' }),
    tagID: integer('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.softwareID, table.tagID] }),
    index('software_tag_tag').on(table.tagID),
  ],
);
