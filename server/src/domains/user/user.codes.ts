/**
 * Codes to be typed and links to be followed once, both sent by mail: kept as hashes, for one
 * purpose, for a while, for one use; a code also for a few guesses only.
 */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { TIMES } from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashToken, makeToken } from './login.ts';
import * as queries from './user.codes.queries.ts';

/** What a code or a link may be for. */
export type CodePurpose = 'registration' | 'emailChange' | 'passwordReset';

/** With six digits, a guess in 200,000 is right. */
const GUESSES = 5;
/** Mails for one purpose to one address in a day: it may be somebody else's. */
const MAILS_PER_DAY = 10;
const DAY_SECONDS = 86_400;

/** The page where a link for a new password leads. What stands behind the # is in no server's log. */
export const passwordLink = (publicURL: string, token: string): string =>
  `${publicURL}/result/password-reset#${token}`;

const normal = (email: string): string => email.trim().toLowerCase();

/** Six digits are few: the hash at least does not serve for another address or purpose. */
const hashCode = (purpose: CodePurpose, email: string, code: string): string =>
  createHash('sha256').update(`${purpose}\n${email}\n${code}`).digest('base64url');

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

export interface UserCodes {
  /**
   * Makes a code of six digits for an address; those before it end.
   * @throws DomainError `code_too_soon` within the pause between two mails
   */
  issueCode(
    tx: Executor,
    about: { purpose: CodePurpose; email: string; userID?: number },
  ): Promise<string>;
  /**
   * Checks a typed code, which counts as a guess whatever follows; `spendCode` uses it up.
   * @returns what `spendCode` takes
   * @throws DomainError `wrong_code`
   */
  checkCode(about: {
    purpose: CodePurpose;
    email: string;
    userID?: number;
    code: string;
  }): Promise<number>;
  /** Uses a checked code up, in the transaction of what it is for. @throws DomainError `wrong_code` */
  spendCode(tx: Executor, id: number): Promise<void>;
  /** Makes the token of a link; those before it end. */
  issueLink(
    tx: Executor,
    about: {
      purpose: CodePurpose;
      email: string;
      userID: number | null;
      /** How long it holds; that of a reset unless said. */
      validSeconds?: number;
    },
  ): Promise<string>;
  /** The link of a token. @throws DomainError `reset_link_invalid` */
  findLink(purpose: CodePurpose, token: string): Promise<{ id: number; userID: number }>;
  /** Uses a link up. @throws DomainError `reset_link_invalid` */
  spendLink(tx: Executor, id: number): Promise<void>;
  /** What is long over goes. */
  sweep(): Promise<void>;
}

export function createUserCodes({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): UserCodes {
  const later = (seconds: number): Date => new Date(clock.now().getTime() + seconds * 1000);

  return {
    async issueCode(tx, { purpose, email: given, userID }) {
      const email = normal(given);
      const now = clock.now();
      await queries.lockAddress(tx, purpose, email);
      const { count, lastAt } = await queries.countCodes(tx, purpose, email, later(-DAY_SECONDS));
      const pause = count >= MAILS_PER_DAY ? DAY_SECONDS : TIMES.captchaResendSeconds;
      const remaining = lastAt === null ? 0 : pause - (now.getTime() - lastAt.getTime()) / 1000;
      if (remaining > 0)
        throw new DomainError('code_too_soon', { RetryAfterSeconds: Math.ceil(remaining) });
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      await queries.insertCode(tx, {
        purpose,
        email,
        userID: userID ?? null,
        hash: hashCode(purpose, email, code),
        createdAt: now,
        expiresAt: later(TIMES.emailCodeValidSeconds),
      });
      return code;
    },

    async checkCode({ purpose, email: given, userID, code }) {
      const email = normal(given);
      // Outside of any transaction: a guess counts even when what it was for is undone.
      const row = await queries.guessCode(database, purpose, email, clock.now(), GUESSES);
      const isRight =
        row !== undefined &&
        row.userID === (userID ?? null) &&
        isSame(row.hash, hashCode(purpose, email, code));
      if (!isRight) throw new DomainError('wrong_code');
      return row.id;
    },

    async spendCode(tx, id) {
      if (!(await queries.spendCode(tx, id, clock.now()))) throw new DomainError('wrong_code');
    },

    async issueLink(tx, { purpose, email, userID, validSeconds = TIMES.resetLinkValidSeconds }) {
      const token = makeToken();
      await queries.insertCode(tx, {
        purpose,
        email: normal(email),
        userID,
        hash: hashToken(token),
        createdAt: clock.now(),
        expiresAt: later(validSeconds),
      });
      return token;
    },

    async findLink(purpose, token) {
      const row = await queries.findLink(database, purpose, hashToken(token), clock.now());
      if (!row || row.userID === null) throw new DomainError('reset_link_invalid');
      return { id: row.id, userID: row.userID };
    },

    async spendLink(tx, id) {
      if (!(await queries.spendCode(tx, id, clock.now())))
        throw new DomainError('reset_link_invalid');
    },

    sweep: () => queries.deleteOldCodes(database, later(-2 * DAY_SECONDS)),
  };
}
