import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Where one installation keeps its container things. An installation is a data folder: two of
 * them on one host share nothing but the kernel and, if wished, the store of built images.
 */
export interface InstallationPaths {
  /** Eight hex digits, in names of containers, networks, bridges and firewall chains. */
  id: string;
  dataDir: string;
  /** Configuration and storage of our own podman. */
  containersDir: string;
  /** Sockets, locks, run-time state; valid for one boot of the machine. */
  runDir: string;
  /** Store of built images, read by every installation that names the same folder. */
  imageStore: string;
}

/**
 * Derives an installation's names and folders from its data folder, which is made if need be.
 * `imageStore` defaults to `HC_IMAGE_STORE`, then to `~/.cache/hypercube/images`.
 */
export function installationPaths(dataDir: string, imageStore?: string): InstallationPaths {
  mkdirSync(dataDir, { recursive: true });
  const real = realpathSync(dataDir);
  const id = shortHash(real);
  return {
    id,
    dataDir: real,
    containersDir: join(real, 'containers'),
    runDir: runDirectory(id),
    imageStore:
      imageStore ?? process.env['HC_IMAGE_STORE'] ?? join(homedir(), '.cache/hypercube/images'),
  };
}

/** Short because a socket's path may not exceed some hundred characters, wherever the data lies. */
export function runDirectory(id: string): string {
  const parent = process.getuid?.() === 0 ? '/run' : tmpdir();
  return join(parent, `hypercube-${id}`);
}

/** How the names of an installation's bridges begin; the usage's number fits behind it. */
export function bridgePrefix(id: string): string {
  return `hc${id.slice(0, 6)}`;
}

/** Eight hex digits that stand for a path. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
