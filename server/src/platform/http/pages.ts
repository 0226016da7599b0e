/** Serves the built pages: hashed assets for ever, everything else fresh, unknown paths to the app. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { API_BASE } from '@hypercube/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from './errors.ts';

const HASHED = /[/\\]assets[/\\]/;

/** Answers with the page, or says that the browser has it as it is. */
function pageSender(
  path: string,
  fill: (html: string) => string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let built = { html: '', changedAt: 0 };
  let last = { page: '', tag: '' };
  return async (request, reply) => {
    // A new build names other assets; the old page would look for those that are gone.
    const { mtimeMs: changedAt } = await stat(path);
    if (changedAt !== built.changedAt) built = { html: await readFile(path, 'utf8'), changedAt };
    const page = fill(built.html);
    if (page !== last.page)
      last = { page, tag: `W/"${createHash('sha256').update(page).digest('base64url')}"` };
    reply.headers({ 'cache-control': 'no-cache', etag: last.tag });
    if (request.headers['if-none-match'] === last.tag) return reply.code(304).send();
    return reply.type('text/html; charset=utf-8').send(last.page);
  };
}

/**
 * @param folder the build's output; without one only the API answers
 * @param fill puts into the built page what it tells of this site
 */
export async function installPages(
  app: FastifyInstance,
  folder: string | undefined,
  fill: (html: string) => string,
): Promise<void> {
  const page = join(folder ?? '', 'index.html');
  const hasPages = folder !== undefined && existsSync(page);
  const sendPage = pageSender(page, fill);
  if (hasPages) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        response.header(
          'cache-control',
          HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
    for (const path of ['/', '/index.html']) app.get(path, { schema: { hide: true } }, sendPage);
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const isPage =
      request.method === 'GET' &&
      !path.startsWith(`${API_BASE}/`) &&
      !/\.[a-z0-9]{2,5}$/i.test(path);
    if (hasPages && isPage) return sendPage(request, reply);
    return sendFailure(request, reply, 'not_found');
  });
}
