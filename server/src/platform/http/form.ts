/** Fields of an HTML form, for the routes that a browser calls while it leaves a page. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../errors.ts';

const TYPE = 'application/x-www-form-urlencoded';

/** A field that comes more than once is a list. Names are plain keys, whatever they are called. */
export function readForm(text: string): Record<string, unknown> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}

export function installFormParser(app: FastifyInstance): void {
  app.addContentTypeParser(TYPE, { parseAs: 'string' }, (_request, body, done) =>
    done(null, readForm(String(body))),
  );
}

/** Refuses a form where JSON is expected; its parser is there for every route. */
export function refuseForm(request: FastifyRequest): void {
  if ((request.headers['content-type'] ?? '').toLowerCase().startsWith(TYPE))
    throw new DomainError('unsupported_media_type');
}
