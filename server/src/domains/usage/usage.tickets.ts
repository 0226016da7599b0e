/**
 * Sessions on an origin of their own: the platform's cookie never reaches it, so the page gets a
 * single-use ticket, and the session origin exchanges it for a cookie that opens sessions only.
 */
import { and, eq, gt, lte } from 'drizzle-orm';
import type { SignedInActor } from '../../platform/access/access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { hashToken, makeToken } from '../user/login.ts';
import { sessionTickets } from './usage.schema.ts';

const TICKET_SECONDS = 60;
const COOKIE_SECONDS = 24 * 3600;

/** Where the session origin takes a ticket; `to` is the path to go on to. */
export const TICKET_PATH = '/proxy/enter';
export const SESSION_COOKIE = 'hc_session';

export type SessionTickets = ReturnType<typeof createSessionTickets>;

export function createSessionTickets({
  database,
  clock,
  sessionOrigin,
}: {
  database: Database;
  clock: Clock;
  sessionOrigin: string | undefined;
}) {
  async function issue(
    kind: 'ticket' | 'cookie',
    userID: number,
    loginSessionID: number,
    seconds: number,
  ): Promise<string> {
    const token = makeToken();
    const expiresAt = new Date(clock.now().getTime() + seconds * 1000);
    await database
      .insert(sessionTickets)
      .values({ tokenHash: hashToken(token), kind, userID, loginSessionID, expiresAt });
    return token;
  }

  return {
    /** Address at which a session opens in the page's frame. */
    async addressFor(actor: SignedInActor, proxyPath: string): Promise<string> {
      if (sessionOrigin === undefined) return proxyPath;
      const ticket = await issue('ticket', actor.userID, actor.loginSessionID, TICKET_SECONDS);
      return `${sessionOrigin}${TICKET_PATH}?${new URLSearchParams({ ticket, to: proxyPath })}`;
    },

    /** Exchanges a ticket, once. @returns the cookie's value; undefined for a used, old or made-up ticket */
    async exchange(ticket: string): Promise<string | undefined> {
      const [row] = await database
        .delete(sessionTickets)
        .where(
          and(
            eq(sessionTickets.tokenHash, hashToken(ticket)),
            eq(sessionTickets.kind, 'ticket'),
            gt(sessionTickets.expiresAt, clock.now()),
          ),
        )
        .returning();
      return row && issue('cookie', row.userID, row.loginSessionID, COOKIE_SECONDS);
    },

    /** The user of a session cookie; it ends with the login session that it came from. */
    async findUser(cookie: string): Promise<number | undefined> {
      const [row] = await database
        .select({ userID: sessionTickets.userID })
        .from(sessionTickets)
        .where(
          and(
            eq(sessionTickets.tokenHash, hashToken(cookie)),
            eq(sessionTickets.kind, 'cookie'),
            gt(sessionTickets.expiresAt, clock.now()),
          ),
        );
      return row?.userID;
    },

    async sweep(): Promise<void> {
      await database.delete(sessionTickets).where(lte(sessionTickets.expiresAt, clock.now()));
    },
  };
}
