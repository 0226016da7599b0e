import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { users } from '../user/user.schema.ts';

/** What is in an image, as it says itself. */
export interface ImagePart {
  name: string;
  version: string;
}

/** A commit that is under way: what the next version is made from. */
export interface Commit {
  usageID: number;
  /** Name of the node whose file system is taken. */
  node: string;
  userID: number;
  /** Of the version that it becomes. */
  number: number;
}

/** Practice images: the built-in ones, and those that staff commit from running environments. */
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
    descriptionZh: text('description_zh').notNull().default(''),
    descriptionEn: text('description_en').notNull().default(''),
    isPublic: boolean('is_public').notNull().default(true),
    /** Who made it; null for built-in ones and for accounts that are gone. */
    ownerID: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    /** The version from which environments start; null until there is one. */
    versionID: integer('version_id').references((): AnyPgColumn => imageVersions.id, {
      onDelete: 'set null',
    }),
    /** Reference of that version in the engine's store. */
    reference: text('reference'),
    /** Of a build or of a commit. */
    buildState: text('build_state').notNull().default('waiting'),
    buildStep: integer('build_step').notNull().default(0),
    buildSteps: integer('build_steps').notNull().default(0),
    buildText: text('build_text').notNull().default(''),
    buildStartedAt: at('build_started_at'),
    commit: jsonb('commit').$type<Commit>(),
    /** Somebody asked for a built-in image to be built again. */
    isRebuildWanted: boolean('is_rebuild_wanted').notNull().default(false),
    /** Worker that commits or builds it now; ends with the worker's connection or at `claimed_until`. */
    claimedBy: uuid('claimed_by'),
    claimedUntil: at('claimed_until'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    check('image_type', sql`${table.type} between 1 and 3`),
    check(
      'image_build_state',
      sql`${table.buildState} in ('waiting', 'building', 'committing', 'ready', 'failed')`,
    ),
    // One commit of an image, and one of an environment, at a time, whatever races.
    uniqueIndex('image_commit_usage')
      .on(sql`(commit ->> 'usageID')`)
      .where(sql`commit is not null`),
    check(
      'image_commit',
      sql`(${table.buildState} = 'committing') = (${table.commit} is not null)`,
    ),
  ],
);

/** Versions of an image, by number; environments that run keep theirs when another one becomes current. */
export const imageVersions = pgTable(
  'image_version',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    imageID: integer('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    /** In the engine's store. */
    reference: text('reference').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }),
    /** null until the engine was asked. */
    contents: jsonb('contents').$type<ImagePart[]>(),
    createdAt: at('created_at').notNull().defaultNow(),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    uniqueIndex('image_version_number').on(table.imageID, table.number),
    index('image_version_reference').on(table.reference),
  ],
);
