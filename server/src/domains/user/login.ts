/**
 * Login sessions: an opaque token in a cookie, its SHA-256 in the database. What a token resolves
 * to is kept for a moment, as long as other processes can tell us that it changed.
 */
import { createHash, randomBytes } from 'node:crypto';
import { LANGUAGES, ROLES, actingRoles, type Language, type Role } from '@hypercube/contract';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../platform/access/access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/notify.ts';
import { findLoginSession, touchLoginSession, type LoginRow } from './user.queries.ts';

const CACHE_MS = 30_000;
const CACHE_SIZE = 20_000;
/** How often it is noted that somebody is here: a write at every call would cost more than it tells. */
const SEEN_MS = 5 * 60_000;

export const hashToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** Name of the login cookie; the gateway strips both from what it forwards. */
export const LOGIN_COOKIES = { plain: 'hc_login', secure: '__Host-hc_login' } as const;

export interface LoginOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly listener: Listener;
  /** Whether the site is reached by https. */
  readonly isSecure: boolean;
}

interface Cached {
  readonly row: LoginRow;
  readonly readAt: number;
}

export class Logins {
  readonly cookieName: string;
  readonly #options: LoginOptions;
  readonly #cache = new Map<string, Cached>();

  constructor(options: LoginOptions) {
    this.#options = options;
    this.cookieName = options.isSecure ? LOGIN_COOKIES.secure : LOGIN_COOKIES.plain;
    options.listener.on('login', (payload) => this.forget(Number(payload)));
    options.listener.on('resumed', () => this.#cache.clear());
  }

  /** Drops what is remembered of an account, after its sessions or roles changed. */
  forget(userID: number): void {
    for (const [key, { row }] of this.#cache) if (row.user.id === userID) this.#cache.delete(key);
  }

  /** The living login session of a token. */
  async find(token: string | undefined): Promise<LoginRow | undefined> {
    if (token === undefined || token.length !== 43) return undefined;
    const key = hashToken(token);
    const cached = this.#cache.get(key);
    const isFresh =
      cached !== undefined &&
      this.#options.listener.isLive &&
      performance.now() - cached.readAt < CACHE_MS;
    const row = isFresh ? cached.row : await this.#read(key);
    if (!row || row.user.disabledAt !== null || row.expiresAt <= this.#options.clock.now())
      return undefined;
    return this.#seen(key, row);
  }

  /** Notes in the database, once in a while, that this device and its user are here. */
  async #seen(key: string, row: LoginRow): Promise<LoginRow> {
    const { database, clock } = this.#options;
    const now = clock.now();
    const before = new Date(now.getTime() - SEEN_MS);
    if (row.lastSeenAt !== null && row.lastSeenAt >= before) return row;
    const seen = { ...row, lastSeenAt: now };
    const cached = this.#cache.get(key);
    // First in the cache: the other calls of the same page need not write as well.
    if (cached) this.#cache.set(key, { ...cached, row: seen });
    await touchLoginSession(database, row.loginSessionID, row.user.id, now, before);
    return seen;
  }

  async #read(key: string): Promise<LoginRow | undefined> {
    const row = await findLoginSession(this.#options.database, key);
    if (!row) {
      this.#cache.delete(key);
      return undefined;
    }
    if (this.#cache.size >= CACHE_SIZE) this.#cache.clear();
    this.#cache.set(key, { row, readAt: performance.now() });
    return row;
  }

  tokenOf(request: FastifyRequest): string | undefined {
    return request.cookies[this.cookieName];
  }

  setCookie(reply: FastifyReply, token: string, expires: Date): void {
    reply.setCookie(this.cookieName, token, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#options.isSecure,
      expires,
    });
  }

  clearCookie(reply: FastifyReply): void {
    reply.clearCookie(this.cookieName, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#options.isSecure,
    });
  }

  /** Who acts in a request: its login session, cut down to the role that it asks for. */
  async identify(request: FastifyRequest): Promise<Actor> {
    const query = request.query as Record<string, unknown>;
    const language = LANGUAGES.find((known) => known === query['lang']) ?? 'zh-CN';
    const requested = ROLES.find((known) => known === (query['role'] ?? 'student'));
    const row = await this.find(this.tokenOf(request));
    return row ? actorOf(row, requested, language) : visitor(language);
  }
}

const visitor = (language: Language): Actor => ({
  userID: null,
  username: null,
  loginSessionID: null,
  roles: ['anonymous'],
  language,
});

/** The actor of a login session, in a role; an unknown role acts as anonymous. */
export function actorOf(row: LoginRow, requested: Role | undefined, language: Language): Actor {
  return {
    userID: row.user.id,
    username: row.user.username,
    loginSessionID: row.loginSessionID,
    roles: requested ? actingRoles(row.roles, requested) : ['anonymous'],
    language,
  };
}
