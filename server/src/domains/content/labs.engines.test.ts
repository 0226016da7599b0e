/** Every lab of the first content as a learner meets it: its solution is right in the real container. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

let folder: string;
let host: ContainerHost;
let engine: ContainerEngine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hypercube-labs-'));
  const found = await findContainerHost({ dataDir: folder });
  if (found.kind === 'none') throw new Error(found.reason);
  host = found;
  await buildImages(host, { only: ['notebook'] });
  engine = createContainerEngine({ host });
});
afterAll(async () => {
  await dismantle(host);
  rmSync(folder, { recursive: true, force: true });
});

test.each(slugs)('%s', async (slug) => {
  const usageID = slugs.indexOf(slug) + 1;
  const lab = join(CONTENT, 'labs', slug);
  const data = join(folder, slug);
  mkdirSync(data);
  cpSync(join(lab, 'bundle'), data, { recursive: true });
  cpSync(join(lab, 'solution'), data, { recursive: true });
  copyFileSync(join(CONTENT, 'tools', 'run_notebook.py'), join(data, 'run_notebook.py'));
  execFileSync('chown', ['-R', '1000:1000', data]);
  await engine.create({
    usageID,
    nodes: [
      {
        name: 'node1',
        image: imageReference('notebook'),
        env: { HC_BASE_URL: '/' },
        limits: {
          cpus: 2,
          memoryBytes: 1536 * MEBIBYTE,
          pids: 512,
          diskBytes: 2048 * MEBIBYTE,
          shmBytes: 256 * MEBIBYTE,
        },
        mounts: [
          { source: data, target: '/home/jovyan/data', readOnly: false },
          { source: join(lab, 'bundle'), target: '/home/jovyan/bundle_resource', readOnly: true },
        ],
        user: '1000:1000',
      },
    ],
  });
  await engine.start(usageID);
  try {
    const result = await engine.exec(
      usageID,
      'node1',
      ['bash', '-lc', 'cd /home/jovyan/data && bash ./check.sh 2>&1'],
      { timeoutMs: 170_000 },
    );
    expect(result.exitCode, result.stdout.slice(-2000)).toBe(0);
  } finally {
    await engine.remove(usageID);
  }
});
