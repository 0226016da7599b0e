import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import type { ExternalIdentity } from '../../engines/sso/provider.ts';
import type { Executor } from '../../platform/database/database.ts';
import { users } from '../user/user.schema.ts';
import { ssoAttempts, userIdentities } from './sso.schema.ts';

export type IdentityRow = typeof userIdentities.$inferSelect;
export type AttemptRow = typeof ssoAttempts.$inferSelect;

export async function insertAttempt(
  db: Executor,
  row: typeof ssoAttempts.$inferInsert,
): Promise<void> {
  await db.insert(ssoAttempts).values(row);
}

/** Takes an attempt that waits for the provider: the second one who asks finds nothing. */
export async function takeAttempt(
  db: Executor,
  tokenHash: string,
  provider: string,
  now: Date,
): Promise<AttemptRow | undefined> {
  const [row] = await db
    .delete(ssoAttempts)
    .where(
      and(
        eq(ssoAttempts.tokenHash, tokenHash),
        eq(ssoAttempts.provider, provider),
        isNull(ssoAttempts.identity),
        gt(ssoAttempts.expiresAt, now),
      ),
    )
    .returning();
  return row;
}

/** An attempt whose provider has told who it is, and that waits for an account. */
export async function findPending(
  db: Executor,
  tokenHash: string,
  now: Date,
): Promise<(AttemptRow & { identity: ExternalIdentity }) | undefined> {
  const [row] = await db
    .select()
    .from(ssoAttempts)
    .where(
      and(
        eq(ssoAttempts.tokenHash, tokenHash),
        isNotNull(ssoAttempts.identity),
        gt(ssoAttempts.expiresAt, now),
      ),
    );
  return row?.identity ? { ...row, identity: row.identity } : undefined;
}

/** @returns whether it was still there: it serves once */
export async function deleteAttempt(db: Executor, tokenHash: string): Promise<boolean> {
  const rows = await db
    .delete(ssoAttempts)
    .where(eq(ssoAttempts.tokenHash, tokenHash))
    .returning({ tokenHash: ssoAttempts.tokenHash });
  return rows.length > 0;
}

export async function deleteExpiredAttempts(db: Executor, now: Date): Promise<void> {
  await db.delete(ssoAttempts).where(lt(ssoAttempts.expiresAt, now));
}

/** The account that an identity opens. */
export async function findAccountOf(
  db: Executor,
  provider: string,
  subject: string,
): Promise<{ id: number; disabledAt: Date | null; identityID: number } | undefined> {
  const [row] = await db
    .select({ id: users.id, disabledAt: users.disabledAt, identityID: userIdentities.id })
    .from(userIdentities)
    .innerJoin(users, eq(users.id, userIdentities.userID))
    .where(and(eq(userIdentities.provider, provider), eq(userIdentities.subject, subject)));
  return row;
}

export async function insertIdentity(
  db: Executor,
  row: typeof userIdentities.$inferInsert,
): Promise<void> {
  await db.insert(userIdentities).values(row);
}

/** Notes a use, and how the provider calls the person by now. */
export async function noteUse(
  db: Executor,
  identityID: number,
  name: string,
  now: Date,
): Promise<void> {
  await db
    .update(userIdentities)
    .set({ lastUsedAt: now, name })
    .where(eq(userIdentities.id, identityID));
}

export async function listIdentities(db: Executor, userID: number): Promise<IdentityRow[]> {
  return db
    .select()
    .from(userIdentities)
    .where(eq(userIdentities.userID, userID))
    .orderBy(userIdentities.provider);
}

export async function findIdentitiesOf(
  db: Executor,
  userID: number,
  ids: readonly number[],
): Promise<IdentityRow[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(userIdentities)
    .where(and(eq(userIdentities.userID, userID), inArray(userIdentities.id, [...ids])));
}

/**
 * Removes an identity while another way into the account is left: a password, or another identity.
 * The account is locked meanwhile, so that two removals cannot each count on the other.
 * @returns whether it was removed
 */
export async function deleteIdentityUnlessLast(db: Executor, row: IdentityRow): Promise<boolean> {
  const [account] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, row.userID))
    .for('update');
  const [others] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(userIdentities)
    .where(and(eq(userIdentities.userID, row.userID), ne(userIdentities.id, row.id)));
  if ((account?.passwordHash ?? null) === null && (others?.count ?? 0) === 0) return false;
  await db.delete(userIdentities).where(eq(userIdentities.id, row.id));
  return true;
}
