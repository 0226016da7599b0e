/** The first accounts: one for every user type, made once on an empty installation. */
import { randomInt } from 'node:crypto';
import { ACCOUNT_LIMITS, UserType } from '@hypercube/contract';
import type { Database } from '../../platform/database/database.ts';
import { createAccount, hasAccounts } from '../user/user.service.ts';

const FIRST = [
  {
    username: 'admin',
    type: UserType.admin,
    nickname: '管理员',
    roles: ['student', 'teacher', 'admin'],
  },
  {
    username: 'teacher',
    type: UserType.teacher,
    nickname: '王老师',
    roles: ['student', 'teacher'],
    applyStatus: 2,
  },
  {
    username: 'assistant',
    type: UserType.graduate,
    nickname: '助教',
    roles: ['student', 'assistant'],
  },
  {
    username: 'manager',
    type: UserType.machineAdmin,
    nickname: '机时管理员',
    roles: ['student', 'machine_admin'],
  },
  { username: 'graduate', type: UserType.graduate, nickname: '研究生', roles: ['student'] },
  { username: 'student', type: UserType.undergraduate, nickname: '林同学', roles: ['student'] },
  { username: 'student2', type: UserType.undergraduate, nickname: '陈同学', roles: ['student'] },
] as const;

/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const randomPassword = (): string =>
  Array.from({ length: 14 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

export interface FirstAccount {
  readonly username: string;
  readonly password: string;
}

/**
 * Makes the first accounts where there are none yet.
 * @param password for all of them; without it each gets its own random one
 * @returns what to print once; empty when accounts exist
 */
export async function createFirstAccounts(
  database: Database,
  password: string | undefined,
): Promise<FirstAccount[]> {
  if (await hasAccounts(database)) return [];
  if (
    password !== undefined &&
    (password.length < ACCOUNT_LIMITS.passwordMin || password.length > ACCOUNT_LIMITS.passwordMax)
  ) {
    throw new Error(
      `HC_DEMO_PASSWORD: ${ACCOUNT_LIMITS.passwordMin} to ${ACCOUNT_LIMITS.passwordMax} characters`,
    );
  }
  const made: FirstAccount[] = [];
  await database.transaction(async (tx) => {
    for (const { roles, ...account } of FIRST) {
      const chosen = password ?? randomPassword();
      await createAccount(tx, {
        ...account,
        email: `${account.username}@hypercube.local`,
        password: chosen,
        roles,
      });
      made.push({ username: account.username, password: chosen });
    }
  });
  return made;
}
