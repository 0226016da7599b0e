import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';

/** Accounts. */
export const users = pgTable(
  'user_account',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    username: text('username').notNull(),
    email: text('email').notNull(),
    nickname: text('nickname').notNull(),
    realName: text('real_name'),
    phone: text('phone'),
    gender: smallint('gender'),
    organisation: text('organisation'),
    studentID: text('student_id'),
    /** UserType of the contract. */
    type: smallint('type').notNull(),
    /** TeacherApplyStatus of the contract. */
    applyStatus: smallint('apply_status').notNull().default(0),
    /** null: the account was made by single sign-on, and nobody has set one. */
    passwordHash: text('password_hash'),
    language: text('language'),
    /** `light`, `dark` or `system`; null until the user chose. */
    theme: text('theme'),
    /** Where the organisation is: ISO 3166-2 within China (`CN-BJ`), else the country (`US`). */
    region: text('region'),
    /** Why a teacher application was rejected, in the reviewer's words. */
    applyReason: text('apply_reason'),
    appliedAt: at('applied_at'),
    /** When the picture was last set; null while there is none. */
    avatarAt: at('avatar_at'),
    /** What the user wants to hear of and how, by kind; what is missing is the default. */
    notificationChoices: jsonb('notification_choices').notNull().default({}),
    /** Moves at every change by staff, so that two of them do not overwrite each other. */
    version: integer('version').notNull().default(1),
    lastSeenAt: at('last_seen_at'),
    disabledAt: at('disabled_at'),
    createdAt: at('created_at').notNull().defaultNow(),
    /**
     * What staff find an account by, kept in lower case: two Chinese characters are too few for
     * trigrams, and a plain comparison of bytes is quick enough over all accounts.
     */
    words: text('words')
      .notNull()
      .generatedAlwaysAs(
        sql`lower(username || ' ' || nickname || ' ' || email || ' ' || coalesce(real_name, '') || ' ' || coalesce(organisation, '') || ' ' || coalesce(student_id, '') || ' ' || coalesce(phone, ''))`,
      ),
  },
  (table) => [
    // Nobody may register Admin beside admin.
    uniqueIndex('user_account_username').on(sql`lower(${table.username})`),
    uniqueIndex('user_account_email').on(sql`lower(${table.email})`),
    // The orders and filters of the admin list.
    index('user_account_created').on(table.createdAt, table.id),
    index('user_account_organisation').on(sql`coalesce(${table.organisation}, '')`, table.id),
    index('user_account_seen').on(table.lastSeenAt.desc().nullsLast(), table.id.desc()),
    index('user_account_type_created').on(table.type, table.createdAt, table.id),
    index('user_account_waiting')
      .on(table.createdAt, table.id)
      .where(sql`apply_status = 1`),
    index('user_account_disabled')
      .on(table.createdAt, table.id)
      .where(sql`disabled_at is not null`),
    index('user_account_words').using('gin', sql`${table.words} gin_trgm_ops`),
    check('user_account_type', sql`${table.type} between 1 and 5`),
    check('user_account_apply_status', sql`${table.applyStatus} between 0 and 3`),
  ],
);

/** Functional roles of an account; `anonymous` belongs to everybody and is not stored. */
export const userRoles = pgTable(
  'user_role',
  {
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userID, table.role] }),
    index('user_role_role').on(table.role, table.userID),
    check(
      'user_role_role',
      sql`${table.role} in ('student', 'machine_admin', 'assistant', 'teacher', 'admin')`,
    ),
  ],
);

/** Login sessions. The cookie holds a random token, this table its SHA-256. */
export const loginSessions = pgTable(
  'login_session',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    tokenHash: text('token_hash').notNull().unique(),
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** What the browser called itself, shortened; for the list of one's own devices. */
    userAgent: text('user_agent'),
    address: text('address'),
    lastSeenAt: at('last_seen_at'),
  },
  (table) => [index('login_session_user').on(table.userID)],
);

/** Wrong guesses per account name and per address, shared by all web processes. It is unlogged. */
export const loginGuesses = pgTable('login_guess', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  windowStartedAt: at('window_started_at').notNull(),
});
