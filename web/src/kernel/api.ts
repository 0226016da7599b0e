/** The typed client: one function that calls any route of the contract. */
import {
  API_BASE,
  TIMES,
  type AnswerOf,
  type BodyInputOf,
  type ErrorCode,
  type Failure,
  type Language,
  type ParamsOf,
  type QueryInputOf,
  type Role,
  type Routes,
} from '@hypercube/contract';

export type AnyRoute = Routes[keyof Routes];
type IsEmpty<T> = keyof T extends never ? true : false;
type Given<Key extends string, T> =
  IsEmpty<T> extends true
    ? { readonly [K in Key]?: undefined }
    : Partial<T> extends T
      ? { readonly [K in Key]?: T }
      : { readonly [K in Key]: T };

/** What a call of a route takes; what the route does not have cannot be given. */
export type CallOptions<T extends AnyRoute> = Given<'params', ParamsOf<T>> &
  Given<'body', BodyInputOf<T>> & {
    readonly query?: IsEmpty<QueryInputOf<T>> extends true ? undefined : Partial<QueryInputOf<T>>;
    readonly signal?: AbortSignal | undefined;
  };

/** Codes of the contract, and the two failures that only a browser can see. */
export type FailureCode = ErrorCode | 'offline' | 'timed_out';

/** A failed call, as a code with values; the text comes from the catalogue. */
export class ApiError extends Error {
  readonly code: FailureCode;
  readonly params: Readonly<Record<string, unknown>>;
  /** 0 when no answer came. */
  readonly status: number;
  readonly requestID: string | null;

  constructor(
    code: FailureCode,
    status = 0,
    params: Readonly<Record<string, unknown>> = {},
    requestID: string | null = null,
  ) {
    super(code);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.params = params;
    this.requestID = requestID;
  }
}

export const isApiError = (error: unknown, code?: FailureCode): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code);

/** What the client needs to know of the page it runs in. */
interface Surroundings {
  language: Language;
  role: Role;
  onUnauthorized: () => void;
}
const surroundings: Surroundings = {
  language: 'zh-CN',
  role: 'student',
  onUnauthorized: () => undefined,
};

/** Sets the language of requests, the acting role, or what happens at a 401. */
export function configureApi(change: Partial<Surroundings>): void {
  Object.assign(surroundings, change);
}

let serverOffsetMs = 0;
/** The server's clock in milliseconds, as far as the last answer's date told it. */
export const serverNowMs = (): number => Date.now() + serverOffsetMs;

/**
 * The address of a call: path values encoded, and `role` and `lang` that every request carries.
 * @throws when a path value is missing, which is a fault of the program
 */
export function addressOf(
  route: Pick<AnyRoute, 'path'>,
  params: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, unknown>> = {},
  common: { role: Role; lang: Language } = { role: surroundings.role, lang: surroundings.language },
): string {
  const path = route.path.replaceAll(/:([A-Za-z]+)/g, (_match, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Error(`missing path value ${name}`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams({ role: common.role, lang: common.lang });
  for (const [key, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(',') : value;
    if ((typeof text === 'string' && text !== '') || typeof text === 'number')
      search.set(key, String(text));
  }
  return `${API_BASE}${path}?${search}`;
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && typeof (value as Failure).Code === 'string';
}

async function failureOf(response: Response): Promise<ApiError> {
  const answer: unknown = await response.json().catch(() => null);
  if (isFailure(answer)) {
    return new ApiError(
      answer.Code as ErrorCode,
      response.status,
      answer.Params ?? {},
      answer.RequestID,
    );
  }
  // Not our server's form: a proxy in between answered.
  const code: FailureCode =
    response.status === 401
      ? 'not_signed_in'
      : response.status === 404
        ? 'not_found'
        : response.status >= 502 && response.status <= 504
          ? 'offline'
          : 'internal';
  return new ApiError(code, response.status);
}

/**
 * Calls a route. A failure is an {@link ApiError}; a 401 also ends the login session of this page.
 * Cancelling by the caller's signal rejects with the abort itself, not with an ApiError.
 */
export async function call<T extends AnyRoute>(
  route: T,
  options: CallOptions<T>,
): Promise<AnswerOf<T>> {
  const timeout = AbortSignal.timeout(route.timeoutMs ?? TIMES.requestTimeoutMs);
  const init: RequestInit = {
    method: route.method,
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    credentials: 'same-origin',
  };
  if (options.body !== undefined) {
    init.body = JSON.stringify(options.body);
    init.headers = { 'content-type': 'application/json' };
  }
  let response: Response;
  let text: string;
  try {
    response = await fetch(addressOf(route, options.params ?? {}, options.query ?? {}), init);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) serverOffsetMs = date - Date.now();
    if (!response.ok) {
      const failure = await failureOf(response);
      if (failure.status === 401) surroundings.onUnauthorized();
      throw failure;
    }
    text = await response.text();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (options.signal?.aborted) throw error;
    if (timeout.aborted) throw new ApiError('timed_out');
    throw new ApiError('offline');
  }
  // A proxy's sign-in page or a wrong route answers with a page instead of data.
  try {
    return (text === '' ? null : JSON.parse(text)) as AnswerOf<T>;
  } catch {
    throw new ApiError('internal', response.status);
  }
}
