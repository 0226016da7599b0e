import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { users } from '../user/user.schema.ts';

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
    /** Moves at every change by staff, so that two of them do not overwrite each other. */
    version: integer('version').notNull().default(1),
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
    /** Moves at every change by staff, so that two of them do not overwrite each other. */
    version: integer('version').notNull().default(1),
  },
  (table) => [
    check('tag_color', sql`${table.color} between 1 and 11`),
    index('tag_domain').on(table.domainID, table.sequence),
  ],
);

/** The domains that somebody has chosen to see in catalogues; nobody's: all. */
export const userDomains = pgTable(
  'user_domain',
  {
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    domainID: integer('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.userID, table.domainID] }),
    index('user_domain_domain').on(table.domainID),
  ],
);
