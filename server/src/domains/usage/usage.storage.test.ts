import type { Usage } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { World, until, type Person } from '../../testing/world.ts';
import { listOpenRows } from './usage.queries.ts';
import { StorageWatch, storageLimit } from './usage.storage.ts';

const GIBIBYTE = 1024 ** 3;
const MEBIBYTE = 1024 ** 2;

test.each([
  ['an empty folder', 5 * GIBIBYTE, 0, 5632 * MEBIBYTE],
  ['a small quota', 100 * MEBIBYTE, 0, 356 * MEBIBYTE],
  ['a folder that was over before', 5 * GIBIBYTE, 7 * GIBIBYTE, 7680 * MEBIBYTE],
])('%s may grow to its quota and a margin', (_what, quota, base, limit) => {
  expect(storageLimit(quota, base)).toBe(limit);
});

describe('with a running environment', () => {
  let world: World;
  let student: Person;

  beforeAll(async () => {
    world = await World.create();
    student = await world.signIn('student');
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const open = async (): Promise<Usage> => {
    const [software] = await world.sql<{ id: number }>(
      sql`select id from software where slug = 'book'`,
    );
    const { body } = await student.call<Usage>('POST', '/usage', {
      RouteName: 'x',
      RoutePath: '/x',
      SoftwareID: software?.id,
      Replace: true,
    });
    // The worker looks once by itself; as long as the clock stands, not again.
    await until(current, (now) => now?.Storage != null);
    return body;
  };
  const current = async (): Promise<Usage | null> =>
    (await student.call<Usage | null>('GET', '/usage')).body;

  /** Looks once, as if the folder held this much. */
  async function look(bytes: number): Promise<void> {
    const { database } = world.system.handle;
    const watch = new StorageWatch({
      database,
      clock: world.clock,
      quotaBytes: () => GIBIBYTE,
      folderOf: (userID) => world.system.files.folderOf(userID),
      measure: async () => bytes,
      failed: (_usageID, error) => {
        throw error;
      },
      over: () => undefined,
    });
    watch.look(await listOpenRows(database));
    await watch.close();
  }

  test('its folder is measured for real, and its user is told', async () => {
    await open();
    const usage = await current();
    expect(usage?.Storage?.UsedBytes).toBeLessThan(MEBIBYTE);
    expect(usage?.Storage?.QuotaBytes).toBe(5 * GIBIBYTE);
  });

  test('over the quota it runs on and says so; far over it ends, with the reason', async () => {
    await open();
    await look(10 * MEBIBYTE);
    await look(1126 * MEBIBYTE);
    expect((await current())?.Storage?.UsedBytes).toBe(1126 * MEBIBYTE);
    await look(1331 * MEBIBYTE);
    expect(await current()).toBeNull();
    const { body } = await student.call<{ List: { Cause: string }[] }>('GET', '/usage/history');
    expect(body.List[0]?.Cause).toBe('out_of_storage');
  });

  test('a small change is not told to every page', async () => {
    const usage = await open();
    await world.sql(
      sql`update usage set storage_bytes = ${10 * MEBIBYTE}, storage_base = 0 where id = ${usage.ID}`,
    );
    const before = await current();
    await look(11 * MEBIBYTE);
    expect((await current())?.Version).toBe(before?.Version);
  });

  test('whoever is over already gets in to clean up', async () => {
    const usage = await open();
    await world.sql(
      sql`update usage set storage_bytes = null, storage_base = null where id = ${usage.ID}`,
    );
    await look(3 * GIBIBYTE);
    await look(3276 * MEBIBYTE);
    expect((await current())?.ID).toBe(usage.ID);
    await look(512 * MEBIBYTE);
    expect((await current())?.Storage?.UsedBytes).toBe(512 * MEBIBYTE);
  });
});

describe('a cluster', () => {
  let world: World;
  let student: Person;
  beforeAll(async () => {
    world = await World.create();
    student = await world.signIn('student');
  });
  afterAll(() => world[Symbol.asyncDispose]());
  const current = async (): Promise<Usage | null> =>
    (await student.call<Usage | null>('GET', '/usage')).body;

  test('a further node that dies is started again and told; at once again, it stays down', async () => {
    const [specification] = await world.sql<{ id: number }>(
      sql`select id from specification where slug = 'cluster'`,
    );
    const { body: usage } = await student.call<Usage>('POST', '/usage', {
      RouteName: 'x',
      RoutePath: '/x',
      SpecificationID: specification?.id,
    });
    expect(usage.Nodes).toEqual(['node1', 'node2', 'node3']);
    expect(usage.LostNode).toBeNull();
    world.engine.dieNode(usage.ID, 'node2');
    const told = await until(current, (now) => now?.LostNode != null);
    expect(told?.LostNode).toMatchObject({ Name: 'node2', IsBack: true });
    expect((await world.engine.inspect(usage.ID)).map(({ state }) => state)).toEqual([
      'running',
      'running',
      'running',
    ]);
    world.engine.dieNode(usage.ID, 'node2');
    const again = await until(current, (now) => now?.LostNode?.IsBack === false);
    expect(again?.LostNode?.Name).toBe('node2');
    expect(again?.ID).toBe(usage.ID);
    expect((await world.engine.inspect(usage.ID))[1]?.state).toBe('exited');
  });
});
