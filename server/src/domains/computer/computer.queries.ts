import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { computers } from './computer.schema.ts';

export type ComputerRow = typeof computers.$inferSelect;

const isKept = isNull(computers.deletedAt);

export const findComputers = (
  db: Executor,
  ids: readonly number[],
  userID: number,
): Promise<ComputerRow[]> =>
  db
    .select()
    .from(computers)
    .where(and(inArray(computers.id, [...ids]), eq(computers.userID, userID), isKept));

export async function findComputerOf(
  db: Executor,
  userID: number,
): Promise<ComputerRow | undefined> {
  const [row] = await db
    .select()
    .from(computers)
    .where(and(eq(computers.userID, userID), isKept));
  return row;
}

/** @returns undefined when the user has one already */
export async function insertComputer(
  db: Executor,
  values: Pick<ComputerRow, 'userID' | 'specificationID' | 'name'>,
): Promise<ComputerRow | undefined> {
  const [row] = await db.insert(computers).values(values).onConflictDoNothing().returning();
  return row;
}

export async function changeComputer(
  db: Executor,
  computerID: number,
  values: Partial<Pick<ComputerRow, 'homeBytes' | 'lastStartedAt' | 'deletedAt'>>,
): Promise<void> {
  await db.update(computers).set(values).where(eq(computers.id, computerID));
}

/** Deleted ones that nothing holds any more: their home folders may go. */
export const listDeletable = (db: Executor): Promise<{ id: number }[]> =>
  db
    .select({ id: computers.id })
    .from(computers)
    .where(
      and(
        isNotNull(computers.deletedAt),
        sql`not exists (select 1 from usage u where u.computer_id = computer.id and u.removed_at is null)`,
      ),
    );

export async function deleteComputerRow(db: Executor, computerID: number): Promise<void> {
  await db.delete(computers).where(eq(computers.id, computerID));
}
