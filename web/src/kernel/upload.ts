/** Sending one file, with true progress. */
import {
  TIMES,
  type AnswerOf,
  type Failure,
  type ParamsOf,
  type QueryInputOf,
} from '@hypercube/contract';
import { ApiError, addressOf, type AnyRoute } from './api.ts';

/** Routes that take a file. */
export type UploadRoute = Extract<AnyRoute, { readonly upload?: true }>;

interface UploadOptions<T extends UploadRoute> {
  readonly params: ParamsOf<T>;
  readonly query?: Partial<QueryInputOf<T>>;
  readonly file: File;
  /** Told the share that is sent, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Uploads a file. `fetch` tells no progress of what is sent, so this is the older interface.
 * @throws ApiError
 */
export function upload<T extends UploadRoute>(
  route: T,
  { params, query, file, onProgress, signal }: UploadOptions<T>,
): Promise<AnswerOf<T>> {
  const body = new FormData();
  body.set('File', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(route.method, addressOf(route, params, query ?? {}));
    request.responseType = 'json';
    request.timeout = route.timeoutMs ?? TIMES.requestTimeoutMs;
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      const answer = request.response as AnswerOf<T> | Failure | null;
      if (request.status >= 200 && request.status < 300) {
        resolve(answer as AnswerOf<T>);
        return;
      }
      const failure = answer as Failure | null;
      reject(
        typeof failure?.Code === 'string'
          ? new ApiError(
              failure.Code as ApiError['code'],
              request.status,
              failure.Params,
              failure.RequestID,
            )
          : new ApiError('internal', request.status),
      );
    });
    request.addEventListener('error', () => reject(new ApiError('offline')));
    request.addEventListener('timeout', () => reject(new ApiError('timed_out')));
    request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
