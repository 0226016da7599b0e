/** Sends a file that somebody gave us, whole or the part that is asked for (RFC 9110, section 14). */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors.ts';

/** From the first byte to the last one, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What a `Range` header asks for.
 * @returns undefined for the whole file, which is also the answer to several parts or to nonsense;
 * null when the part is not there
 */
export function rangeOf(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | null | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  // `-500` is the last 500 bytes.
  if (first === '')
    return Number(last) === 0 || sizeBytes === 0
      ? null
      : { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes - 1 };
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start < sizeBytes ? { start, end } : null;
}

/** A name in a header: what older readers take, and all of it for the others (RFC 6266). */
export const dispositionOf = (kind: 'inline' | 'attachment', name: string): string =>
  `${kind}; filename="${name.replaceAll(/[^\w .-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(
    name,
  ).replaceAll(/['()*]/g, (sign) => `%${sign.codePointAt(0)?.toString(16).toUpperCase()}`)}`;

export interface SentFile {
  readonly path: string;
  readonly name: string;
  /** Only what a browser shows and never runs is shown in place. */
  readonly type: string;
  readonly isInline: boolean;
}

/** @throws DomainError `not_found` when the file is gone */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SentFile,
): Promise<FastifyReply> {
  const found = await stat(file.path).catch(() => undefined);
  if (!found?.isFile()) throw new DomainError('not_found');
  const range = rangeOf(request.headers.range, found.size);
  reply.headers({
    'content-type': file.type,
    'content-disposition': dispositionOf(file.isInline ? 'inline' : 'attachment', file.name),
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
  });
  if (range === null)
    return reply.status(416).header('content-range', `bytes */${found.size}`).send('');
  if (range === undefined)
    return reply.header('content-length', found.size).send(createReadStream(file.path));
  return reply
    .status(206)
    .headers({
      'content-range': `bytes ${range.start}-${range.end}/${found.size}`,
      'content-length': range.end - range.start + 1,
    })
    .send(createReadStream(file.path, { start: range.start, end: range.end }));
}
