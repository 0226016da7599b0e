import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContainerHost, findContainerHost } from './container-host.ts';
import { dismantle, dismantleStore } from './dismantle.ts';
import { createContainerEngine } from './docker-api.ts';
import type { UsageSpec } from './engine.ts';
import { dockerClient } from './engine-http.ts';
import { type BuildProgress, buildImages } from './image-build.ts';
import { imageReference } from './image-sources.ts';

/** A usage that is never started: its container only holds an image. */
const tinyUsage = (usageID: number, image: string): UsageSpec => ({
  usageID,
  nodes: [
    {
      name: 'node1',
      image,
      command: ['/none'],
      env: {},
      limits: {
        cpus: 1,
        memoryBytes: 2 ** 26,
        pids: 8,
        diskBytes: 2 ** 26,
        shmBytes: 2 ** 20,
      },
      mounts: [],
      user: '1000:1000',
    },
  ],
});

/** Tiny images in a store of their own: the real ones take minutes. */
describe('image building', () => {
  let directory: string;
  let host: ContainerHost;
  let imagesDir: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hypercube-build-'));
    const found = await findContainerHost({
      dataDir: join(directory, 'data'),
      imageStore: join(directory, 'images-store'),
      dockerSocket: '/nonexistent/docker.sock',
      containerHost: '',
    });
    if (found.kind === 'none') throw new Error(found.reason);
    host = found;
  });

  beforeEach(() => {
    imagesDir = mkdtempSync(join(directory, 'sources-'));
    write(
      'root/make-rootfs.sh',
      '#!/bin/sh\nset -e\ncd "$(mktemp -d)"\necho root > file\nexec tar -c .\n',
    );
    chmodSync(join(imagesDir, 'root/make-rootfs.sh'), 0o755);
    write('leaf/Containerfile', 'FROM hypercube/root\nENV A=b\nCOPY words /words\n');
    write('leaf/words', 'one');
  });

  afterAll(async () => {
    const store = host.paths.imageStore;
    await dismantle(host);
    await dismantleStore(store);
    rmSync(directory, { recursive: true });
  });

  function write(path: string, text: string): void {
    mkdirSync(join(imagesDir, path, '..'), { recursive: true });
    writeFileSync(join(imagesDir, path), text);
  }

  async function build(
    options: { again?: string } = {},
  ): Promise<{ built: string[]; told: BuildProgress[] }> {
    const told: BuildProgress[] = [];
    const images = await buildImages(host, {
      ...options,
      imagesDir,
      onProgress: (one) => told.push(one),
    });
    return { built: images.filter((one) => one.isNew).map((one) => one.name), told };
  }

  it('builds the chain once, with steps that only grow up to their true number', async () => {
    const { built, told } = await build();
    expect(built).toEqual(['root', 'leaf']);
    const leaf = told.filter((one) => one.image === 'leaf');
    expect(leaf.every((one) => one.steps === 3)).toBe(true);
    const steps = leaf.map((one) => one.step);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(new Set(steps)).toEqual(new Set([0, 1, 2, 3]));
    const engine = createContainerEngine({ host });
    expect(await engine.hasImage(imageReference('leaf', imagesDir))).toBe(true);
    const log = join(host.paths.dataDir, 'logs', 'images', 'leaf.log');
    expect(readFileSync(log, 'utf8')).toContain('STEP 3/3: COPY words /words');

    expect((await build()).built).toEqual([]);
    write('leaf/words', 'two');
    expect((await build()).built).toEqual(['leaf']);
  });

  it('keeps the last edition and what containers use, and removes the rest', async () => {
    const engine = createContainerEngine({ host });
    const references: string[] = [];
    for (const words of ['a', 'b', 'c', 'd']) {
      write('leaf/words', words);
      await build();
      references.push(imageReference('leaf', imagesDir));
      if (words === 'a') {
        await engine.create(tinyUsage(1, references[0] ?? ''));
      }
    }
    const present = await Promise.all(references.map((reference) => engine.hasImage(reference)));
    await engine.remove(1);
    expect(present).toEqual([true, false, true, true]);
  });

  it('builds one again though it is there, and leaves nothing of the former behind', async () => {
    write('leaf/Containerfile', 'FROM hypercube/root\nENV A=b\nCOPY words /words\n');
    write('leaf/words', 'again');
    await build();
    const images = await host.borrowImageEngine();
    const docker = dockerClient(images.address);
    try {
      const idOf = async (name: string) =>
        (await docker.getImage(imageReference(name, imagesDir)).inspect()).Id;
      const [root, former] = [await idOf('root'), await idOf('leaf')];
      expect((await build({ again: 'leaf' })).built).toEqual(['leaf']);
      expect(await idOf('root')).toBe(root);
      expect(await idOf('leaf')).not.toBe(former);
      await expect(docker.getImage(former).inspect()).rejects.toMatchObject({ statusCode: 404 });
      // One that a container runs from stays until it ends.
      const engine = createContainerEngine({ host });
      const [kept, reference] = [await idOf('leaf'), imageReference('leaf', imagesDir)];
      await engine.create(tinyUsage(2, reference));
      await build({ again: 'leaf' });
      await docker.getImage(kept).inspect();
      await engine.remove(2);
    } finally {
      await images.release();
    }
  });

  it('says what failed, and builds once it is mended', async () => {
    write('leaf/Containerfile', 'FROM hypercube/root\nCOPY lost /lost\n');
    await expect(build()).rejects.toMatchObject({
      name: 'ImageBuildError',
      image: 'leaf',
      message: expect.stringMatching(/lost/),
    });
    write('leaf/lost', 'found');
    expect((await build()).built).toEqual(['leaf']);
  });

  it('leaves no image of a script that failed half-way', async () => {
    write('root/make-rootfs.sh', '#!/bin/sh\ncd "$(mktemp -d)"; echo x > y; tar -c .; exit 3\n');
    await expect(build()).rejects.toThrow(/make-rootfs.sh ended with code 3/);
    const engine = createContainerEngine({ host });
    expect(await engine.hasImage(imageReference('root', imagesDir))).toBe(false);
  });

  it('stops when cancelled, and its script with it', async () => {
    const pidFile = join(directory, 'pid');
    write('root/make-rootfs.sh', `#!/bin/sh\necho $$ > ${pidFile}\nexec sleep 600\n`);
    const abort = new AbortController();
    const building = buildImages(host, { imagesDir, signal: abort.signal });
    const failure = building.catch((error: unknown) => error);
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/\d+\n/);
    abort.abort();
    expect(await failure).toMatchObject({ name: 'AbortError' });
    const pid = readFileSync(pidFile, 'utf8').trim();
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });

  it('builds once when two processes ask at the same time', async () => {
    write('leaf/words', `fresh ${performance.now()}`);
    const [first, second] = await Promise.all([build(), build()]);
    expect([...first.built, ...second.built].filter((name) => name === 'leaf')).toEqual(['leaf']);
  });
});
