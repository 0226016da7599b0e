/** Building the built-in images in the background, with a true denominator over the whole chain. */
import type { FastifyBaseLogger } from 'fastify';
import type { ContainerHost } from '../../engines/containers/container-host.ts';
import type { ContainerEngine } from '../../engines/containers/engine.ts';
import { buildImages, type BuildProgress } from '../../engines/containers/image-build.ts';
import {
  imageFolders,
  imageReference,
  readImageSources,
  type ImageSource,
} from '../../engines/containers/image-sources.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { listBuiltInImages, moveBuild, type ImageRow } from './image.service.ts';
import * as queries from './image.queries.ts';

export interface BuildReport {
  readonly image: string;
  readonly step: number;
  readonly steps: number;
  readonly text: string;
}

export interface ImageJobOptions {
  readonly database: Database;
  readonly host: ContainerHost;
  readonly engine: ContainerEngine;
  readonly clock: Clock;
  /** Folder with a deployment's own images. */
  readonly ownImages?: string | undefined;
  readonly log: FastifyBaseLogger;
  readonly signal: AbortSignal;
  /** For the terminal. */
  readonly report?: (report: BuildReport) => void;
}

/** An image and what it is built from, first to last. */
function chainOf(sources: ReadonlyMap<string, ImageSource>, name: string): ImageSource[] {
  const source = sources.get(name);
  if (!source) return [];
  return [...source.parents.flatMap((parent) => chainOf(sources, parent)), source];
}

/** Steps done in a chain, from the progress of the image being built. */
export function chainProgress(
  chain: readonly Pick<ImageSource, 'name' | 'steps'>[],
  progress: Pick<BuildProgress, 'image' | 'step'>,
): { step: number; steps: number } {
  const steps = chain.reduce((sum, source) => sum + source.steps, 0);
  const index = chain.findIndex((source) => source.name === progress.image);
  const before = chain.slice(0, Math.max(0, index)).reduce((sum, source) => sum + source.steps, 0);
  return { step: Math.min(steps, before + progress.step), steps };
}

/** Builds what is missing; a failure is written down and does not stop the others. */
export async function buildBuiltInImages(options: ImageJobOptions): Promise<void> {
  for (const image of await listBuiltInImages(options.database)) {
    if (!options.signal.aborted) await buildBuiltInImage(options, image);
  }
}

/**
 * Makes an edition that the engine has the image's version. The same reference stands for another
 * edition after a build without cache; what it stood for before can then not be chosen any more.
 */
async function acceptBuild(
  { database, engine, clock }: ImageJobOptions,
  imageID: number,
  reference: string,
  { isNew, keepsChoice }: { isNew: boolean; keepsChoice: boolean },
): Promise<void> {
  const facts = await engine.describeImage(reference);
  await database.transaction(async (tx) => {
    const image = await queries.lockImage(tx, imageID);
    if (!image) return;
    const known = (await queries.listVersionRows(tx, imageID)).find(
      (version) => version.reference === reference,
    );
    let versionID = known?.id ?? null;
    if (!known || isNew) {
      const number = await queries.readNextNumber(tx, imageID);
      if (known) await queries.deleteVersionRow(tx, known.id);
      const version = await queries.insertVersion(tx, {
        imageID,
        number,
        reference,
        sizeBytes: facts?.sizeBytes ?? null,
        contents: facts?.parts ?? null,
        createdAt: clock.now(),
      });
      versionID = version.id;
    }
    await queries.updateImageRow(tx, imageID, {
      ...(keepsChoice ? {} : { reference, versionID }),
      buildState: 'ready',
      buildText: '',
      isRebuildWanted: false,
    });
    await notify(tx, 'image', String(imageID));
  });
}

/**
 * Builds one built-in image if it is missing.
 * @param again builds it without the engine's cache though it is there
 */
export async function buildBuiltInImage(
  options: ImageJobOptions,
  image: ImageRow,
  { again = false }: { again?: boolean } = {},
): Promise<void> {
  const { database, host, engine, clock, log, signal, report } = options;
  const { slug } = image;
  if (slug === null) return;
  const folders = imageFolders(options.ownImages);
  const chain = chainOf(readImageSources(folders), slug);
  const reference = imageReference(slug, folders);
  if (!again && (await engine.hasImage(reference))) {
    const versions = await queries.listVersionRows(database, image.id);
    // A version that an admin chose stays chosen until there is a newer edition.
    const keepsChoice =
      versions.some((version) => version.reference === reference) &&
      image.versionID !== null &&
      image.reference !== null &&
      (await engine.hasImage(image.reference));
    if (!keepsChoice || image.buildState !== 'ready')
      await acceptBuild(options, image.id, reference, { isNew: false, keepsChoice });
    return;
  }
  // Until the new edition is there, environments start from the old one, if the engine has it.
  const isOldUsable = image.reference !== null && (await engine.hasImage(image.reference));
  const startedAt = clock.now();
  await moveBuild(database, image.id, {
    ...(isOldUsable ? {} : { reference: null, versionID: null }),
    buildState: 'building',
    buildStep: 0,
    buildSteps: chain.reduce((sum, source) => sum + source.steps, 0),
    buildText: '',
    buildStartedAt: startedAt,
  });
  // Told one after the other, so that an old line never overwrites a newer one.
  let told: Promise<void> = Promise.resolve();
  try {
    await buildImages(host, {
      imagesDir: folders,
      only: [slug],
      ...(again ? { again: slug } : {}),
      signal,
      onProgress: (progress) => {
        const { step, steps } = chainProgress(chain, progress);
        const text = progress.text.slice(0, 200);
        report?.({ image: slug, step, steps, text });
        told = told
          .then(() =>
            moveBuild(database, image.id, { buildStep: step, buildSteps: steps, buildText: text }),
          )
          .catch((error: unknown) =>
            log.warn({ err: error }, 'the progress of a build could not be written down'),
          );
      },
    });
    await told;
    await acceptBuild(options, image.id, reference, { isNew: true, keepsChoice: false });
  } catch (error) {
    await told;
    if (signal.aborted) return;
    log.error({ err: error, image: slug }, 'a practice image could not be built');
    await moveBuild(database, image.id, {
      buildState: 'failed',
      isRebuildWanted: false,
      buildText: error instanceof Error ? error.message.slice(0, 300) : '',
    });
  }
}
