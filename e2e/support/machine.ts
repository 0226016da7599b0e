/** What happens to the machine that a platform runs on. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from './platform.ts';

/** Processes of this machine whose arguments name a word, and whose arguments or surroundings name the folder. */
export function processesOf(dataFolder: string, word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const told = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        if (!told.includes(word)) return false;
        return (told + readFileSync(`/proc/${pid}/environ`, 'utf8')).includes(dataFolder);
      } catch {
        // It has just ended.
        return false;
      }
    })
    .map(Number);
}

/** Main processes of the platform's containers. */
export const containersOf = (dataFolder: string): number[] =>
  processesOf(dataFolder, 'conmon').flatMap((monitor) =>
    readFileSync(`/proc/${monitor}/task/${monitor}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );

const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

async function kill(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
  while (pids.some(isAlive)) await pause(20);
}

/** Places below some folders where something is mounted, the innermost first. */
const mountsBelow = (...folders: readonly string[]): string[] =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)))
    .toReversed();

/**
 * A power cut and a new start of the machine, as far as one installation sees it: every process of
 * it is gone at once, mounts and networks too, what lies in /run is not there any more; its data
 * folder is as it was at that moment. Needs root.
 */
export async function cutPower(platform: Platform): Promise<void> {
  const { dataFolder } = platform;
  await platform.kill();
  // The monitors first: nothing may notice that a container died.
  const containers = containersOf(dataFolder);
  await kill(processesOf(dataFolder, 'conmon'));
  await kill(containers);
  await kill(processesOf(dataFolder, ''));
  const id = createHash('sha256').update(realpathSync(dataFolder)).digest('hex').slice(0, 8);
  const running = `/run/hypercube-${id}`;
  for (const path of mountsBelow(dataFolder, running)) spawnSync('umount', ['--lazy', path]);
  rmSync(running, { recursive: true, force: true });
  const links = JSON.parse(execFileSync('ip', ['-json', 'link'], { encoding: 'utf8' })) as {
    ifname: string;
  }[];
  for (const { ifname } of links)
    if (ifname.startsWith(`hc${id.slice(0, 6)}`)) spawnSync('ip', ['link', 'delete', ifname]);
}
