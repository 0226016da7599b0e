import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import type { ExternalIdentity } from '../../engines/sso/provider.ts';
import { users } from '../user/user.schema.ts';

/** Accounts of other sites that open one of ours. */
export const userIdentities = pgTable(
  'user_identity',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text('provider').notNull(),
    /** What the provider calls the account for ever; never shown. */
    subject: text('subject').notNull(),
    /** As the provider calls the person, for the owner to recognise. */
    name: text('name').notNull(),
    createdAt: at('created_at').notNull(),
    lastUsedAt: at('last_used_at'),
  },
  (table) => [
    unique('user_identity_subject').on(table.provider, table.subject),
    unique('user_identity_user').on(table.userID, table.provider),
    check('user_identity_provider', sql`${table.provider} in ('arose', 'scnet')`),
  ],
);

/**
 * A sign-on under way, from the button until there is an account. The browser holds a random token
 * in a cookie, this table its SHA-256: nothing of the flow is written by the browser, and a row
 * that is taken serves no second time.
 */
export const ssoAttempts = pgTable(
  'sso_attempt',
  {
    tokenHash: text('token_hash').primaryKey(),
    provider: text('provider').notNull(),
    state: text('state').notNull(),
    nonce: text('nonce').notNull(),
    verifier: text('verifier').notNull(),
    /** The address of ours to which the provider sends the browser back. */
    callback: text('callback').notNull(),
    redirect: text('redirect').notNull(),
    /** The account to which the identity is added; null when somebody signs in. */
    userID: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Set once the provider has told who it is, while an account is chosen. */
    identity: jsonb('identity').$type<ExternalIdentity>(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [index('sso_attempt_expires').on(table.expiresAt)],
);
