import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withFileLock } from './file-lock.ts';
import { readNarrowedProfile } from './seccomp.ts';

/** What one podman service is made of. */
export interface PodmanServiceOptions {
  /** Generated configuration and the service's log. */
  configDir: string;
  /** Sockets, locks and state of this boot. */
  runDir: string;
  /** Images and writable layers. */
  graphRoot: string;
  /** Further stores whose images may be used but not changed. */
  readOnlyStores: readonly string[];
  log: (line: string) => void;
}

/** The service could not be started; the message is an English sentence for staff. */
export class PodmanUnavailableError extends Error {
  override readonly name = 'PodmanUnavailableError';
}

const startTimeoutMs = 20_000;
const checkIntervalMs = 1_000;
/** After this long without a death the next restart is at once again. */
const calmMs = 60_000;

/**
 * Our own podman, as a child process that answers the Docker API on a socket.
 *
 * Containers belong to their monitors (conmon), not to this process: they live on when the service
 * or the platform dies, and the next service finds them in its storage. Several platform processes
 * on one data folder share one service: each leaves a lease file, and the last one ends it.
 */
export class PodmanService {
  readonly socketPath: string;
  readonly #options: PodmanServiceOptions;
  readonly #configHash: string;
  /** Begins with our process id, so that others can see whether we still live. */
  readonly #lease = `${process.pid}-${randomUUID()}`;
  #child: ChildProcess | null = null;
  #pid: number | null = null;
  #watch: NodeJS.Timeout | null = null;
  #restarting: Promise<void> | null = null;
  #startedAt = 0;
  #quickDeaths = 0;
  #isClosed = false;

  private constructor(options: PodmanServiceOptions, configHash: string) {
    this.#options = options;
    this.#configHash = configHash;
    this.socketPath = join(options.runDir, 'podman.sock');
  }

  /** Adopts the service of an earlier run if it still answers, or starts one. */
  static async open(options: PodmanServiceOptions): Promise<PodmanService> {
    const configHash = writeConfiguration(options);
    const service = new PodmanService(options, configHash);
    try {
      await service.#start();
    } catch (error) {
      rmSync(service.#leasePath(service.#lease), { force: true });
      throw error;
    }
    service.#watch = setInterval(() => void service.#check(), checkIntervalMs);
    service.#watch.unref();
    return service;
  }

  /** Process id of the service, for tests and the admin page. */
  get pid(): number | null {
    return this.#pid;
  }

  /**
   * Waits until the socket answers, restarting the service where it died. A driver calls this when
   * a request found nobody at the socket.
   */
  async ensure(): Promise<void> {
    if (this.#isClosed) throw new PodmanUnavailableError('the podman service was closed');
    if (await answers(this.socketPath)) return;
    this.#restarting ??= this.#start().finally(() => {
      this.#restarting = null;
    });
    await this.#restarting;
  }

  /** Ends the service unless another process of the platform uses it. Containers run on. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#watch) clearInterval(this.#watch);
    await this.#restarting?.catch(() => undefined);
    if (!existsSync(this.#options.runDir)) return;
    await withFileLock(this.#lockPath(), () => this.#leave());
  }

  async #leave(): Promise<void> {
    rmSync(this.#leasePath(this.#lease), { force: true });
    if (this.#hasOtherHolders()) return;
    if (this.#pid !== null) await endProcess(this.#pid, this.socketPath);
    rmSync(this.socketPath, { force: true });
    rmSync(this.#statePath(), { force: true });
  }

  async #start(): Promise<void> {
    const { runDir } = this.#options;
    clearAfterBoot(runDir);
    await withFileLock(this.#lockPath(), () => this.#adoptOrSpawn());
  }

  async #adoptOrSpawn(): Promise<void> {
    // Under the lock, so that nobody who leaves ends what we are about to adopt.
    this.#hold();
    const earlier = this.#readState();
    if (earlier && isServiceProcess(earlier.pid, this.socketPath)) {
      if (earlier.configHash === this.#configHash && (await answers(this.socketPath))) {
        this.#pid = earlier.pid;
        return;
      }
      // It hangs, or serves other folders than we were told to: its containers do not mind.
      await endProcess(earlier.pid, this.socketPath);
    }
    rmSync(this.socketPath, { force: true });
    await this.#spawn();
  }

  async #spawn(): Promise<void> {
    const { configDir, log } = this.#options;
    const logFile = openSync(join(configDir, 'podman-service.log'), 'w', 0o600);
    const child = spawn(
      'podman',
      ['--log-level=warn', 'system', 'service', '--time=0', `unix://${this.socketPath}`],
      {
        env: podmanEnvironment(configDir),
        // Its own session: a Ctrl+C meant for the platform must not end it before its turn.
        detached: true,
        cwd: this.#options.runDir,
        stdio: ['ignore', logFile, logFile],
      },
    );
    closeSync(logFile);
    child.unref();
    let failure: string | null = null;
    child.once('error', (error) => {
      failure = `podman could not be run: ${error.message}`;
    });
    child.once('exit', (code, signal) => {
      failure ??= `podman ended with ${signal ?? `code ${code}`}: ${lastLine(join(configDir, 'podman-service.log'))}`;
      if (this.#child === child) {
        this.#child = null;
        this.#pid = null;
        if (!this.#isClosed) void this.#check();
      }
    });

    const deadline = Date.now() + startTimeoutMs;
    while (!(await answers(this.socketPath))) {
      if (failure !== null) throw new PodmanUnavailableError(failure);
      if (Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new PodmanUnavailableError('podman did not answer within 20 s');
      }
      await delay(20);
    }
    this.#child = child;
    this.#pid = child.pid ?? null;
    this.#startedAt = Date.now();
    writeFileSync(
      this.#statePath(),
      JSON.stringify({ pid: this.#pid, configHash: this.#configHash }),
      { mode: 0o600 },
    );
    log(`podman service ${this.#pid} answers on ${this.socketPath}`);
  }

  /** Restarts a service that died; the first time at once, then ever more slowly. */
  async #check(): Promise<void> {
    if (this.#isClosed || this.#restarting) return;
    if (this.#pid !== null && isServiceProcess(this.#pid, this.socketPath)) return;
    this.#quickDeaths = Date.now() - this.#startedAt < calmMs ? this.#quickDeaths + 1 : 0;
    const pauseMs = this.#quickDeaths < 2 ? 0 : Math.min(30_000, 250 * 2 ** this.#quickDeaths);
    this.#options.log(`podman service is gone; starting it again in ${pauseMs} ms`);
    this.#restarting = (async () => {
      if (pauseMs > 0) await delay(pauseMs);
      if (!this.#isClosed) await this.#start();
    })()
      .catch((error: unknown) => {
        this.#startedAt = Date.now();
        this.#options.log(`podman service does not start: ${String(error)}`);
      })
      .finally(() => {
        this.#restarting = null;
      });
    await this.#restarting;
  }

  #hold(): void {
    mkdirSync(join(this.#options.runDir, 'holders'), { recursive: true, mode: 0o700 });
    writeFileSync(this.#leasePath(this.#lease), '', { mode: 0o600 });
  }

  #hasOtherHolders(): boolean {
    const folder = join(this.#options.runDir, 'holders');
    let others = false;
    for (const lease of existsSync(folder) ? readdirSync(folder) : []) {
      if (isAlive(Number(lease.split('-')[0]))) others = true;
      else rmSync(this.#leasePath(lease), { force: true });
    }
    return others;
  }

  #leasePath(lease: string): string {
    return join(this.#options.runDir, 'holders', lease);
  }

  #lockPath(): string {
    return join(this.#options.runDir, 'start.lock');
  }

  #statePath(): string {
    return join(this.#options.runDir, 'service.json');
  }

  #readState(): { pid: number; configHash: string } | null {
    try {
      return JSON.parse(readFileSync(this.#statePath(), 'utf8')) as {
        pid: number;
        configHash: string;
      };
    } catch {
      return null;
    }
  }
}

/** Environment under which every podman command sees one service's configuration. */
export function podmanEnvironment(configDir: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CONTAINERS_CONF: join(configDir, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(configDir, 'storage.conf'),
    CONTAINERS_REGISTRIES_CONF: join(configDir, 'registries.conf'),
  };
}

/** Why podman cannot be used here at all, or null. */
export function podmanObstacle(): string | null {
  if (process.platform !== 'linux') return 'containers need Linux';
  const version = spawnSync('podman', ['--version'], { encoding: 'utf8', timeout: 10_000 });
  if (version.error || version.status !== 0) return 'podman is not installed';
  if (process.getuid?.() !== 0) {
    return 'podman without root hides the containers’ addresses from the host; run as root, or name a Docker socket in CONTAINER_HOST';
  }
  if (findProgram('runc') === null && findProgram('crun') === null) {
    return 'neither runc nor crun is installed';
  }
  return null;
}

/** Hard limit of this process, which a container's may not exceed where CAP_SYS_RESOURCE is absent. */
export function hardLimit(resource: 'Max processes' | 'Max open files'): number {
  const text = readFileSync('/proc/self/limits', 'utf8');
  const line = text.split('\n').find((one) => one.startsWith(resource));
  const hard = Number(line?.slice(resource.length).trim().split(/\s+/)[1]);
  return Number.isFinite(hard) ? hard : Number.MAX_SAFE_INTEGER;
}

/** Path of a program, or null. */
export function findProgram(name: string): string | null {
  const folders = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin:/usr/local/sbin`.split(':');
  for (const folder of folders) {
    if (folder && existsSync(join(folder, name))) return join(folder, name);
  }
  return null;
}

/**
 * Writes the configuration and answers its hash. runc rather than crun: crun fails where cgroups
 * are mixed (v1 with a v2 branch) and where hard limits cannot be raised. The monitor of every
 * `exec` stays for its exit delay: the default of five minutes would pile them up.
 */
function writeConfiguration(options: PodmanServiceOptions): string {
  const { configDir, runDir, graphRoot, readOnlyStores } = options;
  const runtime = findProgram('runc') === null ? 'crun' : 'runc';
  const openFiles = Math.min(4096, hardLimit('Max open files'));
  const processes = Math.min(32_768, hardLimit('Max processes'));
  const quote = (text: string) => JSON.stringify(text);
  const profile = readNarrowedProfile();
  const files = {
    ...(profile === undefined ? {} : { 'seccomp.json': profile }),
    'containers.conf': `[containers]
default_ulimits = ["nofile=1024:${openFiles}", "nproc=${processes}:${processes}"]
base_hosts_file = "none"
log_size_max = 1048576
${profile === undefined ? '' : `seccomp_profile = ${quote(join(configDir, 'seccomp.json'))}\n`}
[engine]
runtime = "${runtime}"
conmon_path = [${quote(join(configDir, 'conmon'))}]
exit_command_delay = 15
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = ${quote(join(runDir, 'libpod'))}
image_default_format = "docker"

[network]
network_backend = "netavark"
network_config_dir = ${quote(join(configDir, 'networks'))}
`,
    'storage.conf': `[storage]
driver = "overlay"
graphroot = ${quote(graphRoot)}
runroot = ${quote(join(runDir, 'storage'))}

[storage.options]
additionalimagestores = [${readOnlyStores.map(quote).join(', ')}]
`,
    'registries.conf': 'unqualified-search-registries = []\nshort-name-mode = "disabled"\n',
  };
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  mkdirSync(graphRoot, { recursive: true, mode: 0o700 });
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(configDir, 'conmon'), conmonScript(), { mode: 0o755 });
  const hash = createHash('sha256');
  for (const [name, text] of Object.entries(files)) {
    hash.update(text);
    writeFileSync(join(configDir, name), text);
  }
  return hash.digest('hex');
}

/**
 * Debian 12's podman looks for a container's `oom` file in the container's folder, and its conmon
 * writes it into the folder where the service was started: without this every kill for memory
 * would look like any other.
 */
function conmonScript(): string {
  const conmon = findProgram('conmon') ?? '/usr/libexec/podman/conmon';
  return `#!/bin/sh
previous=
for argument; do
  if [ "$previous" = -b ]; then cd "$argument"; fi
  previous=$argument
done
exec ${conmon} "$@"
`;
}

/**
 * Where /run is not a memory file system it survives a reboot, and podman would believe that its
 * containers still run.
 */
function clearAfterBoot(runDir: string): void {
  const bootID = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const path = join(runDir, 'boot-id');
  const seen = existsSync(path) ? readFileSync(path, 'utf8') : null;
  if (seen === bootID) return;
  if (seen !== null) rmSync(runDir, { recursive: true, force: true });
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  writeFileSync(path, bootID);
}

/** A process id may have been given to somebody else: only a podman on our socket counts. */
function isServiceProcess(pid: number, socketPath: string): boolean {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.startsWith('podman') && command.includes(socketPath);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

async function endProcess(pid: number, socketPath: string): Promise<void> {
  if (!isServiceProcess(pid, socketPath)) return;
  process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + 5_000;
  while (isServiceProcess(pid, socketPath)) {
    if (Date.now() > deadline) {
      process.kill(pid, 'SIGKILL');
      return;
    }
    await delay(10);
  }
}

/** Whether an engine answers a ping on a socket. */
export function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = request({ socketPath, path: '/_ping', timeout: 3_000 }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode === 200));
      answer.once('error', () => resolve(false));
    });
    ping.once('timeout', () => ping.destroy());
    ping.once('error', () => resolve(false));
    ping.end();
  });
}

function lastLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  } catch {
    return '';
  }
}
