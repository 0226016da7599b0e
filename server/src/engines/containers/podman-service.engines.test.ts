import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ContainerHost, findContainerHost } from './container-host.ts';
import { dismantle, dismantleStore } from './dismantle.ts';
import { createContainerEngine } from './docker-api.ts';
import { buildImages } from './image-build.ts';
import { imageReference } from './image-sources.ts';
import { answers } from './podman-service.ts';

describe('our own podman service', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'hypercube-service-'));
  });

  afterEach(async () => {
    await dismantle(await find());
    rmSync(dataDir, { recursive: true });
  });

  async function find(changes: { imageStore?: string } = {}): Promise<ContainerHost> {
    const host = await findContainerHost({
      dataDir,
      dockerSocket: '/nonexistent/docker.sock',
      containerHost: '',
      ...changes,
    });
    if (host.kind === 'none') throw new Error(host.reason);
    return host;
  }

  const socketOf = (host: ContainerHost) => join(host.paths.runDir, 'podman.sock');
  const pidOf = (host: ContainerHost): number =>
    (JSON.parse(readFileSync(join(host.paths.runDir, 'service.json'), 'utf8')) as { pid: number })
      .pid;

  it('ends when closed, without its containers', async () => {
    const host = await find();
    await buildImages(host, { only: ['toolchain'] });
    const engine = createContainerEngine({ host });
    await engine.create({
      usageID: 1,
      nodes: [
        {
          name: 'node1',
          image: imageReference('toolchain'),
          env: {},
          limits: {
            cpus: 1,
            memoryBytes: 2 ** 27,
            pids: 32,
            diskBytes: 2 ** 27,
            shmBytes: 2 ** 20,
          },
          mounts: [],
          user: '1000:1000',
        },
      ],
    });
    const [before] = await engine.start(1);
    const pid = pidOf(host);
    await engine.close();
    expect(isRunning(pid)).toBe(false);
    expect(existsSync(socketOf(host))).toBe(false);

    const again = createContainerEngine({ host: await find() });
    expect((await again.list()).get(1)).toEqual([before]);
    await again.remove(1);
    await again.close();
  });

  it('is adopted after a kill of the platform', async () => {
    const program = `
      const { findContainerHost } = await import(${JSON.stringify(new URL('container-host.ts', import.meta.url).href)});
      const host = await findContainerHost({ dataDir: ${JSON.stringify(dataDir)}, dockerSocket: '/none', containerHost: '' });
      console.log(host.kind);
      setInterval(() => {}, 1000);`;
    const platform = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said = await new Promise((resolve) => platform.stdout.once('data', resolve));
    expect(String(said).trim()).toBe('own');
    const ended = new Promise((resolve) => platform.once('exit', resolve));
    platform.kill('SIGKILL');
    await ended;

    const first = await find();
    const pid = pidOf(first);
    expect(isRunning(pid)).toBe(true);
    // The dead platform's lease does not count: the adopter is the last one out.
    await first.close();
    expect(isRunning(pid)).toBe(false);
  });

  it('serves until the last of several leaves', async () => {
    const first = await find();
    const holder = join(first.paths.runDir, 'holders', '1');
    // Process 1 lives as long as the machine.
    writeFileSync(holder, '');
    const pid = pidOf(first);
    await first.close();
    expect(await answers(socketOf(first))).toBe(true);
    rmSync(holder);
    const last = await find();
    expect(pidOf(last)).toBe(pid);
    await last.close();
    expect(await answers(socketOf(last))).toBe(false);
  });

  it('comes back after its death by itself', async () => {
    const host = await find();
    const pid = pidOf(host);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => pidOf(host), { timeout: 10_000 }).not.toBe(pid);
    expect(await answers(socketOf(host))).toBe(true);
    await host.close();
  });

  it('clears what an unclean end left', async () => {
    const host = await find();
    await host.close();
    writeFileSync(socketOf(host), 'not a socket');
    writeFileSync(join(host.paths.runDir, 'service.json'), '{"pid": 1, "configHash": "x"}');
    writeFileSync(join(host.paths.runDir, 'start.lock'), '4194304');
    writeFileSync(join(host.paths.runDir, 'boot-id'), 'an earlier boot');
    const again = await find();
    expect(await answers(socketOf(again))).toBe(true);
    await again.close();
  });

  it('is replaced when it would serve other folders', async () => {
    const store = mkdtempSync(join(tmpdir(), 'hypercube-store-'));
    onTestFinished(() => dismantleStore(store));
    const first = await find();
    writeFileSync(join(first.paths.runDir, 'holders', '1'), '');
    const pid = pidOf(first);
    await first.close();
    rmSync(join(first.paths.runDir, 'holders', '1'));
    const second = await find({ imageStore: store });
    expect(pidOf(second)).not.toBe(pid);
    await second.close();
  });

  it('says why there is no engine', async () => {
    const reasonOf = async (containerHost: string) => {
      const host = await findContainerHost({ dataDir, containerHost });
      return host.kind === 'none' ? host.reason : 'found';
    };
    expect(await reasonOf('unix:///nonexistent.sock')).toMatch(/no engine answers/);
    expect(await reasonOf('http://x')).toMatch(/neither unix/);
    const engine = createContainerEngine({ host: { kind: 'none', reason: 'not root' } });
    expect(await engine.health()).toMatchObject({ isReady: false, reason: 'not root' });
    expect((await engine.list()).size).toBe(0);
    await expect(engine.start(1)).rejects.toMatchObject({
      code: 'engine_unreachable',
      message: 'not root',
    });
  });
});

/** Ended processes may wait for their parent as zombies, which have no command line. */
function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) && readFileSync(path, 'utf8') !== '';
}
