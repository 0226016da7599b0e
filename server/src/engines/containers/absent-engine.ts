import {
  type CommittedImage,
  type ContainerEngine,
  EngineError,
  type EngineEvent,
  type EngineHealth,
  type ExecResult,
  type ImageFacts,
  type NodeDiskUsage,
  type NodeState,
  type NodeStats,
} from './engine.ts';

/** Stands in where no engine was found: everything says why. */
export class AbsentEngine implements ContainerEngine {
  readonly #reason: string;

  constructor(reason: string) {
    this.#reason = reason;
  }

  health(): Promise<EngineHealth> {
    return Promise.resolve({
      isReady: false,
      name: 'none',
      reason: this.#reason,
      diskLimit: 'watched',
      isHostShielded: false,
    });
  }

  list(): Promise<Map<number, NodeState[]>> {
    return Promise.resolve(new Map());
  }

  inspect(): Promise<NodeState[]> {
    return Promise.resolve([]);
  }

  hasImage(): Promise<boolean> {
    return Promise.resolve(false);
  }

  describeImage(): Promise<ImageFacts | null> {
    return Promise.resolve(null);
  }

  tidyImages(): Promise<void> {
    return Promise.resolve();
  }

  remove(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async *events(): AsyncIterable<EngineEvent> {
    // Nothing ever happens.
  }

  create(): Promise<void> {
    return this.#refuse();
  }

  start(): Promise<NodeState[]> {
    return this.#refuse();
  }

  pause(): Promise<void> {
    return this.#refuse();
  }

  unpause(): Promise<NodeState[]> {
    return this.#refuse();
  }

  stop(): Promise<void> {
    return this.#refuse();
  }

  stats(): Promise<NodeStats[]> {
    return this.#refuse();
  }

  diskUsage(): Promise<NodeDiskUsage[]> {
    return this.#refuse();
  }

  exec(): Promise<ExecResult> {
    return this.#refuse();
  }

  logs(): Promise<string> {
    return this.#refuse();
  }

  commitNode(): Promise<CommittedImage> {
    return this.#refuse();
  }

  #refuse(): Promise<never> {
    return Promise.reject(new EngineError('engine_unreachable', this.#reason));
  }
}
