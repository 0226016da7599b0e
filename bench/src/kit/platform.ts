/** A measured platform as the benches use it: started, signed in, with a session to talk to. */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_BASE } from '@hypercube/contract';
import type {
  PlatformCalls,
  PlatformOptions,
  PlatformStarted,
} from '../workers/platform.worker.ts';
import { startWorker, type Worker } from './calls.ts';
import { until } from './waiting.ts';

/** Password of every account of a measured platform. */
const PASSWORD = 'bench-pass-1';

/** What an environment is opened for, as `POST /usage` takes it. */
type Opened =
  | { readonly LabID: unknown; readonly TaskID: unknown }
  | { readonly SoftwareID: unknown }
  | { readonly SpecificationID: unknown };

export interface Session {
  readonly usageID: number;
  /** Where it opens, and where its terminals are, on the platform's origin. */
  readonly path: string;
  readonly terminalPath: string;
}

export class Platform implements AsyncDisposable {
  readonly origin: string;
  /** Where a second process finds the site's database. */
  readonly databaseURL: string;
  readonly worker: Worker<PlatformCalls>;
  readonly engine: { readonly socketPath: string; readonly diskLimit: string } | null;
  readonly #folder: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  private constructor(
    { origin, databaseURL, engine }: PlatformStarted,
    worker: Worker<PlatformCalls>,
    folder: string,
  ) {
    this.origin = origin;
    this.databaseURL = databaseURL;
    this.worker = worker;
    this.engine = engine;
    this.#folder = folder;
  }

  /** Starts one in a fresh data folder. */
  static async start(
    engine: PlatformOptions['engine'],
    nodeOptions: readonly string[] = [],
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Platform> {
    const folder = await mkdtemp(join(tmpdir(), 'hypercube-bench-'));
    const worker = startWorker<PlatformCalls>('platform', nodeOptions);
    try {
      const started = await worker.call('start', {
        dataFolder: folder,
        password: PASSWORD,
        engine,
        settings,
      });
      return new Platform(started, worker, folder);
    } catch (error) {
      await worker.call('stop', undefined).catch(() => undefined);
      await worker[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  sql(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return this.worker.call('sql', { text, values });
  }

  /** Signs in. @returns the cookie header */
  async signIn(username: string): Promise<string> {
    const response = await fetch(`${this.origin}${API_BASE}/user/auth?role=student`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Username: username, Password: PASSWORD }),
    });
    const [cookie] = response.headers.getSetCookie()[0]?.split(';', 1) ?? [];
    if (!response.ok || cookie === undefined) {
      throw new Error(`${username} could not sign in: ${response.status} ${await response.text()}`);
    }
    return cookie;
  }

  /**
   * Signs in over a kept connection, by as little of a client as there is.
   * @returns milliseconds until the whole answer is there
   */
  async timeSignIn(username: string): Promise<number> {
    const body = JSON.stringify({ Username: username, Password: PASSWORD });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const call = request(
        `${this.origin}${API_BASE}/user/auth?role=student`,
        { method: 'POST', agent: this.#agent, headers },
        (response) => {
          if (response.statusCode !== 200)
            reject(new Error(`${username} could not sign in: ${response.statusCode}`));
          response.resume();
          response.once('end', () => resolve(performance.now() - began));
          response.once('error', reject);
        },
      );
      call.once('error', reject);
      call.end(body);
    });
  }

  /** Calls the API. @throws Error on anything but success */
  async call<T>(method: string, path: string, cookie: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.origin}${API_BASE}${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** The first notebook task of the content. */
  async firstTask(): Promise<Opened> {
    const [task] = await this.sql(
      'select k.id, k.lab_id from lab_task k join lab l on l.id = k.lab_id where l.type = 2 and l.is_published order by k.id limit 1',
    );
    if (!task) throw new Error('the content has no notebook task');
    return { LabID: task['lab_id'], TaskID: task['id'] };
  }

  /** A software of the content. */
  async software(slug: string): Promise<Opened> {
    const [software] = await this.sql('select id from software where slug = $1', [slug]);
    if (!software) throw new Error(`the content has no software ${slug}`);
    return { SoftwareID: software['id'] };
  }

  /** Opens an environment and waits until it is ready; the first notebook task without a word. */
  async openSession(cookie: string, opened?: Opened): Promise<Session> {
    const usage = await this.call<{
      ID: number;
      ProxyPath: string | null;
      TerminalPath: string | null;
    }>('POST', '/usage', cookie, {
      RouteName: 'bench',
      RoutePath: '/bench',
      ...(opened ?? (await this.firstTask())),
    });
    const { ID: usageID, ProxyPath: path, TerminalPath: terminalPath } = usage;
    if (path === null || terminalPath === null)
      throw new Error('the session opened without a path');
    return { usageID, path, terminalPath };
  }

  /** Ends an environment and waits until its containers are gone. */
  async closeSession(cookie: string, usageID: number): Promise<void> {
    await this.call('DELETE', `/usage/${usageID}`, cookie);
    await until(
      'the containers of a deleted usage are gone',
      async () =>
        (await this.sql('select removed_at from usage where id = $1', [usageID]))[0]?.[
          'removed_at'
        ] ?? null,
      (removedAt) => removedAt !== null,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    await this.worker.call('stop', undefined);
    await this.worker[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
