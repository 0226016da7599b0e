import { rmSync } from 'node:fs';
import { join } from 'node:path';
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
  await unmountUnder(join(paths.containersDir, 'store'));
  rmSync(paths.containersDir, { recursive: true, force: true });
  rmSync(paths.runDir, { recursive: true, force: true });
}

/** Takes a store of images away; nobody may use it any more. */
export async function dismantleStore(imageStore: string): Promise<void> {
  await unmountUnder(imageStore);
  rmSync(imageStore, { recursive: true, force: true });
  rmSync(runDirectory(shortHash(imageStore)), { recursive: true, force: true });
}
