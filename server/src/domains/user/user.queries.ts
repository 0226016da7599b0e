import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  lt,
  ne,
  or,
  sql,
  type Placeholder,
  type SQLWrapper,
} from 'drizzle-orm';
import type { PgInsertValue } from 'drizzle-orm/pg-core';
import type { Database, Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { userCodes } from './user.codes.schema.ts';
import { loginGuesses, loginSessions, userRoles, users } from './user.schema.ts';

export type UserRow = typeof users.$inferSelect;

const roleNames = sql<
  string[]
>`coalesce((select array_agg(r.role order by r.role) from user_role r where r.user_id = user_account.id), '{}')`;

const isNamed = (name: SQLWrapper) =>
  or(sql`lower(${users.username}) = lower(${name})`, sql`lower(${users.email}) = lower(${name})`);

/** An account by username or e-mail, whatever the case. */
export async function findUserByName(db: Executor, name: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(isNamed(sql`${name}`))
    .limit(1);
  return row;
}

export interface GuessCount {
  readonly count: number;
  readonly windowStartedAt: Date;
}

export interface Recognised {
  readonly user: (UserRow & { readonly roles: string[] }) | undefined;
  readonly ofAddress: GuessCount;
  /** Null: the address has had its guesses, so this one was not counted for the account. */
  readonly ofAccount: GuessCount | null;
}

const prepareRecognition = (db: Executor) => {
  const [name, now] = [sql.placeholder('name'), sql`${sql.placeholder('now')}::timestamptz`];
  const onConflict = {
    target: loginGuesses.key,
    set: guessCounted(now, sql.placeholder('windowSeconds')),
  };
  const returned = { count: loginGuesses.count, windowStartedAt: loginGuesses.windowStartedAt };
  const ofAddress = db.$with('of_address').as(
    db
      .insert(loginGuesses)
      .values({ key: sql.placeholder('addressKey'), count: 1, windowStartedAt: now })
      .onConflictDoUpdate(onConflict)
      .returning(returned),
  );
  // An account has one count, whichever of its two names is typed.
  const accountName = sql`lower(coalesce((select ${users.username} from ${users} where ${isNamed(name)}), ${name}))`;
  const ofAccount = db.$with('of_account').as(
    db
      .insert(loginGuesses)
      .select(
        db
          .select({
            key: sql<string>`'account:' || ${accountName}`.as('key'),
            count: sql<number>`1`.as('count'),
            windowStartedAt: sql<Date>`${now}`.as('window_started_at'),
          })
          .from(ofAddress)
          .where(sql`${ofAddress.count} <= ${sql.placeholder('addressLimit')}::int`),
      )
      .onConflictDoUpdate(onConflict)
      .returning(returned),
  );
  return db
    .with(ofAddress, ofAccount)
    .select({
      user: users,
      roles: roleNames,
      ofAddress: { count: ofAddress.count, windowStartedAt: ofAddress.windowStartedAt },
      ofAccount: { count: ofAccount.count, windowStartedAt: ofAccount.windowStartedAt },
    })
    .from(ofAddress)
    .leftJoin(ofAccount, sql`true`)
    .leftJoin(users, isNamed(name))
    .limit(1)
    .prepare('recognise');
};
/** Asked at every sign-in: written and planned once for each database. */
const preparedRecognitions = new WeakMap<Database, ReturnType<typeof prepareRecognition>>();

/**
 * Finds an account by the name that somebody typed and counts the guess, of the address and, if
 * that has guesses left, of the account: one way to the database instead of three.
 */
export async function recognise(
  db: Database,
  asked: {
    readonly name: string;
    readonly addressKey: string;
    readonly addressLimit: number;
    readonly now: Date;
    readonly windowSeconds: number;
  },
): Promise<Recognised> {
  const prepared = preparedRecognitions.get(db) ?? prepareRecognition(db);
  preparedRecognitions.set(db, prepared);
  const [row] = await prepared.execute({ ...asked, now: asked.now.toISOString() });
  if (!row) throw new Error('the guess was not counted');
  const { user, roles, ofAddress, ofAccount } = row;
  return { user: user === null ? undefined : { ...user, roles }, ofAddress, ofAccount };
}

export async function findUserByEmail(
  db: Executor,
  email: string,
): Promise<{ id: number } | undefined> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = lower(${email})`);
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
  readonly lastSeenAt: Date | null;
  readonly user: UserRow;
  readonly roles: string[];
}

const prepareLoginSession = (db: Executor) =>
  db
    .select({
      loginSessionID: loginSessions.id,
      expiresAt: loginSessions.expiresAt,
      lastSeenAt: loginSessions.lastSeenAt,
      user: users,
      roles: roleNames,
    })
    .from(loginSessions)
    .innerJoin(users, eq(users.id, loginSessions.userID))
    .where(eq(loginSessions.tokenHash, sql.placeholder('tokenHash')))
    .prepare('find_login_session');
/** Asked by every browser again and again: written and planned once for each database. */
const preparedLoginSessions = new WeakMap<Database, ReturnType<typeof prepareLoginSession>>();

/** The login session of a token, with its account; whether it has expired is the caller's to say. */
export async function findLoginSession(
  db: Database,
  tokenHash: string,
): Promise<LoginRow | undefined> {
  const prepared = preparedLoginSessions.get(db) ?? prepareLoginSession(db);
  preparedLoginSessions.set(db, prepared);
  const [row] = await prepared.execute({ tokenHash });
  return row;
}

/** @returns its id */
export async function insertLoginSession(
  db: Executor,
  row: PgInsertValue<typeof loginSessions>,
): Promise<number> {
  const [made] = await db.insert(loginSessions).values(row).returning({ id: loginSessions.id });
  if (!made) throw new Error('the login session was not made');
  return made.id;
}

/** A guess that was right: what was counted for it. */
export interface TakenBack {
  readonly addressKey: string;
  readonly accountKey: string;
}

const prepareLogin = (db: Executor) => {
  const { cleared, taken } = takingBack(db, {
    addressKey: sql.placeholder('addressKey'),
    accountKey: sql.placeholder('accountKey'),
  });
  return db
    .with(cleared, taken)
    .insert(loginSessions)
    .values({
      userID: sql.placeholder('userID'),
      createdAt: sql.placeholder('createdAt'),
      expiresAt: sql.placeholder('expiresAt'),
      userAgent: sql.placeholder('userAgent'),
      address: sql.placeholder('address'),
      lastSeenAt: sql.placeholder('lastSeenAt'),
      tokenHash: sql`(select ${sql.placeholder('tokenHash')}::text from set_config('synchronous_commit', 'off', true))`,
    })
    .returning({ id: loginSessions.id })
    .prepare('begin_login');
};
const preparedLogins = new WeakMap<Database, ReturnType<typeof prepareLogin>>();

/**
 * Makes a login session and takes back what was counted before, as one statement that does not
 * wait for the disk: whoever is thrown out by a crash in this very moment signs in again. What says
 * so stands inside, since each way to the database costs as much as the row.
 * @returns its id
 */
export async function insertLoginSessionAlone(
  db: Database,
  row: typeof loginSessions.$inferInsert,
  guess: TakenBack,
): Promise<number> {
  const prepared = preparedLogins.get(db) ?? prepareLogin(db);
  preparedLogins.set(db, prepared);
  const [made] = await prepared.execute({ ...row, ...guess });
  if (!made) throw new Error('the login session was not made');
  return made.id;
}

/** @returns whose it was; undefined when there is none */
export async function deleteLoginSession(
  db: Executor,
  tokenHash: string,
): Promise<number | undefined> {
  const [row] = await db
    .delete(loginSessions)
    .where(eq(loginSessions.tokenHash, tokenHash))
    .returning({ userID: loginSessions.userID });
  return row?.userID;
}

/** Gives a login session another token. @returns when it ends; undefined when it is gone */
export async function renewLoginSession(
  db: Executor,
  loginSessionID: number,
  tokenHash: string,
): Promise<Date | undefined> {
  const [row] = await db
    .update(loginSessions)
    .set({ tokenHash })
    .where(eq(loginSessions.id, loginSessionID))
    .returning({ expiresAt: loginSessions.expiresAt });
  return row?.expiresAt;
}

/** @returns how many ended */
export async function deleteOtherLoginSessions(
  db: Executor,
  userID: number,
  keptID: number,
): Promise<number> {
  const rows = await db
    .delete(loginSessions)
    .where(and(eq(loginSessions.userID, userID), ne(loginSessions.id, keptID)))
    .returning({ id: loginSessions.id });
  return rows.length;
}

export type LoginSessionRow = typeof loginSessions.$inferSelect;

/** The living login sessions of an account, the latest seen first. */
export async function listLoginSessions(
  db: Executor,
  userID: number,
  now: Date,
): Promise<LoginSessionRow[]> {
  return db
    .select()
    .from(loginSessions)
    .where(and(eq(loginSessions.userID, userID), gt(loginSessions.expiresAt, now)))
    .orderBy(
      desc(sql`coalesce(${loginSessions.lastSeenAt}, ${loginSessions.createdAt})`),
      desc(loginSessions.id),
    );
}

export async function findLoginSessionsOf(
  db: Executor,
  userID: number,
  ids: readonly number[],
): Promise<LoginSessionRow[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(loginSessions)
    .where(and(eq(loginSessions.userID, userID), inArray(loginSessions.id, [...ids])));
}

export async function deleteLoginSessionByID(db: Executor, loginSessionID: number): Promise<void> {
  await db.delete(loginSessions).where(eq(loginSessions.id, loginSessionID));
}

/** Notes that somebody was here, unless another process has just noted it. */
export async function touchLoginSession(
  db: Executor,
  loginSessionID: number,
  userID: number,
  now: Date,
  seenBefore: Date,
): Promise<void> {
  await db
    .update(loginSessions)
    .set({ lastSeenAt: now })
    .where(
      and(
        eq(loginSessions.id, loginSessionID),
        or(isNull(loginSessions.lastSeenAt), lt(loginSessions.lastSeenAt, seenBefore)),
      ),
    );
  await noteSeen(db, userID, now, seenBefore);
}

async function noteSeen(db: Executor, userID: number, now: Date, seenBefore: Date): Promise<void> {
  await db
    .update(users)
    .set({ lastSeenAt: now })
    .where(
      and(eq(users.id, userID), or(isNull(users.lastSeenAt), lt(users.lastSeenAt, seenBefore))),
    );
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

/** What an owner changes of the own account; what is undefined stays. */
export type AccountChanges = {
  readonly [
    K in
      | 'nickname'
      | 'phone'
      | 'gender'
      | 'organisation'
      | 'region'
      | 'realName'
      | 'studentID'
      | 'language'
      | 'theme'
      | 'avatarAt'
      | 'email'
  ]?: UserRow[K] | undefined;
};

export async function updateAccount(
  db: Executor,
  userID: number,
  changes: AccountChanges,
): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return;
  await db.update(users).set(changes).where(eq(users.id, userID));
}

/** Changes the choices of some kinds; those of the others stay. */
export async function mergeNotificationChoices(
  db: Executor,
  userID: number,
  choices: object,
): Promise<void> {
  await db
    .update(users)
    .set({
      notificationChoices: sql`${users.notificationChoices} || ${JSON.stringify(choices)}::jsonb`,
    })
    .where(eq(users.id, userID));
}

/** Ends the links for a new password that went to an account's address. */
export async function endResetLinks(db: Executor, userID: number, now: Date): Promise<void> {
  await db
    .update(userCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(userCodes.userID, userID),
        eq(userCodes.purpose, 'passwordReset'),
        isNull(userCodes.usedAt),
      ),
    );
}

/** Accounts that have a picture, of those that are asked for. */
export async function findPictured(
  db: Executor,
  ids: readonly number[],
): Promise<{ id: number; avatarAt: Date | null }[]> {
  if (ids.length === 0) return [];
  return db
    .select({ id: users.id, avatarAt: users.avatarAt })
    .from(users)
    .where(inArray(users.id, [...ids]));
}

/** Counts one guess more within a window, or begins another window. */
const guessCounted = (now: SQLWrapper, windowSeconds: SQLWrapper) => {
  const isOver = sql`${loginGuesses.windowStartedAt} < ${now}::timestamptz - make_interval(secs => ${windowSeconds})`;
  return {
    count: sql`case when ${isOver} then 1 else ${loginGuesses.count} + 1 end`,
    windowStartedAt: sql`case when ${isOver} then ${now}::timestamptz else ${loginGuesses.windowStartedAt} end`,
  };
};

const prepareGuess = (db: Executor) => {
  const now = sql.placeholder('now');
  return db
    .insert(loginGuesses)
    .values({ key: sql.placeholder('key'), count: 1, windowStartedAt: sql`${now}::timestamptz` })
    .onConflictDoUpdate({
      target: loginGuesses.key,
      set: guessCounted(now, sql.placeholder('windowSeconds')),
    })
    .returning({ count: loginGuesses.count, windowStartedAt: loginGuesses.windowStartedAt })
    .prepare('count_guess');
};
const preparedGuesses = new WeakMap<Database, ReturnType<typeof prepareGuess>>();

/** Counts one guess in a window and says how many there are now and when the window began. */
export async function countGuess(
  db: Database,
  key: string,
  now: Date,
  windowSeconds: number,
): Promise<GuessCount> {
  const prepared = preparedGuesses.get(db) ?? prepareGuess(db);
  preparedGuesses.set(db, prepared);
  const [row] = await prepared.execute({ key, now: now.toISOString(), windowSeconds });
  if (!row) throw new Error('the guess was not counted');
  return row;
}

/** One guess of the address less, and none of the account. */
function takingBack(
  db: Executor,
  { addressKey, accountKey }: { [K in keyof TakenBack]: string | Placeholder },
) {
  const cleared = db
    .$with('cleared')
    .as(db.delete(loginGuesses).where(eq(loginGuesses.key, accountKey)).returning());
  const taken = db.$with('taken').as(
    db
      .update(loginGuesses)
      .set({ count: sql`${loginGuesses.count} - 1` })
      .where(and(eq(loginGuesses.key, addressKey), gt(loginGuesses.count, 0)))
      .returning(),
  );
  return { cleared, taken };
}

/** What was counted was right. */
export async function takeBackGuess(db: Executor, guess: TakenBack): Promise<void> {
  const { cleared, taken } = takingBack(db, guess);
  await db
    .with(cleared, taken)
    .select({ one: sql`1` })
    .from(cleared);
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

export async function setRole(
  db: Executor,
  userID: number,
  role: string,
  isHeld: boolean,
): Promise<void> {
  if (isHeld) await db.insert(userRoles).values({ userID, role }).onConflictDoNothing();
  else
    await db.delete(userRoles).where(and(eq(userRoles.userID, userID), eq(userRoles.role, role)));
}

export interface TeacherRow {
  readonly id: number;
  readonly name: string;
  readonly organisation: string | null;
  readonly avatarAt: Date | null;
}

/** A page of teachers whose name holds a text: the real name, or the nickname of who has told none. */
export async function listTeachers(
  db: Executor,
  filter: { readonly keyword: string; readonly page: number; readonly pageSize: number },
): Promise<{ rows: TeacherRow[]; total: number }> {
  const name = sql<string>`coalesce(user_account.real_name, user_account.nickname)`;
  const condition = and(
    isNull(users.disabledAt),
    sql`exists (select 1 from user_role r where r.user_id = user_account.id and r.role = 'teacher')`,
    sql`${name} ilike ${likePattern(filter.keyword)}`,
  );
  const rows = await db
    .select({
      id: users.id,
      name: name.as('name'),
      organisation: users.organisation,
      avatarAt: users.avatarAt,
    })
    .from(users)
    .where(condition)
    .orderBy(name, users.id)
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return { rows, total: await db.$count(users, condition) };
}

export async function countUsers(db: Executor): Promise<number> {
  return db.$count(users);
}
