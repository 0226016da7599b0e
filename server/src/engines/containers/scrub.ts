/**
 * Takes what is not to be kept out of a folder that holds a container's files. A learner made them,
 * so nothing is followed: a link on the way is a thing to remove, never a way to somewhere else.
 */
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether a name fits one part of a pattern. */
function fits(name: string, part: string): boolean {
  const pattern = part
    .split('*')
    .map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(name);
}

async function scrubBelow(folder: string, parts: readonly string[]): Promise<void> {
  const [part, ...rest] = parts;
  if (part === undefined) return;
  const isFolder = await lstat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return;
  for (const name of await readdir(folder)) {
    if (!fits(name, part)) continue;
    const path = join(folder, name);
    if (rest.length === 0) await rm(path, { recursive: true, force: true });
    else await scrubBelow(path, rest);
  }
}

/** @param patterns as of `CommitOptions.scrub` */
export async function scrubFolder(root: string, patterns: readonly string[]): Promise<void> {
  for (const pattern of patterns) await scrubBelow(root, pattern.split('/'));
}
