/**
 * Signing on with an account of another site: a known identity signs in, a new one is linked to an
 * account by its password or gets an account of its own, and an owner adds or removes identities.
 */
import {
  SSO_PROVIDERS,
  TeacherApplyStatus,
  UserType,
  type Language,
  type BodyOf,
  type SsoProvider,
  type routes,
} from '@hypercube/contract';
import {
  SignOnError,
  type ExternalIdentity,
  type SignOnProvider,
} from '../../engines/sso/provider.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  UNIQUE_VIOLATION,
  sqlConstraint,
  sqlState,
  type Database,
  type Executor,
} from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashToken, makeToken } from '../user/login.ts';
import type { RegistrationPolicy } from '../user/registration.policy.ts';
import type { UserCodes } from '../user/user.codes.ts';
import {
  createAccount,
  type Arrival,
  type OpenedLogin,
  type UserService,
} from '../user/user.service.ts';
import * as queries from './sso.queries.ts';

/** How long somebody may take at the provider, and then to choose an account. */
export const ATTEMPT_SECONDS = 600;

/** A provider that is set up. */
export interface KnownProvider {
  readonly provider: SignOnProvider;
  /** The provider's word → type of a new account. */
  readonly types: Readonly<Record<string, UserType>>;
}
export type KnownProviders = Readonly<Partial<Record<SsoProvider, KnownProvider>>>;

export type Finished =
  | { readonly outcome: 'signed-in'; readonly opened: OpenedLogin; readonly redirect: string }
  /** `token` replaces the one before: what the provider's answer opened is a new step. */
  | { readonly outcome: 'select'; readonly token: string; readonly redirect: string }
  | { readonly outcome: 'linked'; readonly redirect: string };

interface Pending {
  readonly provider: SsoProvider;
  readonly identity: ExternalIdentity;
  readonly type: UserType;
}

export interface SsoService {
  /** Those that are set up. */
  providers(): readonly SsoProvider[];
  /**
   * Begins to sign on, or to add the provider to an account.
   * @returns where the browser goes, and the token for its cookie
   * @throws DomainError `not_found` for a provider that is not configured, `sso_unavailable`
   */
  begin(
    provider: SsoProvider,
    input: { callback: string; redirect: string; userID: number | null },
  ): Promise<{ address: string; token: string }>;
  /**
   * Takes what the provider sent back.
   * @param userID of whoever is signed in now
   * @throws DomainError `sso_failed`, `sso_unavailable`, `account_disabled`, `identity_taken`
   */
  finish(
    provider: SsoProvider,
    input: { token: string | undefined; query: string; userID: number | null; arrival: Arrival },
  ): Promise<Finished>;
  findPending(token: string | undefined): Promise<Pending | undefined>;
  /** Links the pending identity to an account, by its password. */
  link(
    token: string | undefined,
    input: { name: string; password: string; arrival: Arrival },
  ): Promise<{ opened: OpenedLogin; redirect: string }>;
  /** Makes an account for the pending identity: a student, whatever the provider says. */
  create(
    token: string | undefined,
    input: BodyOf<typeof routes.createIdentityAccount>,
    language: Language,
    arrival: Arrival,
  ): Promise<{ opened: OpenedLogin; redirect: string }>;
  list(userID: number): Promise<queries.IdentityRow[]>;
  /** @throws DomainError `last_way_in` */
  unlink(identity: queries.IdentityRow): Promise<void>;
  /** Attempts that nobody finished go. */
  sweep(): Promise<void>;
}

export interface SsoServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: UserService;
  readonly codes: UserCodes;
  /** As they are set up now. */
  readonly providers: () => KnownProviders;
  readonly policy: RegistrationPolicy;
}

/** What a unique index says, in the domain's words. */
const TAKEN = {
  user_account_username: 'username_taken',
  user_account_email: 'email_taken',
  user_identity_subject: 'identity_taken',
  user_identity_user: 'identity_taken',
} as const;

function taken(error: unknown): unknown {
  if (sqlState(error) !== UNIQUE_VIOLATION) return error;
  const constraint = sqlConstraint(error) ?? '';
  return constraint in TAKEN
    ? new DomainError(TAKEN[constraint as keyof typeof TAKEN], {}, { cause: error })
    : error;
}

/** The failures of a provider as people are told them; the cause stays for the log. */
function refused(error: unknown): unknown {
  if (!(error instanceof SignOnError)) return error;
  const code = error.reason === 'unavailable' ? 'sso_unavailable' : 'sso_failed';
  return new DomainError(code, {}, { cause: error });
}

export function createSsoService(options: SsoServiceOptions): SsoService {
  const { database, clock, users, codes } = options;
  const expiry = (): Date => new Date(clock.now().getTime() + ATTEMPT_SECONDS * 1000);

  function find(provider: SsoProvider): KnownProvider {
    const known = options.providers()[provider];
    if (!known) throw new DomainError('not_found');
    return known;
  }

  const typeOf = (provider: SsoProvider, identity: ExternalIdentity): UserType =>
    options.providers()[provider]?.types[identity.type] ?? UserType.undergraduate;

  async function needPending(token: string | undefined) {
    const row =
      token === undefined
        ? undefined
        : await queries.findPending(database, hashToken(token), clock.now());
    if (!row) throw new DomainError('sso_failed');
    return { ...row, provider: row.provider as SsoProvider };
  }

  /** Ends an attempt and keeps its identity with an account, in one transaction. */
  const keep =
    (
      attempt: { tokenHash: string; provider: string; identity: ExternalIdentity },
      userID: number,
    ) =>
    async (tx: Executor): Promise<void> => {
      if (!(await queries.deleteAttempt(tx, attempt.tokenHash)))
        throw new DomainError('sso_failed');
      const now = clock.now();
      await queries.insertIdentity(tx, {
        userID,
        provider: attempt.provider,
        subject: attempt.identity.subject,
        name: attempt.identity.name,
        createdAt: now,
        lastUsedAt: now,
      });
    };

  /** Adds an identity to the account of the person who asked for it, and to no other. */
  async function addTo(
    provider: SsoProvider,
    identity: ExternalIdentity,
    userID: number,
  ): Promise<void> {
    const known = await queries.findAccountOf(database, provider, identity.subject);
    if (known) {
      if (known.id !== userID) throw new DomainError('identity_taken');
      await queries.noteUse(database, known.identityID, identity.name, clock.now());
      return;
    }
    await queries
      .insertIdentity(database, {
        userID,
        provider,
        subject: identity.subject,
        name: identity.name,
        createdAt: clock.now(),
        lastUsedAt: null,
      })
      .catch((error: unknown) => {
        throw taken(error);
      });
  }

  return {
    providers: () => {
      const known = options.providers();
      return SSO_PROVIDERS.filter((provider) => known[provider] !== undefined);
    },

    async begin(provider, { callback, redirect, userID }) {
      const { address, checks } = await find(provider)
        .provider.begin(callback)
        .catch((error: unknown) => {
          throw refused(error);
        });
      const token = makeToken();
      await queries.insertAttempt(database, {
        tokenHash: hashToken(token),
        provider,
        ...checks,
        redirect,
        userID,
        expiresAt: expiry(),
      });
      return { address, token };
    },

    async finish(provider, { token, query, userID, arrival }) {
      const known = find(provider);
      // Taken before the provider is asked: whatever comes of it, it serves no second time.
      const attempt =
        token === undefined
          ? undefined
          : await queries.takeAttempt(database, hashToken(token), provider, clock.now());
      if (!attempt) throw new DomainError('sso_failed');
      const identity = await known.provider.finish(query, attempt).catch((error: unknown) => {
        throw refused(error);
      });
      const { redirect } = attempt;
      if (attempt.userID !== null) {
        // Somebody else has signed in meanwhile, or nobody is any more.
        if (attempt.userID !== userID) throw new DomainError('sso_failed');
        await addTo(provider, identity, attempt.userID);
        return { outcome: 'linked', redirect };
      }
      const account = await queries.findAccountOf(database, provider, identity.subject);
      if (account) {
        const opened = await users.open(account, arrival, (tx) =>
          queries.noteUse(tx, account.identityID, identity.name, clock.now()),
        );
        return { outcome: 'signed-in', opened, redirect };
      }
      const next = makeToken();
      await queries.insertAttempt(database, {
        ...attempt,
        tokenHash: hashToken(next),
        identity,
        expiresAt: expiry(),
      });
      return { outcome: 'select', token: next, redirect };
    },

    async findPending(token) {
      if (token === undefined) return undefined;
      const row = await queries.findPending(database, hashToken(token), clock.now());
      if (!row) return undefined;
      const provider = row.provider as SsoProvider;
      return { provider, identity: row.identity, type: typeOf(provider, row.identity) };
    },

    async link(token, { name, password, arrival }) {
      const attempt = await needPending(token);
      const user = await users.prove({ name, password, address: arrival.address });
      try {
        const opened = await users.open(user, arrival, keep(attempt, user.id));
        return { opened, redirect: attempt.redirect };
      } catch (error) {
        throw taken(error);
      }
    },

    async create(token, { Username, Nickname, Email, EmailCode }, language, arrival) {
      const attempt = await needPending(token);
      const { identity } = attempt;
      const type = typeOf(attempt.provider, identity);
      // A new account is a new account, whoever vouches for the person.
      options.policy.admit(Email, type);
      const isVouchedFor =
        identity.isEmailVerified && identity.email.toLowerCase() === Email.toLowerCase();
      if (!isVouchedFor && EmailCode === undefined) throw new DomainError('wrong_code');
      const codeID = isVouchedFor
        ? null
        : await codes.checkCode({
            purpose: 'registration',
            email: Email,
            code: EmailCode ?? '',
          });
      const isTeacher = type === UserType.teacher;
      try {
        const userID = await database.transaction(async (tx) => {
          if (codeID !== null) await codes.spendCode(tx, codeID);
          const made = await createAccount(tx, {
            username: Username,
            nickname: Nickname,
            email: Email,
            type,
            // The provider's word is no approval of ours.
            applyStatus: isTeacher ? TeacherApplyStatus.waiting : TeacherApplyStatus.none,
            appliedAt: isTeacher ? clock.now() : null,
            roles: ['student'],
            language,
          });
          await keep(attempt, made)(tx);
          return made;
        });
        const opened = await users.open({ id: userID, disabledAt: null }, arrival);
        return { opened, redirect: attempt.redirect };
      } catch (error) {
        throw taken(error);
      }
    },

    list: (userID) => queries.listIdentities(database, userID),

    async unlink(identity) {
      const isRemoved = await database.transaction((tx) =>
        queries.deleteIdentityUnlessLast(tx, identity),
      );
      if (!isRemoved) throw new DomainError('last_way_in');
    },

    sweep: () => queries.deleteExpiredAttempts(database, clock.now()),
  };
}
