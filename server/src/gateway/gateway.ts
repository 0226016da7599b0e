/**
 * The gateway to sessions. An address such as `/proxy/notebook/<host>/<ip>/lab` only names a
 * usage: it is looked up by ownership, and what is dialled comes from our own records
 * (decision 9). HTTP lives in `http.ts`, WebSocket in `websocket.ts`; this file decides.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { fastifyCookie } from '@fastify/cookie';
import { ERRORS, PROXY_BASE, actingRoles, meets, type ErrorCode } from '@hypercube/contract';
import type { FastifyBaseLogger } from 'fastify';
import { unixSeconds, type Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Listener } from '../platform/database/notify.ts';
import type { Logins } from '../domains/user/login.ts';
import {
  findBySessionName,
  proxyKindOf,
  serverOf,
  type UsageRow,
} from '../domains/usage/usage.gateway.ts';
import {
  SESSION_COOKIE,
  TICKET_PATH,
  type SessionTickets,
} from '../domains/usage/usage.tickets.ts';
import { HttpForwarder } from './http.ts';
import type { Target } from './target.ts';
import { forwardUpgrade, refuseUpgrade } from './websocket.ts';

export interface GatewayOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly listener: Listener;
  readonly logins: Logins;
  readonly tickets: SessionTickets;
  readonly publicOrigin: string | undefined;
  readonly sessionOrigin: string | undefined;
  readonly isBehindProxy: boolean;
  readonly log: FastifyBaseLogger;
}

interface Refusal {
  readonly refused: ErrorCode;
}
type Decision = (Target & { readonly userID: number; readonly credential: string }) | Refusal;

const PATH = new RegExp(
  `^${PROXY_BASE}/([a-z]+)/([A-Za-z0-9_-]{1,128})/([A-Za-z0-9_-]{1,64})(?:[/?]|$)`,
);
/** Kinds that the platform's own pages draw. */
const AGENT_KINDS: ReadonlySet<string> = new Set(['desktop', 'terminal']);
const NOTHING: readonly string[] = [];
const decode = (text: string): string => Buffer.from(text, 'base64url').toString('utf8');

export const isProxyPath = (url: string | undefined): boolean =>
  url !== undefined && url.startsWith(`${PROXY_BASE}/`);

export class Gateway {
  readonly #options: GatewayOptions;
  /** Session name → usage; valid while notifications arrive. */
  readonly #usages = new Map<string, UsageRow>();
  readonly #forwarder = new HttpForwarder();
  /** Open WebSockets with what opened them, so that a logout closes them. */
  readonly #sockets = new Map<Duplex, { userID: number; usageID: number; credential: string }>();
  readonly #sessionHost: string | undefined;
  /** For servers that do not say themselves who may show them in a frame. */
  readonly #framing: readonly string[];
  /** Lets the platform's pages read what the agent of a session answers on its own origin. */
  readonly #sharing: readonly string[];

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#sessionHost =
      options.sessionOrigin === undefined ? undefined : new URL(options.sessionOrigin).host;
    const parent =
      options.sessionOrigin === undefined ? "'self'" : (options.publicOrigin ?? "'self'");
    this.#framing = ['content-security-policy', `frame-ancestors ${parent}`];
    this.#sharing = [
      'access-control-allow-origin',
      options.publicOrigin ?? 'null',
      'access-control-allow-credentials',
      'true',
      'vary',
      'origin',
    ];
    options.listener.on('usage', (payload) => this.#usageChanged(Number(payload.split(' ', 1)[0])));
    options.listener.on('login', (payload) => void this.#loginChanged(Number(payload)));
    options.listener.on('resumed', () => {
      this.#usages.clear();
      this.#forwarder.forget();
    });
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Takes upgrade requests of a server. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      void this.#upgrade(request, socket, head).catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'an upgrade failed');
        socket.destroy();
      });
    });
  }

  /** Answers one HTTP request below the proxy path. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.url?.startsWith(`${TICKET_PATH}?`)) return await this.#enter(request, response);
      const decision = await this.#decide(request);
      if ('refused' in decision) return this.#refuse(response, decision.refused);
      this.#forwarder.forward(
        request,
        response,
        decision,
        this.#forwardedHeaders(request),
        (code) => this.#refuse(response, code),
      );
    } catch (error) {
      this.#options.log.error({ err: error }, 'the gateway failed');
      if (response.headersSent) response.destroy();
      else this.#refuse(response, 'internal');
    }
  }

  close(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
    this.#forwarder.close();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (!isProxyPath(request.url)) return refuseUpgrade(socket, 404);
    const [, kind = ''] = PATH.exec(request.url ?? '') ?? [];
    if (!this.#isOwnOrigin(request, kind))
      return refuseUpgrade(socket, ERRORS.foreign_origin.status);
    const decision = await this.#decide(request);
    if ('refused' in decision) return refuseUpgrade(socket, ERRORS[decision.refused].status);
    const { userID, usageID, credential } = decision;
    this.#sockets.set(socket, { userID, usageID, credential });
    socket.once('close', () => this.#sockets.delete(socket));
    if (socket.destroyed) {
      this.#sockets.delete(socket);
      return;
    }
    forwardUpgrade(request, socket, head, decision, this.#forwardedHeaders(request));
  }

  /** Who asks, for what, and whether they may. */
  async #decide(request: IncomingMessage): Promise<Decision> {
    const [, kind = '', host = '', ip = ''] = PATH.exec(request.url ?? '') ?? [];
    if (kind === '') return { refused: 'not_found' };
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (!isReading && !this.#isOwnOrigin(request, kind)) return { refused: 'foreign_origin' };
    const who = await this.#identify(request);
    if ('refused' in who) return who;
    const row = await this.#findUsage(decode(host), decode(ip));
    const isKind = row !== undefined && (proxyKindOf(row) === kind || kind === 'terminal');
    if (!isKind || row.userID !== who.userID || row.phase !== 'ready' || row.endedAt !== null)
      return { refused: 'not_found' };
    if (row.status !== 1 || row.address === null) return { refused: 'usage_not_running' };
    if (row.deadlineTime <= unixSeconds(this.#options.clock.now())) return { refused: 'not_found' };
    const asked = kind === 'terminal' ? kind : proxyKindOf(row);
    return {
      ...who,
      usageID: row.id,
      ...serverOf(asked, row.address, request.url ?? '/'),
      added: this.#addedFor(asked, request.headers.origin),
    };
  }

  async #identify(
    request: IncomingMessage,
  ): Promise<{ userID: number; credential: string } | Refusal> {
    const cookies = fastifyCookie.parse(request.headers.cookie ?? '');
    if (this.#sessionHost !== undefined) {
      // With an origin of its own, session content exists there and nowhere else.
      if (request.headers.host !== this.#sessionHost) return { refused: 'not_found' };
      const cookie = cookies[SESSION_COOKIE];
      const userID =
        cookie === undefined ? undefined : await this.#options.tickets.findUser(cookie);
      return userID === undefined || cookie === undefined
        ? { refused: 'not_signed_in' }
        : { userID, credential: cookie };
    }
    const token = cookies[this.#options.logins.cookieName];
    const login = await this.#options.logins.find(token);
    if (!login || token === undefined) return { refused: 'not_signed_in' };
    if (!meets(actingRoles(login.roles, 'student'), ['proxy.access']))
      return { refused: 'forbidden' };
    return { userID: login.user.id, credential: token };
  }

  async #findUsage(host: string, ip: string): Promise<UsageRow | undefined> {
    const key = `${host} ${ip}`;
    const { listener, database } = this.#options;
    const known = listener.isLive ? this.#usages.get(key) : undefined;
    if (known) return known;
    const row = await findBySessionName(database, host, ip);
    if (row && listener.isLive) this.#usages.set(key, row);
    return row;
  }

  #usageChanged(usageID: number): void {
    for (const [key, row] of this.#usages) if (row.id === usageID) this.#usages.delete(key);
    this.#forwarder.forget(usageID);
  }

  /** After a logout or a change of password, what the ended login had open is closed. */
  async #loginChanged(userID: number): Promise<void> {
    const { logins, tickets } = this.#options;
    for (const [socket, owner] of this.#sockets) {
      if (owner.userID !== userID) continue;
      const isValid =
        this.#sessionHost === undefined
          ? await logins.find(owner.credential)
          : await tickets.findUser(owner.credential);
      if (isValid === undefined) socket.destroy();
    }
  }

  /**
   * Desktops and terminals are drawn by the platform's own pages, which call the session's origin
   * from theirs; every other kind is called by its own pages only.
   */
  #isOwnOrigin(request: IncomingMessage, kind: string): boolean {
    const { origin, host } = request.headers;
    if (AGENT_KINDS.has(kind) && this.#isPlatformCall(origin)) return true;
    if (origin === undefined) {
      const site = request.headers['sec-fetch-site'];
      return site === undefined || site === 'same-origin' || site === 'none';
    }
    const expected =
      this.#options.sessionOrigin ??
      this.#options.publicOrigin ??
      `${this.#protocol(request)}://${host}`;
    return origin === expected;
  }

  /** Whether a page of the platform calls a session that lives on another origin. */
  #isPlatformCall(origin: string | undefined): boolean {
    const { sessionOrigin, publicOrigin } = this.#options;
    return sessionOrigin !== undefined && origin !== undefined && origin === publicOrigin;
  }

  #addedFor(kind: string, origin: string | undefined): readonly string[] {
    if (kind === 'ide') return this.#framing;
    return AGENT_KINDS.has(kind) && this.#isPlatformCall(origin) ? this.#sharing : NOTHING;
  }

  #protocol(request: IncomingMessage): string {
    const forwarded = this.#options.isBehindProxy
      ? request.headers['x-forwarded-proto']
      : undefined;
    return typeof forwarded === 'string' ? (forwarded.split(',')[0]?.trim() ?? 'http') : 'http';
  }

  #forwardedHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
    return {
      'x-forwarded-for': request.socket.remoteAddress ?? '',
      'x-forwarded-host': request.headers.host ?? '',
      'x-forwarded-proto': this.#protocol(request),
    };
  }

  /** Turns a ticket into the session origin's own cookie and goes on to the session. */
  async #enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#sessionHost === undefined || request.headers.host !== this.#sessionHost)
      return this.#refuse(response, 'not_found');
    const query = new URL(request.url ?? '', 'http://session').searchParams;
    const to = query.get('to') ?? '';
    const cookie = PATH.test(to)
      ? await this.#options.tickets.exchange(query.get('ticket') ?? '')
      : undefined;
    if (cookie === undefined) return this.#refuse(response, 'not_signed_in');
    const isSecure = this.#options.sessionOrigin?.startsWith('https:') ?? false;
    response.writeHead(303, {
      location: to,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      // The frame stands on a page of another origin; only https lets such a cookie through everywhere.
      'set-cookie': fastifyCookie.serialize(SESSION_COOKIE, cookie, {
        path: `${PROXY_BASE}/`,
        httpOnly: true,
        secure: isSecure,
        sameSite: isSecure ? 'none' : 'lax',
      }),
    });
    response.end();
  }

  #refuse(response: ServerResponse, code: ErrorCode): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const body = JSON.stringify({ Code: code, Params: {}, RequestID: '' });
    response.writeHead(ERRORS[code].status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(body);
  }
}
