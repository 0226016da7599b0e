import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { type ContainerHost, dismantle, findContainerHost } from './container-host.ts';
import { createContainerEngine } from './docker-api.ts';
import { dockerClient } from './engine-http.ts';
import { describeContainerEngine, type EngineUnderTest } from './engine.contract.ts';
import { buildImages } from './image-build.ts';
import { imageReference } from './image-sources.ts';
import { answers } from './podman-service.ts';

const dockerSocket = '/var/run/docker.sock';

describeContainerEngine('our own podman', () => open('/nonexistent/docker.sock'));
if (await answers(dockerSocket)) describeContainerEngine('Docker', () => open(dockerSocket));

async function open(socket: string): Promise<EngineUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypercube-engine-'));
  const find = (dir: string) => findHost(dir, socket);
  const host = await find(dataDir);
  await buildImages(host, { only: ['toolchain'] });
  const docker = dockerClient(host.address);
  return {
    engine: createContainerEngine({ host }),
    openAnother: async () => createContainerEngine({ host: await find(dataDir) }),
    openNeighbour: async () => {
      const neighbourDir = mkdtempSync(join(tmpdir(), 'hypercube-neighbour-'));
      const neighbour = await find(neighbourDir);
      const engine = createContainerEngine({ host: neighbour });
      engine.close = async () => {
        await dismantle(neighbour);
        rmSync(neighbourDir, { recursive: true });
      };
      return engine;
    },
    images: { base: imageReference('base'), toolchain: imageReference('toolchain') },
    loseNode: (usageID, node) =>
      docker.getContainer(`hc-${host.paths.id}-${usageID}-${node}`).remove({ force: true }),
    searchImage: (reference, text) => searchImage(docker, reference, text),
    killService: host.kind === 'own' ? () => killService(host) : null,
    close: async () => {
      await dismantle(host);
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function searchImage(docker: Docker, reference: string, text: string) {
  const image = docker.getImage(reference);
  const { Config } = await image.inspect();
  let hits = 0;
  let last = '';
  for await (const chunk of await image.get()) {
    const window = last + (chunk as Buffer).toString('latin1');
    hits += window.split(text).length - 1;
    last = window.slice(-(text.length - 1));
  }
  return {
    hits,
    env: Config.Env.toSorted(),
    user: Config.User,
    command: [Config.Entrypoint ?? [], Config.Cmd ?? []].flat(),
  };
}

async function findHost(dataDir: string, socket: string): Promise<ContainerHost> {
  const host = await findContainerHost({ dataDir, dockerSocket: socket, containerHost: '' });
  if (host.kind === 'none') throw new Error(host.reason);
  return host;
}

async function killService(host: ContainerHost): Promise<void> {
  const statePath = join(host.paths.runDir, 'service.json');
  const { pid } = JSON.parse(readFileSync(statePath, 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
  while (existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '') {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
