/** The first accounts: one for every user type, made once on an empty installation. */
import { randomInt } from 'node:crypto';
import { ACCOUNT_LIMITS, UserType } from '@hypercube/contract';
import type { Database } from '../../platform/database/database.ts';
import { seedPerson } from '../course/course.service.ts';
import { seedCentre } from '../user/user.admin.service.ts';
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
    roles: ['student'],
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

/** What the first accounts have to do with the first courses; the assistant's role comes from there. */
const FIRST_PEOPLE = [
  { slug: 'parallel-programming', username: 'teacher', role: 'owner' },
  { slug: 'parallel-programming', username: 'assistant', role: 'assistant' },
  { slug: 'parallel-programming', username: 'student', role: 'member' },
  { slug: 'parallel-programming', username: 'graduate', role: 'member' },
  { slug: 'mpi-practice', username: 'teacher', role: 'owner' },
] as const;

/** Where one can apply for machine time until an admin names the real ones, and who answers there. */
const FIRST_CENTRE = {
  username: 'manager',
  nameZh: '示例超算中心',
  nameEn: 'Sample supercomputing centre',
} as const;

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
      const userID = await createAccount(tx, {
        ...account,
        email: `${account.username}@hypercube.local`,
        password: chosen,
        roles,
      });
      for (const { slug, role } of FIRST_PEOPLE.filter((one) => one.username === account.username))
        await seedPerson(tx, { slug, userID, role }, new Date());
      if (account.username === FIRST_CENTRE.username) await seedCentre(tx, FIRST_CENTRE, userID);
      made.push({ username: account.username, password: chosen });
    }
  });
  return made;
}
