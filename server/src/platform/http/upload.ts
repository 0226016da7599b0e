/** Uploads: one file as multipart, in the field `File`, read as a stream and never held in memory. */
import type { Readable } from 'node:stream';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { DomainError } from '../errors.ts';

/** Name of the form's only field. */
const FIELD = 'File';

/**
 * Of a form. How long the file may be is the route's business, by a setting that may change while
 * we run.
 */
export const UPLOAD_LIMITS = {
  files: 1,
  fields: 0,
  parts: 1,
  headerPairs: 50,
  fileSize: Number.MAX_SAFE_INTEGER,
} as const;

/** A file that is being sent. */
export interface IncomingFile {
  /** As the browser says: without folders, and not to be trusted further. */
  readonly name: string;
  /** Size of the whole form, from which one can tell at once that it is too large; null unless told. */
  readonly formBytes: number | null;
  readonly stream: Readable;
}

/** Refuses a form where JSON is expected; its parser is there for every route. */
export function refuseMultipart(request: FastifyRequest): void {
  if (/^multipart\//i.test(request.headers['content-type'] ?? ''))
    throw new DomainError('unsupported_media_type');
}

/** @throws DomainError `upload_missing` when there is no such file */
export async function readUpload(request: FastifyRequest): Promise<IncomingFile> {
  if (!request.isMultipart()) throw new DomainError('upload_missing');
  const part = await request.file().catch((error: unknown) => {
    throw new DomainError('upload_missing', {}, { cause: error });
  });
  if (!part || part.fieldname !== FIELD || part.filename === '') {
    part?.file.resume();
    throw new DomainError('upload_missing');
  }
  const length = Number(request.headers['content-length']);
  return {
    name: part.filename,
    formBytes: Number.isSafeInteger(length) && length > 0 ? length : null,
    stream: part.file,
  };
}

interface Described {
  readonly schema: object;
  readonly url: string;
}

/** Says in the API's description that a route takes a form with a file. */
export function describeUpload<T extends Described>(
  described: T,
  route: Pick<RouteOptions, 'config'>,
): T {
  if (!route.config?.isUpload) return described;
  const body = {
    type: 'object',
    required: [FIELD],
    properties: { [FIELD]: { type: 'string', format: 'binary' } },
  };
  return {
    ...described,
    schema: { ...described.schema, consumes: ['multipart/form-data'], body },
  };
}
