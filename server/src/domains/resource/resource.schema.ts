import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { software } from '../software/software.schema.ts';
import { centres } from '../user/user.admin.schema.ts';
import { users } from '../user/user.schema.ts';

/** Applications for machine time. */
export const resourceApplies = pgTable(
  'resource_apply',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** It says who somebody is and where they work, so it goes with the account. */
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    centreID: integer('centre_id')
      .notNull()
      .references(() => centres.id, { onDelete: 'restrict' }),
    /** ResourceApplyStatus of the contract. */
    status: smallint('status').notNull().default(1),
    applicantName: text('applicant_name').notNull(),
    organisation: text('organisation').notNull(),
    phone: text('phone').notNull(),
    email: text('email').notNull(),
    project: text('project').notNull(),
    cpuHours: integer('cpu_hours').notNull(),
    purpose: text('purpose').notNull(),
    /** ResourceApplyTarget of the contract; null: the time is for nothing in particular. */
    target: smallint('target'),
    softwareID: integer('software_id').references(() => software.id, { onDelete: 'set null' }),
    /** Why it was rejected; null in every other state. */
    reason: text('reason'),
    /** Moves at every change, so that applicant and staff do not overwrite each other. */
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    /** What staff find it by, in lower case. */
    words: text('words')
      .notNull()
      .generatedAlwaysAs(
        sql`lower(project || ' ' || applicant_name || ' ' || organisation || ' ' || email || ' ' || phone)`,
      ),
  },
  (table) => [
    check('resource_apply_status', sql`${table.status} between 1 and 3`),
    check('resource_apply_target', sql`${table.target} between 1 and 2`),
    check('resource_apply_reason', sql`(${table.status} = 3) = (${table.reason} is not null)`),
    // One of a user waits at a centre, also when two windows apply at once.
    uniqueIndex('resource_apply_waiting')
      .on(table.userID, table.centreID)
      .where(sql`status = 1`),
    index('resource_apply_user').on(table.userID, table.id),
    index('resource_apply_centre').on(table.centreID, table.status),
    index('resource_apply_created').on(table.createdAt, table.id),
    index('resource_apply_words').using('gin', sql`${table.words} gin_trgm_ops`),
  ],
);

/** What happened to an application: who, when, why. */
export const resourceSteps = pgTable(
  'resource_step',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    applyID: integer('apply_id')
      .notNull()
      .references(() => resourceApplies.id, { onDelete: 'cascade' }),
    /** null once the account is gone. */
    userID: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Whether it was done in the name of the centre. */
    isStaff: boolean('is_staff').notNull(),
    /** One of RESOURCE_STEPS of the contract. */
    step: text('step').notNull(),
    /** The state that it led to. */
    status: smallint('status').notNull(),
    reason: text('reason'),
    at: at('at').notNull(),
  },
  (table) => [
    index('resource_step_apply').on(table.applyID, table.id),
    index('resource_step_user').on(table.userID),
  ],
);

/** Account information: one sealed text, apart from the application so that no list reads it. */
export const resourceAccounts = pgTable('resource_account', {
  applyID: integer('apply_id')
    .primaryKey()
    .references(() => resourceApplies.id, { onDelete: 'cascade' }),
  sealed: text('sealed').notNull(),
  updatedAt: at('updated_at').notNull(),
});
