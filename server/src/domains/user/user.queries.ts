import { and, eq, ne, or, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { loginGuesses, loginSessions, userRoles, users } from './user.schema.ts';

export type UserRow = typeof users.$inferSelect;

const roleNames = sql<
  string[]
>`coalesce((select array_agg(r.role order by r.role) from user_role r where r.user_id = user_account.id), '{}')`;

/** An account by username or e-mail, whatever the case. */
export async function findUserByName(db: Executor, name: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(
      or(
        sql`lower(${users.username}) = lower(${name})`,
        sql`lower(${users.email}) = lower(${name})`,
      ),
    )
    .limit(1);
  return row;
}

export async function findUser(
  db: Executor,
  userID: number,
): Promise<(UserRow & { roles: string[] }) | undefined> {
  const [row] = await db
    .select({ user: users, roles: roleNames })
    .from(users)
    .where(eq(users.id, userID));
  return row && { ...row.user, roles: row.roles };
}

export interface LoginRow {
  readonly loginSessionID: number;
  readonly expiresAt: Date;
  readonly user: UserRow;
  readonly roles: string[];
}

/** The login session of a token, with its account; whether it has expired is the caller's to say. */
export async function findLoginSession(
  db: Executor,
  tokenHash: string,
): Promise<LoginRow | undefined> {
  const [row] = await db
    .select({
      loginSessionID: loginSessions.id,
      expiresAt: loginSessions.expiresAt,
      user: users,
      roles: roleNames,
    })
    .from(loginSessions)
    .innerJoin(users, eq(users.id, loginSessions.userID))
    .where(eq(loginSessions.tokenHash, tokenHash));
  return row;
}

export async function insertLoginSession(
  db: Executor,
  row: typeof loginSessions.$inferInsert,
): Promise<void> {
  await db.insert(loginSessions).values(row);
}

export async function deleteLoginSession(db: Executor, tokenHash: string): Promise<void> {
  await db.delete(loginSessions).where(eq(loginSessions.tokenHash, tokenHash));
}

export async function deleteOtherLoginSessions(
  db: Executor,
  userID: number,
  keptID: number,
): Promise<void> {
  await db
    .delete(loginSessions)
    .where(and(eq(loginSessions.userID, userID), ne(loginSessions.id, keptID)));
}

export async function deleteExpiredLoginSessions(db: Executor, now: Date): Promise<void> {
  await db.delete(loginSessions).where(sql`${loginSessions.expiresAt} < ${now}`);
}

export async function updatePassword(
  db: Executor,
  userID: number,
  passwordHash: string,
): Promise<void> {
  await db.update(users).set({ passwordHash }).where(eq(users.id, userID));
}

/** Counts one guess in a window and says how many there are now and when the window began. */
export async function countGuess(
  db: Executor,
  key: string,
  now: Date,
  windowSeconds: number,
): Promise<{ count: number; windowStartedAt: Date }> {
  const isOver = sql`${loginGuesses.windowStartedAt} < ${now}::timestamptz - make_interval(secs => ${windowSeconds})`;
  const [row] = await db
    .insert(loginGuesses)
    .values({ key, count: 1, windowStartedAt: now })
    .onConflictDoUpdate({
      target: loginGuesses.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${loginGuesses.count} + 1 end`,
        windowStartedAt: sql`case when ${isOver} then ${now}::timestamptz else ${loginGuesses.windowStartedAt} end`,
      },
    })
    .returning({ count: loginGuesses.count, windowStartedAt: loginGuesses.windowStartedAt });
  if (!row) throw new Error('the guess was not counted');
  return row;
}

export async function clearGuesses(db: Executor, key: string): Promise<void> {
  await db.delete(loginGuesses).where(eq(loginGuesses.key, key));
}

export async function insertUser(
  db: Executor,
  row: typeof users.$inferInsert,
  roles: readonly string[],
): Promise<number> {
  const [made] = await db.insert(users).values(row).returning({ id: users.id });
  if (!made) throw new Error('the account was not made');
  if (roles.length > 0)
    await db.insert(userRoles).values(roles.map((role) => ({ userID: made.id, role })));
  return made.id;
}

export async function countUsers(db: Executor): Promise<number> {
  return db.$count(users);
}
