/**
 * Addresses of containers hold for one boot of their machine. After a restart of it they belong to
 * nobody, or to somebody: what is sent there would leave by the machine's way to the outside. So
 * they are forgotten before the first request is answered, and the worker finds out what still runs.
 */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { and, isNotNull, isNull } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { findSetting, writeSetting } from '../setting/setting.service.ts';
import { usages } from './usage.schema.ts';

/** The kernel's number of this boot; undefined where it has none. */
export const readBootID = async (): Promise<string | undefined> =>
  (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim() || undefined;

/**
 * Forgets the addresses of an earlier boot of this machine.
 * @returns how many were forgotten
 */
export async function forgetEarlierBoot(
  database: Database,
  bootID: string | undefined,
): Promise<number> {
  if (bootID === undefined) return 0;
  const key = `boot ${hostname()}`;
  return database.transaction(async (tx) => {
    const before = await findSetting(tx, key);
    if (before === bootID) return 0;
    await writeSetting(tx, key, bootID);
    if (before === undefined) return 0;
    const { rowCount } = await tx
      .update(usages)
      .set({ address: null })
      .where(and(isNull(usages.endedAt), isNotNull(usages.address)));
    return rowCount ?? 0;
  });
}
