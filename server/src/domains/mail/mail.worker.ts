/**
 * The mailer: hands what is due to the mail server, one after the other, wakes when a mail was
 * written, and tries again what failed, later each time. Several of them share the work. Without a
 * mail server it keeps the mails here, where an admin reads them.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/notify.ts';
import type { MailTransport } from '../../platform/mail/transport.ts';
import * as queries from './mail.queries.ts';

const TICK_MS = 15_000;
/** Longer than the transport waits for anything, so that two mailers never have one mail. */
const LEASE_SECONDS = 180;
/** Pauses after the first, second, … failed try; after the last of them the tries are over. */
const PAUSES_SECONDS = [60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 24 * 3600] as const;
const ERROR_LENGTH = 500;

export interface MailWorkerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly listener: Listener;
  /** The way out as it is set now; null: there is no mail server. */
  readonly transport: () => MailTransport | null;
  readonly log: FastifyBaseLogger;
}

export class MailWorker {
  readonly #options: MailWorkerOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Something may have come since the last look. */
  #isWoken = false;
  #isStopped = false;

  constructor(options: MailWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    const { listener } = this.#options;
    listener.on('mail', this.#wake);
    listener.on('resumed', this.#wake);
    this.#timer = setInterval(this.#wake, TICK_MS).unref();
    this.#wake();
  }

  /** Ends after the mail that is under way. */
  async stop(): Promise<void> {
    const { listener, transport } = this.#options;
    this.#isStopped = true;
    clearInterval(this.#timer);
    listener.off('mail', this.#wake);
    listener.off('resumed', this.#wake);
    await this.#running;
    transport()?.close();
  }

  readonly #wake = (): void => {
    this.#isWoken = true;
    if (this.#isStopped) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isWoken) this.#wake();
    });
  };

  async #run(): Promise<void> {
    this.#isWoken = false;
    try {
      while (!this.#isStopped && (await this.#sendOne()));
    } catch (error) {
      // The database is away; the next tick looks again.
      this.#options.log.error({ err: error }, 'the mailer could not go on');
    }
  }

  /** @returns whether there was one */
  async #sendOne(): Promise<boolean> {
    const { database, clock, log } = this.#options;
    const now = clock.now();
    const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
    const mail = await queries.takeDueMail(database, now, later(LEASE_SECONDS));
    if (!mail) return false;
    const done = { nextTryAt: null, error: null, sentAt: clock.now() };
    const transport = this.#options.transport();
    if (transport === null) {
      await queries.markMail(database, mail.id, { ...done, state: 'captured' });
      return true;
    }
    try {
      await transport.send({
        to: mail.recipient,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageID: mail.messageID,
      });
    } catch (error) {
      const pause = PAUSES_SECONDS[mail.attempts];
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ mail: mail.id, attempts: mail.attempts + 1, reason }, 'a mail was not sent');
      await queries.markMail(database, mail.id, {
        state: 'failed',
        sentAt: null,
        error: reason.slice(0, ERROR_LENGTH),
        nextTryAt: pause === undefined ? null : later(pause),
      });
      return true;
    }
    await queries.markMail(database, mail.id, { ...done, state: 'sent' });
    return true;
  }
}

const DAY_MS = 86_400_000;

/** Forgets the mails that are done for longer than so many days. */
export const sweepMails = (database: Database, clock: Clock, days: number): Promise<void> =>
  queries.deleteOldMails(database, new Date(clock.now().getTime() - days * DAY_MS));
