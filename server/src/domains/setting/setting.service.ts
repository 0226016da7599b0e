/** Values that the installation keeps for itself. */
import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { settings } from './setting.schema.ts';

export async function findSetting(db: Executor, key: string): Promise<unknown> {
  const [row] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.key, key));
  return row?.value;
}

export async function writeSetting(db: Executor, key: string, value: unknown): Promise<void> {
  await db
    .insert(settings)
    .values({ key, value })
    .onConflictDoUpdate({ target: settings.key, set: { value } });
}
