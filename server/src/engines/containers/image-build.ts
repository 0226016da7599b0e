import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { BoundedLog } from './bounded-log.ts';
import { type BuildSettings, readBuildSettings, writeBuildSettings } from './build-settings.ts';
import type { ContainerHost } from './host.ts';
import { dockerClient, messageOf, statusOf } from './engine-http.ts';
import { withFileLock } from './file-lock.ts';
import {
  type ImageSource,
  machineArchitecture,
  readImageSources,
  type ImageFolders,
  resolvedContainerfile,
  rootfsScript,
} from './image-sources.ts';
import { findProgram } from './podman-service.ts';
import { imagesInUse } from './store-users.ts';

/** Where a build stands. `step` of `steps` counts instructions begun, so a bar never runs back. */
export interface BuildProgress {
  image: string;
  step: number;
  steps: number;
  /** The last line that the build printed. */
  text: string;
  startedAt: Date;
}

export interface BuildOptions {
  onProgress?: (progress: BuildProgress) => void;
  /** These images and their parents; all without it. */
  only?: readonly string[];
  /** Built again without its engine's cache, though it is there: newer packages come in. */
  again?: string;
  signal?: AbortSignal;
  /** Another folder of image sources. */
  imagesDir?: ImageFolders;
}

/** One image after {@link buildImages}. */
export interface BuiltImage {
  name: string;
  reference: string;
  /** False when it was there already. */
  isNew: boolean;
  seconds: number;
}

/** A build failed; the message is the last thing it said, the log has the rest. */
export class ImageBuildError extends Error {
  override readonly name = 'ImageBuildError';
  readonly image: string;
  readonly logPath: string;

  constructor(image: string, logPath: string, message: string, options?: ErrorOptions) {
    super(`image ${image}: ${message}`, options);
    this.image = image;
    this.logPath = logPath;
  }
}

/** Rarely enough that a page of progress costs nothing, often enough to look alive. */
const textIntervalMs = 500;
const slimImage = { name: 'docker.io/library/debian', tag: 'trixie-slim' };

/**
 * Builds what is missing of the practice images, parents first. What the current sources' key
 * names already is left alone, so calling it at every start costs one question per image.
 */
export async function buildImages(
  host: ContainerHost,
  options: BuildOptions = {},
): Promise<BuiltImage[]> {
  const sources = readImageSources(options.imagesDir);
  const wanted = withParents(sources, options.only ?? [...sources.keys()]);
  const engine = await host.borrowImageEngine();
  try {
    const docker = dockerClient(engine.address);
    const build = new ChainBuild(host, docker, sources, options);
    return await withFileLock(engine.lockPath, () => build.run(wanted), {
      ...(options.signal ? { signal: options.signal } : {}),
      onWait: () => build.tell('another process is building'),
    });
  } finally {
    await engine.release();
  }
}

/** Where the last build of an image, or the last commit of one that is not built, says what it does. */
export const imageLogPath = (dataDir: string, name: string): string =>
  join(dataDir, 'logs', 'images', `${name}.log`);

class ChainBuild {
  readonly #host: ContainerHost;
  readonly #docker: Docker;
  readonly #sources: ReadonlyMap<string, ImageSource>;
  readonly #options: BuildOptions;
  #settings: BuildSettings | null = null;
  #progress: BuildProgress = { image: '', step: 0, steps: 1, text: '', startedAt: new Date() };
  #toldAt = 0;

  constructor(
    host: ContainerHost,
    docker: Docker,
    sources: ReadonlyMap<string, ImageSource>,
    options: BuildOptions,
  ) {
    this.#host = host;
    this.#docker = docker;
    this.#sources = sources;
    this.#options = options;
  }

  async run(names: readonly string[]): Promise<BuiltImage[]> {
    const built: BuiltImage[] = [];
    for (const name of names) {
      const source = this.#sources.get(name);
      if (!source) throw new Error(`there is no image called ${name}`);
      const began = performance.now();
      const former = await this.#idOf(source.reference);
      const isNew = former === null || name === this.#options.again;
      if (isNew) {
        await this.#build(source);
        await this.#removeOld(source);
        if (former !== null) await this.#removeFormer(former, source);
      }
      const seconds = (performance.now() - began) / 1000;
      built.push({ name, reference: source.reference, isNew, seconds });
    }
    return built;
  }

  /** Reports a line; `step` only when one began. */
  tell(text: string, step?: number): void {
    const isStep = step !== undefined && step > this.#progress.step;
    this.#progress = { ...this.#progress, text, ...(isStep ? { step } : {}) };
    if (!isStep && Date.now() - this.#toldAt < textIntervalMs) return;
    this.#toldAt = Date.now();
    this.#options.onProgress?.({ ...this.#progress });
  }

  async #build(source: ImageSource): Promise<void> {
    const logPath = imageLogPath(this.#host.paths.dataDir, source.name);
    const log = new BoundedLog(logPath);
    this.#progress = {
      image: source.name,
      step: 0,
      steps: source.steps,
      text: '',
      startedAt: new Date(),
    };
    this.#toldAt = 0;
    this.tell(`building ${source.reference}`);
    try {
      this.#settings ??= readBuildSettings();
      if (source.parents.length === 0) await this.#makeRootfs(source, this.#settings, log);
      else await this.#buildContainerfile(source, this.#settings, log);
      if (!(await this.#exists(source.reference))) {
        throw new Error('the engine reported success but has no image');
      }
      this.tell('done', source.steps);
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      log.write(messageOf(error));
      throw new ImageBuildError(source.name, logPath, messageOf(error), { cause: error });
    } finally {
      log.end();
    }
  }

  /** The first image of a chain: Debian's own packages, or its image where a registry answers. */
  async #makeRootfs(source: ImageSource, settings: BuildSettings, log: BoundedLog): Promise<void> {
    if (findProgram('mmdebstrap') !== null) {
      await this.#importRootfs(source, settings, log);
      return;
    }
    this.tell(`mmdebstrap is not installed; pulling ${slimImage.name}:${slimImage.tag}`, 1);
    const official = `${slimImage.name}:${slimImage.tag}`;
    const stream = (await this.#docker.pull(official, this.#abortable())) as Readable;
    await this.#follow(stream, log);
    const [repo, tag] = splitReference(source.reference);
    await this.#docker.getImage(official).tag({ repo, tag });
  }

  async #importRootfs(
    source: ImageSource,
    settings: BuildSettings,
    log: BoundedLog,
  ): Promise<void> {
    this.tell('making the root file system', 1);
    const script = spawn(
      join(source.directory, rootfsScript),
      settings.apt.map((line) => `--aptopt=${line}`),
      {
        env: {
          ...process.env,
          MIRROR: settings.mirror,
          ARCH: machineArchitecture(),
          TMPDIR: tmpdir(),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(this.#options.signal ? { signal: this.#options.signal } : {}),
      },
    );
    const ended = new Promise<void>((resolve, reject) => {
      script.once('error', reject);
      script.once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`${rootfsScript} ended with code ${code}`)),
      );
    });
    const said = (async () => {
      for await (const line of createInterface({ input: script.stderr })) {
        log.write(line);
        this.tell(line);
      }
    })();
    const imported = this.#docker
      // With its tag in the name: podman overlooks a tag beside it.
      .importImage(script.stdout, { repo: source.reference })
      .then((stream) => this.#follow(stream as Readable, log));
    // A script that fails half-way would leave an image of half a tar.
    try {
      await Promise.all([ended, said, imported]);
    } catch (error) {
      await imported.catch(() => undefined);
      await this.#remove(source.reference);
      throw error;
    }
  }

  async #buildContainerfile(
    source: ImageSource,
    settings: BuildSettings,
    log: BoundedLog,
  ): Promise<void> {
    const context = mkdtempSync(join(tmpdir(), `hypercube-image-${source.name}-`));
    try {
      cpSync(source.directory, context, { recursive: true });
      writeBuildSettings(settings, join(context, '.host'));
      writeFileSync(join(context, 'Containerfile'), resolvedContainerfile(source, this.#sources));
      const { Components = [] } = (await this.#docker.version()) as {
        Components?: { Name: string }[];
      };
      const isPodman = Components.some((one) => one.Name.startsWith('Podman'));
      const stream = (await this.#docker.buildImage(tarOf(context), {
        t: source.reference,
        dockerfile: 'Containerfile',
        networkmode: 'host',
        rm: true,
        forcerm: true,
        ...(source.name === this.#options.again ? { nocache: true } : {}),
        // Docker mounts folders of the context only with its newer builder.
        ...(isPodman ? {} : { version: '2' }),
        ...this.#abortable(),
      })) as Readable;
      await this.#follow(stream, log);
    } finally {
      rmSync(context, { recursive: true, force: true });
    }
  }

  /** Reads the engine's report to its end; throws what it says went wrong. */
  async #follow(stream: Readable, log: BoundedLog): Promise<void> {
    const abort = () => stream.destroy();
    this.#options.signal?.addEventListener('abort', abort, { once: true });
    let steps = 0;
    let problem: string | null = null;
    try {
      for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
        if (line.trim() === '') continue;
        const report = JSON.parse(line) as { stream?: string; status?: string; error?: string };
        if (report.error) problem = report.error.trim();
        const text = (report.stream ?? report.status ?? report.error ?? '').trim();
        if (text === '') continue;
        log.write(text);
        const isStep = /^(\[\d+\/\d+\] )?STEP \d+\/\d+/i.test(text);
        if (isStep) steps += 1;
        this.tell(lastLine(text), isStep ? steps : undefined);
      }
    } finally {
      this.#options.signal?.removeEventListener('abort', abort);
    }
    this.#options.signal?.throwIfAborted();
    if (problem !== null) throw new Error(problem);
  }

  /** What a name stood for before it was built again, unless a container of any installation runs from it. */
  async #removeFormer(id: string, source: ImageSource): Promise<void> {
    if ((await this.#idOf(source.reference)) === id) return;
    const inUse = imagesInUse(this.#host.paths.imageStore);
    if (inUse !== null && !inUse.has(id.replace('sha256:', ''))) await this.#remove(id);
  }

  /** Earlier keys of one image go, except the last and what containers of any installation use. */
  async #removeOld(source: ImageSource): Promise<void> {
    const [repo] = splitReference(source.reference);
    const images = await this.#docker.listImages({ filters: { reference: [`${repo}`] } });
    const earlier = images
      .filter((image) => (image.RepoTags ?? []).some((tag) => splitReference(tag)[0] === repo))
      .filter((image) => !(image.RepoTags ?? []).includes(source.reference));
    if (earlier.length < 2) return;
    // The list tells whole seconds, in which two small images may both have been built.
    const dated = await Promise.all(
      earlier.map(async (image) => ({ image, at: await this.#builtAt(image.Id) })),
    );
    const inUse = imagesInUse(this.#host.paths.imageStore);
    for (const { image } of dated.toSorted((a, b) => b.at - a.at).slice(1)) {
      if (inUse === null || inUse.has(image.Id.replace('sha256:', ''))) continue;
      for (const tag of image.RepoTags ?? []) await this.#remove(tag);
    }
  }

  /** When an image was built, in milliseconds; 0 for one that has gone meanwhile. */
  async #builtAt(id: string): Promise<number> {
    try {
      return Date.parse((await this.#docker.getImage(id).inspect()).Created);
    } catch (error) {
      if (statusOf(error) === 404) return 0;
      throw error;
    }
  }

  async #remove(reference: string): Promise<void> {
    try {
      await this.#docker.getImage(reference).remove();
    } catch (error) {
      // Gone, or still a parent of something: both are for later.
      if (![404, 409].includes(statusOf(error) ?? 0)) this.tell(messageOf(error));
    }
  }

  async #exists(reference: string): Promise<boolean> {
    return (await this.#idOf(reference)) !== null;
  }

  async #idOf(reference: string): Promise<string | null> {
    try {
      return (await this.#docker.getImage(reference).inspect()).Id;
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  }

  #abortable(): { abortSignal?: AbortSignal } {
    return this.#options.signal ? { abortSignal: this.#options.signal } : {};
  }
}

function withParents(
  sources: ReadonlyMap<string, ImageSource>,
  names: readonly string[],
): string[] {
  const wanted = new Set<string>();
  const add = (name: string) => {
    const source = sources.get(name);
    if (!source) throw new Error(`there is no image called ${name}`);
    source.parents.forEach(add);
    wanted.add(name);
  };
  names.forEach(add);
  return [...wanted];
}

/** Owner and modes are the image's business, not those of whoever checked the sources out. */
function tarOf(directory: string): Readable {
  const tar = spawn(
    'tar',
    ['-c', '--owner=0', '--group=0', '--mode=u+rwX,go+rX,go-w', '-C', directory, '.'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  tar.once('error', (error) => tar.stdout.destroy(error));
  return tar.stdout;
}

function splitReference(reference: string): [repo: string, tag: string] {
  const colon = reference.lastIndexOf(':');
  return [reference.slice(0, colon), reference.slice(colon + 1)];
}

function lastLine(text: string): string {
  return text.split(/[\r\n]/).at(-1) ?? text;
}
