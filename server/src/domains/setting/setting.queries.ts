import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { users } from '../user/user.schema.ts';
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

/** Where the admins' settings lie. */
const KEY = 'settings';

export interface SettingsRow {
  readonly value: unknown;
  readonly version: number;
  readonly updatedAt: Date;
  /** Nickname. */
  readonly updatedBy: string | null;
}

/** The admins' settings as they were written; undefined when nothing was ever set. */
export async function findSettingsRow(db: Executor): Promise<SettingsRow | undefined> {
  const [row] = await db
    .select({
      value: settings.value,
      version: settings.version,
      updatedAt: settings.updatedAt,
      updatedBy: users.nickname,
    })
    .from(settings)
    .leftJoin(users, eq(users.id, settings.updatedBy))
    .where(eq(settings.key, KEY));
  return row;
}

/**
 * Writes the admins' settings over those of `version`; 0 stands for nothing set yet.
 * @returns whether they were written: false when somebody else came first
 */
export async function writeSettingsRow(
  db: Executor,
  version: number,
  values: { value: unknown; updatedAt: Date; updatedBy: number },
): Promise<boolean> {
  const rows =
    version === 0
      ? await db
          .insert(settings)
          .values({ key: KEY, ...values })
          .onConflictDoNothing()
          .returning({ key: settings.key })
      : await db
          .update(settings)
          .set({ ...values, version: sql`${settings.version} + 1` })
          .where(and(eq(settings.key, KEY), eq(settings.version, version)))
          .returning({ key: settings.key });
  return rows.length > 0;
}
