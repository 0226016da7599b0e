/** A whole installation for a test: its own database, data folder, clock and engine. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_BASE, type Role } from '@hypercube/contract';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { inject } from 'vitest';
import { unixSeconds, type Clock } from '../platform/clock.ts';
import { readConfig, type Config } from '../platform/config.ts';
import { startSystem, type System, type SystemOptions } from '../system.ts';
import { LocalEngine } from './local-engine.ts';
import { ScriptedSandbox } from './scripted-sandbox.ts';

export const PASSWORD = 'demo-pass-1';
const CONTENT = fileURLToPath(new URL('./content', import.meta.url));

/** A clock that a test sets. It begins at a whole second, so that expectations are round. */
export class ManualClock implements Clock {
  #ms = 1_760_000_000_000;

  now(): Date {
    return new Date(this.#ms);
  }

  advance(seconds: number): void {
    this.#ms += seconds * 1000;
  }

  get unix(): number {
    return unixSeconds(this.now());
  }
}

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
  readonly headers: Record<string, string | string[] | number | undefined>;
}

/** Somebody who calls the API: keeps the cookie like a browser. */
export class Person {
  readonly #world: World;
  cookie: string | undefined;
  readonly role: Role;

  constructor(world: World, role: Role) {
    this.#world = world;
    this.role = role;
  }

  async call<T = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const url = new URL(API_BASE + path, 'http://localhost');
    if (!url.searchParams.has('role')) url.searchParams.set('role', this.role);
    const options: InjectOptions = {
      method,
      url: url.pathname + url.search,
      headers: { ...(this.cookie === undefined ? {} : { cookie: this.cookie }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    };
    const response = await this.#world.system.app.inject(options);
    return this.#answer<T>(response);
  }

  /** Sends a file as a browser's form does. */
  async upload<T = Record<string, unknown>>(
    path: string,
    file: { readonly name: string; readonly content: Buffer | string },
    field = 'File',
  ): Promise<Answer<T>> {
    const boundary = 'hypercube-test-boundary';
    const payload = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${file.name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
      ),
      Buffer.from(file.content),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const url = new URL(API_BASE + path, 'http://localhost');
    url.searchParams.set('role', this.role);
    const response = await this.#world.system.app.inject({
      method: 'POST',
      url: url.pathname + url.search,
      headers: {
        ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      payload,
    });
    return this.#answer<T>(response);
  }

  #answer<T>(response: LightMyRequestResponse): Answer<T> {
    const [set] = [response.headers['set-cookie'] ?? []].flat();
    if (set !== undefined) this.cookie = set.split(';', 1)[0];
    const text = response.body;
    return {
      status: response.statusCode,
      body: (text === '' ? null : parse(text)) as T,
      headers: response.headers,
    };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface WorldOptions {
  readonly environment?: Record<string, string>;
  readonly onQuery?: (statement: string) => void;
  /** Without a worker nothing is started. */
  readonly hasWorker?: boolean;
  readonly isLoud?: boolean;
  readonly logger?: SystemOptions['logger'];
}

export class World {
  readonly clock = new ManualClock();
  readonly engine = new LocalEngine();
  readonly sandbox = new ScriptedSandbox();
  readonly folder: string;
  readonly connection: pg.ClientConfig;
  readonly config: Config;
  readonly #options: WorldOptions;
  system!: System;

  private constructor(folder: string, connection: pg.ClientConfig, options: WorldOptions) {
    this.folder = folder;
    this.connection = connection;
    this.#options = options;
    this.config = readConfig({
      HC_DATA: folder,
      HC_DEMO_PASSWORD: PASSWORD,
      // Tests of the human check switch it on.
      HC_CAPTCHA: 'off',
      HC_CAPACITY_CPUS: '8',
      HC_CAPACITY_MEMORY_MIB: '8192',
      ...options.environment,
    });
  }

  static async create(options: WorldOptions = {}): Promise<World> {
    const { host, user, port, template } = inject('postgres');
    const database = `test_${randomUUID().replaceAll('-', '')}`;
    const admin = new pg.Client({ host, user, port, database: 'postgres' });
    await admin.connect();
    await admin.query(`create database ${database} template ${template}`);
    await admin.end();
    const world = new World(
      await mkdtemp(join(tmpdir(), 'hypercube-world-')),
      { host, user, port, database },
      options,
    );
    await world.#start();
    return world;
  }

  async #start(): Promise<void> {
    this.system = await startSystem({
      config: this.config,
      connection: this.connection,
      clock: this.clock,
      logger: this.#options.logger ?? (this.#options.isLoud ? { level: 'debug' } : false),
      version: '0.0.0-test',
      contentFolder: CONTENT,
      ...(this.#options.onQuery ? { onQuery: this.#options.onQuery } : {}),
    });
    await this.system.app.ready();
    await this.#haveImages();
    if (this.#options.hasWorker !== false)
      await this.system.startWorker({
        engine: this.engine,
        reason: null,
        sandbox: this.sandbox,
      });
  }

  /** The built-in images are there, as one that the local engine has. */
  async #haveImages(): Promise<void> {
    await this.sql(
      sql`update image set reference = 'notebook:1', build_state = 'ready' where slug is not null`,
    );
    await this.sql(sql`
      insert into image_version (image_id, number, reference, size_bytes, contents)
      select id, 1, reference, 1000000, '[]' from image i
       where slug is not null and not exists (select 1 from image_version v where v.image_id = i.id)`);
    await this.sql(sql`
      update image i set version_id = v.id from image_version v
       where v.image_id = i.id and i.version_id is null`);
  }

  /** Ends the platform and starts it again on the same data; sessions run on. */
  async restart(): Promise<void> {
    await this.system.close();
    await this.#start();
  }

  /** A second platform process on the same database and clock. */
  async second(): Promise<System> {
    const system = await startSystem({
      config: this.config,
      connection: this.connection,
      clock: this.clock,
      logger: false,
      version: '0.0.0-test',
      contentFolder: CONTENT,
    });
    await system.app.ready();
    return system;
  }

  async sql<T extends Record<string, unknown>>(statement: ReturnType<typeof sql>): Promise<T[]> {
    return (await this.system.handle.database.execute(statement)).rows as T[];
  }

  visitor(): Person {
    return new Person(this, 'student');
  }

  async signIn(username: string, role: Role = 'student'): Promise<Person> {
    const person = new Person(this, role);
    const { status } = await person.call('POST', '/user/auth', {
      Username: username,
      Password: PASSWORD,
    });
    if (status !== 200) throw new Error(`${username} could not sign in: ${status}`);
    return person;
  }

  /** Listens on a free port, for what cannot be injected. @returns `host:port` */
  async listen(): Promise<string> {
    const address = await this.system.app.listen({ host: '127.0.0.1', port: 0 });
    return new URL(address).host;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.system.close();
    await this.engine.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Waits until a reading satisfies; vitest's own limit ends a wait that never does. */
export async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}
