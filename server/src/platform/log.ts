/**
 * Structured logs: JSON lines, or readable ones on a terminal. Secrets cannot get in: headers and
 * bodies are never logged, addresses lose their query, and the fields below are cut out wherever
 * they stand.
 */
import type { FastifyServerOptions } from 'fastify';
import pretty from 'pino-pretty';
import type { Config } from './config.ts';

const REDACTED = [
  'Password',
  'OriginalPassword',
  'password',
  'token',
  'cookie',
  'authorization',
  'ticket',
];

/** Path without its query, which may carry what nobody should read. */
export const loggedPath = (url: string): string => url.split('?', 1)[0] ?? '';

/** Options for Fastify's logger. */
export function logOptions(
  config: Pick<Config, 'HC_LOG_LEVEL'>,
  isTerminal: boolean,
): Exclude<FastifyServerOptions['logger'], boolean | undefined> {
  return {
    level: config.HC_LOG_LEVEL,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[cut]' },
    serializers: {
      req: (request) => ({
        method: request.method,
        path: loggedPath(request.url),
        remote: request.ip,
      }),
      res: (reply) => ({ status: reply.statusCode }),
    },
    ...(isTerminal
      ? { stream: pretty({ translateTime: 'HH:MM:ss', ignore: 'pid,hostname', singleLine: true }) }
      : {}),
  };
}
