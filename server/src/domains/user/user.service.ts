/** Signing in and out, and one's own password. */
import type { Language, Role } from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { DomainError } from '../../platform/errors.ts';
import { languageOf } from '../../platform/language.ts';
import { queueMail } from '../mail/mail.service.ts';
import { hashToken, makeToken } from './login.ts';
import { hashPassword, isPassword } from './password.ts';
import * as queries from './user.queries.ts';
import type { ScopedUser } from './user.access.ts';

const WINDOW_SECONDS = 900;
/** Longest description of a browser that is kept. */
const USER_AGENT_LENGTH = 300;
/** Wrong guesses per window: of one account, and from one address (a whole class may share it). */
const GUESS_LIMITS = { account: 10, address: 100 } as const;

/** From where somebody signs in. */
export interface Arrival {
  readonly address: string;
  /** What the browser calls itself. */
  readonly userAgent: string | undefined;
  /** Of the login session that was there before. */
  readonly previousToken: string | undefined;
}

/** A new login session: the token for the cookie, and what it stands for. */
export interface OpenedLogin {
  readonly token: string;
  readonly login: queries.LoginRow;
}

export interface UserService {
  /** @returns the new token and when it ends */
  login(input: Arrival & { name: string; password: string }): Promise<OpenedLogin>;
  /**
   * Whose name and password these are; guesses are counted.
   * @throws DomainError `wrong_credentials`, `too_many_guesses`, `account_disabled`
   */
  prove(input: { name: string; password: string; address: string }): Promise<queries.UserRow>;
  /**
   * Opens a login session for somebody who has proven who they are.
   * @param also done in the same transaction
   * @throws DomainError `account_disabled`
   */
  open(
    user: Pick<queries.UserRow, 'id' | 'disabledAt'>,
    arrival: Arrival,
    also?: (tx: Executor) => Promise<void>,
  ): Promise<OpenedLogin>;
  logout(token: string | undefined): Promise<void>;
  /**
   * Asks an owner who is signed in for the password again; guesses are counted.
   * @throws DomainError `wrong_original_password`, `password_not_set`, `too_many_guesses`
   */
  confirm(user: ScopedUser, password: string): Promise<void>;
  /**
   * Ends every other login session. The one that asks goes on under a new token, so that whoever
   * has stolen the one before is out as well.
   * @returns the new token and when it ends; `announce` once the browser has it
   */
  changePassword(
    user: ScopedUser,
    loginSessionID: number,
    original: string,
    next: string,
  ): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /** The address of an account. @throws DomainError `not_found` */
  findEmail(userID: number): Promise<string>;
  /** Closes what ended login sessions still have open, here and on other processes. */
  announce(userID: number): Promise<void>;
  /** Expired login sessions go. */
  sweep(): Promise<void>;
}

export interface UserServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly loginHours: number;
  /** Told at once that an account's sessions changed; other processes hear it a moment later. */
  readonly onLoginChanged: (userID: number) => void;
}

export function createUserService({
  database,
  clock,
  loginHours,
  onLoginChanged,
}: UserServiceOptions): UserService {
  const admitGuess = guessLimit({ database, clock });

  type Asked = Parameters<UserService['prove']>[0];
  const addressKeyOf = (address: string): string => `address:${address}`;
  const accountKeyOf = (name: string): string => `account:${name.toLowerCase()}`;

  /** Whose name and password these are; the guess stays counted. */
  async function recognise({
    name,
    password,
    address,
  }: Asked): Promise<queries.UserRow & { roles: string[] }> {
    const now = clock.now();
    const { user, ofAddress, ofAccount } = await queries.recognise(database, {
      name,
      addressKey: addressKeyOf(address),
      addressLimit: GUESS_LIMITS.address,
      now,
      windowSeconds: WINDOW_SECONDS,
    });
    refuseAbove(GUESS_LIMITS.address, ofAddress, now);
    if (ofAccount) refuseAbove(GUESS_LIMITS.account, ofAccount, now);
    if (!(await isPassword(user?.passwordHash, password)) || !user)
      throw new DomainError('wrong_credentials');
    if (user.disabledAt !== null) throw new DomainError('account_disabled');
    return user;
  }

  /** A whole class signs in from one address: who is right takes no guess from the others. */
  const guessOf = (user: queries.UserRow, { address }: Asked): queries.TakenBack => ({
    addressKey: addressKeyOf(address),
    accountKey: accountKeyOf(user.username),
  });

  /**
   * Makes a login session.
   * @param proven the guess that proved who it is, to be taken back; absent where nothing was guessed
   * @param also done in the same transaction
   * @returns its token, and what the database has of it
   */
  async function begin(
    userID: number,
    { address, userAgent, previousToken }: Arrival,
    proven?: queries.TakenBack,
    also?: (tx: Executor) => Promise<void>,
  ): Promise<{ token: string } & Omit<queries.LoginRow, 'user' | 'roles'>> {
    const token = makeToken();
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + loginHours * 3_600_000);
    const row = {
      tokenHash: hashToken(token),
      userID,
      createdAt: now,
      lastSeenAt: now,
      userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
      address,
      expiresAt,
    };
    if (previousToken === undefined && proven && !also) {
      const loginSessionID = await queries.insertLoginSessionAlone(database, row, proven);
      return { token, loginSessionID, expiresAt, lastSeenAt: now };
    }
    const made = await database.transaction(async (tx) => {
      // A session that was there before the login could have been planted: it ends here.
      const previousOwnerID =
        previousToken === undefined
          ? undefined
          : await queries.deleteLoginSession(tx, hashToken(previousToken));
      const loginSessionID = await queries.insertLoginSession(tx, row);
      if (proven) await queries.takeBackGuess(tx, proven);
      await also?.(tx);
      if (previousOwnerID !== undefined) await notify(tx, 'login', String(previousOwnerID));
      return { loginSessionID, previousOwnerID };
    });
    if (made.previousOwnerID !== undefined) onLoginChanged(made.previousOwnerID);
    return { token, loginSessionID: made.loginSessionID, expiresAt, lastSeenAt: now };
  }

  const service: UserService = {
    async login(input) {
      const { roles, ...user } = await recognise(input);
      const { token, ...begun } = await begin(user.id, input, guessOf(user, input));
      return { token, login: { ...begun, user, roles } };
    },

    async findEmail(userID) {
      const user = await queries.findUser(database, userID);
      if (!user) throw new DomainError('not_found');
      return user.email;
    },

    async prove(input) {
      const user = await recognise(input);
      await queries.takeBackGuess(database, guessOf(user, input));
      return user;
    },

    async open(user, arrival, also) {
      if (user.disabledAt !== null) throw new DomainError('account_disabled');
      const { token } = await begin(user.id, arrival, undefined, also);
      const login = await queries.findLoginSession(database, hashToken(token));
      if (!login) throw new Error('the login session vanished');
      return { token, login };
    },

    async logout(token) {
      if (token === undefined) return;
      const hash = hashToken(token);
      const login = await queries.findLoginSession(database, hash);
      if (!login) return;
      await database.transaction(async (tx) => {
        await queries.deleteLoginSession(tx, hash);
        await notify(tx, 'login', String(login.user.id));
      });
      onLoginChanged(login.user.id);
    },

    async confirm(user, password) {
      await admitGuess(`change:${user.id}`, GUESS_LIMITS.account);
      if (user.passwordHash === null) throw new DomainError('password_not_set');
      if (!(await isPassword(user.passwordHash, password)))
        throw new DomainError('wrong_original_password');
    },

    async changePassword(user, loginSessionID, original, next) {
      await service.confirm(user, original);
      const passwordHash = await hashPassword(next);
      const token = makeToken();
      const expiresAt = await database.transaction(async (tx) => {
        await queries.updatePassword(tx, user.id, passwordHash);
        await queries.deleteOtherLoginSessions(tx, user.id, loginSessionID);
        // Somebody else may have asked for the one that lies in the mailbox.
        await queries.endResetLinks(tx, user.id, clock.now());
        await queries.clearGuesses(tx, `change:${user.id}`);
        // Somebody else may have changed it: at a computer that was left signed in.
        await queueMail(tx, {
          to: user.email,
          language: languageOf(user.language),
          template: 'passwordChanged',
          values: { name: user.nickname },
        });
        return queries.renewLoginSession(tx, loginSessionID, hashToken(token));
      });
      onLoginChanged(user.id);
      // It was ended from elsewhere in the meantime.
      if (expiresAt === undefined) throw new DomainError('not_signed_in');
      return { token, expiresAt };
    },

    announce: (userID) => notify(database, 'login', String(userID)),

    sweep: () => queries.deleteExpiredLoginSessions(database, clock.now()),
  };
  return service;
}

/**
 * Limits guesses, of passwords and of codes. A guess is counted before it is looked at, so that
 * parallel ones cannot slip through.
 * @returns what throws DomainError `too_many_guesses` when a key had more than `limit` in a window
 */
export const guessLimit =
  ({ database, clock }: Pick<UserServiceOptions, 'database' | 'clock'>) =>
  async (key: string, limit: number): Promise<void> => {
    const now = clock.now();
    refuseAbove(limit, await queries.countGuess(database, key, now, WINDOW_SECONDS), now);
  };

/** @throws DomainError `too_many_guesses` when there were more than `limit` in the window */
function refuseAbove(
  limit: number,
  { count, windowStartedAt }: queries.GuessCount,
  now: Date,
): void {
  if (count <= limit) return;
  const seconds = WINDOW_SECONDS - (now.getTime() - windowStartedAt.getTime()) / 1000;
  throw new DomainError('too_many_guesses', {
    RetryAfterSeconds: Math.max(1, Math.ceil(seconds)),
  });
}

/** Gives or takes a role that comes with what somebody does; their open pages hear of it. */
export async function setRole(
  tx: Executor,
  userID: number,
  role: Role,
  isHeld: boolean,
): Promise<void> {
  await queries.setRole(tx, userID, role, isHeld);
  await notify(tx, 'login', String(userID));
}

/** Teachers whose name holds a text. */
export const listTeachers = queries.listTeachers;

export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly nickname: string;
  readonly type: number;
  readonly applyStatus?: number;
  readonly appliedAt?: Date | null;
  readonly roles: readonly string[];
  /** In which it is written to; the default unless said. */
  readonly language?: Language;
  /** Absent where single sign-on is the way in. */
  readonly password?: string;
}

export const hasAccounts = async (db: Executor): Promise<boolean> =>
  (await queries.countUsers(db)) > 0;

/** Makes an account. @returns its id */
export async function createAccount(
  db: Executor,
  { password, roles, ...account }: NewAccount,
): Promise<number> {
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return queries.insertUser(db, { ...account, passwordHash }, roles);
}
