/** The rules of images, and what other domains may ask of them. */
import { readFile } from 'node:fs/promises';
import { COMMIT_STEPS, TIMES, UsageStatus, type Language } from '@hypercube/contract';
import { unixSeconds, type Clock } from '../../platform/clock.ts';
import {
  FOREIGN_KEY_VIOLATION,
  UNIQUE_VIOLATION,
  sqlState,
  type Database,
  type Executor,
} from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { DomainError } from '../../platform/errors.ts';
import { presentDependent, type DependentRow } from '../specification/specification.service.ts';
import * as queries from './image.queries.ts';
import type {
  BuildMove,
  BuiltInImage,
  ImageListRow,
  ImageRow,
  ImageTexts,
  ImageVersionRow,
} from './image.queries.ts';

export { findImages, listBuiltInImages, type ImageRow } from './image.queries.ts';

/** What is told instead of an image's id when there is something to take out of the engine. */
export const IMAGE_GONE = 'gone';

/** What a commit takes from: a usage as it is now. */
export interface CommitSource {
  readonly id: number;
  readonly userID: number;
  readonly type: number;
  readonly phase: string;
  readonly status: number;
  readonly endedAt: Date | null;
  /** Unix seconds. */
  readonly deadlineTime: number;
  readonly nodes: readonly { readonly name: string }[];
}

/**
 * Refuses what cannot be committed any more. The margin is there so that nobody loses an
 * environment in the middle of its commit.
 * @throws DomainError
 */
export function checkCommit(usage: CommitSource, now: Date): void {
  if (usage.endedAt !== null) throw new DomainError('usage_not_running');
  if (usage.phase !== 'ready') throw new DomainError('usage_not_ready');
  if (usage.status !== UsageStatus.running) throw new DomainError('usage_not_running');
  const remaining = usage.deadlineTime - unixSeconds(now);
  if (remaining < TIMES.commitMarginSeconds)
    throw new DomainError('commit_too_late', { Remaining: Math.max(0, remaining) });
}

/** Writes down how far an image is, and tells the pages that wait for it. */
export async function moveBuild(
  database: Database,
  imageID: number,
  build: BuildMove,
): Promise<void> {
  await database.transaction(async (tx) => {
    await queries.updateImageBuild(tx, imageID, build);
    await notify(tx, 'image', String(imageID));
  });
}

/** Puts a built-in image in place; its build state stays. @returns its id */
export const seedImage = (db: Executor, image: BuiltInImage): Promise<number> =>
  queries.upsertImage(db, image);

/** What to commit, with everything resolved and allowed. */
export interface CommitRequest {
  readonly usage: CommitSource;
  /** A new version of this one; a new image without it. */
  readonly image: ImageRow | undefined;
  /** The first node unless said. */
  readonly node: string | undefined;
  readonly texts: ImageTexts;
  readonly userID: number;
}

export interface ImageServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** The usage as it is now, ended when its time is over. */
  readonly findUsage: (usageID: number) => Promise<CommitSource | undefined>;
  /** Why nothing can be committed or built now, or null. */
  readonly findObstacle: () => Promise<string | null>;
  /** Files that hold what an image's last build or commit printed, oldest first. */
  readonly logPaths: (image: Pick<ImageRow, 'id' | 'slug'>) => readonly string[];
}

export type ImageService = ReturnType<typeof createImageService>;

export function createImageService({
  database,
  clock,
  findUsage,
  findObstacle,
  logPaths,
}: ImageServiceOptions) {
  async function get(imageID: number): Promise<ImageListRow> {
    const row = await queries.findImageListRow(database, imageID);
    if (!row) throw new DomainError('not_found');
    return row;
  }

  async function lock(db: Executor, image: Pick<ImageRow, 'id'>): Promise<ImageRow> {
    const current = await queries.lockImage(db, image.id);
    if (!current) throw new DomainError('not_found');
    return current;
  }

  const inUse = (dependents: readonly DependentRow[], language: Language): DomainError =>
    new DomainError('in_use', {
      Dependents: dependents.map((row) => presentDependent(row, language)),
    });

  /** What others have built upon stays open to them. */
  async function checkVisibility(
    db: Executor,
    image: ImageRow,
    isPublic: boolean,
    language: Language,
  ): Promise<void> {
    if (!image.isPublic || isPublic) return;
    const dependents = await queries.listForeignDependents(db, image);
    if (dependents.length > 0) throw inUse(dependents, language);
  }

  async function refuseWithoutEngine(): Promise<void> {
    const reason = await findObstacle();
    if (reason !== null) throw new DomainError('engine_unavailable', { Reason: reason });
  }

  return {
    get,

    async getParts(image: Pick<ImageRow, 'id'>) {
      const [versions, dependents] = await Promise.all([
        queries.listVersionRows(database, image.id),
        queries.listDependents(database, image.id),
      ]);
      return { versions, dependents };
    },

    /** Writes down what is to be committed; the worker does it. */
    async commit(request: CommitRequest, language: Language): Promise<ImageListRow> {
      const usage = await findUsage(request.usage.id);
      if (!usage) throw new DomainError('usage_not_running');
      checkCommit(usage, clock.now());
      const node = request.node ?? usage.nodes[0]?.name ?? '';
      if (!usage.nodes.some(({ name }) => name === node))
        throw new DomainError('invalid_input', { Fields: [{ Path: 'Node', Rule: 'unknown' }] });
      if (request.image && request.image.type !== usage.type)
        throw new DomainError('image_type_differs');
      // Its sources decide what a built-in image is.
      if (request.image && request.image.slug !== null) throw new DomainError('built_in');
      await refuseWithoutEngine();
      const begun = (number: number) => ({
        ...request.texts,
        buildState: 'committing',
        buildStep: 0,
        buildSteps: COMMIT_STEPS.length,
        buildText: '',
        buildStartedAt: clock.now(),
        commit: { usageID: usage.id, node, userID: request.userID, number },
      });
      try {
        const imageID = await database.transaction(async (tx) => {
          let id: number;
          if (request.image) {
            const current = await lock(tx, request.image);
            if (current.commit !== null) throw new DomainError('commit_under_way');
            await checkVisibility(tx, current, request.texts.isPublic, language);
            ({ id } = current);
            await queries.updateImageRow(tx, id, begun(await queries.readNextNumber(tx, id)));
          } else {
            id = await queries.insertImage(tx, {
              ...begun(1),
              type: usage.type,
              ownerID: request.userID,
            });
          }
          await notify(tx, 'image', String(id));
          return id;
        });
        return await get(imageID);
      } catch (error) {
        // The same environment is being committed already: the database let one in.
        if (sqlState(error) === UNIQUE_VIOLATION) throw new DomainError('commit_under_way');
        throw error;
      }
    },

    async update(image: ImageRow, texts: ImageTexts, language: Language): Promise<ImageListRow> {
      await database.transaction(async (tx) => {
        await checkVisibility(tx, await lock(tx, image), texts.isPublic, language);
        await queries.updateImageRow(tx, image.id, texts);
      });
      return get(image.id);
    },

    /** New environments start from it; those that run keep theirs. */
    async chooseVersion(image: ImageRow, version: ImageVersionRow): Promise<ImageListRow> {
      await database.transaction(async (tx) => {
        await lock(tx, image);
        const [current] = await queries.findVersions(tx, [version.id], image.id);
        if (!current) throw new DomainError('not_found');
        await queries.updateImageRow(tx, image.id, {
          versionID: current.id,
          reference: current.reference,
        });
        await notify(tx, 'image', String(image.id));
      });
      return get(image.id);
    },

    /** The worker takes it out of the engine when no container needs it any more. */
    async removeVersion(
      image: ImageRow,
      version: ImageVersionRow,
      language: Language,
    ): Promise<ImageListRow> {
      await database.transaction(async (tx) => {
        const current = await lock(tx, image);
        if (current.versionID === version.id)
          throw inUse(await queries.listDependents(tx, image.id), language);
        const dependents = await queries.listVersionDependents(tx, version);
        if (dependents.length > 0) throw inUse(dependents, language);
        await queries.deleteVersionRow(tx, version.id);
        await notify(tx, 'image', IMAGE_GONE);
      });
      return get(image.id);
    },

    /** A commit that is under way is given up with its image. */
    async remove(image: ImageRow, language: Language): Promise<void> {
      if (image.slug !== null) throw new DomainError('built_in');
      try {
        await database.transaction(async (tx) => {
          await lock(tx, image);
          const dependents = await queries.listDependents(tx, image.id);
          if (dependents.length > 0) throw inUse(dependents, language);
          await queries.deleteImageRow(tx, image.id);
          await notify(tx, 'image', IMAGE_GONE);
        });
      } catch (error) {
        // A node began to use it meanwhile; it is in the records by now.
        if (sqlState(error) !== FOREIGN_KEY_VIOLATION) throw error;
        throw inUse(await queries.listDependents(database, image.id), language);
      }
    },

    /** Has a built-in image built again; the present one stays in use meanwhile. */
    async rebuild(image: ImageRow): Promise<ImageListRow> {
      if (image.slug === null) throw new DomainError('not_built_in');
      await refuseWithoutEngine();
      await database.transaction(async (tx) => {
        const current = await lock(tx, image);
        if (current.isRebuildWanted || current.buildState === 'building')
          throw new DomainError('commit_under_way');
        await queries.updateImageBuild(tx, image.id, {
          isRebuildWanted: true,
          buildState: 'waiting',
          buildStep: 0,
          buildSteps: 0,
          buildText: '',
          buildStartedAt: clock.now(),
        });
        await notify(tx, 'image', String(image.id));
      });
      return get(image.id);
    },

    /** What the last build or commit printed, and whether it is over. */
    async readLog(image: ImageRow): Promise<{ text: string; isComplete: boolean }> {
      const parts = await Promise.all(
        logPaths(image).map((path) => readFile(path, 'utf8').catch(() => '')),
      );
      const isComplete =
        !image.isRebuildWanted && !['building', 'committing'].includes(image.buildState);
      return { text: parts.join(''), isComplete };
    },
  };
}
