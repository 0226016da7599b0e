import { eq, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { loginSessions, users } from './user.schema.ts';

/** Whether an account has the username, whatever the case. */
export async function isUsernameTaken(db: Executor, username: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.username}) = lower(${username})`);
  return rows.length > 0;
}

/** The account of an address, whatever the case. */
export async function findUsernameOf(db: Executor, email: string): Promise<string | undefined> {
  const [row] = await db
    .select({ username: users.username })
    .from(users)
    .where(sql`lower(${users.email}) = lower(${email})`);
  return row?.username;
}

/** Ends every login session of an account. */
export async function deleteLoginSessions(db: Executor, userID: number): Promise<void> {
  await db.delete(loginSessions).where(eq(loginSessions.userID, userID));
}
