/**
 * The root file system in which programs are compiled and run: the judge image, unpacked once per
 * version beside the built images, so that installations share it and a box only has to mount it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { ContainerHost } from '../containers/container-host.ts';
import { dockerClient } from '../containers/engine-http.ts';
import { withFileLock } from '../containers/file-lock.ts';
import { buildImages, type BuildOptions } from '../containers/image-build.ts';
import { imageReference } from '../containers/image-sources.ts';

const IMAGE = 'judge';
/** Containers that exist only to be read; one that a killed process left is found by it. */
const LABEL = 'hypercube.judge-root';
/** Where the helper lies in the root file system. */
export const HELPER = 'usr/local/lib/hypercube/judge';

type JudgeRootOptions = Pick<BuildOptions, 'onProgress' | 'signal'>;

/** Builds the judge image if it is missing, and unpacks it if this version is not there yet. */
export async function openJudgeRoot(
  host: ContainerHost,
  options: JudgeRootOptions = {},
): Promise<string> {
  const reference = imageReference(IMAGE);
  const folder = join(host.paths.imageStore, 'hypercube', 'judge');
  const root = join(folder, reference.slice(reference.lastIndexOf(':') + 1));
  if (existsSync(root)) return root;

  await buildImages(host, { ...options, only: [IMAGE] });
  const engine = await host.borrowImageEngine();
  try {
    await withFileLock(
      engine.lockPath,
      async () => {
        if (existsSync(root)) return;
        await unpack(dockerClient(engine.address), reference, root);
        await removeSuperseded(folder, root);
      },
      options.signal ? { signal: options.signal } : {},
    );
  } finally {
    await engine.release();
  }
  return root;
}

async function unpack(docker: Docker, reference: string, root: string): Promise<void> {
  const left = await docker.listContainers({ all: true, filters: { label: [LABEL] } });
  for (const { Id } of left) await docker.getContainer(Id).remove({ force: true });
  const half = `${root}.half`;
  await rm(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true, mode: 0o755 });
  const container = await docker.createContainer({ Image: reference, Labels: { [LABEL]: '1' } });
  try {
    const tar = spawn(
      'tar',
      ['-x', '--numeric-owner', '--exclude=./dev/*', '--exclude=dev/*', '-C', half],
      { stdio: ['pipe', 'ignore', 'pipe'] },
    );
    let said = '';
    tar.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-500)));
    const ended = once(tar, 'close') as Promise<[number | null]>;
    // A tar that ends early is told by its own words, not by the broken pipe.
    tar.stdin.on('error', () => undefined);
    const archive = await container.export();
    archive.on('error', (error) => tar.stdin.destroy(error));
    archive.pipe(tar.stdin);
    const [code] = await ended;
    if (code !== 0 || !existsSync(join(half, HELPER)))
      throw new Error(`the judge image could not be unpacked: ${said.trim() || `code ${code}`}`);
  } finally {
    await container.remove({ force: true });
  }
  await rename(half, root);
}

/** Roots of the helpers that run on this machine, of whatever installation. */
function rootsInUse(): Set<string> {
  const roots = new Set<string>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const program = readlinkSync(`/proc/${entry}/exe`);
      if (program.endsWith(`/${HELPER}`)) roots.add(program.slice(0, -HELPER.length - 1));
    } catch {
      // Ended meanwhile, or a thread of the kernel.
    }
  }
  return roots;
}

/** Other versions go unless a helper runs from them; half ones are those of killed processes. */
export async function removeSuperseded(folder: string, root: string): Promise<void> {
  const inUse = rootsInUse();
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    if (other !== root && !inUse.has(other)) await rm(other, { recursive: true, force: true });
  }
}
