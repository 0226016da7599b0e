/** The map files, sent as the installation has them: another file can take the place of each. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MapName } from '@hypercube/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/errors.ts';

/**
 * Sends a map, unless the browser has it already.
 * @param folder where `china.json` and `world.json` lie
 * @throws DomainError `not_found` where the file was taken away
 */
export async function sendMap(
  folder: string,
  name: MapName,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = join(folder, `${name}.json`);
  const file = await stat(path).catch(() => null);
  if (!file?.isFile()) throw new DomainError('not_found');
  // A file that is exchanged has another time or another size.
  const etag = `W/"${file.mtimeMs.toString(36)}-${file.size.toString(36)}"`;
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  return reply.type('application/json; charset=utf-8').send(createReadStream(path));
}
