/** Building the built-in images in the background, with a true denominator over the whole chain. */
import type { FastifyBaseLogger } from 'fastify';
import type { ContainerHost } from '../../engines/containers/container-host.ts';
import type { ContainerEngine } from '../../engines/containers/engine.ts';
import { buildImages, type BuildProgress } from '../../engines/containers/image-build.ts';
import {
  imageReference,
  readImageSources,
  type ImageSource,
} from '../../engines/containers/image-sources.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { listImageRows, moveBuild, type ImageRow } from './image.service.ts';

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
  readonly log: FastifyBaseLogger;
  readonly signal: AbortSignal;
  /** For the terminal. */
  readonly report: (report: BuildReport) => void;
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
  const sources = readImageSources();
  for (const image of await listImageRows(options.database)) {
    if (image.slug === null || options.signal.aborted) continue;
    await buildImage(options, image, image.slug, chainOf(sources, image.slug));
  }
}

async function buildImage(
  { database, host, engine, clock, log, signal, report }: ImageJobOptions,
  image: ImageRow,
  slug: string,
  chain: readonly ImageSource[],
): Promise<void> {
  const reference = imageReference(slug);
  const ready = { reference, buildState: 'ready', buildText: '' };
  if (await engine.hasImage(reference)) {
    if (image.reference !== reference || image.buildState !== 'ready')
      await moveBuild(database, slug, ready);
    return;
  }
  // Until the new edition is there, environments start from the old one, if the engine has it.
  const isOldUsable = image.reference !== null && (await engine.hasImage(image.reference));
  const startedAt = clock.now();
  await moveBuild(database, slug, {
    reference: isOldUsable ? image.reference : null,
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
      only: [slug],
      signal,
      onProgress: (progress) => {
        const { step, steps } = chainProgress(chain, progress);
        const text = progress.text.slice(0, 200);
        report({ image: slug, step, steps, text });
        told = told
          .then(() =>
            moveBuild(database, slug, { buildStep: step, buildSteps: steps, buildText: text }),
          )
          .catch((error: unknown) =>
            log.warn({ err: error }, 'the progress of a build could not be written down'),
          );
      },
    });
    await told;
    await moveBuild(database, slug, {
      ...ready,
      buildStep: chain.reduce((sum, source) => sum + source.steps, 0),
    });
  } catch (error) {
    await told;
    if (signal.aborted) return;
    log.error({ err: error, image: slug }, 'a practice image could not be built');
    await moveBuild(database, slug, {
      buildState: 'failed',
      buildText: error instanceof Error ? error.message.slice(0, 300) : '',
    });
  }
}
