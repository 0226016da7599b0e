/** Taking away what a measured installation left on this machine. */
import { rm } from 'node:fs/promises';
import {
  dismantle,
  findContainerHost,
} from '../../../server/src/engines/containers/container-host.ts';

/** Removes a stopped installation: its container store and rules, then its data folder. */
export async function removeInstallation(dataFolder: string): Promise<void> {
  const host = await findContainerHost({ dataDir: dataFolder });
  if (host.kind !== 'none') await dismantle(host);
  await rm(dataFolder, { recursive: true, force: true });
}
