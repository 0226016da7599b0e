import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Image } from '@hypercube/contract';
import { expect, onTestFinished, test } from 'vitest';
import { World } from '../../testing/world.ts';

test('a deployment’s own images stand beside the built-in ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hypercube-own-images-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'course'));
  await writeFile(join(folder, 'course/Containerfile'), 'FROM hypercube/notebook\nRUN true\n');
  await writeFile(
    join(folder, 'images.json'),
    JSON.stringify([
      { slug: 'course', type: 'notebook', title: { 'zh-CN': '课程镜像', 'en-US': 'Course image' } },
    ]),
  );
  await using world = await World.create({
    hasWorker: false,
    environment: { HC_IMAGES: folder },
  });
  const admin = await world.signIn('admin', 'admin');
  const { body } = await admin.call<{ List: Image[] }>('GET', '/image?pageSize=100');
  expect(body.List.find(({ Title }) => Title === '课程镜像')).toMatchObject({
    Type: 2,
    IsBuiltIn: true,
  });
  expect(body.List.length).toBeGreaterThan(1);
});
