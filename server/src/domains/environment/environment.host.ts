/** What this machine has, for those who run the place. */
import { availableParallelism, freemem, totalmem } from 'node:os';
import { statfs } from 'node:fs/promises';

export interface HostFigures {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  readonly diskBytes: number;
  readonly freeDiskBytes: number;
}

/**
 * @param folders where data and images lie; of several disks the fullest one counts, since it is
 *   the one that stops the work
 */
export async function readHost(folders: readonly string[]): Promise<HostFigures> {
  const disks = await Promise.all(
    folders.map(async (folder) => {
      // A folder that is not there yet will be on a disk that another one tells of.
      const found = await statfs(folder).catch(() => undefined);
      return found && { size: found.blocks * found.bsize, free: found.bavail * found.bsize };
    }),
  );
  const fullest = disks.filter((disk) => disk !== undefined).toSorted((a, b) => a.free - b.free)[0];
  return {
    cpus: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    diskBytes: fullest?.size ?? 0,
    freeDiskBytes: fullest?.free ?? 0,
  };
}
