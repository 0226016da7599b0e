import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { AbsentEngine } from './absent-engine.ts';
import { EngineCalls, timeouts } from './engine-calls.ts';
import { type ParsedEvent, parseEvent } from './engine-events.ts';
import { isConnectionFailure, messageOf } from './engine-http.ts';
import { demultiplexed } from './engine-output.ts';
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
  type NodeState,
  type NodeStats,
  type UsageSpec,
} from './engine.ts';
import { createHostShield, type HostShield, noShield } from './host-shield.ts';
import type { ContainerHost, NoContainerHost } from './host.ts';
import { ImageCommits } from './image-commit.ts';
import { bridgePrefix } from './installation.ts';
import { containerName, labels } from './labels.ts';
import { containerOptions } from './node-container.ts';
import { execute } from './node-exec.ts';
import { inspectNode, nodeDiskBytes } from './node-state.ts';
import { maxNodes, type Subnet } from './subnet-pool.ts';
import { UsageNetworks } from './usage-network.ts';

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
  readonly #calls: EngineCalls;
  readonly #networks: UsageNetworks;
  readonly #shield: HostShield;
  readonly #commits: ImageCommits;
  /** Node names by usage, in order, so that the quick calls need no listing. */
  readonly #nodeNames = new Map<number, string[]>();
  readonly #ownDeaths = new Map<string, number>();
  #preparation: Promise<void> | null = null;
  #lastHealth: { at: number; health: Promise<EngineHealth> } | null = null;

  constructor(host: ContainerHost, subnetRange: string) {
    const bridges = bridgePrefix(host.paths.id);
    this.#calls = new EngineCalls(host);
    this.#networks = new UsageNetworks(this.#calls, bridges, subnetRange);
    this.#shield = host.kind === 'remote' ? noShield : createHostShield(host.paths.id, bridges);
    this.#commits = new ImageCommits(this.#calls);
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
    const subnet = await this.#networks.ensure(usage.usageID, doing);
    await Promise.all(
      usage.nodes.map((_node, index) => this.#createNode(usage, index, subnet, doing)),
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
            if ((await inspectNode(this.#calls, usageID, name, doing)).state !== 'paused')
              throw error;
            await container.unpause({ abortSignal: signal });
          }
        });
      }),
    );
    await this.#shield.quieten(this.#networks.bridgeOf(usageID));
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
    const { name: flavor } = await this.#calls.flavor(doing);
    // Not from memory: a half-made usage may hold more than we made.
    const found = await this.#listContainers(doing, usageID);
    await Promise.all(
      found.map(async (container) => {
        const name = (container.Names[0] ?? '').replace(/^\//, '');
        this.#ownDeaths.set(name, Date.now() + ownDeathMs);
        await this.#calls.tolerate([404], doing, timeouts.remove, (signal) =>
          flavor === 'podman'
            ? // podman's Docker call waits ten seconds for processes that ignore SIGTERM.
              this.#calls.dial('DELETE', `/v4.0.0/libpod/containers/${container.Id}?`, signal, {
                force: true,
                v: true,
                timeout: 0,
              })
            : this.#calls.dial('DELETE', `/containers/${container.Id}?`, signal, {
                force: true,
                v: true,
              }),
        );
      }),
    );
    await this.#networks.remove(usageID, doing);
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
      this.#networks.list(doing),
    ]);
    const usages = new Map<number, string[]>();
    for (const network of networks) {
      const usageID = Number(network.Labels?.[labels.usage]);
      if (network.Labels?.[labels.installation] === this.#calls.installationID && usageID) {
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
        const stats = await this.#calls.call(doing, timeouts.short, (signal) =>
          this.#calls.dial<Docker.ContainerStats>(
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
      names.map(async (name) => ({
        name,
        bytes: await nodeDiskBytes(this.#calls, usageID, name, doing),
      })),
    );
  }

  exec(
    usageID: number,
    node: string,
    command: readonly string[],
    options: { timeoutMs?: number; user?: string } = {},
  ): Promise<ExecResult> {
    const doing = `running ${command[0] ?? 'nothing'} in usage ${usageID}`;
    return execute(this.#calls, this.#containerName(usageID, node), command, options, doing);
  }

  async logs(usageID: number, node: string, lines: number): Promise<string> {
    const doing = `reading the output of usage ${usageID}`;
    const text = await this.#calls.call(doing, timeouts.short, (signal) =>
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
        await this.#calls.host.ensure();
        const stream = (await this.#calls.docker.getEvents({
          filters: {
            type: ['container'],
            // Docker's word and podman's.
            event: ['die', 'died', 'oom'],
            label: [`${labels.installation}=${this.#calls.installationID}`],
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
    const found = await this.#calls.tolerate(
      [404],
      'looking for an image',
      timeouts.short,
      (signal) => this.#calls.dial('GET', `/images/${reference}/json`, signal),
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
    this.#calls.close();
    await this.#calls.host.close();
  }

  async #readHealth(): Promise<EngineHealth> {
    const { diskLimit } = this.#calls.host;
    try {
      const { name, version } = await this.#calls.flavor('asking for the version');
      await this.#calls.call('pinging', timeouts.short, (signal) =>
        this.#calls.dial('GET', '/_ping', signal),
      );
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
      await this.#networks.refresh(doing);
    })();
    try {
      await this.#preparation;
    } catch (error) {
      this.#preparation = null;
      throw error;
    }
  }

  async #createNode(usage: UsageSpec, index: number, subnet: Subnet, doing: string): Promise<void> {
    const { name: flavor } = await this.#calls.flavor(doing);
    const body = containerOptions(usage, index, {
      host: this.#calls.host,
      flavor,
      subnet,
      stopSeconds,
      doing,
    });
    try {
      await this.#calls.call(doing, timeouts.create, (signal) =>
        this.#calls.docker.createContainer({ ...body, abortSignal: signal }),
      );
    } catch (error) {
      // The container of an interrupted call is as good as a new one.
      const reason = error instanceof EngineError ? error.message : messageOf(error);
      if (!/already in use|name .* is in use/i.test(reason)) throw error;
    }
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
      await this.#calls.call(doing, timeoutMs, change);
    } catch (error) {
      if (error instanceof EngineError && error.code !== 'engine_failed') throw error;
      const now = await inspectNode(this.#calls, usageID, node, doing);
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
    return Promise.all(names.map((name) => inspectNode(this.#calls, usageID, name, doing)));
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
    const wanted = [`${labels.installation}=${this.#calls.installationID}`];
    if (usageID !== undefined) wanted.push(`${labels.usage}=${usageID}`);
    return this.#calls.call(doing, timeouts.short, (signal) =>
      this.#calls.docker.listContainers({
        all: true,
        filters: { label: wanted },
        abortSignal: signal,
      }),
    );
  }

  /** Tells what an engine's event means, or null when we caused it ourselves. */
  async #describe(event: ParsedEvent): Promise<EngineEvent | null> {
    const { usageID, node } = event;
    if (event.action === 'oom') return { usageID, node, kind: 'outOfMemory', exitCode: null };
    const name = this.#containerName(usageID, node);
    const until = this.#ownDeaths.get(name);
    if (until !== undefined && Date.now() < until) return null;
    const now = await inspectNode(this.#calls, usageID, node, 'describing an event').catch(
      () => null,
    );
    return {
      usageID,
      node,
      kind: now?.isOutOfMemory ? 'outOfMemory' : 'died',
      exitCode: event.exitCode ?? now?.exitCode ?? null,
    };
  }

  #container(usageID: number, node: string): Docker.Container {
    return this.#calls.docker.getContainer(this.#containerName(usageID, node));
  }

  #containerName(usageID: number, node: string): string {
    return containerName(this.#calls.installationID, usageID, node);
  }
}

function byOrder(a: Docker.ContainerInfo, b: Docker.ContainerInfo): number {
  return Number(a.Labels[labels.order]) - Number(b.Labels[labels.order]);
}
