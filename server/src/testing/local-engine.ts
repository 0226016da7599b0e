/**
 * A container engine without containers, for the tests of everything around it: each usage is a
 * small HTTP and WebSocket server on a loopback address of its own. It keeps the interface's
 * promises (idempotent, addresses change at every start) and passes what can be asked without a
 * kernel of the engine's contract; the real drivers are tested in `engines/`.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import {
  EngineError,
  type CommitOptions,
  type CommittedImage,
  type CommittedNames,
  type ContainerEngine,
  type EngineEvent,
  type EngineHealth,
  type ExecResult,
  type DiskLimit,
  type ImageFacts,
  type NodeDiskUsage,
  type NodeState,
  type NodeStats,
  type UsageSpec,
} from '../engines/containers/engine.ts';

interface Local {
  readonly spec: UsageSpec;
  state: NodeState['state'];
  ip: string | null;
  exitCode: number | null;
  isOutOfMemory: boolean;
  /** Further nodes that died by themselves. */
  readonly dead: Set<string>;
  /** One on each port on which a session of some kind answers. */
  servers: Server[];
  sockets: WebSocketServer[];
}

/** Notebook, web IDE, and the agent of terminals and desktops. */
const SESSION_PORTS = [8888, 8080, 7070];

let nextAddress = 1;

/** 127.64.0.1, 127.64.0.2, …: all of 127.0.0.0/8 is this machine. */
function takeAddress(): string {
  const number = (process.pid % 200) * 200 + nextAddress++;
  return `127.64.${(number >> 8) & 255}.${number & 255}`;
}

export class LocalEngine implements ContainerEngine {
  readonly usages = new Map<number, Local>();
  readonly created: UsageSpec[] = [];
  readonly executed: { usageID: number; node: string; command: readonly string[] }[] = [];
  /** Set by a test: the next calls fail with it. */
  failure: EngineError | undefined;
  /** Set by a test: starts wait for it. */
  gate: Promise<void> | undefined;
  images = new Set(['notebook:1']);
  /** Names of the commits, in order. */
  readonly commits: string[] = [];
  /** Set by a test: commits wait for it. */
  commitGate: Promise<void> | undefined;
  /** Set by a test: sessions that never answer. */
  isSilent = false;
  isReady = true;
  diskLimit: DiskLimit = 'watched';
  /** Set by a test: what the first node of every usage holds on the disk. */
  diskBytes = 0;
  /** Usages whose disk was looked at, in order. */
  readonly diskLooks: number[] = [];
  #listeners: ((event: EngineEvent) => void)[] = [];

  async health(): Promise<EngineHealth> {
    return {
      isReady: this.isReady,
      name: 'local 1',
      reason: this.isReady ? null : 'the test switched it off',
      diskLimit: this.diskLimit,
      isHostShielded: false,
    };
  }

  async create(usage: UsageSpec): Promise<void> {
    if (this.failure) throw this.failure;
    for (const node of usage.nodes)
      if (!this.images.has(node.image)) throw new EngineError('image_missing', node.image);
    this.created.push(usage);
    if (!this.usages.has(usage.usageID)) {
      this.usages.set(usage.usageID, {
        spec: usage,
        state: 'created',
        ip: null,
        exitCode: null,
        isOutOfMemory: false,
        dead: new Set(),
        servers: [],
        sockets: [],
      });
    }
  }

  async start(usageID: number): Promise<NodeState[]> {
    await this.gate;
    if (this.failure) throw this.failure;
    const local = this.#get(usageID);
    local.dead.clear();
    if (local.state !== 'running') {
      local.ip = takeAddress();
      if (!this.isSilent) await this.#serve(local, local.ip);
      local.state = 'running';
    }
    return this.inspect(usageID);
  }

  /** The session: says what it was asked, and repeats what a WebSocket sends. */
  async #serve(local: Local, ip: string): Promise<void> {
    const prefix = local.spec.nodes[0]?.env['HC_BASE_URL'] ?? '/';
    const answer: RequestListener = (request, response) => {
      if (request.url === `${prefix}api`) {
        response.end('{}');
        return;
      }
      if (request.url?.endsWith('/cookies')) {
        response.writeHead(
          200,
          [
            ['set-cookie', 'hc_login=planted; Path=/'],
            ['set-cookie', '_xsrf=1; Path=/; Domain=example.org'],
            ['clear-site-data', '"*"'],
            ['service-worker-allowed', '/'],
          ].flat(),
        );
        response.end();
        return;
      }
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            method: request.method,
            url: request.url,
            port: request.socket.localPort,
            headers: request.headers,
            body: Buffer.concat(parts).toString(),
          }),
        );
      });
    };
    for (const port of SESSION_PORTS) {
      const server = createServer(answer);
      const sockets = new WebSocketServer({ server });
      sockets.on('connection', (socket, request) => {
        socket.send(JSON.stringify({ url: request.url, headers: request.headers }));
        socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
      });
      local.servers.push(server);
      local.sockets.push(sockets);
      server.listen(port, ip);
      await once(server, 'listening');
    }
  }

  async pause(usageID: number): Promise<void> {
    this.#get(usageID).state = 'paused';
  }

  async unpause(usageID: number): Promise<NodeState[]> {
    const local = this.#get(usageID);
    if (local.state === 'paused') local.state = 'running';
    return this.inspect(usageID);
  }

  async stop(usageID: number): Promise<void> {
    this.#halt(this.#get(usageID), 0);
  }

  async remove(usageID: number): Promise<void> {
    const local = this.usages.get(usageID);
    if (local) this.#halt(local, 0);
    this.usages.delete(usageID);
  }

  async inspect(usageID: number): Promise<NodeState[]> {
    const local = this.usages.get(usageID);
    if (!local) return [];
    return local.spec.nodes.map((node) => ({
      name: node.name,
      state: local.dead.has(node.name) ? 'exited' : local.state,
      containerID: `local-${usageID}`,
      ip: local.state === 'running' || local.state === 'paused' ? local.ip : null,
      exitCode: local.exitCode,
      isOutOfMemory: local.isOutOfMemory,
      startedAt: null,
    }));
  }

  async list(): Promise<Map<number, NodeState[]>> {
    return new Map(
      await Promise.all(
        [...this.usages.keys()].map(
          async (usageID) => [usageID, await this.inspect(usageID)] as const,
        ),
      ),
    );
  }

  async stats(usageID: number): Promise<NodeStats[]> {
    const local = this.#get(usageID);
    return local.spec.nodes.map((node) => ({
      name: node.name,
      cpuSeconds: 1,
      memoryBytes: 1024,
      memoryLimitBytes: node.limits.memoryBytes,
      receivedBytes: 0,
      sentBytes: 0,
      pids: 1,
    }));
  }

  async diskUsage(usageID: number): Promise<NodeDiskUsage[]> {
    this.diskLooks.push(usageID);
    if (this.failure) throw this.failure;
    return this.#get(usageID).spec.nodes.map(({ name }, index) => ({
      name,
      bytes: index === 0 ? this.diskBytes : 0,
    }));
  }

  /** A local session runs no commands; it remembers what it was told. */
  async exec(usageID: number, node: string, command: readonly string[]): Promise<ExecResult> {
    this.#get(usageID);
    this.executed.push({ usageID, node, command });
    return { exitCode: 0, stdout: '', stderr: '' };
  }

  async logs(): Promise<string> {
    return '';
  }

  async *events(signal: AbortSignal): AsyncIterable<EngineEvent> {
    const queue: EngineEvent[] = [];
    let wake: () => void = () => undefined;
    this.#listeners.push((event) => {
      queue.push(event);
      wake();
    });
    signal.addEventListener('abort', () => wake());
    while (!signal.aborted) {
      const event = queue.shift();
      if (event) yield event;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (signal.aborted) resolve();
        });
      }
    }
  }

  async hasImage(reference: string): Promise<boolean> {
    return this.images.has(reference);
  }

  async describeImage(reference: string): Promise<ImageFacts | null> {
    if (!this.images.has(reference)) return null;
    return { sizeBytes: 1_000_000, parts: [{ name: 'gcc', version: '14.2' }] };
  }

  async commitNode(
    usageID: number,
    node: string,
    name: string,
    { onStep }: CommitOptions,
  ): Promise<CommittedImage> {
    this.commits.push(name);
    onStep?.('saving');
    await this.commitGate;
    if (this.failure) throw this.failure;
    if (!this.#get(usageID).spec.nodes.some((one) => one.name === node))
      throw new EngineError('no_such_usage', `no node ${node}`);
    onStep?.('scrubbing');
    const reference = `own/${name}`;
    this.images.add(reference);
    onStep?.('measuring');
    return { reference, sizeBytes: 2_000_000, parts: [{ name: 'gcc', version: '14.2' }] };
  }

  async tidyImages({ keep, underWay }: CommittedNames): Promise<void> {
    const used = new Set(
      [...this.usages.values()].flatMap(({ spec }) => spec.nodes.map(({ image }) => image)),
    );
    for (const reference of this.images) {
      const name = /^own\/(.*)$/.exec(reference)?.[1];
      if (name !== undefined && !keep.has(name) && !underWay.has(name) && !used.has(reference))
        this.images.delete(reference);
    }
  }

  async close(): Promise<void> {
    for (const local of this.usages.values()) this.#halt(local, 0);
  }

  /** A further node of a cluster dies by itself; the others run on. */
  dieNode(usageID: number, node: string): void {
    this.#get(usageID).dead.add(node);
    for (const listener of this.#listeners)
      listener({ usageID, node, kind: 'died', exitCode: 137 });
  }

  /** A session dies by itself. */
  die(usageID: number, exitCode: number, isOutOfMemory = false): void {
    const local = this.#get(usageID);
    this.#halt(local, exitCode);
    local.isOutOfMemory = isOutOfMemory;
    const node = local.spec.nodes[0]?.name ?? '';
    for (const listener of this.#listeners)
      listener({ usageID, node, kind: isOutOfMemory ? 'outOfMemory' : 'died', exitCode });
  }

  #halt(local: Local, exitCode: number): void {
    for (const sockets of local.sockets.splice(0))
      sockets.clients.forEach((socket) => socket.terminate());
    for (const server of local.servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    local.state = 'exited';
    local.exitCode = exitCode;
    local.ip = null;
  }

  #get(usageID: number): Local {
    const local = this.usages.get(usageID);
    if (!local) throw new EngineError('no_such_usage', `no usage ${usageID}`);
    return local;
  }
}
