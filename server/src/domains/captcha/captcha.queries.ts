import { and, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { settings } from '../setting/setting.schema.ts';
import { captchaChallenges } from './captcha.schema.ts';

export type ChallengeRow = typeof captchaChallenges.$inferSelect;

/** Keeps a value of the installation that must never change; the first process to come writes it. */
export async function writeKeyOnce(db: Executor, key: string, value: string): Promise<void> {
  await db.insert(settings).values({ key, value }).onConflictDoNothing();
}

export const countChallenges = (db: Executor, addressHash: string, since: Date): Promise<number> =>
  db.$count(
    captchaChallenges,
    and(eq(captchaChallenges.addressHash, addressHash), gt(captchaChallenges.createdAt, since)),
  );

export async function insertChallenge(
  db: Executor,
  row: typeof captchaChallenges.$inferInsert,
): Promise<void> {
  await db.insert(captchaChallenges).values(row);
}

/** Takes the one answer of a challenge; nobody else can answer it afterwards. */
export async function takeAnswer(
  db: Executor,
  id: string,
  scene: string,
  now: Date,
): Promise<ChallengeRow | undefined> {
  const [row] = await db
    .update(captchaChallenges)
    .set({ answeredAt: now })
    .where(
      and(
        eq(captchaChallenges.id, id),
        eq(captchaChallenges.scene, scene),
        isNull(captchaChallenges.answeredAt),
        gt(captchaChallenges.expiresAt, now),
      ),
    )
    .returning();
  return row;
}

/** Notes that it was passed, by the hash of its token, and until when that holds. */
export async function passChallenge(
  db: Executor,
  id: string,
  tokenHash: string,
  expiresAt: Date,
): Promise<void> {
  await db
    .update(captchaChallenges)
    .set({ tokenHash, expiresAt })
    .where(eq(captchaChallenges.id, id));
}

/** Uses a passed challenge up: of two that try at once, one gets it. */
export async function usePass(
  db: Executor,
  id: string,
  now: Date,
): Promise<ChallengeRow | undefined> {
  const [row] = await db
    .update(captchaChallenges)
    .set({ usedAt: now })
    .where(
      and(
        eq(captchaChallenges.id, id),
        isNotNull(captchaChallenges.tokenHash),
        isNull(captchaChallenges.usedAt),
        gt(captchaChallenges.expiresAt, now),
      ),
    )
    .returning();
  return row;
}

export async function deleteExpiredChallenges(db: Executor, before: Date): Promise<void> {
  await db.delete(captchaChallenges).where(lt(captchaChallenges.expiresAt, before));
}
