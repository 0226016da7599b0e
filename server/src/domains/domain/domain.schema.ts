import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';

/** First level of the tags. */
export const domains = pgTable(
  'domain',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** Name in the first content; null for what staff made. */
    slug: text('slug').unique(),
    titleZh: text('title_zh').notNull(),
    titleEn: text('title_en').notNull(),
    color: smallint('color').notNull(),
    sequence: integer('sequence').notNull(),
  },
  (table) => [check('domain_color', sql`${table.color} between 1 and 11`)],
);

/** Second level: a tag lives under a domain. */
export const tags = pgTable(
  'tag',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    domainID: integer('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    slug: text('slug').unique(),
    titleZh: text('title_zh').notNull(),
    titleEn: text('title_en').notNull(),
    color: smallint('color').notNull(),
    sequence: integer('sequence').notNull(),
  },
  (table) => [
    check('tag_color', sql`${table.color} between 1 and 11`),
    index('tag_domain').on(table.domainID, table.sequence),
  ],
);
