import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  real,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { images } from '../image/image.schema.ts';
import { users } from '../user/user.schema.ts';

/** Resource layouts: what an environment is made of. */
export const specifications = pgTable(
  'specification',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** Name in the first content; null for what staff made. */
    slug: text('slug').unique(),
    nameZh: text('name_zh').notNull(),
    nameEn: text('name_en').notNull(),
    /** SessionType of its images. */
    imageType: smallint('image_type').notNull(),
    isShared: boolean('is_shared').notNull().default(true),
    lifetimeSeconds: integer('lifetime_seconds').notNull().default(3600),
    /** Who made it; null for the first content and for accounts that are gone. */
    ownerID: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [check('specification_lifetime', sql`${table.lifetimeSeconds} between 60 and 604800`)],
);

/** Nodes of a specification, one to three; the first one opens. */
export const specificationNodes = pgTable(
  'specification_node',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    specificationID: integer('specification_id')
      .notNull()
      .references(() => specifications.id, { onDelete: 'cascade' }),
    sequence: smallint('sequence').notNull(),
    name: text('name').notNull(),
    cpus: real('cpus').notNull(),
    memoryBytes: bigint('memory_bytes', { mode: 'number' }).notNull(),
    diskBytes: bigint('disk_bytes', { mode: 'number' }).notNull(),
    shmBytes: bigint('shm_bytes', { mode: 'number' }).notNull(),
    pids: integer('pids').notNull(),
    imageID: integer('image_id')
      .notNull()
      .references(() => images.id),
  },
  (table) => [
    index('specification_node_specification').on(table.specificationID, table.sequence),
    // Host names on the environment's own network.
    uniqueIndex('specification_node_name').on(table.specificationID, table.name),
    index('specification_node_image').on(table.imageID),
    check('specification_node_sequence', sql`${table.sequence} between 1 and 3`),
    check('specification_node_cpus', sql`${table.cpus} > 0`),
  ],
);
