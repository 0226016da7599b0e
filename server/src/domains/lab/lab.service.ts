/** Rules of labs beyond reading: copying starter files to the personal folder. */
import { constants, createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError, isNoSpace } from '../../platform/errors.ts';
import {
  UnsafePathError,
  type PersonalFiles,
  type CopyOutcome,
} from '../../platform/storage/personal.ts';
import type { LabResourceRow, LabRow } from './lab.queries.ts';

export { countPublished, countUse, findLabs } from './lab.queries.ts';

export interface LabService {
  /** Host folder of the read-only bundle; null for a lab without files. */
  bundleFolder(lab: LabRow): string | null;
  copyResources(
    lab: LabRow,
    resources: readonly LabResourceRow[],
    userID: number,
    onConflict: 'keep' | 'rename' | 'replace' | undefined,
  ): Promise<CopyOutcome & { folder: string }>;
  /** A picture or video of the text; undefined when there is none of that name. */
  openMedia(
    lab: LabRow,
    name: string,
  ): Promise<{ stream: ReadStream; sizeBytes: number } | undefined>;
}

export function createLabService({
  dataFolder,
  files,
}: {
  dataFolder: string;
  files: PersonalFiles;
}): LabService {
  const folderOf = (lab: LabRow, part: 'bundle' | 'media'): string | null =>
    lab.folder === null ? null : join(dataFolder, lab.folder, part);

  return {
    bundleFolder: (lab) => folderOf(lab, 'bundle'),

    async copyResources(lab, resources, userID, onConflict) {
      const bundle = folderOf(lab, 'bundle');
      const folder = lab.slug ?? `lab-${lab.id}`;
      if (bundle === null) return { folder, copied: [], kept: [], renamed: [] };
      try {
        const outcome = await files.copyIn(
          userID,
          folder,
          resources.map(({ path }) => ({ source: join(bundle, path), path })),
          onConflict,
        );
        if ('conflicts' in outcome)
          throw new DomainError('copy_conflict', { Names: outcome.conflicts });
        return { folder, ...outcome };
      } catch (error) {
        if (error instanceof UnsafePathError)
          throw new DomainError('copy_unsafe', { Names: [error.path] }, { cause: error });
        if (isNoSpace(error)) throw new DomainError('storage_full', {}, { cause: error });
        throw error;
      }
    },

    async openMedia(lab, name) {
      const folder = folderOf(lab, 'media');
      if (folder === null) return undefined;
      const handle = await open(
        join(folder, name),
        constants.O_RDONLY | constants.O_NOFOLLOW,
      ).catch(() => undefined);
      if (!handle) return undefined;
      const { size } = await handle.stat();
      return { stream: createReadStream('', { fd: handle }), sizeBytes: size };
    },
  };
}
