/** Every lab of the first content as a learner meets it: its solution is right in the real container. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findContainerHost, type ContainerHost } from '../../engines/containers/container-host.ts';
import { dismantle } from '../../engines/containers/dismantle.ts';
import { createContainerEngine } from '../../engines/containers/docker-api.ts';
import type { ContainerEngine } from '../../engines/containers/engine.ts';
import { buildImages } from '../../engines/containers/image-build.ts';
import { imageReference } from '../../engines/containers/image-sources.ts';

const CONTENT = fileURLToPath(new URL('../../../../content', import.meta.url));
const MEBIBYTE = 1024 * 1024;
const slugs = readdirSync(join(CONTENT, 'labs'));
const specifications = readJson<Specification[]>(join(CONTENT, 'specifications.json'));
/** Where `data` and `bundle_resource` lie in an environment of each kind. */
const HOMES = {
  desktop: '/home/learner',
  notebook: '/home/jovyan',
  ide: '/home/coder/project',
};

let folder: string;
let host: ContainerHost;
let engine: ContainerEngine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hypercube-labs-'));
  const found = await findContainerHost({ dataDir: folder });
  if (found.kind === 'none') throw new Error(found.reason);
  host = found;
  await buildImages(host, { only: ['notebook', 'desktop'] });
  engine = createContainerEngine({ host });
});
afterAll(async () => {
  await dismantle(host);
  rmSync(folder, { recursive: true, force: true });
});

test.each(slugs)('%s', async (slug) => {
  const usageID = slugs.indexOf(slug) + 1;
  const lab = join(CONTENT, 'labs', slug);
  const { specification: wanted } = readJson<{ specification: string }>(join(lab, 'lab.json'));
  const specification = specifications.find((one) => one.slug === wanted);
  if (!specification) throw new Error(`there is no specification ${wanted}`);
  const home = HOMES[specification.imageType];
  const [first] = specification.nodes;
  const data = join(folder, slug);
  mkdirSync(data);
  cpSync(join(lab, 'bundle'), data, { recursive: true });
  cpSync(join(lab, 'solution'), data, { recursive: true });
  copyFileSync(join(CONTENT, 'tools', 'run_notebook.py'), join(data, 'run_notebook.py'));
  execFileSync('chown', ['-R', '1000:1000', data]);
  await engine.create({
    usageID,
    nodes: specification.nodes.map((node) => ({
      name: node.name,
      image: imageReference(node.image),
      // Only the first node is opened; the others wait for its programs.
      ...(node === first ? {} : { command: ['sleep', 'infinity'] }),
      env: { HC_BASE_URL: '/', HC_DATA_FOLDER: `${home}/data` },
      limits: {
        cpus: node.cpus,
        memoryBytes: node.memoryMiB * MEBIBYTE,
        pids: node.pids,
        diskBytes: node.diskMiB * MEBIBYTE,
        shmBytes: node.shmMiB * MEBIBYTE,
      },
      mounts: [
        { source: data, target: `${home}/data`, readOnly: false },
        { source: join(lab, 'bundle'), target: `${home}/bundle_resource`, readOnly: true },
      ],
      user: '1000:1000',
    })),
  });
  await engine.start(usageID);
  try {
    const result = await engine.exec(
      usageID,
      first?.name ?? '',
      ['bash', '-lc', `cd ${home}/data && bash ./check.sh 2>&1`],
      { timeoutMs: 170_000 },
    );
    expect(result.exitCode, result.stdout.slice(-2000)).toBe(0);
  } finally {
    await engine.remove(usageID);
  }
});

interface Specification {
  slug: string;
  imageType: keyof typeof HOMES;
  nodes: {
    name: string;
    image: string;
    cpus: number;
    memoryMiB: number;
    diskMiB: number;
    pids: number;
    shmMiB: number;
  }[];
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
