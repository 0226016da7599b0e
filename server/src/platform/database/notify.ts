/**
 * LISTEN/NOTIFY: how the processes of one installation tell each other that something changed.
 * What is sent is only a hint of what to read again, never the data.
 */
import { EventEmitter } from 'node:events';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Executor } from './database.ts';

/**
 * `usage`: payload `<usage id> <user id>`. `image`: an image's id, or `gone`. `login`: payload user
 * id. `setting`: an admin changed the settings. `mail`: a mail waits. `notification`: the user ids whose lists changed, or
 * `*`. `suggestion`: an id. `submission`: payload `<submission id> <user id>`.
 */
export const CHANNELS = [
  'usage',
  'image',
  'login',
  'setting',
  'notification',
  'suggestion',
  'submission',
  'mail',
] as const;
export type Channel = (typeof CHANNELS)[number];

/** Sends when the surrounding transaction commits. */
export async function notify(executor: Executor, channel: Channel, payload: string): Promise<void> {
  await executor.execute(sql`select pg_notify(${`hc_${channel}`}, ${payload})`);
}

interface Events {
  usage: [payload: string];
  image: [payload: string];
  login: [payload: string];
  setting: [payload: string];
  mail: [payload: string];
  notification: [payload: string];
  suggestion: [payload: string];
  submission: [payload: string];
  /** The connection was lost and is back: whatever was heard may be incomplete, read again. */
  resumed: [];
}

/** One listening connection for the whole process; it comes back by itself. */
export class Listener extends EventEmitter<Events> {
  readonly #connection: pg.ClientConfig;
  #client: pg.Client | undefined;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(connection: pg.ClientConfig) {
    super();
    this.setMaxListeners(0);
    this.#connection = { ...connection, keepAlive: true };
  }

  /** Whether notifications arrive now; caches that rely on them must not be trusted otherwise. */
  get isLive(): boolean {
    return this.#client !== undefined;
  }

  async start(): Promise<void> {
    const client = new pg.Client(this.#connection);
    const lost = (): void => {
      if (this.#client === client) this.#client = undefined;
      if (this.#isClosed || this.#retry) return;
      this.#retry = setTimeout(() => {
        this.#retry = undefined;
        this.start().then(
          () => this.emit('resumed'),
          () => lost(),
        );
      }, 500);
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ channel, payload }) => {
      const name = CHANNELS.find((candidate) => `hc_${candidate}` === channel);
      if (name) this.emit(name, payload ?? '');
    });
    await client.connect();
    for (const channel of CHANNELS) await client.query(`listen hc_${channel}`);
    this.#client = client;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#client?.end();
  }
}
