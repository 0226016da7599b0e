/** A world whose environments are real containers, for what only those can show. */
import { rm } from 'node:fs/promises';
import type { Failure, Usage } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { findContainerHost } from '../engines/containers/container-host.ts';
import { dismantle } from '../engines/containers/dismantle.ts';
import { createContainerEngine } from '../engines/containers/docker-api.ts';
import type { ContainerEngine } from '../engines/containers/engine.ts';
import { buildImages } from '../engines/containers/image-build.ts';
import { imageReference } from '../engines/containers/image-sources.ts';
import { World, type Answer, type Person } from './world.ts';

export interface EngineWorld extends AsyncDisposable {
  readonly world: World;
  readonly engine: ContainerEngine;
}

/**
 * Starts a platform on a podman of its own, with the notebook image.
 * @param prepare called with the data folder before the engine sees it
 */
export async function startEngineWorld(
  prepare: (folder: string) => Promise<void> = () => Promise.resolve(),
): Promise<EngineWorld> {
  const world = await World.create({ hasWorker: false });
  await prepare(world.folder);
  const host = await findContainerHost({
    dataDir: world.folder,
    dockerSocket: '/nonexistent/docker.sock',
    containerHost: '',
  });
  if (host.kind === 'none') throw new Error(host.reason);
  await buildImages(host, { only: ['notebook'] });
  const engine = createContainerEngine({ host });
  await world.sql(
    sql`update image set reference = ${imageReference('notebook')}, build_state = 'ready' where slug = 'notebook'`,
  );
  await world.system.startWorker({ engine, reason: null });
  return {
    world,
    engine,
    async [Symbol.asyncDispose]() {
      await world.system.close();
      await dismantle(host);
      await rm(world.folder, { recursive: true, force: true });
    },
  };
}

/** Opens the environment of the first task of the content, in the place of one that there is. */
export async function openFirstTask(
  world: World,
  person: Person,
): Promise<Answer<Usage & Failure>> {
  const [task] = await world.sql<{ id: number; lab_id: number }>(
    sql`select id, lab_id from lab_task order by id limit 1`,
  );
  return person.call<Usage & Failure>('POST', '/usage', {
    RouteName: 'x',
    RoutePath: '/x',
    LabID: task?.lab_id,
    TaskID: task?.id,
    Replace: true,
  });
}
