/**
 * The container engine: what runs a usage's nodes. One small interface; every driver passes
 * `engine.contract.test.ts`. Callers name a usage by its number only: what they pass is never an
 * address, and every container, network and volume carries the installation's label, so two
 * installations on one host never touch each other's things.
 */

/** Resource limits of one node. All sizes are bytes. */
export interface NodeLimits {
  /** CPU cores, fractions allowed (1.5 = one and a half cores). */
  cpus: number;
  memoryBytes: number;
  /** Processes and threads at once. */
  pids: number;
  /** Writable layer of the container; the personal folder is not part of it. */
  diskBytes: number;
  /** Size of /dev/shm, which MPI uses for messages between ranks of one node. */
  shmBytes: number;
}

/** A folder of the host inside the container. Sources are made by the platform, never by a client. */
export interface NodeMount {
  source: string;
  target: string;
  readOnly: boolean;
}

/** One container of a usage. */
export interface NodeSpec {
  /** Host name on the usage's network; lower-case letters, digits, hyphen. */
  name: string;
  /** Reference of a local image, `localhost/hypercube/notebook:<content key>`. */
  image: string;
  /** Replaces the image's command when set. */
  command?: readonly string[];
  env: Readonly<Record<string, string>>;
  limits: NodeLimits;
  mounts: readonly NodeMount[];
  /** `uid:gid` of the processes. */
  user: string;
}

/** Everything the engine needs to make a usage. The first node is the one that opens. */
export interface UsageSpec {
  usageID: number;
  nodes: readonly NodeSpec[];
}

/** `missing` means that the engine knows no such container (any more). */
export type NodeStateName = 'created' | 'running' | 'paused' | 'exited' | 'missing';

/** What the engine knows of one node now. */
export interface NodeState {
  name: string;
  state: NodeStateName;
  containerID: string;
  /** Address on the usage's own network; null unless running or paused. */
  ip: string | null;
  exitCode: number | null;
  /** Whether the kernel killed it for memory. */
  isOutOfMemory: boolean;
  startedAt: Date | null;
}

/** Live figures of one node. */
export interface NodeStats {
  name: string;
  /** CPU time used since the start, in seconds. */
  cpuSeconds: number;
  memoryBytes: number;
  memoryLimitBytes: number;
  receivedBytes: number;
  sentBytes: number;
  pids: number;
}

/** What one node's writable layer takes on the disk; mounts and shared memory are no part of it. */
export interface NodeDiskUsage {
  name: string;
  bytes: number;
}

/** Something happened to a node outside our calls. */
export interface EngineEvent {
  usageID: number;
  node: string;
  kind: 'died' | 'outOfMemory';
  exitCode: number | null;
}

/** How a node is kept within its `diskBytes`; see {@link EngineHealth.diskLimit}. */
export type DiskLimit = 'exact' | 'watched';

/** Health of the engine, for /readyz, the admin page, and the sentence a learner reads. */
export interface EngineHealth {
  isReady: boolean;
  /** For example `podman 4.3.1`. */
  name: string;
  /** Why it is not ready; an English sentence for staff and logs. */
  reason: string | null;
  /**
   * `exact`: a write over the limit fails at once. `watched`: this store cannot limit the disk, so
   * the platform looks at {@link ContainerEngine.diskUsage} and ends a usage that is over.
   */
  diskLimit: DiskLimit;
  /** Whether containers are kept from the host's own services by firewall rules. */
  isHostShielded: boolean;
}

export interface ExecResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** A program in an image with its version, as the image says itself. */
export interface ImagePart {
  name: string;
  version: string;
}

/** What an image is. */
export interface ImageFacts {
  /** As the engine counts it, with the layers that it shares with others. */
  sizeBytes: number;
  /** Empty where the image does not say. */
  parts: ImagePart[];
}

export interface CommittedImage extends ImageFacts {
  reference: string;
}

/** Where a commit stands. */
export type CommitStep = 'saving' | 'scrubbing' | 'measuring';

export interface CommitOptions {
  /**
   * What never becomes part of an image: paths from the root without a slash before them, `*`
   * standing for any part of one name. The parent's own files of these names stay.
   */
  scrub: readonly string[];
  onStep?: (step: CommitStep) => void;
}

/** Which committed images stay; see {@link ContainerEngine.tidyImages}. */
export interface CommittedNames {
  keep: ReadonlySet<string>;
  /** Commits that are under way, whichever process does them. */
  underWay: ReadonlySet<string>;
}

/** Errors that a driver throws; everything else is a fault of the engine itself. */
export type EngineErrorCode =
  | 'engine_unreachable'
  | 'image_missing'
  | 'no_such_usage'
  | 'timed_out'
  | 'no_space'
  | 'engine_failed';

export class EngineError extends Error {
  readonly code: EngineErrorCode;
  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineError';
    this.code = code;
  }
}

/**
 * All calls are idempotent: making what exists, starting what runs, pausing what is paused,
 * removing what is gone succeed. Each has its own time-out and throws {@link EngineError}.
 */
export interface ContainerEngine {
  health(): Promise<EngineHealth>;
  /** Makes the network and the containers without starting them. */
  create(usage: UsageSpec): Promise<void>;
  /** Starts every node and returns their states with fresh addresses. */
  start(usageID: number): Promise<NodeState[]>;
  /** Freezes the processes; memory stays. */
  pause(usageID: number): Promise<void>;
  unpause(usageID: number): Promise<NodeState[]>;
  /** Ends the processes, keeps the file system; `start` runs it again. */
  stop(usageID: number): Promise<void>;
  /** Containers, their writable layers and the network go. */
  remove(usageID: number): Promise<void>;
  /** States of the usage's nodes, in the order of the specification; empty when nothing exists. */
  inspect(usageID: number): Promise<NodeState[]>;
  /** Every usage of this installation of which the engine holds anything, for adoption and orphans. */
  list(): Promise<Map<number, NodeState[]>>;
  stats(usageID: number): Promise<NodeStats[]>;
  /** What every node holds on the disk now, running or not. Costs a walk over what was written. */
  diskUsage(usageID: number): Promise<NodeDiskUsage[]>;
  exec(
    usageID: number,
    node: string,
    command: readonly string[],
    options?: { timeoutMs?: number; user?: string },
  ): Promise<ExecResult>;
  /** Last lines of a node's output, for the reason of a failed start. */
  logs(usageID: number, node: string, lines: number): Promise<string>;
  /** Deaths and memory kills, until the signal aborts. Reconnects by itself. */
  events(signal: AbortSignal): AsyncIterable<EngineEvent>;
  hasImage(reference: string): Promise<boolean>;
  /** What an image is; null when it is not there. */
  describeImage(reference: string): Promise<ImageFacts | null>;
  /**
   * Makes an image of what a node wrote over its own image; mounts are no part of it, nor is what
   * the node's environment was told for this session. The node runs on.
   * @param name lower-case letters, digits, hyphen, one colon before the last part: `image-7:2`
   */
  commitNode(
    usageID: number,
    node: string,
    name: string,
    options: CommitOptions,
  ): Promise<CommittedImage>;
  /**
   * Removes this installation's committed images of other names, unless a container uses them, and
   * what interrupted commits left.
   */
  tidyImages(names: CommittedNames): Promise<void>;
  close(): Promise<void>;
}
