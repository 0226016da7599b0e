import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The practice images as the repository describes them. Each folder of `images/` is one image: a
 * Containerfile that begins `FROM hypercube/<parent>`, or, for the first of the chain, a script
 * that makes a root file system. An image's tag is a key of its contents, its parents and the
 * machine's architecture, so a reference always means the sources that are checked out.
 */
export interface ImageSource {
  name: string;
  directory: string;
  /** Images that must exist first. */
  parents: readonly string[];
  key: string;
  /** `localhost/hypercube/<name>:<key>`. */
  reference: string;
  /** Instructions to carry out, the denominator of the build's progress. */
  steps: number;
}

/** Script that writes a root file system to its standard output. */
export const rootfsScript = 'make-rootfs.sh';

const defaultDirectory = fileURLToPath(new URL('../../../../images', import.meta.url));

/** Folders with images: the repository's, and those that a deployment adds. */
export type ImageFolders = string | readonly string[];

/** The repository's images together with a deployment's own. */
export const imageFolders = (own: string | undefined): ImageFolders =>
  own === undefined ? defaultDirectory : [defaultDirectory, own];

/** Reference of an image built from the current sources. */
export function imageReference(name: string, imagesDir: ImageFolders = defaultDirectory): string {
  const source = readImageSources(imagesDir).get(name);
  if (!source) throw new Error(`there is no image called ${name}`);
  return source.reference;
}

/**
 * All images, parents before children.
 * @throws Error for a parent that does not exist, a circle, or a name that two folders have
 */
export function readImageSources(
  imagesDir: ImageFolders = defaultDirectory,
): Map<string, ImageSource> {
  const directories = new Map<string, string>();
  for (const folder of typeof imagesDir === 'string' ? [imagesDir] : imagesDir) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const directory = join(folder, entry.name);
      if (!entry.isDirectory() || !isImage(directory)) continue;
      if (directories.has(entry.name)) throw new Error(`two folders have an image ${entry.name}`);
      directories.set(entry.name, directory);
    }
  }
  const names = [...directories.keys()].toSorted();
  const sources = new Map<string, ImageSource>();
  const open = new Set<string>();

  function visit(name: string): ImageSource {
    const done = sources.get(name);
    if (done) return done;
    const directory = directories.get(name);
    if (directory === undefined) throw new Error(`there is no image called ${name}`);
    if (open.has(name)) throw new Error(`image ${name} is its own parent`);
    open.add(name);
    const instructions = readInstructions(directory);
    const parents = parentsOf(instructions).map(visit);
    const hash = createHash('sha256').update(`${machineArchitecture()}\n`);
    for (const parent of parents) hash.update(`${parent.key}\n`);
    hashFolder(hash, directory, '');
    const key = hash.digest('hex').slice(0, 12);
    const source: ImageSource = {
      name,
      directory,
      parents: parents.map((parent) => parent.name),
      key,
      reference: `localhost/hypercube/${name}:${key}`,
      steps: Math.max(1, instructions.length),
    };
    sources.set(name, source);
    return source;
  }

  for (const name of names) visit(name);
  return sources;
}

/** Debian's name of this machine's architecture. */
export function machineArchitecture(): string {
  return arch() === 'x64' ? 'amd64' : arch();
}

/**
 * The Containerfile as it is sent to the engine: parents by their full references.
 */
export function resolvedContainerfile(
  source: ImageSource,
  sources: ReadonlyMap<string, ImageSource>,
): string {
  const text = readFileSync(join(source.directory, 'Containerfile'), 'utf8');
  return text.replaceAll(
    /^(FROM\s+|COPY\s+--from=)hypercube\/([a-z0-9-]+)/gim,
    (whole, start: string, name: string) => `${start}${sources.get(name)?.reference ?? whole}`,
  );
}

function isImage(directory: string): boolean {
  return existsSync(join(directory, 'Containerfile')) || existsSync(join(directory, rootfsScript));
}

function readInstructions(directory: string): string[] {
  const path = join(directory, 'Containerfile');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function parentsOf(instructions: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const line of instructions) {
    const found = /^(?:FROM\s+|COPY\s+--from=)hypercube\/([a-z0-9-]+)/i.exec(line);
    if (found?.[1]) parents.add(found[1]);
  }
  return [...parents];
}

function hashFolder(hash: ReturnType<typeof createHash>, directory: string, prefix: string): void {
  const entries = readdirSync(join(directory, prefix), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(prefix, entry.name);
    if (entry.isDirectory()) hashFolder(hash, directory, path);
    else if (entry.isFile() && !entry.name.endsWith('.md')) {
      const full = join(directory, path);
      const isExecutable = (statSync(full).mode & 0o111) !== 0;
      hash
        .update(`${path}\0${isExecutable ? 'x' : '-'}\0`)
        .update(readFileSync(full))
        .update('\0');
    }
  }
}
