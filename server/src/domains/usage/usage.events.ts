/** Server-sent events: the current environment, pushed to every open page of its user. */
import type { Language, UsageEvent } from '@hypercube/contract';
import type { FastifyReply } from 'fastify';
import type { Listener } from '../../platform/database/notify.ts';
import type { UsageService } from './usage.service.ts';

/** A comment this often keeps proxies from closing a silent stream, and finds dead ones. */
const HEARTBEAT_MS = 15_000;
/** Pages that wait in the queue are told of its moves at most this often. */
const QUEUE_MOVE_MS = 250;

interface Stream {
  readonly userID: number;
  /** Reads and sends, unless nothing changed since. */
  push(): void;
  /** Sends something else than the usage. */
  tell(event: string, data: unknown): void;
  isWaiting: boolean;
  /** Whether the login that opened it still holds. */
  isSignedIn(): Promise<boolean>;
  close(): void;
}

/** Something else that a stream was asked to tell, as long as it stands. @returns how to end it */
export type Follow = (tell: (event: string, data: unknown) => void) => () => void;

export class UsageEvents {
  readonly #service: UsageService;
  readonly #countUnread: (userID: number) => Promise<number>;
  readonly #streams = new Set<Stream>();
  readonly #heartbeat: NodeJS.Timeout;
  #queueMove: NodeJS.Timeout | undefined;

  /** @param countUnread unread notifications of a user */
  constructor(
    service: UsageService,
    countUnread: (userID: number) => Promise<number>,
    listener: Listener,
  ) {
    this.#service = service;
    this.#countUnread = countUnread;
    listener.on('notification', (payload) => {
      const told = payload === '*' ? null : new Set(payload.split(' ').map(Number));
      for (const stream of this.#streams) {
        if (told !== null && !told.has(stream.userID)) continue;
        stream.push();
        // A list may change without its count: one that was read is taken back.
        stream.tell('notification', {});
      }
    });
    // Only that something was said; whoever may read it does.
    listener.on('suggestion', (payload) => {
      for (const stream of this.#streams) stream.tell('suggestion', { ID: Number(payload) });
    });
    // To the one who sent it: how far the judge is with it.
    listener.on('submission', (payload) => {
      const [ID = 0, userID] = payload.split(' ').map(Number);
      for (const stream of this.#streams)
        if (stream.userID === userID) stream.tell('submission', { ID });
    });
    listener.on('usage', (payload) => {
      const userID = Number(payload.split(' ')[1]);
      for (const stream of this.#streams) if (stream.userID === userID) stream.push();
      this.#pushWaiting();
    });
    listener.on('image', () => this.#pushWaiting());
    listener.on('login', (payload) => {
      const userID = Number(payload);
      for (const stream of this.#streams) if (stream.userID === userID) void this.#check(stream);
    });
    listener.on('resumed', () => {
      for (const stream of this.#streams) {
        stream.push();
        void this.#check(stream);
      }
    });
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** What a page of this user is told now. */
  async read(userID: number, language: Language): Promise<UsageEvent> {
    const [event, Unread] = await Promise.all([
      this.#service.readEvent(userID, language),
      // A count that fails is none (specification, section 8); the stream goes on.
      this.#countUnread(userID).catch(() => 0),
    ]);
    return { ...event, Unread };
  }

  /** Closes a stream whose login ended; one that cannot be checked asks again when it comes back. */
  async #check(stream: Stream): Promise<void> {
    if (!(await stream.isSignedIn().catch(() => false))) stream.close();
  }

  readonly #beats = new Map<Stream, () => void>();

  #beat(): void {
    for (const beat of this.#beats.values()) beat();
  }

  /** Positions in the queue and an image's build move for everybody who waits. */
  #pushWaiting(): void {
    this.#queueMove ??= setTimeout(() => {
      this.#queueMove = undefined;
      for (const stream of this.#streams) if (stream.isWaiting) stream.push();
    }, QUEUE_MOVE_MS);
  }

  /**
   * Takes over the answer and keeps it open until the client leaves, its login or the server ends.
   * @param follow what the stream tells beside the environment
   */
  open(
    userID: number,
    language: Language,
    reply: FastifyReply,
    isSignedIn: () => Promise<boolean>,
    follow?: Follow,
  ): FastifyReply {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    let isReading = false;
    let isAsked = false;
    const stream: Stream = {
      userID,
      isWaiting: false,
      isSignedIn,
      push: () => {
        isAsked = true;
        if (isReading) return;
        isReading = true;
        void (async () => {
          try {
            while (isAsked && !raw.destroyed) {
              isAsked = false;
              const event = await this.read(userID, language);
              stream.isWaiting = event.Usage?.Phase === 'queued';
              raw.write(`data: ${JSON.stringify(event)}\n\n`);
            }
          } catch {
            // The page reconnects and reads anew.
            stream.close();
          } finally {
            isReading = false;
          }
        })();
      },
      tell: (event, data) => raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
      close: () => raw.end(),
    };
    this.#streams.add(stream);
    this.#beats.set(stream, () => raw.write(': \n\n'));
    const leave = follow?.((event, data) => stream.tell(event, data));
    raw.once('close', () => {
      leave?.();
      this.#streams.delete(stream);
      this.#beats.delete(stream);
    });
    raw.on('error', () => raw.destroy());
    stream.push();
    return reply;
  }

  close(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#queueMove);
    for (const stream of this.#streams) stream.close();
  }
}
