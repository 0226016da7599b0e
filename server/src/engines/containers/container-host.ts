import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DiskStore, openDiskStore } from './disk-store.ts';
import type { ContainerHost, EngineAddress, NoContainerHost } from './host.ts';
import {
  type InstallationPaths,
  installationPaths,
  runDirectory,
  shortHash,
} from './installation.ts';
import {
  answers,
  PodmanService,
  PodmanUnavailableError,
  podmanObstacle,
} from './podman-service.ts';
import { registerStoreUser } from './store-users.ts';

export { dismantle } from './dismantle.ts';
export type { ContainerHost, EngineAddress, ImageEngine, NoContainerHost } from './host.ts';

export interface ContainerHostOptions {
  dataDir: string;
  /** Store of built images; see {@link installationPaths}. */
  imageStore?: string;
  /** `unix://…` or `tcp://…`; defaults to `CONTAINER_HOST`. */
  containerHost?: string;
  /** Where a running Docker would answer. */
  dockerSocket?: string;
  log?: (line: string) => void;
}

/**
 * Finds the engine that runs sessions: the configured one, else a running Docker, else a podman
 * that we start ourselves with our own configuration and storage.
 */
export async function findContainerHost(
  options: ContainerHostOptions,
): Promise<ContainerHost | NoContainerHost> {
  const paths = installationPaths(options.dataDir, options.imageStore);
  const configured = options.containerHost ?? process.env['CONTAINER_HOST'] ?? '';
  if (configured) return configuredHost(configured, paths);

  const dockerSocket = options.dockerSocket ?? '/var/run/docker.sock';
  if (existsSync(dockerSocket) && (await answers(dockerSocket))) {
    return givenHost('local', { socketPath: dockerSocket }, paths);
  }
  return ownPodman(paths, options.log ?? (() => undefined));
}

async function configuredHost(
  configured: string,
  paths: InstallationPaths,
): Promise<ContainerHost | NoContainerHost> {
  const url = URL.canParse(configured) ? new URL(configured) : null;
  if (url?.protocol === 'unix:') {
    const socketPath = decodeURIComponent(url.pathname);
    if (!(await answers(socketPath))) {
      return { kind: 'none', reason: `no engine answers on ${configured} (CONTAINER_HOST)` };
    }
    return givenHost('local', { socketPath }, paths);
  }
  if (url?.protocol === 'tcp:' && url.hostname) {
    return givenHost('remote', { host: url.hostname, port: Number(url.port || 2375) }, paths);
  }
  return { kind: 'none', reason: 'CONTAINER_HOST is neither unix:///path nor tcp://host:port' };
}

function givenHost(
  kind: 'local' | 'remote',
  address: EngineAddress,
  paths: InstallationPaths,
): ContainerHost {
  return {
    kind,
    address,
    paths,
    diskLimit: 'watched',
    diskLimitReason: 'the engine’s store is not ours; whether it can limit disks is not known',
    ensure: () => Promise.resolve(),
    borrowImageEngine: () => {
      mkdirSync(paths.runDir, { recursive: true, mode: 0o700 });
      const lockPath = join(paths.runDir, 'build.lock');
      return Promise.resolve({ address, lockPath, release: () => Promise.resolve() });
    },
    close: () => Promise.resolve(),
  };
}

async function ownPodman(
  paths: InstallationPaths,
  log: (line: string) => void,
): Promise<ContainerHost | NoContainerHost> {
  const obstacle = podmanObstacle();
  if (obstacle !== null) return { kind: 'none', reason: obstacle };

  let store: DiskStore;
  let service: PodmanService;
  try {
    store = await openDiskStore(paths.containersDir);
    if (store.reason) log(`containers’ disks are watched, not limited exactly: ${store.reason}`);
    // The folder must be a store before it can be read as one.
    if (!existsSync(join(paths.imageStore, 'overlay-images'))) {
      await (await openImageService(paths, log)).close();
    }
    service = await PodmanService.open({
      configDir: paths.containersDir,
      runDir: paths.runDir,
      graphRoot: store.graphRoot,
      readOnlyStores: [paths.imageStore],
      log,
    });
    registerStoreUser(paths.imageStore, paths.id, store.graphRoot);
  } catch (error) {
    if (error instanceof PodmanUnavailableError) return { kind: 'none', reason: error.message };
    return { kind: 'none', reason: `the container store cannot be opened: ${String(error)}` };
  }
  return {
    kind: 'own',
    address: { socketPath: service.socketPath },
    paths,
    diskLimit: store.diskLimit,
    diskLimitReason: store.reason,
    ensure: () => service.ensure(),
    borrowImageEngine: async () => {
      const images = await openImageService(paths, log);
      return {
        address: { socketPath: images.socketPath },
        lockPath: join(runDirectory(shortHash(paths.imageStore)), 'build.lock'),
        release: () => images.close(),
      };
    },
    close: () => service.close(),
  };
}

/** The service over the image store; its configuration lies in the store, so all users agree. */
function openImageService(
  paths: InstallationPaths,
  log: (line: string) => void,
): Promise<PodmanService> {
  return PodmanService.open({
    configDir: join(paths.imageStore, 'hypercube'),
    runDir: runDirectory(shortHash(paths.imageStore)),
    graphRoot: paths.imageStore,
    readOnlyStores: [],
    log,
  });
}
