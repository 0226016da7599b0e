import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Who uses a store of images. Several installations may run containers from one store, and an
 * engine knows only its own: before an image goes, all of them are asked by their own records.
 */
export function registerStoreUser(imageStore: string, id: string, graphRoot: string): void {
  const folder = usersFolder(imageStore);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, id), graphRoot);
}

/** Ids of the images that containers use, or null when somebody's records cannot be read now. */
export function imagesInUse(imageStore: string): Set<string> | null {
  const folder = usersFolder(imageStore);
  const images = new Set<string>();
  if (!existsSync(folder)) return images;
  for (const id of readdirSync(folder)) {
    const graphRoot = readFileSync(join(folder, id), 'utf8');
    if (!existsSync(graphRoot)) {
      rmSync(join(folder, id), { force: true });
      continue;
    }
    const records = join(graphRoot, 'overlay-containers', 'containers.json');
    if (!existsSync(records)) {
      // Never used, or a file system that is not mounted now: then its images are unknown.
      if (existsSync(`${graphRoot}.xfs`)) return null;
      continue;
    }
    const containers = JSON.parse(readFileSync(records, 'utf8')) as { image?: string }[] | null;
    for (const container of containers ?? []) if (container.image) images.add(container.image);
  }
  return images;
}

function usersFolder(imageStore: string): string {
  return join(imageStore, 'hypercube', 'users');
}
