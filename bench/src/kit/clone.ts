/**
 * A clone of the working tree as somebody has it right after the download: sources and installed
 * packages, but nothing built and nothing remembered.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Scope of our own workspaces: links of the clone must lead into the clone. */
const OWN_SCOPE = '@hypercube';

/** Exact names of the working tree's files, what git ignores left out. */
function sourceFiles(): string[] {
  const listed = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (listed.status !== 0)
    throw new Error(`git ls-files: ${listed.stderr || listed.error?.message}`);
  return listed.stdout.split('\0').filter((name) => name !== '');
}

/** Makes the clone. @returns its folder, to be removed with `removeClone` */
export async function makeClone(): Promise<string> {
  const clone = await mkdtemp(join(tmpdir(), 'hypercube-clone-'));
  for (const name of sourceFiles()) {
    await mkdir(dirname(join(clone, name)), { recursive: true });
    // A file that is deleted but still in the index is no file of the working tree.
    await cp(join(ROOT, name), join(clone, name), { verbatimSymlinks: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      },
    );
  }
  await linkPackages(clone);
  await noteInstalled(clone);
  return clone;
}

/** Packages are linked instead of copied: there are tens of thousands of files. */
async function linkPackages(clone: string): Promise<void> {
  const packages = join(clone, 'node_modules');
  await mkdir(join(packages, OWN_SCOPE), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    // Stamps of what was built are what a fresh clone does not have.
    if (name === OWN_SCOPE || name === '.hypercube') continue;
    await symlink(join(ROOT, 'node_modules', name), join(packages, name));
  }
  const { workspaces } = await readManifest(clone);
  for (const name of workspaces)
    await symlink(join('..', '..', name), join(packages, OWN_SCOPE, name));
}

async function readManifest(folder: string): Promise<{ workspaces: string[] }> {
  const { default: manifest } = (await import(join(folder, 'package.json'), {
    with: { type: 'json' },
  })) as {
    default: { workspaces: string[] };
  };
  return manifest;
}

/** Tells the start that the packages are there: downloading them is not what is measured. */
async function noteInstalled(clone: string): Promise<void> {
  const { hashOf } = (await import(join(clone, 'scripts', 'lib', 'prepare.mjs'))) as {
    hashOf: (paths: readonly string[]) => string;
  };
  const { workspaces } = await readManifest(clone);
  const inputs = [
    'package-lock.json',
    'package.json',
    ...workspaces.map((name) => `${name}/package.json`),
  ];
  await mkdir(join(clone, 'node_modules', '.hypercube'));
  await writeFile(join(clone, 'node_modules', '.hypercube', 'installed'), hashOf(inputs));
}

export async function removeClone(clone: string): Promise<void> {
  await rm(clone, { recursive: true, force: true });
}
