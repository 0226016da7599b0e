/**
 * The disk of the containers is full when an environment is opened, on a real engine whose storage
 * is a small file system of its own: its user reads why, nothing is left behind, and the next
 * environment opens once there is room again.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure, Usage } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findContainerHost, type ContainerHost } from '../../engines/containers/container-host.ts';
import { createContainerEngine } from '../../engines/containers/docker-api.ts';
import { dismantle } from '../../engines/containers/dismantle.ts';
import type { ContainerEngine } from '../../engines/containers/engine.ts';
import { buildImages } from '../../engines/containers/image-build.ts';
import { imageReference } from '../../engines/containers/image-sources.ts';
import { World, until, type Person } from '../../testing/world.ts';

const isRoot = process.getuid?.() === 0;
let world: World;
let host: ContainerHost;
let engine: ContainerEngine;
let student: Person;
let storage: string;

beforeAll(async () => {
  if (!isRoot) return;
  world = await World.create({ hasWorker: false });
  storage = join(world.folder, 'containers', 'store');
  await mkdir(storage, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', storage]);
  const found = await findContainerHost({
    dataDir: world.folder,
    dockerSocket: '/nonexistent/docker.sock',
    containerHost: '',
  });
  if (found.kind === 'none') throw new Error(found.reason);
  host = found;
  await buildImages(host, { only: ['notebook'] });
  engine = createContainerEngine({ host });
  await world.sql(
    sql`update image set reference = ${imageReference('notebook')}, build_state = 'ready' where slug = 'notebook'`,
  );
  await world.system.startWorker({ engine, reason: null });
  student = await world.signIn('student');
});
afterAll(async () => {
  if (!isRoot) return;
  await world.system.close();
  // Unmounts what lies in it, this file system included.
  await dismantle(host);
  await rm(world.folder, { recursive: true, force: true });
});

async function open(): Promise<{ status: number; body: Usage & Failure }> {
  const [task] = await world.sql<{ id: number; lab_id: number }>(
    sql`select id, lab_id from lab_task order by id limit 1`,
  );
  return student.call<Usage & Failure>('POST', '/usage', {
    RouteName: 'x',
    RoutePath: '/x',
    LabID: task?.lab_id,
    TaskID: task?.id,
    Replace: true,
  });
}

test.runIf(isRoot)(
  'a full disk is told, nothing stays behind, and there is a way on',
  { timeout: 180_000 },
  async () => {
    const filler = join(storage, 'filler');
    const { bavail, bsize } = await statfs(storage);
    await writeFile(filler, Buffer.alloc(bavail * bsize));
    const refused = await open();
    expect([refused.status, refused.body.Code]).toEqual([409, 'start_no_space']);
    await until(
      async () => (await engine.list()).size,
      (held) => held === 0,
    );
    // What the learner sees afterwards is the same reason, not a start that goes on for ever.
    const { body: last } = await student.call<{ Phase: string; Reason: { Code: string } } | null>(
      'GET',
      '/usage',
    );
    expect(last).toMatchObject({ Phase: 'failed', Reason: { Code: 'start_no_space' } });

    await truncate(filler);
    const opened = await open();
    expect([opened.status, opened.body.Phase]).toEqual([200, 'ready']);
  },
);
