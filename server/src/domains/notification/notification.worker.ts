/** Sends what is due, over and over: scheduled notifications, and mails about unread ones. */
import type { FastifyBaseLogger } from 'fastify';
import type { Listener } from '../../platform/database/notify.ts';
import type { NotificationService } from './notification.service.ts';

/** A scheduled notification is late by this at most. */
const ROUND_MS = 15_000;

export interface NotificationWorkerOptions {
  readonly service: NotificationService;
  readonly listener: Listener;
  /** Address of the site, for the links in mails. */
  readonly publicURL: string;
  readonly log: FastifyBaseLogger;
}

export class NotificationWorker {
  readonly #options: NotificationWorkerOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isAsked = false;

  constructor(options: NotificationWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#options.listener.on('notification', this.#ask);
    this.#timer = setInterval(this.#ask, ROUND_MS).unref();
    this.#ask();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#options.listener.off('notification', this.#ask);
    this.#isAsked = false;
    await this.#round;
  }

  readonly #ask = (): void => {
    this.#isAsked = true;
    this.#round ??= this.#run().finally(() => {
      this.#round = undefined;
    });
  };

  async #run(): Promise<void> {
    const { service, publicURL, log } = this.#options;
    while (this.#isAsked) {
      this.#isAsked = false;
      try {
        await service.work(publicURL);
      } catch (error) {
        // The next round tries again; nothing was marked as sent.
        log.warn({ err: error }, 'a round of notifications failed');
      }
    }
  }
}
