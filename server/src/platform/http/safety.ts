/**
 * What every request is checked for before any route sees it, and the headers every answer
 * carries.
 */
import { API_BASE } from '@hypercube/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../errors.ts';

export interface SafetyOptions {
  /** Origin under which people reach the site; the request's own host when not configured. */
  readonly publicOrigin: string | undefined;
  readonly sessionOrigin: string | undefined;
  /** Sources of an external human check, whose script and widget are not ours. */
  readonly captchaSources?: () => readonly string[];
}

/** Methods that change nothing. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request comes from a page of this site, by what only a browser can set. A client
 * without either header is no browser and carries no borrowed cookie.
 */
export function isSameOrigin(
  request: Pick<FastifyRequest, 'headers' | 'host' | 'protocol'>,
  publicOrigin: string | undefined,
): boolean {
  const { origin } = request.headers;
  if (origin !== undefined)
    return origin === (publicOrigin ?? `${request.protocol}://${request.host}`);
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

const NO_SOURCES: readonly string[] = [];

function contentSecurityPolicy(
  sessionOrigin: string | undefined,
  captchaSources: readonly string[],
): string {
  const session = sessionOrigin ?? '';
  const captcha = captchaSources.join(' ');
  return [
    "default-src 'self'",
    `script-src 'self' ${captcha}`.trim(),
    `style-src 'self' 'unsafe-inline' ${captcha}`.trim(),
    `img-src 'self' data: blob: ${captcha}`.trim(),
    "font-src 'self' data:",
    // A source of http does not stand for ws (CSP 3, section 6.7.2.8).
    `connect-src 'self' ${session} ${session.replace(/^http/, 'ws')} ${captcha}`.trim(),
    `frame-src 'self' ${session} ${captcha}`.trim(),
    "media-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Of an answer that nobody is to look into, such as one that no hook has seen. */
export const CLOSED_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Installs the checks and headers on everything but session content, which the gateway answers. */
export function installSafety(app: FastifyInstance, options: SafetyOptions): void {
  /** By the sources that it lets in, which a setting may change. */
  const policies = new Map<readonly string[], string>();
  const policyNow = (): string => {
    const sources = options.captchaSources?.() ?? NO_SOURCES;
    const policy = policies.get(sources) ?? contentSecurityPolicy(options.sessionOrigin, sources);
    policies.set(sources, policy);
    return policy;
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-security-policy': policyNow(),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    });
    // Answers are for whoever asked; those that others may keep say so themselves.
    if (request.url.startsWith(`${API_BASE}/`)) reply.header('cache-control', 'no-store');
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
    // No name of ours has a null byte, and PostgreSQL and the file system would each fail in a way of their own.
    if (/%00|\0/.test(request.url))
      throw new DomainError('invalid_input', { Fields: [{ Path: 'url', Rule: 'null_byte' }] });
    if (!READING.has(request.method) && !isSameOrigin(request, options.publicOrigin))
      throw new DomainError('foreign_origin');
  });
  app.addHook('preValidation', async (request) => {
    if (hasNullByte(request.body))
      throw new DomainError('invalid_input', { Fields: [{ Path: 'body', Rule: 'null_byte' }] });
  });
}

/** Whether any text inside a parsed JSON body has a null byte. */
export function hasNullByte(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.includes('\0') || hasNullByte(inner));
}
