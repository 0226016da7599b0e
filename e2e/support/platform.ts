/** The platform as a person starts it: `npm start` on a data folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PASSWORD = 'demo-pass-1';
const START_LIMIT_MS = 120_000;
/** The first run on a machine builds the practice images. */
const IMAGES_LIMIT_MS = 1_200_000;

/** A port that nobody uses at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export class Platform {
  readonly dataFolder: string;
  readonly port: number;
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  #output = '';

  private constructor(
    dataFolder: string,
    port: number,
    environment: Readonly<Record<string, string>>,
  ) {
    this.dataFolder = dataFolder;
    this.port = port;
    this.#environment = {
      ...process.env,
      HC_DATA: dataFolder,
      HC_PORT: String(port),
      HC_DEMO_PASSWORD: PASSWORD,
      HC_LOG_LEVEL: 'warn',
      // Tests of the human check switch it on.
      HC_CAPTCHA: 'off',
      ...environment,
    };
  }

  static async create(
    environment: Readonly<Record<string, string>> = {},
    port?: number,
  ): Promise<Platform> {
    const platform = new Platform(
      await mkdtemp(join(tmpdir(), 'hypercube-e2e-')),
      port ?? (await freePort()),
      environment,
    );
    await platform.start();
    return platform;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What it printed since it was started. */
  get output(): string {
    return this.#output;
  }

  async start(): Promise<void> {
    this.#output = '';
    this.#process = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => (this.#output += part));
    const limit = performance.now() + START_LIMIT_MS;
    while (!(await this.#answers('/healthz'))) {
      if (this.#process.exitCode !== null || performance.now() > limit)
        throw new Error(`the platform did not start:\n${this.#output}`);
      await pause(50);
    }
  }

  async #answers(path: string): Promise<boolean> {
    return fetch(this.origin + path).then(
      (response) => response.ok,
      () => false,
    );
  }

  /** Waits until environments can be opened. */
  async waitForImages(): Promise<void> {
    const limit = performance.now() + IMAGES_LIMIT_MS;
    for (;;) {
      const site = (await (await fetch(`${this.origin}/api/v1/site`)).json()) as {
        Engine: { IsReady: boolean };
        Images: { State: string; Text: string }[];
      };
      // Its own word counts as well: what the rows say may be from before a restart.
      const isChecked = this.#output.includes('Practice images are ready');
      if (isChecked && site.Engine.IsReady && site.Images.every(({ State }) => State === 'ready'))
        return;
      const failed = site.Images.find(({ State }) => State === 'failed');
      if (failed || performance.now() > limit)
        throw new Error(
          `no practice image: ${failed?.Text ?? 'it took too long'}\n${this.#output}`,
        );
      await pause(250);
    }
  }

  /** Ctrl-C in its terminal: every process of the group hears it. Waits until the last has ended. */
  async interrupt(): Promise<void> {
    const running = this.#process;
    const server = await this.serverPid().catch(() => 0);
    if (running?.pid === undefined || server === 0) return;
    process.kill(-running.pid, 'SIGINT');
    while (isAlive(server)) await pause(20);
  }

  /** Number of the platform's own process. */
  async serverPid(): Promise<number> {
    return Number(
      (await readFile(join(this.dataFolder, 'hypercube.pid'), 'utf8')).split(' ', 1)[0],
    );
  }

  /** `kill -9` of the platform itself: it has no time to clear up. */
  async kill(): Promise<void> {
    const ended = once(this.#process ?? (new Error('not started') as never), 'exit');
    process.kill(await this.serverPid(), 'SIGKILL');
    await ended;
  }

  /** Runs SQL on the embedded database, to bring about what a test cannot wait for. */
  async sql<T extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<T[]> {
    const key = createHash('sha256').update(this.dataFolder).digest('hex').slice(0, 12);
    const base = process.getuid?.() === 0 ? '/run' : tmpdir();
    const client = new pg.Client({
      host: join(base, `hypercube-${key}-db`),
      user: 'hypercube',
      database: 'postgres',
    });
    await client.connect();
    try {
      return (await client.query<T>(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Sets the time that the current environment of a user has left, as waiting would. */
  async setRemaining(username: string, seconds: number): Promise<void> {
    await this.sql(
      `with changed as (
         update usage u set renewal_time = floor(extract(epoch from clock_timestamp())) - lifetime_seconds + $2, version = u.version + 1
         from user_account a where a.id = u.user_id and a.username = $1 and u.ended_at is null returning u.id, u.user_id)
       select pg_notify('hc_usage', id || ' ' || user_id) from changed`,
      [username, seconds],
    );
  }

  /** Ends every environment and the platform, and removes the data folder. */
  async dispose(): Promise<void> {
    await this.sql(
      `update usage set ended_at = now(), cause = 'deleted', wanted = 'end' where ended_at is null`,
    );
    const limit = performance.now() + 60_000;
    while (
      (await this.sql('select id from usage where removed_at is null')).length > 0 &&
      performance.now() < limit
    )
      await pause(100);
    await this.interrupt();
    // Containers outlive the platform by design; the test's own must not.
    const dismantled = spawn(
      process.execPath,
      ['server/src/engines/containers/dismantle-cli.ts', `--data=${this.dataFolder}`],
      { cwd: ROOT, stdio: 'inherit' },
    );
    await once(dismantled, 'exit');
    await rm(this.dataFolder, { recursive: true, force: true }).catch(() => undefined);
  }
}
