/**
 * The disk of the containers is full when an environment is opened, on a real engine whose storage
 * is a small file system of its own: its user reads why, nothing is left behind, and the next
 * environment opens once there is room again.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFirstTask, startEngineWorld } from '../../testing/engine-world.ts';
import { until } from '../../testing/world.ts';

test.runIf(process.getuid?.() === 0)(
  'a full disk is told, nothing stays behind, and there is a way on',
  { timeout: 300_000 },
  async () => {
    let storage = '';
    // The end of the engine unmounts what lies in its folder, this file system included.
    await using real = await startEngineWorld(async (folder) => {
      storage = join(folder, 'containers', 'store');
      await mkdir(storage, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', storage]);
    });
    const { world, engine } = real;
    const student = await world.signIn('student');
    const filler = join(storage, 'filler');
    const { bavail, bsize } = await statfs(storage);
    await writeFile(filler, Buffer.alloc(bavail * bsize));
    const refused = await openFirstTask(world, student);
    expect([refused.status, refused.body.Code]).toEqual([409, 'start_no_space']);
    await until(
      async () => (await engine.list()).size,
      (held) => held === 0,
    );
    // What the learner sees afterwards is the same reason, not a start that goes on for ever.
    const { body: last } = await student.call('GET', '/usage');
    expect(last).toMatchObject({ Phase: 'failed', Reason: { Code: 'start_no_space' } });

    await truncate(filler);
    const opened = await openFirstTask(world, student);
    expect([opened.status, opened.body.Phase]).toEqual([200, 'ready']);
  },
);
