import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DiskLimit } from './engine.ts';
import { findProgram } from './podman-service.ts';

const run = promisify(execFile);

/** Where containers' writable layers lie, and whether their size can be limited exactly. */
export interface DiskStore {
  graphRoot: string;
  diskLimit: DiskLimit;
  /** Why there is no limit; null when there is one. */
  reason: string | null;
}

interface StoredDecision {
  kind: 'xfs' | 'plain';
  reason: string | null;
}

const minimumImageBytes = 4 * 1024 ** 3;

/**
 * Opens the store of an installation. The engine can limit a container's disk only on XFS with
 * project quotas, so the store is a sparse file with such a file system where this machine can
 * mount one, and a plain folder otherwise. The choice is made once per installation and kept: a
 * store that changed its place would lose every container.
 */
export async function openDiskStore(containersDir: string): Promise<DiskStore> {
  mkdirSync(containersDir, { recursive: true, mode: 0o700 });
  const mountPoint = join(containersDir, 'store');
  const image = join(containersDir, 'store.xfs');
  const decisionPath = join(containersDir, 'store.json');

  let decision = readDecision(decisionPath);
  if (!decision) {
    const reason = await tryMakeXfs(image, mountPoint);
    decision = { kind: reason === null ? 'xfs' : 'plain', reason };
    writeFileSync(decisionPath, JSON.stringify(decision));
  }
  if (decision.kind === 'plain') {
    mkdirSync(mountPoint, { recursive: true, mode: 0o700 });
    return { graphRoot: mountPoint, diskLimit: 'watched', reason: decision.reason };
  }
  if (!isMounted(mountPoint)) {
    // After a reboot, or an unclean end of the machine: XFS replays its log while mounting.
    await mountXfs(image, mountPoint);
  }
  return { graphRoot: mountPoint, diskLimit: 'exact', reason: null };
}

/**
 * Takes away what is mounted in a store, and the store's own file system with its loop device: the
 * engine mounts a part of each store on itself.
 */
export async function unmountUnder(store: string): Promise<void> {
  // Last mounted first.
  for (const mountPoint of mountPoints().toReversed()) {
    if (mountPoint === store || mountPoint.startsWith(`${store}/`)) {
      await run('umount', [mountPoint]);
    }
  }
}

/** Null when the store is made and mounted, else the reason why this machine cannot. */
async function tryMakeXfs(image: string, mountPoint: string): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'not root, so no file system can be mounted';
  if (findProgram('mkfs.xfs') === null) return 'xfsprogs is not installed';
  const disk = statfsSync(join(image, '..'));
  // Sparse: it takes the space that containers really use, and never the disk's last fifth.
  const bytes = Math.floor(disk.bavail * disk.bsize * 0.8);
  if (bytes < minimumImageBytes) return 'less than 5 GiB are free';
  try {
    writeFileSync(image, '', { mode: 0o600 });
    truncateSync(image, bytes);
    await run('mkfs.xfs', ['-q', '-n', 'ftype=1', image]);
    await mountXfs(image, mountPoint);
    return null;
  } catch (error) {
    rmSync(image, { force: true });
    return `XFS with project quotas cannot be mounted here: ${firstLine(error)}`;
  }
}

async function mountXfs(image: string, mountPoint: string): Promise<void> {
  mkdirSync(mountPoint, { recursive: true, mode: 0o700 });
  await run('mount', ['-t', 'xfs', '-o', 'loop,prjquota,noatime', image, mountPoint]);
}

function isMounted(mountPoint: string): boolean {
  return mountPoints().includes(mountPoint);
}

/** Mount points of this machine in the order in which they were mounted. */
function mountPoints(): string[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => (line.split(' ')[4] ?? '').replaceAll('\\040', ' '));
}

function readDecision(path: string): StoredDecision | null {
  if (!existsSync(path)) return null;
  return JSON.parse(readFileSync(path, 'utf8')) as StoredDecision;
}

function firstLine(error: unknown): string {
  const stderr = (error as { stderr?: string }).stderr;
  return (stderr || String(error)).trim().split('\n')[0] ?? '';
}
