import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ContainerHost } from './host.ts';
import { unmountUnder } from './disk-store.ts';
import { createContainerEngine } from './docker-api.ts';
import { createHostShield } from './host-shield.ts';
import { bridgePrefix, runDirectory, shortHash } from './installation.ts';

/**
 * Takes away everything that an installation put on this machine: its usages with their containers
 * and networks, the firewall rules, the podman service and its store. For uninstalling, and for
 * tests. The store of images stays, others may use it.
 */
export async function dismantle(host: ContainerHost): Promise<void> {
  const { paths } = host;
  const engine = createContainerEngine({ host });
  for (const usageID of (await engine.list()).keys()) await engine.remove(usageID);
  await engine.tidyImages({ keep: new Set(), underWay: new Set() });
  await engine.close();
  await createHostShield(paths.id, bridgePrefix(paths.id)).lower();
  if (host.kind !== 'own') return;
  await removeMounted(join(paths.containersDir, 'store'), paths.containersDir);
  rmSync(paths.runDir, { recursive: true, force: true });
}

/** Takes a store of images away; nobody may use it any more. */
export async function dismantleStore(imageStore: string): Promise<void> {
  await removeMounted(imageStore, imageStore);
  rmSync(runDirectory(shortHash(imageStore)), { recursive: true, force: true });
}

const TRIES = 50;
const REST_MS = 200;

/**
 * Removes a folder below which something is mounted. The engine clears up behind a container that
 * has just ended in a process of its own, which mounts its store once more; so it is tried again.
 */
async function removeMounted(mounts: string, folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await unmountUnder(mounts);
    try {
      await rm(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const isPassing = code === 'EBUSY' || code === 'ENOTEMPTY';
      if (!isPassing || attempt === TRIES) throw error;
      await pause(REST_MS);
    }
  }
}
