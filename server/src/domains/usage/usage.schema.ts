import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  real,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { computers } from '../computer/computer.schema.ts';
import { labTasks, labs } from '../lab/lab.schema.ts';
import { software } from '../software/software.schema.ts';
import { specifications } from '../specification/specification.schema.ts';
import { loginSessions, users } from '../user/user.schema.ts';

/** One node as it was when the usage was made; later changes of the specification do not touch it. */
export interface UsageNode {
  name: string;
  /** Id of the image; its reference is read when the node is created. */
  imageID: number;
  /** Reference in the engine's store from which it was created; absent until then. */
  reference?: string;
  cpus: number;
  memoryBytes: number;
  diskBytes: number;
  shmBytes: number;
  pids: number;
}

/**
 * Usages. State, cause and deadline live here and nowhere else. `wanted` is what the user asked
 * for; the worker brings the containers there and writes down how far it got.
 */
export const usages = pgTable(
  'usage',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** UsageStatus of the contract. */
    status: smallint('status').notNull().default(1),
    phase: text('phase').notNull().default('queued'),
    wanted: text('wanted').notNull().default('run'),
    /** Moves at every change; answers carry it. */
    version: integer('version').notNull().default(1),
    /** Unix seconds of the last start or renewal (decision 1). */
    renewalTime: bigint('renewal_time', { mode: 'number' }).notNull(),
    lifetimeSeconds: integer('lifetime_seconds').notNull(),
    /** Unix seconds at which it ends while it runs. */
    deadlineTime: bigint('deadline_time', { mode: 'number' })
      .notNull()
      .generatedAlwaysAs(sql`renewal_time + lifetime_seconds`),
    /** SessionType of the contract. */
    type: smallint('type').notNull(),
    titleZh: text('title_zh').notNull(),
    titleEn: text('title_en').notNull(),
    /** Language of the environment's own pages, chosen when it was opened. */
    language: text('language').notNull().default('zh-CN'),
    routeName: text('route_name').notNull(),
    routePath: text('route_path').notNull(),
    labID: integer('lab_id').references(() => labs.id, { onDelete: 'set null' }),
    taskID: integer('task_id').references(() => labTasks.id, { onDelete: 'set null' }),
    softwareID: integer('software_id').references(() => software.id, { onDelete: 'set null' }),
    /** A computer that is deleted takes its environment with it first. */
    computerID: integer('computer_id').references(() => computers.id, { onDelete: 'set null' }),
    specificationID: integer('specification_id').references(() => specifications.id, {
      onDelete: 'set null',
    }),
    nodes: jsonb('nodes').$type<UsageNode[]>().notNull(),
    /** Reserved on the host, summed over the nodes. */
    cpus: real('cpus').notNull(),
    memoryBytes: bigint('memory_bytes', { mode: 'number' }).notNull(),
    /**
     * Name of the session on the wire: it names the usage and is never dialled (decision 9). Made
     * from the id, so that it outlives a restart of the container, whose own address may change;
     * 100.64.0.0/10 is the range that RFC 6598 keeps free for such purposes.
     */
    host: text('host')
      .notNull()
      .generatedAlwaysAs(sql`'u' || id`),
    ip: text('ip')
      .notNull()
      .generatedAlwaysAs(
        sql`'100.' || (64 + ((id >> 16) & 63)) || '.' || ((id >> 8) & 255) || '.' || (id & 255)`,
      ),
    /** Machine whose worker admitted it; null while it waits. */
    machine: text('machine'),
    /** Where the first node answers, `ip:port`; what the gateway dials. */
    address: text('address'),
    /** The frozen containers were stopped, their files kept. */
    isHeld: boolean('is_held').notNull().default(false),
    /** The `renewalTime` for which the message inside the desktop was shown already. */
    remindedFor: bigint('reminded_for', { mode: 'number' }),
    /** What the personal folder held when it was looked at last, and at first. */
    storageBytes: bigint('storage_bytes', { mode: 'number' }),
    storageBase: bigint('storage_base', { mode: 'number' }),
    /** The last of the further nodes that died, and whether it was started again. */
    lostNode: text('lost_node'),
    lostNodeAt: at('lost_node_at'),
    isLostNodeBack: boolean('is_lost_node_back').notNull().default(false),
    cause: text('cause'),
    reasonCode: text('reason_code'),
    reasonParams: jsonb('reason_params').$type<Record<string, unknown>>(),
    /** Worker that acts on it now; ends with the worker's connection or at `claimed_until`. */
    claimedBy: uuid('claimed_by'),
    claimedUntil: at('claimed_until'),
    createdAt: at('created_at').notNull(),
    creatingAt: at('creating_at'),
    startingAt: at('starting_at'),
    waitingAt: at('waiting_at'),
    readyAt: at('ready_at'),
    failedAt: at('failed_at'),
    stoppedAt: at('stopped_at'),
    endedAt: at('ended_at'),
    /** Containers and network are gone and the reservation is free. */
    removedAt: at('removed_at'),
  },
  (table) => [
    // One current usage per user (decision 6), whatever races.
    uniqueIndex('usage_one_current')
      .on(table.userID)
      .where(sql`ended_at is null`),
    uniqueIndex('usage_session_name').on(table.host),
    index('usage_open')
      .on(table.id)
      .where(sql`removed_at is null`),
    index('usage_history').on(table.userID, table.endedAt),
    check('usage_status', sql`${table.status} in (1, 2)`),
    check(
      'usage_phase',
      sql`${table.phase} in ('queued', 'creating', 'starting', 'waiting', 'ready', 'failed')`,
    ),
    check('usage_wanted', sql`${table.wanted} in ('run', 'pause', 'end')`),
    check('usage_end', sql`(${table.endedAt} is null) = (${table.cause} is null)`),
  ],
);

/** Worker processes: a sign of life for /readyz. */
export const workers = pgTable('worker', {
  id: uuid('id').primaryKey(),
  startedAt: at('started_at').notNull(),
  seenAt: at('seen_at').notNull(),
  /** Host name of its machine. */
  machine: text('machine').notNull().default(''),
  /** What the worker says of its engine. */
  engineName: text('engine_name').notNull().default(''),
  engineReason: text('engine_reason'),
  isEngineReady: boolean('is_engine_ready').notNull().default(false),
});

/** Single-use tickets and the cookies they become, for a session origin of its own. */
export const sessionTickets = pgTable('session_ticket', {
  tokenHash: text('token_hash').primaryKey(),
  /** `ticket` until exchanged, then `cookie`. */
  kind: text('kind').notNull(),
  loginSessionID: integer('login_session_id')
    .notNull()
    .references(() => loginSessions.id, { onDelete: 'cascade' }),
  userID: integer('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: at('expires_at').notNull(),
});
