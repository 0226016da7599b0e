import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, smallint } from 'drizzle-orm/pg-core';
import { itemColumns } from '../../platform/database/columns.ts';
import { domains, tags } from '../domain/domain.schema.ts';
import { specifications } from '../specification/specification.schema.ts';
import { users } from '../user/user.schema.ts';

/** Software: opened as a desktop, a notebook or a web IDE, without a lab. */
export const software = pgTable(
  'software',
  {
    ...itemColumns(),
    /** SoftwareType of the contract. */
    type: smallint('type').notNull(),
    domainID: integer('domain_id').references(() => domains.id, { onDelete: 'set null' }),
    specificationID: integer('specification_id')
      .notNull()
      .references(() => specifications.id),
    /** Who made it; null for the first content and for accounts that are gone. */
    ownerID: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    /** Environments opened for it. */
    uses: integer('uses').notNull().default(0),
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
