/** What people change of their own account: profile, picture, preferences, address, devices. */
import type { BodyOf, NotificationChoices, University, routes } from '@hypercube/contract';
import { TIMES } from '@hypercube/contract';
import type { Readable } from 'node:stream';
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
import type { IncomingFile } from '../../platform/http/upload.ts';
import { queueMail } from '../mail/mail.service.ts';
import type { Avatars } from './avatar.ts';
import type { ScopedUser } from './user.access.ts';
import type { UserCodes } from './user.codes.ts';
import * as queries from './user.queries.ts';
import type { UserService } from './user.service.ts';

type Profile = BodyOf<typeof routes.updateUser>;
type Preferences = BodyOf<typeof routes.updatePreferences>;

export interface AccountService {
  updateProfile(user: ScopedUser, profile: Profile): Promise<ScopedUser>;
  updatePreferences(user: ScopedUser, preferences: Preferences): Promise<ScopedUser>;
  /** @returns the account with its new picture @throws DomainError `upload_too_large`, `upload_type` */
  setAvatar(user: ScopedUser, file: IncomingFile): Promise<ScopedUser>;
  removeAvatar(user: ScopedUser): Promise<void>;
  readAvatar(userID: number): Promise<{ stream: Readable; sizeBytes: number } | undefined>;
  /**
   * Sends a code to a new address.
   * @throws DomainError `wrong_original_password`, `password_not_set`, `email_taken`, `code_too_soon`
   */
  requestEmailChange(user: ScopedUser, email: string, password: string): Promise<void>;
  /** Takes the new address and tells the old one. @throws DomainError `wrong_code`, `email_taken` */
  changeEmail(user: ScopedUser, email: string, code: string): Promise<ScopedUser>;
  listDevices(userID: number): Promise<queries.LoginSessionRow[]>;
  endDevice(device: queries.LoginSessionRow): Promise<void>;
  /** @returns how many ended */
  endOtherDevices(userID: number, keptID: number): Promise<number>;
  /** Pictures of accounts that are gone go as well. */
  sweep(): Promise<void>;
}

export interface AccountServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: UserService;
  readonly codes: UserCodes;
  readonly avatars: Avatars;
  /** Where an organisation is, when the list has it. */
  readonly findUniversity: (name: string) => University | undefined;
  readonly onLoginChanged: (userID: number) => void;
}

/** As the database keeps it: those who read it there ask for `inbox` and `mail`. */
const storedChoices = (choices: Partial<NotificationChoices>) =>
  Object.fromEntries(
    Object.entries(choices).map(([kind, { Inbox, Mail }]) => [kind, { inbox: Inbox, mail: Mail }]),
  );

export function createAccountService(options: AccountServiceOptions): AccountService {
  const { database, clock, users, codes, avatars, onLoginChanged } = options;

  /** Writes what changed, tells the other processes, and reads the account again. */
  async function change(
    user: ScopedUser,
    write: (tx: Executor) => Promise<void>,
  ): Promise<ScopedUser> {
    await database.transaction(async (tx) => {
      await write(tx);
      await notify(tx, 'login', String(user.id));
    });
    onLoginChanged(user.id);
    const changed = await queries.findUser(database, user.id);
    if (!changed) throw new DomainError('not_found');
    return changed;
  }

  const isTaken = async (email: string, userID: number): Promise<boolean> => {
    const other = await queries.findUserByEmail(database, email);
    return other !== undefined && other.id !== userID;
  };

  return {
    updateProfile(user, profile) {
      const { Organisation } = profile;
      return change(user, (tx) =>
        queries.updateAccount(tx, user.id, {
          nickname: profile.Nickname,
          phone: profile.Phone,
          gender: profile.Gender,
          organisation: Organisation,
          region:
            Organisation === undefined
              ? undefined
              : (options.findUniversity(Organisation)?.Region ?? null),
          realName: profile.RealName,
          studentID: profile.StudentNumber,
        }),
      );
    },

    updatePreferences(user, { Language: language, Theme: theme, NotificationChoices: choices }) {
      return change(user, async (tx) => {
        await queries.updateAccount(tx, user.id, { language, theme });
        if (choices) await queries.mergeNotificationChoices(tx, user.id, storedChoices(choices));
      });
    },

    async setAvatar(user, file) {
      await avatars.receive(user.id, file);
      return change(user, (tx) => queries.updateAccount(tx, user.id, { avatarAt: clock.now() }));
    },

    async removeAvatar(user) {
      await change(user, (tx) => queries.updateAccount(tx, user.id, { avatarAt: null }));
      await avatars.remove(user.id);
    },

    readAvatar: (userID) => avatars.read(userID),

    async requestEmailChange(user, email, password) {
      // Whoever finds a computer that is signed in must not be able to take the account along.
      await users.confirm(user, password);
      if (await isTaken(email, user.id)) throw new DomainError('email_taken');
      await database.transaction(async (tx) => {
        const code = await codes.issueCode(tx, { purpose: 'emailChange', email, userID: user.id });
        await queueMail(tx, {
          to: email,
          language: languageOf(user.language),
          template: 'emailChangeCode',
          values: {
            name: user.nickname,
            code,
            minutes: String(TIMES.emailCodeValidSeconds / 60),
          },
        });
      });
    },

    async changeEmail(user, email, code) {
      const codeID = await codes.checkCode({
        purpose: 'emailChange',
        email,
        userID: user.id,
        code,
      });
      try {
        return await change(user, async (tx) => {
          await codes.spendCode(tx, codeID);
          await queries.updateAccount(tx, user.id, { email });
          // Whoever reads the old mailbox must not come in by a link that still lies there.
          await queries.endResetLinks(tx, user.id, clock.now());
          await queueMail(tx, {
            to: user.email,
            language: languageOf(user.language),
            template: 'emailChanged',
            values: { name: user.nickname, email },
          });
        });
      } catch (error) {
        // Somebody registered with it between the mail and now.
        if (sqlState(error) === UNIQUE_VIOLATION) throw new DomainError('email_taken');
        throw error;
      }
    },

    listDevices: (userID) => queries.listLoginSessions(database, userID, clock.now()),

    async endDevice(device) {
      await database.transaction(async (tx) => {
        await queries.deleteLoginSessionByID(tx, device.id);
        await notify(tx, 'login', String(device.userID));
      });
      onLoginChanged(device.userID);
    },

    async endOtherDevices(userID, keptID) {
      const ended = await database.transaction(async (tx) => {
        const count = await queries.deleteOtherLoginSessions(tx, userID, keptID);
        await notify(tx, 'login', String(userID));
        return count;
      });
      onLoginChanged(userID);
      return ended;
    },

    sweep: () =>
      avatars.sweep(
        async (ids) => new Set((await queries.findPictured(database, ids)).map(({ id }) => id)),
      ),
  };
}
