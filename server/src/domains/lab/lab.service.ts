/** The rules of labs: copying starter files, and what staff change. */
import type { ReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { DomainError, isNoSpace } from '../../platform/errors.ts';
import type { IncomingFile } from '../../platform/http/upload.ts';
import { isPlainName } from '../../platform/storage/names.ts';
import {
  UnsafePathError,
  type PersonalFiles,
  type CopyOutcome,
} from '../../platform/storage/personal.ts';
import { Uploads } from '../../platform/storage/uploads.ts';
import { unpackZip } from '../../platform/storage/zip.ts';
import { findSpecifications, lockSpecification } from '../specification/specification.service.ts';
import { LabFiles, type BundleEntry, type Edition } from './lab.files.ts';
import { MEDIA_EXTENSIONS, mediaKindOf } from './lab.media.ts';
import * as queries from './lab.queries.ts';
import type {
  LabResourceRow,
  LabRow,
  LabTaskRow,
  LabValues,
  ResourceValues,
  TaskValues,
} from './lab.queries.ts';
import { diskBytesOf } from '../../engines/containers/disk-bytes.ts';

export { countPublished, countUse, findLabs, type LabRow, type LabTaskRow } from './lab.queries.ts';

/** What an uploaded zip may become. */
const ZIP_ENTRIES = 2000;
const ZIP_RATIO = 200;
/** Unpacked size against the limit of an upload. */
const ZIP_GROWTH = 10;

export interface LabServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly dataFolder: string;
  readonly files: PersonalFiles;
  /** How large an upload may be now. */
  readonly uploadBytes: () => number;
  /** What a personal folder may hold, an admin's choice. */
  readonly quotaBytes: () => number;
}

/** What a copy takes over of a lab. */
const valuesOf = (lab: LabRow): LabValues => ({
  type: lab.type,
  titleZh: lab.titleZh,
  titleEn: lab.titleEn,
  descriptionZh: lab.descriptionZh,
  descriptionEn: lab.descriptionEn,
  contentZh: lab.contentZh,
  contentEn: lab.contentEn,
  coverKind: lab.coverKind,
  domainID: lab.domainID,
  specificationID: lab.specificationID,
});

export type LabService = ReturnType<typeof createLabService>;

/** How long a copy waits to learn what the personal folder holds. */
const LOOK_MS = 5000;

/**
 * What a personal folder holds. One that cannot be walked over in time keeps nobody from copying:
 * the environment's own watch looks at it too.
 */
const heldBytes = async (files: PersonalFiles, userID: number): Promise<number> =>
  diskBytesOf(await files.folderOf(userID), 'looking at a personal folder', LOOK_MS).catch(() => 0);

export function createLabService({
  database,
  clock,
  dataFolder,
  files,
  uploadBytes,
  quotaBytes,
}: LabServiceOptions) {
  const labFiles = new LabFiles(dataFolder);
  const uploads = new Uploads(dataFolder);

  /** The lab, locked and read afresh. */
  async function lock(db: Executor, lab: Pick<LabRow, 'id'>): Promise<LabRow> {
    const current = await queries.lockLab(db, lab.id);
    if (!current) throw new DomainError('not_found');
    return current;
  }

  /** @throws DomainError `image_type_differs`: a desktop cannot open from a notebook's image */
  async function checkType(db: Executor, values: LabValues): Promise<void> {
    const [specification] = await findSpecifications(db, [values.specificationID]);
    if (specification?.imageType !== values.type) throw new DomainError('image_type_differs');
  }

  /** @throws DomainError `lab_incomplete` unless a learner could open the lab and do its tasks */
  async function checkComplete(db: Executor, lab: LabRow): Promise<void> {
    await lockSpecification(db, lab.specificationID);
    const [specification] = await findSpecifications(db, [lab.specificationID]);
    const tasks = await queries.listTaskRows(db, lab);
    if (
      tasks.length === 0 ||
      specification === undefined ||
      specification.nodes.length === 0 ||
      specification.imageType !== lab.type
    )
      throw new DomainError('lab_incomplete');
  }

  /** Throws what the disk's refusal means to the user; everything else as it is. */
  function translate(error: unknown): never {
    if (isNoSpace(error)) throw new DomainError('storage_full', {}, { cause: error });
    throw error;
  }

  /** Changes a lab's files in a new edition, which takes the place of the old one with the records. */
  async function withEdition<T>(
    lab: LabRow,
    act: (edition: Edition, tx: Executor, current: LabRow) => Promise<T>,
  ): Promise<T> {
    let made: Edition | undefined;
    try {
      return await database.transaction(async (tx) => {
        const current = await lock(tx, lab);
        made = await labFiles.begin(current.id, current.folder);
        const outcome = await act(made, tx, current);
        await queries.moveFolder(tx, current, made.folder, clock.now());
        await queries.touchLab(tx, current.id);
        return outcome;
      });
    } catch (error) {
      // A commit whose answer was lost may have happened: then the edition is the lab's own.
      const now = made && (await queries.findLabs(database, [lab.id]).catch(() => undefined));
      if (made && now && now[0]?.folder !== made.folder) await labFiles.discard(made.folder);
      return translate(error);
    }
  }

  /** Gives a lab that has no files yet its folder. */
  async function firstFolder(db: Executor, lab: LabRow): Promise<string> {
    const { folder } = await labFiles.begin(lab.id, null);
    await queries.moveFolder(db, lab, folder, clock.now());
    return folder;
  }

  /** Changes records of a lab under its lock, and its words with them. */
  const withLab = <T>(
    lab: Pick<LabRow, 'id'>,
    act: (tx: Executor, current: LabRow) => Promise<T>,
  ): Promise<T> =>
    database.transaction(async (tx) => {
      const current = await lock(tx, lab);
      const outcome = await act(tx, current);
      await queries.touchLab(tx, lab.id);
      return outcome;
    });

  /** @throws DomainError `order_incomplete` unless all are named once */
  function checkOrder(rows: readonly { id: number }[], named: readonly { id: number }[]): void {
    const ids = new Set(named.map(({ id }) => id));
    if (
      ids.size !== named.length ||
      ids.size !== rows.length ||
      rows.some(({ id }) => !ids.has(id))
    )
      throw new DomainError('order_incomplete');
  }

  return {
    /** Host folder of the read-only bundle; null for a lab without files. */
    bundleFolder: (lab: LabRow): string | null => labFiles.folderOf(lab, 'bundle'),

    async copyResources(
      lab: LabRow,
      resources: readonly LabResourceRow[],
      userID: number,
      onConflict: 'keep' | 'rename' | 'replace' | undefined,
    ): Promise<CopyOutcome & { folder: string }> {
      const bundle = labFiles.folderOf(lab, 'bundle');
      const folder = lab.slug ?? `lab-${lab.id}`;
      if (bundle === null) return { folder, copied: [], kept: [], renamed: [] };
      const entries = await Promise.all(resources.map(({ path }) => labFiles.entries(lab, path)));
      const incoming = entries.flat().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      if ((await heldBytes(files, userID)) + incoming > quotaBytes())
        throw new DomainError('storage_full');
      try {
        const outcome = await files.copyIn(
          userID,
          folder,
          entries.flat().map(({ path }) => ({ source: join(bundle, path), path })),
          onConflict,
        );
        if ('conflicts' in outcome)
          throw new DomainError('copy_conflict', { Names: outcome.conflicts });
        return { folder, ...outcome };
      } catch (error) {
        if (error instanceof UnsafePathError)
          throw new DomainError('copy_unsafe', { Names: [error.path] }, { cause: error });
        return translate(error);
      }
    },

    /** A picture or video of the text; undefined when there is none of that name. */
    openMedia: (
      lab: LabRow,
      name: string,
    ): Promise<{ stream: ReadStream; sizeBytes: number } | undefined> =>
      labFiles.openMedia(lab, name),

    listEntries: (lab: LabRow, resource: LabResourceRow): Promise<BundleEntry[]> =>
      labFiles.entries(lab, resource.path),

    // What staff change -------------------------------------------------------------------------

    async create(values: LabValues, ownerID: number, tagIDs: readonly number[]): Promise<LabRow> {
      await checkType(database, values);
      return database.transaction(async (tx) => {
        const lab = await queries.insertLab(tx, values, ownerID);
        await queries.writeLabTags(tx, lab.id, tagIDs);
        return lab;
      });
    },

    update: (
      lab: LabRow,
      version: number,
      values: LabValues,
      tagIDs: readonly number[],
    ): Promise<LabRow> =>
      withLab(lab, async (tx, before) => {
        await checkType(tx, values);
        const isWritten = await queries.updateLabRow(tx, lab.id, version, values);
        if (!isWritten) throw new DomainError('changed_meanwhile');
        if (before.isPublished) await checkComplete(tx, { ...before, ...values });
        await queries.writeLabTags(tx, lab.id, tagIDs);
        return lock(tx, lab);
      }),

    publish: (lab: LabRow, isPublished: boolean): Promise<LabRow> =>
      database.transaction(async (tx) => {
        const current = await lock(tx, lab);
        if (isPublished) await checkComplete(tx, current);
        await queries.setPublished(tx, lab.id, isPublished);
        return { ...current, isPublished };
      }),

    /** A copy of a lab with all that belongs to it, as a draft of whoever asked. */
    async duplicate(lab: LabRow, ownerID: number): Promise<LabRow> {
      let made: Edition | undefined;
      try {
        return await database.transaction(async (tx) => {
          const source = await lock(tx, lab);
          const copy = await queries.insertLab(tx, valuesOf(source), ownerID);
          await queries.copyParts(tx, source, copy);
          if (source.folder !== null) {
            made = await labFiles.begin(copy.id, source.folder);
            await queries.moveFolder(tx, copy, made.folder, clock.now());
          }
          await queries.touchLab(tx, copy.id);
          return copy;
        });
      } catch (error) {
        if (made) await labFiles.discard(made.folder);
        return translate(error);
      }
    },

    /** What would miss a lab: environments that are open for it. */
    listDependents: (lab: LabRow) => queries.listOpenUsages(database, lab.id),

    /** Environments that are open run on; one that is just being started still needs the lab. */
    async remove(lab: LabRow): Promise<void> {
      await database.transaction(async (tx) => {
        const current = await lock(tx, lab);
        const starting = (await queries.listOpenUsages(tx, lab.id)).filter(
          ({ phase }) => phase !== 'ready' && phase !== 'failed',
        );
        if (starting.length > 0)
          throw new DomainError('in_use', {
            Dependents: starting.map(({ id, nickname }) => ({
              Kind: 'usage',
              ID: id,
              Title: nickname,
            })),
          });
        await queries.moveFolder(tx, current, null, clock.now());
        await queries.deleteLabRow(tx, lab.id);
      });
    },

    order: (labs: readonly LabRow[]): Promise<void> =>
      queries.orderLabRows(database, [...new Map(labs.map((lab) => [lab.id, lab])).values()]),

    addTask: (lab: LabRow, values: TaskValues): Promise<LabTaskRow> =>
      withLab(lab, (tx) => queries.insertTask(tx, lab.id, values)),

    updateTask: (
      lab: LabRow,
      task: LabTaskRow,
      version: number,
      values: TaskValues,
    ): Promise<LabTaskRow> =>
      withLab(lab, async (tx) => {
        const changed = await queries.updateTaskRow(tx, task.id, version, values);
        if (!changed) throw new DomainError('changed_meanwhile');
        return changed;
      }),

    /** @throws DomainError `lab_incomplete`: a published lab keeps a task */
    removeTask: (lab: LabRow, task: LabTaskRow): Promise<void> =>
      withLab(lab, async (tx, current) => {
        await queries.deleteTaskRow(tx, task.id);
        const left = await queries.listTaskRows(tx, lab);
        if (current.isPublished && left.length === 0) throw new DomainError('lab_incomplete');
        await queries.orderTaskRows(
          tx,
          left.map(({ id }) => id),
        );
      }),

    orderTasks: (lab: LabRow, tasks: readonly LabTaskRow[]): Promise<void> =>
      withLab(lab, async (tx) => {
        checkOrder(await queries.listTaskRows(tx, lab), tasks);
        await queries.orderTaskRows(
          tx,
          tasks.map(({ id }) => id),
        );
      }),

    /** Adds what was sent: a file under its name, or what is in a zip as a folder of its name. */
    async addResource(
      lab: LabRow,
      file: IncomingFile,
      values: ResourceValues,
      mayReplace: boolean,
    ): Promise<LabResourceRow> {
      const isZip = /\.zip$/i.test(file.name);
      const path = isZip ? file.name.slice(0, -'.zip'.length) : file.name;
      if (!isPlainName(file.name) || !isPlainName(path))
        throw new DomainError('file_name_invalid', { Name: file.name.slice(0, 200) });
      /** Only a resource makes room for another one, and only when that is said. */
      const refuseTaken = async (db: Executor, isThere: () => Promise<boolean>): Promise<void> => {
        const resources = await queries.listResourceRows(db, lab);
        const isOwn = resources.some((resource) => resource.path === path);
        if (isOwn ? !mayReplace : await isThere())
          throw new DomainError('file_exists', { Name: path });
      };
      // Before anything is read, for those who would wait for a large file in vain.
      await refuseTaken(database, () => Promise.resolve(false));

      await using workplace = await uploads.workplace().catch(translate);
      const limit = uploadBytes();
      const received = await uploads.receive(file, limit, workplace).catch(translate);
      let source = received.path;
      let sizeBytes = received.sizeBytes;
      if (isZip) {
        source = join(workplace.path, 'unpacked');
        sizeBytes = await unpackZip(received.path, received.sizeBytes, source, {
          entries: ZIP_ENTRIES,
          bytes: limit * ZIP_GROWTH,
          ratio: ZIP_RATIO,
        }).catch(translate);
      }
      // Awaited here: the workplace goes with the end of this scope.
      return await withEdition(lab, async (edition, tx) => {
        await refuseTaken(tx, () => edition.has(path));
        await edition.remove(path);
        await edition.take(source, path);
        return queries.upsertResource(tx, lab.id, { ...values, path, sizeBytes });
      });
    },

    updateResource: (
      lab: LabRow,
      resource: LabResourceRow,
      values: ResourceValues,
    ): Promise<LabResourceRow> =>
      withLab(lab, async (tx) => {
        const changed = await queries.updateResourceRow(tx, resource.id, values);
        if (!changed) throw new DomainError('not_found');
        return changed;
      }),

    /** Environments that are open keep the files. */
    removeResource: (lab: LabRow, resource: LabResourceRow): Promise<void> =>
      withEdition(lab, async (edition, tx) => {
        await edition.remove(resource.path);
        await queries.deleteResourceRow(tx, resource.id);
      }),

    orderResources: (lab: LabRow, resources: readonly LabResourceRow[]): Promise<void> =>
      withLab(lab, async (tx) => {
        checkOrder(await queries.listResourceRows(tx, lab), resources);
        await queries.orderResourceRows(
          tx,
          resources.map(({ id }) => id),
        );
      }),

    /**
     * Adds a picture or video for the texts.
     * @returns how a text refers to it
     */
    async addMedia(lab: LabRow, file: IncomingFile): Promise<string> {
      await using workplace = await uploads.workplace().catch(translate);
      const received = await uploads.receive(file, uploadBytes(), workplace).catch(translate);
      const kind = await mediaKindOf(received.path);
      if (!kind) throw new DomainError('upload_type', { Allowed: [...MEDIA_EXTENSIONS] });
      const name = await database
        .transaction(async (tx) => {
          // Under the lock: a new edition would be a copy of the folder without this file.
          const current = await lock(tx, lab);
          const folder = current.folder ?? (await firstFolder(tx, current));
          return labFiles.addMedia(folder, received.path, kind);
        })
        .catch(translate);
      return `media/${name}`;
    },

    /** Removes files that nobody needs any more. */
    async sweep(): Promise<void> {
      for (const folder of await queries.listFreeEditions(database)) {
        await labFiles.discard(folder);
        await queries.forgetEdition(database, folder);
      }
      await labFiles.sweepOrphans(await queries.listKnownFolders(database));
      await uploads.sweep();
    },
  };
}
