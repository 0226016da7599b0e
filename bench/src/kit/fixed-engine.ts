/**
 * A container engine whose sessions are one server in another process. The gateway is measured in
 * front of the same upstream as its rival, and without the upstream's work inside the measured
 * process.
 */
import {
  EngineError,
  type ContainerEngine,
  type EngineEvent,
  type EngineHealth,
  type ExecResult,
  type NodeState,
  type NodeStats,
  type UsageSpec,
} from '../../../server/src/engines/containers/engine.ts';

export class FixedEngine implements ContainerEngine {
  readonly #ip: string;
  readonly #usages = new Map<number, { spec: UsageSpec; state: NodeState['state'] }>();

  /** @param ip where a server listens on the port of every kind of session that is opened */
  constructor(ip: string) {
    this.#ip = ip;
  }

  async health(): Promise<EngineHealth> {
    return { isReady: true, name: 'fixed', reason: null, diskLimit: 'none', isHostShielded: false };
  }

  async create(spec: UsageSpec): Promise<void> {
    if (!this.#usages.has(spec.usageID)) this.#usages.set(spec.usageID, { spec, state: 'created' });
  }

  async start(usageID: number): Promise<NodeState[]> {
    this.#get(usageID).state = 'running';
    return this.inspect(usageID);
  }

  async pause(usageID: number): Promise<void> {
    this.#get(usageID).state = 'paused';
  }

  async unpause(usageID: number): Promise<NodeState[]> {
    return this.start(usageID);
  }

  async stop(usageID: number): Promise<void> {
    this.#get(usageID).state = 'exited';
  }

  async remove(usageID: number): Promise<void> {
    this.#usages.delete(usageID);
  }

  async inspect(usageID: number): Promise<NodeState[]> {
    const usage = this.#usages.get(usageID);
    if (!usage) return [];
    const isAlive = usage.state === 'running' || usage.state === 'paused';
    return usage.spec.nodes.map(({ name }) => ({
      name,
      state: usage.state,
      containerID: `fixed-${usageID}`,
      ip: isAlive ? this.#ip : null,
      exitCode: null,
      isOutOfMemory: false,
      startedAt: null,
    }));
  }

  async list(): Promise<Map<number, NodeState[]>> {
    return new Map(
      await Promise.all(
        [...this.#usages.keys()].map(async (id) => [id, await this.inspect(id)] as const),
      ),
    );
  }

  async stats(): Promise<NodeStats[]> {
    return [];
  }

  async exec(): Promise<ExecResult> {
    throw new EngineError('engine_failed', 'a fixed session runs no commands');
  }

  async logs(): Promise<string> {
    return '';
  }

  async *events(signal: AbortSignal): AsyncIterable<EngineEvent> {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    yield* [];
  }

  async hasImage(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    this.#usages.clear();
  }

  #get(usageID: number): { spec: UsageSpec; state: NodeState['state'] } {
    const usage = this.#usages.get(usageID);
    if (!usage) throw new EngineError('no_such_usage', `no usage ${usageID}`);
    return usage;
  }
}
