import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Duplex, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { ContainerHost, NoContainerHost } from './host.ts';
import {
  dockerClient,
  isConnectionFailure,
  messageOf,
  statusOf,
  toEngineError,
} from './engine-http.ts';
import {
  type CommitOptions,
  type CommittedImage,
  type CommittedNames,
  type ContainerEngine,
  EngineError,
  type EngineEvent,
  type EngineHealth,
  type ExecResult,
  type ImageFacts,
  type NodeDiskUsage,
  type NodeSpec,
  type NodeState,
  type NodeStateName,
  type NodeStats,
  type UsageSpec,
} from './engine.ts';
import { AbsentEngine } from './absent-engine.ts';
import { diskBytesOf } from './disk-bytes.ts';
import { type ParsedEvent, parseEvent } from './engine-events.ts';
import { ImageCommits } from './image-commit.ts';
import { CappedText, demultiplexed } from './engine-output.ts';
import { labels } from './labels.ts';
import { clusterKey } from './cluster-key.ts';
import { createHostShield, type HostShield, noShield } from './host-shield.ts';
import { bridgePrefix } from './installation.ts';
import { hardLimit } from './podman-service.ts';
import { maxNodes, type Subnet, SubnetPool } from './subnet-pool.ts';

const timeouts = {
  short: 10_000,
  create: 60_000,
  start: 60_000,
  stop: 20_000,
  remove: 60_000,
  exec: 30_000,
  disk: 15_000,
} as const;

/** What a stopped session gets to save its work before it is killed. */
const stopSeconds = 3;
/** Deaths that we caused are told apart from others for this long after the call. */
const ownDeathMs = 10_000;
const healthMaxAgeMs = 5_000;

export interface DockerApiOptions {
  /** What {@link findContainerHost} found. */
  host: ContainerHost | NoContainerHost;
  /** Range of the usages' private networks. */
  subnetRange?: string;
}

type Flavor = { name: 'podman' | 'docker'; version: string };

interface EngineVersion {
  Version: string;
  Components?: { Name: string; Version: string }[];
}

/** What an inspection says of a container's writable layer. */
interface LayeredContainer {
  GraphDriver?: { Data?: { UpperDir?: string } | null };
  /** Only when asked for. */
  SizeRw?: number;
}

/**
 * The driver for everything that speaks the Docker API. One engine serves one installation; all
 * its state is in the engine's labels, so any process may take over at any time.
 */
export function createContainerEngine(options: DockerApiOptions): ContainerEngine {
  const { host } = options;
  return host.kind === 'none'
    ? new AbsentEngine(host.reason)
    : new DockerApiEngine(host, options.subnetRange ?? '10.213.0.0/16');
}

class DockerApiEngine implements ContainerEngine {
  readonly #host: ContainerHost;
  readonly #docker: Docker;
  readonly #pool: SubnetPool;
  readonly #shield: HostShield;
  readonly #bridgePrefix: string;
  readonly #commits: ImageCommits;
  readonly #ulimits: { Name: string; Soft: number; Hard: number }[];
  /** Node names by usage, in order, so that the quick calls need no listing. */
  readonly #nodeNames = new Map<number, string[]>();
  readonly #ownDeaths = new Map<string, number>();
  #flavor: Promise<Flavor> | null = null;
  #preparation: Promise<void> | null = null;
  #lastHealth: { at: number; health: Promise<EngineHealth> } | null = null;

  constructor(host: ContainerHost, subnetRange: string) {
    this.#host = host;
    this.#docker = dockerClient(host.address);
    this.#pool = new SubnetPool(subnetRange, host.paths.id);
    this.#bridgePrefix = bridgePrefix(host.paths.id);
    this.#shield =
      host.kind === 'remote' ? noShield : createHostShield(host.paths.id, this.#bridgePrefix);
    this.#commits = new ImageCommits(
      this.#docker,
      {
        call: (doing, timeoutMs, call) => this.#call(doing, timeoutMs, call),
        read: (path, signal) => this.#dial('GET', path, signal),
      },
      { id: host.paths.id, isRemote: host.kind === 'remote' },
    );
    const openFiles = Math.min(4096, hardLimit('Max open files'));
    // Counted per user id over all sessions, so it only guards the host; PidsLimit is the session's.
    const processes = Math.min(32_768, hardLimit('Max processes'));
    this.#ulimits = [
      { Name: 'nofile', Soft: 1024, Hard: openFiles },
      { Name: 'nproc', Soft: processes, Hard: processes },
      { Name: 'core', Soft: 0, Hard: 0 },
    ];
  }

  health(): Promise<EngineHealth> {
    const last = this.#lastHealth;
    if (last && Date.now() - last.at < healthMaxAgeMs) return last.health;
    const health = this.#readHealth();
    this.#lastHealth = { at: Date.now(), health };
    return health;
  }

  async create(usage: UsageSpec): Promise<void> {
    const doing = `creating usage ${usage.usageID}`;
    if (usage.nodes.length === 0 || usage.nodes.length > maxNodes) {
      throw new EngineError('engine_failed', `${doing}: a usage has 1 to ${maxNodes} nodes`);
    }
    await this.#prepare(doing);
    const subnet = await this.#ensureNetwork(usage.usageID, doing);
    await Promise.all(
      usage.nodes.map((node, index) => this.#createNode(usage, node, index, subnet, doing)),
    );
    this.#nodeNames.set(
      usage.usageID,
      usage.nodes.map((node) => node.name),
    );
  }

  async start(usageID: number): Promise<NodeState[]> {
    const doing = `starting usage ${usageID}`;
    await this.#prepare(doing);
    const names = await this.#namesOf(usageID, doing);
    for (const name of names) this.#ownDeaths.delete(this.#containerName(usageID, name));
    await Promise.all(
      names.map(async (name) => {
        const container = this.#container(usageID, name);
        await this.#settle(doing, timeouts.start, usageID, name, 'running', async (signal) => {
          try {
            await container.start({ abortSignal: signal });
          } catch (error) {
            if ((await this.#inspectNode(usageID, name, doing)).state !== 'paused') throw error;
            await container.unpause({ abortSignal: signal });
          }
        });
      }),
    );
    await this.#shield.quieten(this.#bridgeOf(usageID));
    return this.#inspectNodes(usageID, names, doing);
  }

  async pause(usageID: number): Promise<void> {
    const doing = `pausing usage ${usageID}`;
    const names = await this.#namesOf(usageID, doing);
    await Promise.all(
      names.map((name) =>
        this.#settle(doing, timeouts.short, usageID, name, 'paused', (signal) =>
          this.#container(usageID, name).pause({ abortSignal: signal }),
        ),
      ),
    );
  }

  async unpause(usageID: number): Promise<NodeState[]> {
    const doing = `unpausing usage ${usageID}`;
    const names = await this.#namesOf(usageID, doing);
    await Promise.all(
      names.map((name) =>
        this.#settle(doing, timeouts.short, usageID, name, 'running', (signal) =>
          this.#container(usageID, name).unpause({ abortSignal: signal }),
        ),
      ),
    );
    return this.#inspectNodes(usageID, names, doing);
  }

  async stop(usageID: number): Promise<void> {
    const doing = `stopping usage ${usageID}`;
    const names = await this.#namesOf(usageID, doing);
    await Promise.all(
      names.map(async (name) => {
        const container = this.#container(usageID, name);
        this.#ownDeaths.set(this.#containerName(usageID, name), Date.now() + ownDeathMs);
        await this.#settle(doing, timeouts.stop, usageID, name, 'exited', async (signal) => {
          try {
            await container.stop({ t: stopSeconds, abortSignal: signal });
          } catch (error) {
            // A frozen process cannot end: it is woken to do so.
            if (!/paused/i.test(messageOf(error))) throw error;
            await container.unpause({ abortSignal: signal });
            await container.stop({ t: stopSeconds, abortSignal: signal });
          }
        });
      }),
    );
  }

  async remove(usageID: number): Promise<void> {
    const doing = `removing usage ${usageID}`;
    const { name: flavor } = await this.#knowFlavor(doing);
    // Not from memory: a half-made usage may hold more than we made.
    const found = await this.#listContainers(doing, usageID);
    await Promise.all(
      found.map(async (container) => {
        const name = (container.Names[0] ?? '').replace(/^\//, '');
        this.#ownDeaths.set(name, Date.now() + ownDeathMs);
        await this.#tolerate([404], doing, timeouts.remove, (signal) =>
          flavor === 'podman'
            ? // podman's Docker call waits ten seconds for processes that ignore SIGTERM.
              this.#dial('DELETE', `/v4.0.0/libpod/containers/${container.Id}?`, signal, {
                force: true,
                v: true,
                timeout: 0,
              })
            : this.#dial('DELETE', `/containers/${container.Id}?`, signal, {
                force: true,
                v: true,
              }),
        );
      }),
    );
    const path = `/networks/${this.#networkName(usageID)}`;
    const network = await this.#inspectNetwork(usageID, doing);
    if (network) {
      await this.#tolerate([404], doing, timeouts.remove, (signal) =>
        this.#dial('DELETE', path, signal),
      );
      const cidr = network.IPAM?.Config?.[0]?.Subnet;
      if (cidr) this.#pool.release(cidr);
    }
    this.#nodeNames.delete(usageID);
  }

  async inspect(usageID: number): Promise<NodeState[]> {
    const doing = `inspecting usage ${usageID}`;
    let states = await this.#inspectNodes(usageID, this.#nodeNames.get(usageID) ?? [], doing);
    if (states.length === 0 || states.some((node) => node.state === 'missing')) {
      // Another process may have made or removed it.
      this.#nodeNames.delete(usageID);
      const names = await this.#findNames(usageID, doing);
      states = await this.#inspectNodes(usageID, names, doing);
    }
    return states;
  }

  async list(): Promise<Map<number, NodeState[]>> {
    const doing = 'listing usages';
    const [containers, networks] = await Promise.all([
      this.#listContainers(doing),
      this.#listNetworks(doing),
    ]);
    const usages = new Map<number, string[]>();
    for (const network of networks) {
      const usageID = Number(network.Labels?.[labels.usage]);
      if (network.Labels?.[labels.installation] === this.#host.paths.id && usageID) {
        usages.set(usageID, []);
      }
    }
    for (const container of containers.toSorted(byOrder)) {
      const usageID = Number(container.Labels[labels.usage]);
      const names = usages.get(usageID) ?? [];
      names.push(container.Labels[labels.node] ?? '');
      usages.set(usageID, names);
    }
    const states = await Promise.all(
      [...usages].map(
        async ([usageID, names]) =>
          [usageID, await this.#inspectNodes(usageID, names, doing)] as const,
      ),
    );
    return new Map(states);
  }

  async stats(usageID: number): Promise<NodeStats[]> {
    const doing = `reading figures of usage ${usageID}`;
    const names = await this.#namesOf(usageID, doing);
    return Promise.all(
      names.map(async (name) => {
        const stats = await this.#call(doing, timeouts.short, (signal) =>
          this.#dial<Docker.ContainerStats>(
            'GET',
            `/containers/${this.#containerName(usageID, name)}/stats?`,
            signal,
            { stream: false, 'one-shot': true },
          ),
        );
        const networks = Object.values(stats.networks ?? {});
        return {
          name,
          cpuSeconds: (stats.cpu_stats?.cpu_usage?.total_usage ?? 0) / 1e9,
          memoryBytes: stats.memory_stats?.usage ?? 0,
          memoryLimitBytes: stats.memory_stats?.limit ?? 0,
          receivedBytes: networks.reduce((sum, one) => sum + one.rx_bytes, 0),
          sentBytes: networks.reduce((sum, one) => sum + one.tx_bytes, 0),
          pids: stats.pids_stats?.current ?? 0,
        };
      }),
    );
  }

  async diskUsage(usageID: number): Promise<NodeDiskUsage[]> {
    const doing = `measuring the disk of usage ${usageID}`;
    const names = await this.#namesOf(usageID, doing);
    return Promise.all(
      names.map(async (name) => ({ name, bytes: await this.#diskBytes(usageID, name, doing) })),
    );
  }

  async exec(
    usageID: number,
    node: string,
    command: readonly string[],
    options: { timeoutMs?: number; user?: string } = {},
  ): Promise<ExecResult> {
    const doing = `running ${command[0] ?? 'nothing'} in usage ${usageID}`;
    const timeoutMs = options.timeoutMs ?? timeouts.exec;
    const exec = await this.#call(doing, timeouts.short, (signal) =>
      this.#container(usageID, node).exec({
        Cmd: [...command],
        AttachStdout: true,
        AttachStderr: true,
        ...(options.user ? { User: options.user } : {}),
        abortSignal: signal,
      }),
    );
    const stdout = new CappedText();
    const stderr = new CappedText();
    const timer = AbortSignal.timeout(timeoutMs);
    try {
      const stream = await exec.start({ abortSignal: timer });
      await this.#demultiplex(stream, stdout, stderr, timer);
    } catch (error) {
      if (!timer.aborted) throw toEngineError(error, doing);
      await this.#killExec(exec);
      throw toEngineError(timer.reason, doing);
    }
    const { ExitCode } = await this.#call(doing, timeouts.short, (signal) =>
      exec.inspect({ abortSignal: signal }),
    );
    return { exitCode: ExitCode ?? -1, stdout: stdout.text(), stderr: stderr.text() };
  }

  async logs(usageID: number, node: string, lines: number): Promise<string> {
    const doing = `reading the output of usage ${usageID}`;
    const text = await this.#call(doing, timeouts.short, (signal) =>
      this.#container(usageID, node).logs({
        stdout: true,
        stderr: true,
        tail: lines,
        abortSignal: signal,
      }),
    );
    return demultiplexed(text);
  }

  async *events(signal: AbortSignal): AsyncIterable<EngineEvent> {
    // The engine's clock may differ from ours, so the first question is for news only.
    let since: number | null = null;
    let lastKey = '';
    let isFirstTry = true;
    while (!signal.aborted) {
      try {
        if (!isFirstTry) await delay(250, undefined, { signal });
        isFirstTry = false;
        await this.#host.ensure();
        const stream = (await this.#docker.getEvents({
          filters: {
            type: ['container'],
            // Docker's word and podman's.
            event: ['die', 'died', 'oom'],
            label: [`${labels.installation}=${this.#host.paths.id}`],
          },
          ...(since === null ? {} : { since }),
          abortSignal: signal,
        })) as Readable;
        const lines = createInterface({ input: stream, crlfDelay: Infinity });
        for await (const line of lines) {
          const event = parseEvent(line);
          if (!event) continue;
          // A question that begins at the last answer's second gets that answer again.
          const key = `${event.timeNano}/${event.containerID}/${event.action}`;
          if (key === lastKey) continue;
          lastKey = key;
          since = Math.floor(event.timeNano / 1e9);
          const told = await this.#describe(event);
          if (told) yield told;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isConnectionFailure(error)) await delay(1_000, undefined, { signal }).catch(() => 0);
      }
    }
  }

  async hasImage(reference: string): Promise<boolean> {
    const found = await this.#tolerate([404], 'looking for an image', timeouts.short, (signal) =>
      this.#dial('GET', `/images/${reference}/json`, signal),
    );
    return found !== null;
  }

  describeImage(reference: string): Promise<ImageFacts | null> {
    return this.#commits.describe(reference, `looking into ${reference}`);
  }

  async commitNode(
    usageID: number,
    node: string,
    name: string,
    options: CommitOptions,
  ): Promise<CommittedImage> {
    const doing = `committing ${node} of usage ${usageID}`;
    const names = await this.#namesOf(usageID, doing);
    if (!names.includes(node)) throw new EngineError('no_such_usage', `${doing}: no such node`);
    return this.#commits.commit(this.#containerName(usageID, node), name, options, doing);
  }

  async tidyImages({ keep, underWay }: CommittedNames): Promise<void> {
    const doing = 'tidying images';
    await this.#commits.tidy(underWay, doing);
    for (const name of await this.#commits.list(doing)) {
      if (!keep.has(name) && !underWay.has(name)) await this.#commits.remove(name, doing);
    }
  }

  async close(): Promise<void> {
    const agent = (this.#docker.modem as { agent?: { destroy(): void } }).agent;
    agent?.destroy();
    await this.#host.close();
  }

  async #readHealth(): Promise<EngineHealth> {
    const { diskLimit } = this.#host;
    try {
      const { name, version } = await this.#knowFlavor('asking for the version');
      await this.#call('pinging', timeouts.short, (signal) => this.#dial('GET', '/_ping', signal));
      await this.#prepare('preparing');
      const isHostShielded = await this.#shield.isRaised();
      return { isReady: true, name: `${name} ${version}`, reason: null, diskLimit, isHostShielded };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { isReady: false, name: 'unknown', reason, diskLimit, isHostShielded: false };
    }
  }

  /** Once per process: the shield stands and the networks in use are known. */
  async #prepare(doing: string): Promise<void> {
    this.#preparation ??= (async () => {
      await this.#shield.raise();
      await this.#refreshPool(doing);
    })();
    try {
      await this.#preparation;
    } catch (error) {
      this.#preparation = null;
      throw error;
    }
  }

  async #refreshPool(doing: string): Promise<void> {
    const networks = await this.#listNetworks(doing);
    this.#pool.refresh(
      networks.flatMap((network) =>
        (network.IPAM?.Config ?? []).map((config) => config.Subnet ?? ''),
      ),
    );
  }

  #knowFlavor(doing: string): Promise<Flavor> {
    this.#flavor ??= this.#call(doing, timeouts.short, (signal) =>
      this.#dial<EngineVersion>('GET', '/version', signal),
    ).then(
      ({ Components = [], Version }) => {
        const podman = Components.find((one) => one.Name.startsWith('Podman'));
        return podman
          ? { name: 'podman', version: podman.Version }
          : { name: 'docker', version: Version };
      },
      (error: unknown) => {
        this.#flavor = null;
        throw error;
      },
    );
    return this.#flavor;
  }

  #bridgeOf(usageID: number): string {
    return `${this.#bridgePrefix}${usageID.toString(36)}`;
  }

  /** Makes the usage's network, or answers the one that an interrupted call left. */
  async #ensureNetwork(usageID: number, doing: string): Promise<Subnet> {
    const { name: flavor } = await this.#knowFlavor(doing);
    const name = this.#networkName(usageID);
    const networkLabels = this.#labels(usageID);
    const bridge = this.#bridgeOf(usageID);
    let hasRefreshed = false;
    for (;;) {
      const subnet = this.#pool.take();
      if (!subnet) {
        // What other processes removed is still marked as used here.
        if (hasRefreshed) throw new EngineError('engine_failed', `${doing}: no network is free`);
        hasRefreshed = true;
        await this.#refreshPool(doing);
        continue;
      }
      try {
        await this.#call(doing, timeouts.create, (signal) =>
          flavor === 'podman'
            ? this.#dial('POST', '/v4.0.0/libpod/networks/create', signal, {
                name,
                driver: 'bridge',
                internal: true,
                // Names are in /etc/hosts: a name server would carry questions to the internet.
                dns_enabled: false,
                network_interface: bridge,
                subnets: [{ subnet: subnet.cidr, gateway: subnet.gateway }],
                options: { isolate: 'true' },
                labels: networkLabels,
              })
            : this.#dial('POST', '/networks/create', signal, {
                Name: name,
                CheckDuplicate: true,
                Driver: 'bridge',
                Internal: true,
                IPAM: { Config: [{ Subnet: subnet.cidr, Gateway: subnet.gateway }] },
                Options: { 'com.docker.network.bridge.name': bridge },
                Labels: networkLabels,
              }),
        );
        return subnet;
      } catch (error) {
        const reason = error instanceof EngineError ? error.message : messageOf(error);
        // Somebody else has this block; it stays marked.
        if (/subnet .*(is )?already (used|being used)|overlaps/i.test(reason)) continue;
        this.#pool.release(subnet.cidr);
        if (!/already (exists|used)|network name/i.test(reason)) throw error;
        const existing = await this.#existingNetwork(usageID, doing);
        if (existing) return existing;
        throw error;
      }
    }
  }

  async #existingNetwork(usageID: number, doing: string): Promise<Subnet | null> {
    const network = await this.#inspectNetwork(usageID, doing);
    const cidr = network?.IPAM?.Config?.[0]?.Subnet;
    return cidr ? this.#pool.existing(cidr) : null;
  }

  #inspectNetwork(usageID: number, doing: string): Promise<Docker.NetworkInspectInfo | null> {
    return this.#tolerate([404], doing, timeouts.short, (signal) =>
      this.#dial<Docker.NetworkInspectInfo>(
        'GET',
        `/networks/${this.#networkName(usageID)}`,
        signal,
      ),
    );
  }

  async #createNode(
    usage: UsageSpec,
    node: NodeSpec,
    index: number,
    subnet: Subnet,
    doing: string,
  ): Promise<void> {
    const { name: flavor } = await this.#knowFlavor(doing);
    const { limits } = node;
    const network = this.#networkName(usage.usageID);
    // Numerical libraries count the host's cores, not the session's share of them.
    const threads = String(Math.max(1, Math.ceil(limits.cpus)));
    const env = {
      OMP_NUM_THREADS: threads,
      OPENBLAS_NUM_THREADS: threads,
      ...(usage.nodes.length > 1 ? this.#clusterEnvironment(usage) : {}),
      ...node.env,
    };
    for (const mount of node.mounts) {
      if (/[:,]/.test(mount.source + mount.target)) {
        throw new EngineError('engine_failed', `${doing}: a mount's path has a colon or a comma`);
      }
    }
    const body: Docker.ContainerCreateOptions = {
      name: this.#containerName(usage.usageID, node.name),
      Image: node.image,
      Hostname: node.name,
      User: node.user,
      Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
      ...(node.command ? { Cmd: [...node.command] } : {}),
      Labels: {
        ...this.#labels(usage.usageID),
        [labels.node]: node.name,
        [labels.order]: String(index),
      },
      StopTimeout: stopSeconds,
      HostConfig: {
        NetworkMode: network,
        // Nobody answers there, so a foreign name fails at once instead of after ten seconds.
        Dns: ['127.0.0.1'],
        ExtraHosts: usage.nodes.flatMap((other, position) =>
          other === node ? [] : [`${other.name}:${subnet.nodeAddress(position)}`],
        ),
        Memory: limits.memoryBytes,
        // Equal to the memory: no swap.
        MemorySwap: limits.memoryBytes,
        NanoCpus: Math.round(limits.cpus * 1e9),
        PidsLimit: limits.pids,
        ShmSize: limits.shmBytes,
        Ulimits: this.#ulimits,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        // A bridge has a link-local address, which the network's IPv4 rules know nothing of.
        Sysctls: { 'net.ipv6.conf.all.disable_ipv6': '1' },
        ...(flavor === 'podman'
          ? {
              Binds: node.mounts.map(
                (mount) =>
                  `${mount.source}:${mount.target}:${mount.readOnly ? 'ro' : 'rw'},nosuid,nodev,rprivate`,
              ),
            }
          : {
              Mounts: node.mounts.map((mount) => ({
                Type: 'bind' as const,
                Source: mount.source,
                Target: mount.target,
                ReadOnly: mount.readOnly,
                BindOptions: { Propagation: 'rprivate' as const },
              })),
              LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
            }),
        ...(this.#host.diskLimit === 'exact'
          ? { StorageOpt: { size: String(limits.diskBytes) } }
          : {}),
      },
      NetworkingConfig: {
        EndpointsConfig: {
          [network]: { IPAMConfig: { IPv4Address: subnet.nodeAddress(index) } },
        },
      },
    };
    try {
      await this.#call(doing, timeouts.create, (signal) =>
        this.#docker.createContainer({ ...body, abortSignal: signal }),
      );
    } catch (error) {
      // The container of an interrupted call is as good as a new one.
      const reason = error instanceof EngineError ? error.message : messageOf(error);
      if (!/already in use|name .* is in use/i.test(reason)) throw error;
    }
  }

  /** What the images' entry needs to join a usage's nodes by SSH and MPI. */
  #clusterEnvironment({ usageID, nodes }: UsageSpec): Record<string, string> {
    const slots = nodes.map(
      ({ name, limits }) => `${name}=${Math.max(1, Math.floor(limits.cpus))}`,
    );
    return {
      HC_NODES: slots.join(' '),
      HC_SSH_KEY: clusterKey(this.#host.paths.containersDir, usageID),
    };
  }

  /**
   * Runs a change of state. An engine refuses what is already so, each in its own words; what
   * counts is whether the wanted state holds afterwards.
   */
  async #settle(
    doing: string,
    timeoutMs: number,
    usageID: number,
    node: string,
    wanted: 'running' | 'paused' | 'exited',
    change: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    try {
      await this.#call(doing, timeoutMs, change);
    } catch (error) {
      if (error instanceof EngineError && error.code !== 'engine_failed') throw error;
      const now = await this.#inspectNode(usageID, node, doing);
      if (now.state === 'missing') throw new EngineError('no_such_usage', doing, { cause: error });
      const isSettled = wanted === 'exited' ? now.state === 'created' : now.state === wanted;
      if (!isSettled && !(wanted === 'exited' && now.state === 'exited')) throw error;
    }
  }

  async #inspectNodes(
    usageID: number,
    names: readonly string[],
    doing: string,
  ): Promise<NodeState[]> {
    return Promise.all(names.map((name) => this.#inspectNode(usageID, name, doing)));
  }

  async #inspectNode(usageID: number, name: string, doing: string): Promise<NodeState> {
    const found = await this.#tolerate([404], doing, timeouts.short, (signal) =>
      this.#dial<Docker.ContainerInspectInfo>(
        'GET',
        `/containers/${this.#containerName(usageID, name)}/json`,
        signal,
      ),
    );
    if (!found) {
      return {
        name,
        state: 'missing',
        containerID: '',
        ip: null,
        exitCode: null,
        isOutOfMemory: false,
        startedAt: null,
      };
    }
    const state = toStateName(found.State.Status);
    const isAlive = state === 'running' || state === 'paused';
    const address = found.NetworkSettings.Networks[this.#networkName(usageID)]?.IPAddress;
    const startedAt = new Date(found.State.StartedAt);
    return {
      name,
      state,
      containerID: found.Id,
      ip: isAlive && address ? address : null,
      exitCode: state === 'exited' ? found.State.ExitCode : null,
      isOutOfMemory: found.State.OOMKilled,
      startedAt: startedAt.getTime() > 0 ? startedAt : null,
    };
  }

  /**
   * The engine's own figure walks the whole image beneath too, half a second for a notebook, and
   * counts the holes of sparse files. On this machine the writable layer alone is measured.
   */
  async #diskBytes(usageID: number, name: string, doing: string): Promise<number> {
    const path = `/containers/${this.#containerName(usageID, name)}/json`;
    if (this.#host.kind !== 'remote') {
      const found = await this.#call(doing, timeouts.short, (signal) =>
        this.#dial<LayeredContainer>('GET', path, signal),
      );
      const layer = found.GraphDriver?.Data?.UpperDir;
      // Absent where the engine's files are in a virtual machine or not ours to read.
      if (layer !== undefined && isReadable(layer)) return diskBytesOf(layer, doing, timeouts.disk);
    }
    const { SizeRw } = await this.#call(doing, timeouts.disk, (signal) =>
      this.#dial<LayeredContainer>('GET', `${path}?`, signal, { size: true }),
    );
    if (SizeRw === undefined) {
      throw new EngineError('engine_failed', `${doing}: the engine tells no size`);
    }
    return SizeRw;
  }

  /** Node names of a usage, from memory where we made it. Throws when there is none. */
  async #namesOf(usageID: number, doing: string): Promise<string[]> {
    const known = this.#nodeNames.get(usageID);
    if (known) return known;
    const names = await this.#findNames(usageID, doing);
    if (names.length === 0) throw new EngineError('no_such_usage', `${doing}: nothing is there`);
    return names;
  }

  async #findNames(usageID: number, doing: string): Promise<string[]> {
    const containers = await this.#listContainers(doing, usageID);
    const names = containers.toSorted(byOrder).map((one) => one.Labels[labels.node] ?? '');
    if (names.length > 0) this.#nodeNames.set(usageID, names);
    return names;
  }

  #listContainers(doing: string, usageID?: number): Promise<Docker.ContainerInfo[]> {
    const wanted = [`${labels.installation}=${this.#host.paths.id}`];
    if (usageID !== undefined) wanted.push(`${labels.usage}=${usageID}`);
    return this.#call(doing, timeouts.short, (signal) =>
      this.#docker.listContainers({ all: true, filters: { label: wanted }, abortSignal: signal }),
    );
  }

  #listNetworks(doing: string): Promise<Docker.NetworkInspectInfo[]> {
    return this.#call(doing, timeouts.short, (signal) =>
      this.#docker.listNetworks({ abortSignal: signal }),
    );
  }

  /** Tells what an engine's event means, or null when we caused it ourselves. */
  async #describe(event: ParsedEvent): Promise<EngineEvent | null> {
    const { usageID, node } = event;
    if (event.action === 'oom') return { usageID, node, kind: 'outOfMemory', exitCode: null };
    const name = this.#containerName(usageID, node);
    const until = this.#ownDeaths.get(name);
    if (until !== undefined && Date.now() < until) return null;
    const now = await this.#inspectNode(usageID, node, 'describing an event').catch(() => null);
    return {
      usageID,
      node,
      kind: now?.isOutOfMemory ? 'outOfMemory' : 'died',
      exitCode: event.exitCode ?? now?.exitCode ?? null,
    };
  }

  async #demultiplex(
    stream: Duplex,
    stdout: CappedText,
    stderr: CappedText,
    signal: AbortSignal,
  ): Promise<void> {
    this.#docker.modem.demuxStream(stream, stdout.sink, stderr.sink);
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => {
        stream.destroy();
        reject(signal.reason as Error);
      });
      stream.once('end', resolve);
      stream.once('close', resolve);
      stream.once('error', reject);
    });
  }

  /** The API knows no way to end a command; on this machine its process can be found. */
  async #killExec(exec: Docker.Exec): Promise<void> {
    if (this.#host.kind === 'remote') return;
    try {
      const { Pid, Running, ContainerID } = await exec.inspect({
        abortSignal: AbortSignal.timeout(timeouts.short),
      });
      if (!Running || !Pid || !existsSync(`/proc/${Pid}/cgroup`)) return;
      // Only if it is what the engine says: a number alone might be somebody else's by now.
      if (readFileSync(`/proc/${Pid}/cgroup`, 'utf8').includes(ContainerID)) {
        process.kill(Pid, 'SIGKILL');
      }
    } catch {
      // It ended by itself, or the engine is away; the caller hears of the time-out either way.
    }
  }

  /** Calls the engine; a lost connection is healed and the call made once more. */
  async #call<T>(
    doing: string,
    timeoutMs: number,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await call(AbortSignal.timeout(timeoutMs));
    } catch (error) {
      if (!isConnectionFailure(error)) throw toEngineError(error, doing);
    }
    try {
      await this.#host.ensure();
      return await call(AbortSignal.timeout(timeoutMs));
    } catch (error) {
      throw toEngineError(error, doing);
    }
  }

  /** Like {@link #call}, with null for the statuses that mean that the thing is not there. */
  async #tolerate<T>(
    statuses: readonly number[],
    doing: string,
    timeoutMs: number,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | null> {
    return this.#call(doing, timeoutMs, async (signal) => {
      try {
        return await call(signal);
      } catch (error) {
        if (statuses.includes(statusOf(error) ?? 0)) return null;
        throw error;
      }
    });
  }

  /** A plain call, for podman's own API and where dockerode's types know no abort signal. */
  #dial<T = unknown>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    abortSignal: AbortSignal,
    options?: Record<string, unknown>,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#docker.modem.dial(
        {
          path,
          method,
          ...(options ? { options } : {}),
          abortSignal,
          statusCodes: {
            200: true,
            201: true,
            204: true,
            404: 'no such thing',
            409: 'conflict',
            500: 'server error',
          },
        },
        (error: Error | null, answer: unknown) => (error ? reject(error) : resolve(answer as T)),
      );
    });
  }

  #container(usageID: number, node: string): Docker.Container {
    return this.#docker.getContainer(this.#containerName(usageID, node));
  }

  #containerName(usageID: number, node: string): string {
    return `hc-${this.#host.paths.id}-${usageID}-${node}`;
  }

  #networkName(usageID: number): string {
    return `hc-${this.#host.paths.id}-${usageID}`;
  }

  #labels(usageID: number): Record<string, string> {
    return { [labels.installation]: this.#host.paths.id, [labels.usage]: String(usageID) };
  }
}

function byOrder(a: Docker.ContainerInfo, b: Docker.ContainerInfo): number {
  return Number(a.Labels[labels.order]) - Number(b.Labels[labels.order]);
}

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function toStateName(status: string): NodeStateName {
  switch (status) {
    case 'running':
    case 'paused':
    case 'created':
      return status;
    case 'configured':
    case 'initialized':
      return 'created';
    default:
      return 'exited';
  }
}
