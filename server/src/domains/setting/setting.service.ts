/** Values that the installation keeps for itself. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { settings } from './setting.schema.ts';

export async function findSetting(db: Executor, key: string): Promise<unknown> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key));
  return row?.value;
}

export async function writeSetting(db: Executor, key: string, value: unknown): Promise<void> {
  await db.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } });
}

/**
 * Name of this installation, made once: containers and networks carry it, so that two
 * installations on one host never touch each other's things.
 */
export async function getInstallationID(db: Executor): Promise<string> {
  const made = randomBytes(6).toString('hex');
  await db.insert(settings).values({ key: 'installation', value: made }).onConflictDoNothing();
  return String(await findSetting(db, 'installation'));
}
