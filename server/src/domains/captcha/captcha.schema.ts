import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';

/** What a challenge asks for: where the gap is, or puzzles to work on. */
export type Secret =
  | { readonly kind: 'slider'; readonly gap: number }
  | {
      readonly kind: 'work';
      readonly salt: string;
      readonly puzzles: number;
      readonly bits: number;
    };

/** Challenges of the built-in human check. One takes one answer, and one that was passed one use. */
export const captchaChallenges = pgTable(
  'captcha_challenge',
  {
    /** Random; the `SessionId` of the payload. */
    id: text('id').primaryKey(),
    scene: text('scene').notNull(),
    secret: jsonb('secret').$type<Secret>().notNull(),
    /** SHA-256 of the address that asked, for its limit. */
    addressHash: text('address_hash').notNull(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    answeredAt: at('answered_at'),
    /** SHA-256 of the token that a passed challenge was given. */
    tokenHash: text('token_hash'),
    usedAt: at('used_at'),
  },
  (table) => [
    index('captcha_challenge_address').on(table.addressHash, table.createdAt),
    index('captcha_challenge_expires').on(table.expiresAt),
  ],
);
