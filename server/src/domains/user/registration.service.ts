/**
 * Coming in: making an account with a confirmed address, and a new password by a link. None of the
 * answers tells more of an account than that a name or an address can still be used.
 */
import {
  TIMES,
  TeacherApplyStatus,
  UserType,
  type BodyOf,
  type Language,
  type University,
  type routes,
} from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import {
  UNIQUE_VIOLATION,
  sqlState,
  type Database,
  type Executor,
} from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { DomainError } from '../../platform/errors.ts';
import { languageOf } from '../../platform/language.ts';
import { queueMail } from '../mail/mail.service.ts';
import { hashPassword } from './password.ts';
import type { RegistrationPolicy } from './registration.policy.ts';
import * as own from './registration.queries.ts';
import { passwordLink, type UserCodes } from './user.codes.ts';
import * as queries from './user.queries.ts';
import type { Arrival, OpenedLogin, UserService } from './user.service.ts';

const WINDOW_SECONDS = 900;
/** For one address in a window; a whole class may share it. */
const LIMITS = { verify: 900, code: 200, register: 200, reset: 100, link: 100 } as const;

export type Registration = Omit<BodyOf<typeof routes.register>, 'Captcha'>;

export interface RegistrationService {
  /** @throws DomainError `too_many_requests` */
  isAvailable(
    asked: { email?: string | undefined; username?: string | undefined },
    address: string,
  ): Promise<boolean>;
  /**
   * Mails a code; who has an account is told that instead, by the same answer.
   * @returns seconds until the next one can be sent
   * @throws DomainError `registration_closed`, `registration_domain`
   */
  sendCode(email: string, language: Language, address: string): Promise<number>;
  /** Makes the account and signs in. @throws DomainError `wrong_code`, `username_taken`, `email_taken` */
  register(fields: Registration, language: Language, arrival: Arrival): Promise<OpenedLogin>;
  /** Mails a link, if there is such an account; nothing tells whether. */
  requestReset(name: string, language: Language, address: string): Promise<void>;
  /** Sets the password and ends every session. @throws DomainError `reset_link_invalid` */
  reset(token: string, password: string, language: Language, address: string): Promise<void>;
}

export interface RegistrationOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: UserService;
  readonly codes: UserCodes;
  /** Where the site is, for the links of mails. */
  readonly publicURL: string;
  readonly policy: RegistrationPolicy;
  readonly findUniversity: (name: string) => University | undefined;
  readonly onLoginChanged: (userID: number) => void;
}

/** Stands where an account is missing, so that the same is done as where it is not. */
const NOBODY = { id: null, email: 'nobody@hypercube.invalid', nickname: '-', language: null };

/** Undoes a part of a transaction that was only done to do the same work. */
class Undone extends Error {}

/** Which of the two unique names was taken by somebody who came first. */
const takenCode = (error: unknown): 'username_taken' | 'email_taken' | undefined => {
  if (sqlState(error) !== UNIQUE_VIOLATION) return undefined;
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('constraint' in current)
      return current.constraint === 'user_account_email' ? 'email_taken' : 'username_taken';
  }
  return 'username_taken';
};

export function createRegistrationService({
  database,
  clock,
  users,
  codes,
  publicURL,
  policy,
  findUniversity,
  onLoginChanged,
}: RegistrationOptions): RegistrationService {
  /** Counts one more in a window. @throws DomainError `too_many_requests` */
  async function admit(key: string, limit: number, seconds = WINDOW_SECONDS): Promise<void> {
    const now = clock.now();
    const { count, windowStartedAt } = await queries.countGuess(database, key, now, seconds);
    if (count <= limit) return;
    const left = seconds - (now.getTime() - windowStartedAt.getTime()) / 1000;
    throw new DomainError('too_many_requests', {
      RetryAfterSeconds: Math.max(1, Math.ceil(left)),
    });
  }

  /** Queues a mail in a step of its own, which is undone where nobody may get it. */
  async function queueFor(
    tx: Database,
    isReal: boolean,
    mail: Parameters<typeof queueMail>[1],
  ): Promise<void> {
    try {
      await tx.transaction(async (step) => {
        await queueMail(step, mail);
        if (!isReal) throw new Undone();
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
    }
  }

  return {
    async isAvailable({ email, username }, address) {
      await admit(`verify:${address}`, LIMITS.verify);
      if (username !== undefined) return !(await own.isUsernameTaken(database, username));
      return (await own.findUsernameOf(database, email ?? '')) === undefined;
    },

    async sendCode(email, language, address) {
      policy.admit(email);
      await admit(`code:${address}`, LIMITS.code);
      await database.transaction(async (tx) => {
        const code = await codes.issueCode(tx, { purpose: 'registration', email });
        const username = await own.findUsernameOf(tx, email);
        await queueMail(
          tx,
          username === undefined
            ? {
                to: email,
                language,
                template: 'registrationCode',
                values: { code, minutes: String(TIMES.emailCodeValidSeconds / 60) },
              }
            : {
                to: email,
                language,
                template: 'registrationKnown',
                values: { username, url: `${publicURL}/password-reset` },
              },
        );
      });
      return TIMES.captchaResendSeconds;
    },

    async register(fields, language, arrival) {
      policy.admit(fields.Email, fields.Type);
      await admit(`register:${arrival.address}`, LIMITS.register);
      const about = { purpose: 'registration', email: fields.Email } as const;
      const codeID = await codes.checkCode({ ...about, code: fields.EmailCode });
      const passwordHash = await hashPassword(fields.Password);
      const isTeacher = fields.Type === UserType.teacher;
      const now = clock.now();
      const make = async (tx: Executor): Promise<number> => {
        await codes.spendCode(tx, codeID);
        return queries.insertUser(
          tx,
          {
            username: fields.Username,
            email: fields.Email,
            nickname: fields.Nickname,
            phone: fields.Phone,
            gender: fields.Gender,
            organisation: fields.Organisation,
            region: findUniversity(fields.Organisation)?.Region ?? null,
            studentID: fields.StudentNumber ?? null,
            type: fields.Type,
            applyStatus: isTeacher ? TeacherApplyStatus.waiting : TeacherApplyStatus.none,
            appliedAt: isTeacher ? now : null,
            passwordHash,
            language,
            createdAt: now,
          },
          // Whatever somebody says to be: more is given by staff.
          ['student'],
        );
      };
      let id: number;
      try {
        id = await database.transaction(make);
      } catch (error) {
        const code = takenCode(error);
        if (code !== undefined) throw new DomainError(code);
        throw error;
      }
      return users.open({ id, disabledAt: null }, arrival);
    },

    async requestReset(name, language, address) {
      await admit(`reset:${address}`, LIMITS.reset);
      // By what was typed, whether it names anybody.
      await admit(`resetFor:${name.toLowerCase()}`, 1, TIMES.captchaResendSeconds);
      const found = await queries.findUserByName(database, name);
      const isReal = found !== undefined && found.disabledAt === null;
      const user = isReal ? found : NOBODY;
      await database.transaction(async (tx) => {
        const token = await codes.issueLink(tx, {
          purpose: 'passwordReset',
          email: isReal ? user.email : name.toLowerCase(),
          userID: user.id,
        });
        await queueFor(tx, isReal, {
          to: user.email,
          language:
            user.language === 'en-US' || user.language === 'zh-CN' ? user.language : language,
          template: 'passwordReset',
          values: {
            name: user.nickname,
            url: passwordLink(publicURL, token),
            minutes: String(TIMES.resetLinkValidSeconds / 60),
          },
        });
      });
    },

    async reset(token, password, language, address) {
      await admit(`link:${address}`, LIMITS.link);
      const link = await codes.findLink('passwordReset', token);
      const passwordHash = await hashPassword(password);
      const user = await queries.findUser(database, link.userID);
      if (!user || user.disabledAt !== null) throw new DomainError('reset_link_invalid');
      await database.transaction(async (tx) => {
        await codes.spendLink(tx, link.id);
        await queries.updatePassword(tx, user.id, passwordHash);
        await own.deleteLoginSessions(tx, user.id);
        // Whoever was locked out by somebody's guesses is let in again.
        await queries.clearGuesses(tx, `account:${user.username.toLowerCase()}`);
        await queueMail(tx, {
          to: user.email,
          language: languageOf(user.language, language),
          template: 'passwordChanged',
          values: { name: user.nickname, isByLink: 'yes' },
        });
        await notify(tx, 'login', String(user.id));
      });
      onLoginChanged(user.id);
    },
  };
}
