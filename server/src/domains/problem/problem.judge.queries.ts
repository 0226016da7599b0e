/** Who judges: each worker says of itself what it can, and is forgotten when it is silent. */
import { inArray, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { problemJudges } from './problem.schema.ts';

/** One that was not heard of for so long does not judge. */
const SILENCE_SECONDS = 30;

export interface JudgeReport {
  readonly id: string;
  readonly isReady: boolean;
  readonly reason: string | null;
  readonly languages: readonly number[];
}

export async function reportJudge(db: Executor, report: JudgeReport, now: Date): Promise<void> {
  const values = { ...report, languages: [...report.languages], seenAt: now };
  await db
    .insert(problemJudges)
    .values(values)
    .onConflictDoUpdate({ target: problemJudges.id, set: values });
}

export const removeJudge = (db: Executor, id: string): Promise<unknown> =>
  db.delete(problemJudges).where(inArray(problemJudges.id, [id]));

/** Forgets those that were not heard of. */
export const sweepJudges = (db: Executor, now: Date): Promise<unknown> =>
  db
    .delete(problemJudges)
    .where(sql`${problemJudges.seenAt} < ${new Date(now.getTime() - 24 * 3600 * 1000)}`);

/** What can be judged now, by all of them together. */
export async function readJudges(db: Executor, now: Date): Promise<Omit<JudgeReport, 'id'>> {
  const rows = await db
    .select()
    .from(problemJudges)
    .where(sql`${problemJudges.seenAt} > ${new Date(now.getTime() - SILENCE_SECONDS * 1000)}`);
  const ready = rows.filter(({ isReady }) => isReady);
  return {
    isReady: ready.length > 0,
    reason: ready.length > 0 ? null : (rows[0]?.reason ?? 'no worker that judges was heard of'),
    languages: [...new Set(ready.flatMap(({ languages }) => languages))].toSorted((a, b) => a - b),
  };
}
