import { and, eq, inArray, sql } from 'drizzle-orm';
import { SETTING_GROUPS, type SettingGroup } from '@hypercube/contract';
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

/** Where a group lies; the limits were there before there were groups. */
export const keyOf = (group: SettingGroup): string =>
  group === 'limits' ? 'settings' : `settings.${group}`;

export interface GroupRow {
  readonly value: unknown;
  readonly version: number;
  readonly updatedAt: Date;
  /** Nickname. */
  readonly updatedBy: string | null;
}

/** The groups as they were written; one that was never set is not among them. */
export async function findGroupRows(db: Executor): Promise<Map<SettingGroup, GroupRow>> {
  const rows = await db
    .select({
      key: settings.key,
      value: settings.value,
      version: settings.version,
      updatedAt: settings.updatedAt,
      updatedBy: users.nickname,
    })
    .from(settings)
    .leftJoin(users, eq(users.id, settings.updatedBy))
    .where(inArray(settings.key, SETTING_GROUPS.map(keyOf)));
  const byKey = new Map(rows.map(({ key, ...row }) => [key, row]));
  return new Map(
    SETTING_GROUPS.flatMap((group) => {
      const row = byKey.get(keyOf(group));
      return row === undefined ? [] : [[group, row] as const];
    }),
  );
}

/**
 * Writes a group over that of `version`; 0 stands for nothing set yet.
 * @returns whether it was written: false when somebody else came first
 */
export async function writeGroupRow(
  db: Executor,
  group: SettingGroup,
  version: number,
  values: { value: unknown; updatedAt: Date; updatedBy: number },
): Promise<boolean> {
  const key = keyOf(group);
  const rows =
    version === 0
      ? await db
          .insert(settings)
          .values({ key, ...values })
          .onConflictDoNothing()
          .returning({ key: settings.key })
      : await db
          .update(settings)
          .set({ ...values, version: sql`${settings.version} + 1` })
          .where(and(eq(settings.key, key), eq(settings.version, version)))
          .returning({ key: settings.key });
  return rows.length > 0;
}
