/**
 * The same container, started by hand: plain calls to the engine's API, without our driver. What
 * it is given — image, environment, limits, mounts, user, a private network — is what the
 * platform asked its engine for.
 */
import { Agent, request } from 'node:http';
import type { UsageSpec } from '../../../server/src/engines/containers/engine.ts';

const NAME = 'bench-by-hand';
/** Outside the platform's own range. */
const SUBNET = { cidr: '10.214.250.0/28', gateway: '10.214.250.1', node: '10.214.250.2' } as const;
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

  /** Makes and starts the first node. @returns its address */
  async start(spec: UsageSpec): Promise<string> {
    const [node] = spec.nodes;
    if (!node) throw new Error('a usage without nodes');
    const { limits } = node;
    const threads = String(Math.max(1, Math.ceil(limits.cpus)));
    await this.#call('POST', '/v4.0.0/libpod/networks/create', {
      name: NAME,
      driver: 'bridge',
      internal: true,
      dns_enabled: false,
      network_interface: 'hcbyhand',
      subnets: [{ subnet: SUBNET.cidr, gateway: SUBNET.gateway }],
      options: { isolate: 'true' },
    });
    await this.#call('POST', `/v1.41/containers/create?name=${NAME}`, {
      Image: node.image,
      Hostname: node.name,
      User: node.user,
      Env: Object.entries({
        OMP_NUM_THREADS: threads,
        OPENBLAS_NUM_THREADS: threads,
        ...node.env,
      }).map((pair) => pair.join('=')),
      StopTimeout: STOP_SECONDS,
      HostConfig: {
        NetworkMode: NAME,
        Memory: limits.memoryBytes,
        MemorySwap: limits.memoryBytes,
        NanoCpus: Math.round(limits.cpus * 1e9),
        PidsLimit: limits.pids,
        ShmSize: limits.shmBytes,
        Ulimits: [
          { Name: 'nofile', Soft: 1024, Hard: 4096 },
          { Name: 'nproc', Soft: 4096, Hard: 4096 },
        ],
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        Binds: node.mounts.map(
          ({ source, target, readOnly }) =>
            `${source}:${target}:${readOnly ? 'ro' : 'rw'},nosuid,nodev,rprivate`,
        ),
        ...(this.#hasDiskLimit ? { StorageOpt: { size: String(limits.diskBytes) } } : {}),
      },
      NetworkingConfig: {
        EndpointsConfig: { [NAME]: { IPAMConfig: { IPv4Address: SUBNET.node } } },
      },
    });
    await this.#call('POST', `/v1.41/containers/${NAME}/start`);
    return SUBNET.node;
  }

  /** Takes it away, if it is there. */
  async remove(): Promise<void> {
    await this.#call(
      'DELETE',
      `/v4.0.0/libpod/containers/${NAME}?force=true&v=true&timeout=0`,
      undefined,
      [404],
    );
    await this.#call('DELETE', `/v4.0.0/libpod/networks/${NAME}?force=true`, undefined, [404]);
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
