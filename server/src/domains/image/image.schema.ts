import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';

/** Practice images: the built-in ones, and later those that teachers commit. */
export const images = pgTable(
  'image',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** Folder in `images/` of a built-in image. */
    slug: text('slug').unique(),
    /** SessionType of the contract. */
    type: smallint('type').notNull(),
    titleZh: text('title_zh').notNull(),
    titleEn: text('title_en').notNull(),
    isPublic: boolean('is_public').notNull().default(true),
    /** Reference in the engine's store; null until built. */
    reference: text('reference'),
    buildState: text('build_state').notNull().default('waiting'),
    buildStep: integer('build_step').notNull().default(0),
    buildSteps: integer('build_steps').notNull().default(0),
    buildText: text('build_text').notNull().default(''),
    buildStartedAt: at('build_started_at'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    check('image_type', sql`${table.type} between 1 and 3`),
    check(
      'image_build_state',
      sql`${table.buildState} in ('waiting', 'building', 'ready', 'failed')`,
    ),
  ],
);
