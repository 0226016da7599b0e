/** The one place where errors become answers: `{ Code, Params, RequestID }`. */
import { ERRORS, type ErrorCode, type Failure } from '@hypercube/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { FOREIGN_KEY_VIOLATION, sqlState } from '../database/database.ts';
import { DomainError, isNoSpace } from '../errors.ts';

/** Sends a coded failure. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  params: Readonly<Record<string, unknown>> = {},
): FastifyReply {
  const failure: Failure = { Code: code, Params: { ...params }, RequestID: request.id };
  const retry = params['RetryAfterSeconds'];
  if (typeof retry === 'number') reply.header('retry-after', Math.ceil(retry));
  return reply
    .status(ERRORS[code].status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(failure);
}

/** Fastify's own refusals, in our codes. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_input',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_input',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_input',
  FST_ERR_NOT_FOUND: 'not_found',
};

/** The code in which an error is answered. */
export function codeOf(error: FastifyError): { code: ErrorCode; params?: Record<string, unknown> } {
  if (error instanceof DomainError) return { code: error.code, params: error.params };
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = error.validation.map((issue) => ({
      Path: issue.instancePath.split('/').filter(Boolean).join('.'),
      Rule: issue.keyword,
    }));
    return { code: 'invalid_input', params: { Fields: fields } };
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { code: 'body_too_large' };
  const known = FASTIFY_CODES[error.code];
  if (known) return { code: known };
  if (isNoSpace(error)) return { code: 'storage_full' };
  // What the request named was there when it was looked up, and is gone by now.
  if (sqlState(error) === FOREIGN_KEY_VIOLATION) return { code: 'not_found' };
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return { code: 'invalid_input' };
  return { code: 'internal' };
}

/** Installs the error and not-found handlers. */
export function installErrorHandling(app: FastifyInstance, jsonLimitBytes: number): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { code, params = {} } = codeOf(error);
    if (code === 'internal') request.log.error({ err: error }, 'request failed');
    else if (error.cause !== undefined)
      request.log.warn({ err: error.cause, code }, 'request refused');
    return sendFailure(
      request,
      reply,
      code,
      code === 'body_too_large' ? { LimitBytes: jsonLimitBytes } : params,
    );
  });
}
