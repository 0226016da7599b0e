/** What the engine is asked for when a node is made: limits, isolation, names, mounts. */
import type Docker from 'dockerode';
import { clusterKey } from './cluster-key.ts';
import { EngineError, type UsageSpec } from './engine.ts';
import type { Flavor } from './engine-calls.ts';
import type { ContainerHost } from './host.ts';
import { containerName, labels, networkName, usageLabels } from './labels.ts';
import { hardLimit } from './podman-service.ts';
import type { Subnet } from './subnet-pool.ts';

interface Surroundings {
  readonly host: ContainerHost;
  readonly flavor: Flavor['name'];
  readonly subnet: Subnet;
  /** Between being asked to end and being killed. */
  readonly stopSeconds: number;
  readonly doing: string;
}

/** Of each process in a node. */
function resourceLimits(): { Name: string; Soft: number; Hard: number }[] {
  const openFiles = Math.min(4096, hardLimit('Max open files'));
  // Counted per user id over all sessions, so it only guards the host; PidsLimit is the session's.
  const processes = Math.min(32_768, hardLimit('Max processes'));
  return [
    { Name: 'nofile', Soft: 1024, Hard: openFiles },
    { Name: 'nproc', Soft: processes, Hard: processes },
    { Name: 'core', Soft: 0, Hard: 0 },
  ];
}

/** What the images' entry needs to join a usage's nodes by SSH and MPI. */
function clusterEnvironment(
  { usageID, nodes }: UsageSpec,
  host: ContainerHost,
): Record<string, string> {
  const slots = nodes.map(({ name, limits }) => `${name}=${Math.max(1, Math.floor(limits.cpus))}`);
  return {
    HC_NODES: slots.join(' '),
    HC_SSH_KEY: clusterKey(host.paths.containersDir, usageID),
  };
}

/**
 * The container of a usage's node.
 * @param index the node's place among the usage's nodes
 */
export function containerOptions(
  usage: UsageSpec,
  index: number,
  { host, flavor, subnet, stopSeconds, doing }: Surroundings,
): Docker.ContainerCreateOptions {
  const node = usage.nodes[index];
  if (!node) throw new EngineError('engine_failed', `${doing}: no node ${index}`);
  const { limits } = node;
  const network = networkName(host.paths.id, usage.usageID);
  // Numerical libraries count the host's cores, not the session's share of them.
  const threads = String(Math.max(1, Math.ceil(limits.cpus)));
  const env = {
    OMP_NUM_THREADS: threads,
    OPENBLAS_NUM_THREADS: threads,
    ...(usage.nodes.length > 1 ? clusterEnvironment(usage, host) : {}),
    ...node.env,
  };
  for (const mount of node.mounts) {
    if (/[:,]/.test(mount.source + mount.target)) {
      throw new EngineError('engine_failed', `${doing}: a mount's path has a colon or a comma`);
    }
  }
  return {
    name: containerName(host.paths.id, usage.usageID, node.name),
    Image: node.image,
    Hostname: node.name,
    User: node.user,
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    ...(node.command ? { Cmd: [...node.command] } : {}),
    Labels: {
      ...usageLabels(host.paths.id, usage.usageID),
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
      Ulimits: resourceLimits(),
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
      ...(host.diskLimit === 'exact' ? { StorageOpt: { size: String(limits.diskBytes) } } : {}),
    },
    NetworkingConfig: {
      EndpointsConfig: {
        [network]: { IPAMConfig: { IPv4Address: subnet.nodeAddress(index) } },
      },
    },
  };
}
