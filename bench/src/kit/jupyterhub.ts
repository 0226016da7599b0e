/**
 * JupyterHub as a rival: installed from PyPI into a folder of its own, and started in front of the
 * same notebook image, limits and folders, through the same engine, by its own DockerSpawner.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { UsageSpec } from '../../../server/src/engines/containers/engine.ts';
import { freePort } from './ports.ts';
import { until } from './waiting.ts';

const VERSIONS = { jupyterhub: '6.1.1', dockerspawner: '14.0.0' } as const;
/** Of the image's Debian: what its own Python loads must have been built for it. */
const IMAGE_PYTHON = '3.13';
const INSTALL_MS = 120_000;
const USER = 'bench';
/** Where the container finds what its JupyterLab needs to know of the hub. */
const MOUNTED = '/opt/jupyterhub';
/** Behind the image's own packages, so that it is the image's JupyterLab that runs. */
const SINGLE_USER = `import sys; sys.path.append('${MOUNTED}'); from jupyterhub.singleuser import main; sys.exit(main())`;

/** Folders of an installed JupyterHub: its programs, and the packages for inside the container. */
export interface Installed {
  readonly programs: string;
  readonly packages: string;
}

/**
 * Installs it, once for this machine.
 * @returns why it cannot be installed, in words, or where it is
 */
export async function installJupyterHub(): Promise<Installed | string> {
  const folder = join(homedir(), '.cache', 'hypercube', `bench-jupyterhub-${VERSIONS.jupyterhub}`);
  const installed = { programs: join(folder, 'hub', 'bin'), packages: join(folder, 'single') };
  if (existsSync(folder)) return installed;
  await mkdir(dirname(folder), { recursive: true });
  const half = await mkdtemp(`${folder}-`);
  const run = (file: string, ...parameters: string[]): Promise<unknown> =>
    promisify(execFile)(file, parameters, { timeout: INSTALL_MS });
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  try {
    await run('python3', '-m', 'venv', join(half, 'hub'));
    const pip = [join(half, 'hub', 'bin', 'python3'), '-m', 'pip', 'install', '--quiet'] as const;
    const hub = `jupyterhub==${VERSIONS.jupyterhub}`;
    await run(...pip, hub, `dockerspawner==${VERSIONS.dockerspawner}`);
    await run(
      ...pip,
      `--target=${join(half, 'single')}`,
      `--python-version=${IMAGE_PYTHON}`,
      '--only-binary=:all:',
      ...['2_28', '2_17'].map((glibc) => `--platform=manylinux_${glibc}_${architecture}`),
      hub,
    );
    // Its programs are called by way of its Python, which knows where it is by where it stands.
    await rename(half, folder);
    return installed;
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    const { stderr, message } = error as Error & { readonly stderr?: string };
    // The last line is what it came to.
    return stderr?.trim().split('\n').at(-1) || message;
  }
}

/** What the hub gives its containers: the same as ours have. */
function hostConfig({ nodes: [node] }: UsageSpec): Record<string, unknown> {
  if (!node) throw new Error('a usage without nodes');
  const { limits } = node;
  return {
    memswap_limit: limits.memoryBytes,
    pids_limit: limits.pids,
    shm_size: limits.shmBytes,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges'],
    ulimits: [
      { Name: 'nofile', Soft: 1024, Hard: 4096 },
      { Name: 'nproc', Soft: 4096, Hard: 4096 },
    ],
  };
}

export interface HubOptions {
  readonly installed: Installed;
  /** Socket of the engine. */
  readonly socketPath: string;
  /** A network that is there, and the host's own address on it. */
  readonly network: { readonly name: string; readonly gateway: string };
  /** What our platform asked its engine for. */
  readonly spec: UsageSpec;
}

export class JupyterHub implements AsyncDisposable {
  readonly version = VERSIONS.jupyterhub;
  readonly #origin: string;
  readonly #token: string;
  /** What it said last. */
  readonly #said: () => string;
  readonly #end: () => Promise<void>;

  private constructor(origin: string, token: string, said: () => string, end: () => Promise<void>) {
    this.#origin = origin;
    this.#token = token;
    this.#said = said;
    this.#end = end;
  }

  /** Starts the hub and its proxy. */
  static async start({ installed, socketPath, network, spec }: HubOptions): Promise<JupyterHub> {
    const folder = await mkdtemp(join(tmpdir(), 'hypercube-bench-hub-'));
    const token = randomBytes(24).toString('hex');
    const [port, proxyPort, hubPort] = [await freePort(), await freePort(), await freePort()];
    const [node] = spec.nodes;
    if (!node) throw new Error('a usage without nodes');
    const require = createRequire(import.meta.url);
    const proxy = dirname(require.resolve('configurable-http-proxy'));
    const personal = node.mounts.find(({ readOnly }) => !readOnly)?.target ?? '';
    const settings = {
      JupyterHub: {
        bind_url: `http://127.0.0.1:${port}`,
        hub_ip: network.gateway,
        hub_port: hubPort,
        db_url: `sqlite:///${join(folder, 'hub.sqlite')}`,
        cookie_secret_file: join(folder, 'cookie-secret'),
        spawner_class: 'dockerspawner.DockerSpawner',
        authenticator_class: 'dummy',
        log_level: 'WARN',
        services: [{ name: USER, api_token: token }],
        load_roles: [
          {
            name: USER,
            services: [USER],
            scopes: ['admin:users', 'admin:servers', 'access:servers'],
          },
        ],
      },
      ConfigurableHTTPProxy: {
        api_url: `http://127.0.0.1:${proxyPort}`,
        command: [process.execPath, join(proxy, 'bin', 'configurable-http-proxy')],
        pid_file: join(folder, 'proxy.pid'),
      },
      Authenticator: { allow_all: true },
      DockerSpawner: {
        image: node.image,
        pull_policy: 'never',
        cpu_limit: node.limits.cpus,
        mem_limit: node.limits.memoryBytes,
        remove: true,
        network_name: network.name,
        use_internal_ip: true,
        cmd: ['python3', '-c', SINGLE_USER],
        notebook_dir: personal,
        environment: {
          JUPYTER_CONFIG_PATH: '/usr/share/hypercube/notebook/zh-CN',
          OMP_NUM_THREADS: '2',
          OPENBLAS_NUM_THREADS: '2',
        },
        volumes: Object.fromEntries(
          node.mounts
            .filter(({ readOnly }) => !readOnly)
            .map(({ source, target }) => [source, target]),
        ),
        read_only_volumes: Object.fromEntries([
          [installed.packages, MOUNTED],
          ...node.mounts
            .filter(({ readOnly }) => readOnly)
            .map(({ source, target }) => [source, target] as const),
        ]),
        extra_create_kwargs: { user: node.user },
        extra_host_config: hostConfig(spec),
      },
    };
    const config = join(folder, 'jupyterhub_config.py');
    await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
    await writeFile(
      config,
      `import json
for name, values in json.load(open(${JSON.stringify(join(folder, 'settings.json'))})).items():
    for key, value in values.items():
        setattr(getattr(c, name), key, value)
`,
    );
    let output = '';
    const child = spawn(
      join(installed.programs, 'python3'),
      ['-m', 'jupyterhub', `--config=${config}`],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, DOCKER_HOST: `unix://${socketPath}`, NODE_ENV: 'production' },
      },
    );
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        output = (output + part.toString()).slice(-4000);
      });
    const exited = once(child, 'exit');
    const end = async (): Promise<void> => {
      child.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    };
    const hub = new JupyterHub(`http://127.0.0.1:${port}`, token, () => output, end);
    try {
      await until(
        'JupyterHub answers',
        () => {
          if (child.exitCode !== null) throw new Error(`JupyterHub ended by itself:\n${output}`);
          return hub.#call('GET', '').catch(() => 0);
        },
        (status) => status === 200,
        { everyMs: 100 },
      );
      await hub.#call('POST', `/users/${USER}`);
    } catch (error) {
      await end();
      throw error;
    }
    return hub;
  }

  /** Starts the user's server, as the button on its page does. @returns where it is, and how to get in */
  async open(): Promise<{ base: string; headers: Record<string, string> }> {
    const status = await this.#call('POST', `/users/${USER}/server`);
    // After ten seconds it answers that the start goes on.
    if (status === 202) throw new Error('JupyterHub needed more than ten seconds for a server');
    if (status !== 201)
      throw new Error(`JupyterHub did not start a server: ${status}\n${this.#said()}`);
    return { base: `${this.#origin}/user/${USER}/`, headers: this.#headers };
  }

  /** Ends the user's server and waits until its container is gone. */
  async close(): Promise<void> {
    await until(
      'the server of JupyterHub is gone',
      () => this.#call('DELETE', `/users/${USER}/server`),
      // While it stops, asking again answers 202; nothing to stop is 400 or 404.
      (status) => status === 204 || status === 400 || status === 404,
      { everyMs: 100 },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close().catch(() => undefined);
    await this.#end();
  }

  get #headers(): Record<string, string> {
    return { authorization: `token ${this.#token}` };
  }

  async #call(method: string, path: string): Promise<number> {
    const response = await fetch(`${this.#origin}/hub/api${path}`, {
      method,
      headers: this.#headers,
    });
    await response.body?.cancel();
    return response.status;
  }
}
