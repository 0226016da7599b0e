/**
 * The same container, started by hand: plain calls to the engine's API, without our driver. What
 * it is given — image, environment, limits, mounts, user, a private network — is what the
 * platform asked its engine for.
 */
import { Agent, request } from 'node:http';
import type { UsageSpec } from '../../../server/src/engines/containers/engine.ts';

/** One of the containers, with a private network outside the platform's own range. */
const placeOf = (index: number) => {
  const at = index * 8;
  if (at > 248) throw new Error('there is no address for another container by hand');
  return {
    name: `bench-by-hand-${index}`,
    bridge: `hcbyhand${index}`,
    cidr: `10.214.250.${at}/29`,
    gateway: `10.214.250.${at + 1}`,
    node: `10.214.250.${at + 2}`,
  };
};
const STOP_SECONDS = 3;

/** podman at the platform's own socket, so that both use the same store and run time. */
export class ByHand {
  readonly #socketPath: string;
  readonly #hasDiskLimit: boolean;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(socketPath: string, hasDiskLimit: boolean) {
    this.#socketPath = socketPath;
    this.#hasDiskLimit = hasDiskLimit;
  }

  /**
   * Makes and starts the first node.
   * @param index which one, where several stand side by side
   * @returns its address
   */
  async start(spec: UsageSpec, index = 0): Promise<string> {
    const { name, bridge, cidr, gateway, node: address } = placeOf(index);
    const [node] = spec.nodes;
    if (!node) throw new Error('a usage without nodes');
    const { limits } = node;
    const threads = String(Math.max(1, Math.ceil(limits.cpus)));
    await this.#call('POST', '/v4.0.0/libpod/networks/create', {
      name,
      driver: 'bridge',
      internal: true,
      dns_enabled: false,
      network_interface: bridge,
      subnets: [{ subnet: cidr, gateway }],
      options: { isolate: 'true' },
    });
    await this.#call('POST', `/v1.41/containers/create?name=${name}`, {
      Image: node.image,
      Hostname: node.name,
      User: node.user,
      ...(node.command ? { Cmd: node.command } : {}),
      Env: Object.entries({
        OMP_NUM_THREADS: threads,
        OPENBLAS_NUM_THREADS: threads,
        ...node.env,
      }).map((pair) => pair.join('=')),
      StopTimeout: STOP_SECONDS,
      HostConfig: {
        NetworkMode: name,
        Dns: ['127.0.0.1'],
        Memory: limits.memoryBytes,
        MemorySwap: limits.memoryBytes,
        NanoCpus: Math.round(limits.cpus * 1e9),
        PidsLimit: limits.pids,
        ShmSize: limits.shmBytes,
        Ulimits: [
          { Name: 'nofile', Soft: 1024, Hard: 4096 },
          { Name: 'nproc', Soft: 4096, Hard: 4096 },
          { Name: 'core', Soft: 0, Hard: 0 },
        ],
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        Sysctls: { 'net.ipv6.conf.all.disable_ipv6': '1' },
        Binds: node.mounts.map(
          ({ source, target, readOnly }) =>
            `${source}:${target}:${readOnly ? 'ro' : 'rw'},nosuid,nodev,rprivate`,
        ),
        ...(this.#hasDiskLimit ? { StorageOpt: { size: String(limits.diskBytes) } } : {}),
      },
      NetworkingConfig: {
        EndpointsConfig: { [name]: { IPAMConfig: { IPv4Address: address } } },
      },
    });
    await this.#call('POST', `/v1.41/containers/${name}/start`);
    return address;
  }

  /**
   * Starts a container that only sleeps, so that its network is up for others.
   * @returns the network's name and the host's address on it
   */
  async hold(spec: UsageSpec): Promise<{ name: string; gateway: string }> {
    const nodes = spec.nodes.map((node) => ({ ...node, command: ['sleep', 'infinity'], env: {} }));
    await this.start({ ...spec, nodes });
    const { name, gateway } = placeOf(0);
    return { name, gateway };
  }

  /** Takes it away, if it is there. */
  async remove(index = 0): Promise<void> {
    const { name } = placeOf(index);
    await this.#call(
      'DELETE',
      `/v4.0.0/libpod/containers/${name}?force=true&v=true&timeout=0`,
      undefined,
      [404],
    );
    await this.#call('DELETE', `/v4.0.0/libpod/networks/${name}?force=true`, undefined, [404]);
  }

  close(): void {
    this.#agent.destroy();
  }

  #call(
    method: string,
    path: string,
    body?: unknown,
    accepted: readonly number[] = [],
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const call = request(
        {
          socketPath: this.#socketPath,
          agent: this.#agent,
          method,
          path,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
          },
        },
        (response) => {
          let answer = '';
          response.setEncoding('utf8').on('data', (part: string) => (answer += part));
          response.once('error', reject);
          response.once('end', () => {
            const status = response.statusCode ?? 0;
            if (status < 300 || accepted.includes(status)) resolve();
            else reject(new Error(`${method} ${path}: ${status} ${answer}`));
          });
        },
      );
      call.once('error', reject);
      call.end(text);
    });
  }
}
