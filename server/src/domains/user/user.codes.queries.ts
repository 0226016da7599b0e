import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { userCodes } from './user.codes.schema.ts';

export type CodeRow = typeof userCodes.$inferSelect;

/** Holds up whoever sends to the same address for the same purpose until the transaction ends. */
export async function lockAddress(tx: Executor, purpose: string, email: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`code:${purpose}:${email}`}, 0))`,
  );
}

/** When the last one was made that went to this address, and how many were made since a moment. */
export async function countCodes(
  db: Executor,
  purpose: string,
  email: string,
  since: Date,
): Promise<{ count: number; lastAt: Date | null }> {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      // The driver's own parsing of moments does not reach into an expression.
      lastMs: sql<number | null>`(extract(epoch from max(${userCodes.createdAt})) * 1000)::float8`,
    })
    .from(userCodes)
    .where(
      and(
        eq(userCodes.purpose, purpose),
        eq(userCodes.email, email),
        gt(userCodes.createdAt, since),
      ),
    );
  const lastMs = row?.lastMs ?? null;
  return { count: row?.count ?? 0, lastAt: lastMs === null ? null : new Date(lastMs) };
}

/** A new one replaces those before it: only the last mail counts. */
export async function insertCode(
  tx: Executor,
  row: typeof userCodes.$inferInsert & { createdAt: Date },
): Promise<void> {
  await tx
    .update(userCodes)
    .set({ usedAt: row.createdAt })
    .where(
      and(
        eq(userCodes.purpose, row.purpose),
        eq(userCodes.email, row.email),
        isNull(userCodes.usedAt),
      ),
    );
  await tx.insert(userCodes).values(row);
}

/** Counts one guess at the code that holds for an address, and reads it. */
export async function guessCode(
  db: Executor,
  purpose: string,
  email: string,
  now: Date,
  guesses: number,
): Promise<CodeRow | undefined> {
  const [row] = await db
    .update(userCodes)
    .set({ attempts: sql`${userCodes.attempts} + 1` })
    .where(
      and(
        eq(userCodes.purpose, purpose),
        eq(userCodes.email, email),
        isNull(userCodes.usedAt),
        gt(userCodes.expiresAt, now),
        lt(userCodes.attempts, guesses),
      ),
    )
    .returning();
  return row;
}

/** The link of a token that still holds. */
export async function findLink(
  db: Executor,
  purpose: string,
  hash: string,
  now: Date,
): Promise<CodeRow | undefined> {
  const [row] = await db
    .select()
    .from(userCodes)
    .where(
      and(
        eq(userCodes.purpose, purpose),
        eq(userCodes.hash, hash),
        isNull(userCodes.usedAt),
        gt(userCodes.expiresAt, now),
      ),
    )
    .orderBy(desc(userCodes.id))
    .limit(1);
  return row;
}

/** Uses one up. @returns whether it was there to be used: false when somebody else came first */
export async function spendCode(tx: Executor, id: number, now: Date): Promise<boolean> {
  const rows = await tx
    .update(userCodes)
    .set({ usedAt: now })
    .where(and(eq(userCodes.id, id), isNull(userCodes.usedAt)))
    .returning({ id: userCodes.id });
  return rows.length > 0;
}

/** Those that are over count for no limit any more. */
export async function deleteOldCodes(db: Executor, before: Date): Promise<void> {
  await db.delete(userCodes).where(lt(userCodes.expiresAt, before));
}
