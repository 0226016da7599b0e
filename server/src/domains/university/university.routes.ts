import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { Universities } from './university.service.ts';

function send(list: Universities, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('etag', list.etag).header('cache-control', 'public, max-age=3600');
  if (request.headers['if-none-match'] === list.etag) return reply.status(304).send();
  return reply.type('application/json; charset=utf-8').send(list.json);
}

export const universityHandlers = (list: Universities): HandlersOf<'listUniversities'> => ({
  listUniversities: async ({ request, reply }) => send(list, request, reply),
});

/** The list at the root of the site, where the specification has it as well (decision 32). */
export const installUniversityList = (app: FastifyInstance, list: Universities): void => {
  app.get('/university.json', { schema: { hide: true } }, (request, reply) =>
    send(list, request, reply),
  );
};
