/** Serves the built pages: hashed assets for ever, everything else fresh, unknown paths to the app. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { API_BASE } from '@hypercube/contract';
import type { FastifyInstance } from 'fastify';
import { sendFailure } from './errors.ts';

const HASHED = /[/\\]assets[/\\]/;

/** @param folder the build's output; without one only the API answers */
export async function installPages(
  app: FastifyInstance,
  folder: string | undefined,
): Promise<void> {
  const hasPages = folder !== undefined && existsSync(join(folder, 'index.html'));
  if (hasPages) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        response.header(
          'cache-control',
          HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const isPage =
      request.method === 'GET' &&
      !path.startsWith(`${API_BASE}/`) &&
      !/\.[a-z0-9]{2,5}$/i.test(path);
    if (hasPages && isPage) return reply.header('cache-control', 'no-cache').sendFile('index.html');
    return sendFailure(request, reply, 'not_found');
  });
}
