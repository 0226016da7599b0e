/** Column kinds that every schema uses. */
import { sql } from 'drizzle-orm';
import { boolean, customType, integer, text, timestamp } from 'drizzle-orm/pg-core';

/** A moment, always with its time zone. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Words for full-text search, cut by us: PostgreSQL has no Chinese parser. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** What every item of a catalogue says of itself, where it stands there, and how it is found. */
export const itemColumns = () => ({
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  /** Folder in the first content; null for what staff made. */
  slug: text('slug').unique(),
  titleZh: text('title_zh').notNull(),
  titleEn: text('title_en').notNull(),
  descriptionZh: text('description_zh').notNull(),
  descriptionEn: text('description_en').notNull(),
  contentZh: text('content_zh').notNull(),
  contentEn: text('content_en').notNull(),
  coverKind: text('cover_kind').notNull(),
  coverSeed: integer('cover_seed').notNull(),
  isPublished: boolean('is_published').notNull().default(false),
  sequence: integer('sequence').notNull(),
  /** Moves at every change of its fields, so that two people do not overwrite each other. */
  version: integer('version').notNull().default(1),
  /** Words of title (A) and text (B), segmented by us; what not everybody may read is not among them. */
  words: tsvector('words')
    .notNull()
    .default(sql`''::tsvector`),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
});
