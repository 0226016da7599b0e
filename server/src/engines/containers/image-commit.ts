/**
 * Making an image from a running node. What the engine calls a commit would keep everything that a
 * session wrote, secrets and caches included, and a later layer that deletes them would only hide
 * them. So the engine's commit is an intermediate: its one layer is copied into the layer of a new
 * container of the same parent, scrubbed there, and that container, which never ran, is committed.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';
import { EngineError, type CommitOptions, type CommittedImage, type ImageFacts } from './engine.ts';
import type { EngineCalls } from './engine-calls.ts';
import { messageOf, statusOf } from './engine-http.ts';
import { readImageParts } from './image-parts.ts';
import { labels } from './labels.ts';
import { scrubFolder } from './scrub.ts';

const run = promisify(execFile);

const timeouts = { short: 20_000, commit: 300_000, copy: 300_000 } as const;

interface Layered {
  Id: string;
  Size: number;
  GraphDriver?: { Data?: { UpperDir?: string } | null };
}

export class ImageCommits {
  readonly #calls: EngineCalls;

  constructor(calls: EngineCalls) {
    this.#calls = calls;
  }

  async commit(
    containerName: string,
    name: string,
    { scrub, onStep }: CommitOptions,
    doing: string,
  ): Promise<CommittedImage> {
    const { Image: parent } = await this.#calls.call(doing, timeouts.short, (abortSignal) =>
      this.#calls.docker.getContainer(containerName).inspect({ abortSignal }),
    );
    const scratch = this.#scratchName(name);
    await this.#removeScratch(name, doing);
    try {
      onStep?.('saving');
      const [repo, tag] = split(this.#scratchReference(name));
      await this.#calls.call(doing, timeouts.commit, (abortSignal) =>
        this.#calls.docker
          .getContainer(containerName)
          .commit({ repo, tag, pause: true, abortSignal }),
      );
      const saved = await this.#inspectImage(this.#scratchReference(name), doing);

      onStep?.('scrubbing');
      await this.#calls.call(doing, timeouts.short, (abortSignal) =>
        this.#calls.docker.createContainer({
          name: scratch,
          Image: parent,
          Labels: { [labels.scratch]: this.#calls.installationID },
          HostConfig: { NetworkMode: 'none' },
          abortSignal,
        }),
      );
      const target = (await this.#calls.call(doing, timeouts.short, (abortSignal) =>
        this.#calls.docker.getContainer(scratch).inspect({ abortSignal }),
      )) as unknown as Layered;
      const to = this.#layerOf(target, doing);
      await this.#copyLayer(this.#layerOf(saved, doing), to, doing);
      await scrubFolder(to, scrub);
      const [ownRepo, ownTag] = split(this.reference(name));
      await this.#calls.call(doing, timeouts.commit, (abortSignal) =>
        this.#calls.docker
          .getContainer(scratch)
          // podman leaves labels away unless they are said again.
          .commit({ repo: ownRepo, tag: ownTag, changes: this.#labelLine(), abortSignal }),
      );

      onStep?.('measuring');
      const facts = await this.describe(this.reference(name), doing);
      if (!facts) throw new EngineError('engine_failed', `${doing}: the image is not there`);
      return { reference: this.reference(name), ...facts };
    } finally {
      await this.#removeScratch(name, doing).catch(() => undefined);
    }
  }

  /** Size and contents; null when there is no such image. */
  async describe(reference: string, doing: string): Promise<ImageFacts | null> {
    const found = await this.#inspectImage(reference, doing).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'image_missing') return null;
      throw error;
    });
    if (!found) return null;
    const container = await this.#calls.call(doing, timeouts.short, (abortSignal) =>
      this.#calls.docker.createContainer({
        Image: reference,
        Labels: { [labels.scratch]: this.#calls.installationID },
        HostConfig: { NetworkMode: 'none' },
        abortSignal,
      }),
    );
    try {
      return { sizeBytes: found.Size, parts: await readImageParts(container) };
    } finally {
      await container.remove({ force: true }).catch(() => undefined);
    }
  }

  /** Reference of a committed image in the engine's store. */
  reference(name: string): string {
    return `${this.#prefix()}/${name}`;
  }

  /** Names of the committed images that the store holds. */
  async list(doing: string): Promise<string[]> {
    return this.#listBelow(`${this.#prefix()}/`, doing);
  }

  /** Removes a committed image; one that a container uses stays. */
  async remove(name: string, doing: string): Promise<void> {
    await this.#removeImage(this.reference(name), doing);
  }

  /** Removes what interrupted commits left, except of those under way. */
  async tidy(underWay: ReadonlySet<string>, doing: string): Promise<void> {
    const names = await this.#listBelow(`${this.#scratchPrefix()}/`, doing);
    for (const name of names) if (!underWay.has(name)) await this.#removeScratch(name, doing);
    const busy = new Set([...underWay].map((name) => this.#scratchName(name)));
    const containers = await this.#calls.call(doing, timeouts.short, (abortSignal) =>
      this.#calls.docker.listContainers({
        all: true,
        filters: { label: [`${labels.scratch}=${this.#calls.installationID}`] },
        abortSignal,
      }),
    );
    for (const container of containers) {
      const name = (container.Names[0] ?? '').replace(/^\//, '');
      // One that was made a moment ago may be somebody's look into an image.
      if (busy.has(name) || Date.now() / 1000 - container.Created < 60) continue;
      await this.#removeContainer(container.Id, doing);
    }
  }

  /** In the store of the engine nobody else uses these names. */
  #prefix(): string {
    return `localhost/hypercube-${this.#calls.installationID}`;
  }

  #scratchPrefix(): string {
    return `localhost/hypercube-scratch-${this.#calls.installationID}`;
  }

  #scratchReference(name: string): string {
    return `${this.#scratchPrefix()}/${name}`;
  }

  #scratchName(name: string): string {
    return `hc-${this.#calls.installationID}-commit-${name.replace(':', '-')}`;
  }

  #labelLine(): string {
    return `LABEL ${labels.installation}=${this.#calls.installationID}`;
  }

  async #inspectImage(reference: string, doing: string): Promise<Layered> {
    try {
      return await this.#calls.call(doing, timeouts.short, (signal) =>
        this.#calls.dial<Layered>('GET', `/images/${reference}/json`, signal),
      );
    } catch (error) {
      if (error instanceof EngineError && error.code === 'no_such_usage')
        throw new EngineError('image_missing', reference, { cause: error });
      throw error;
    }
  }

  /** Folder of a top layer on this machine. */
  #layerOf(layered: Layered, doing: string): string {
    const folder = layered.GraphDriver?.Data?.UpperDir;
    if (this.#calls.host.kind === 'remote' || folder === undefined || !isWritable(folder))
      throw new EngineError(
        'engine_failed',
        `${doing}: the engine keeps its files out of reach, so nothing can be scrubbed`,
      );
    return folder;
  }

  async #copyLayer(from: string, to: string, doing: string): Promise<void> {
    try {
      // With owners, modes, attributes and the marks of what was deleted; by reference where the
      // file system can.
      await run('cp', ['-a', '--reflink=auto', '--sparse=auto', `${from}/.`, to], {
        timeout: timeouts.copy,
      });
    } catch (error) {
      const code = /no space left|quota exceeded/i.test(messageOf(error))
        ? 'no_space'
        : 'engine_failed';
      throw new EngineError(code, `${doing}: ${messageOf(error)}`, { cause: error });
    }
  }

  async #listBelow(prefix: string, doing: string): Promise<string[]> {
    const found = await this.#calls.call(doing, timeouts.short, (abortSignal) =>
      this.#calls.docker.listImages({ abortSignal }),
    );
    return found
      .flatMap((image) => image.RepoTags ?? [])
      .filter((tag) => tag.startsWith(prefix))
      .map((tag) => tag.slice(prefix.length));
  }

  async #removeScratch(name: string, doing: string): Promise<void> {
    await this.#removeContainer(this.#scratchName(name), doing);
    await this.#removeImage(this.#scratchReference(name), doing);
  }

  async #removeContainer(name: string, doing: string): Promise<void> {
    await this.#calls.call(doing, timeouts.short, (abortSignal) =>
      ignoring([404], this.#calls.docker.getContainer(name).remove({ force: true, abortSignal })),
    );
  }

  async #removeImage(reference: string, doing: string): Promise<void> {
    // 409: a container uses it, or another image is built upon it.
    await this.#calls.call(doing, timeouts.commit, (abortSignal) =>
      ignoring([404, 409], this.#calls.docker.getImage(reference).remove({ abortSignal })),
    );
  }
}

async function ignoring(statuses: readonly number[], answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!statuses.includes(statusOf(error) ?? 0)) throw error;
  }
}

function split(reference: string): [repo: string, tag: string] {
  const colon = reference.lastIndexOf(':');
  return [reference.slice(0, colon), reference.slice(colon + 1)];
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
