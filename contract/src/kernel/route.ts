/**
 * The contract is data: a route says its method, path, access, parameters, body, answers and
 * errors in one place, and the server, the typed client, the OpenAPI page, the permission table
 * and the test matrix are derived from it.
 */
import { z } from 'zod';
import { LANGUAGES } from './enums.ts';
import type { ErrorCode } from './errors.ts';
import { COUNT_LIMITS, TEXT_LIMITS } from './limits.ts';
import {
  NoSuchPermissionItem,
  PERMISSION_ITEMS,
  ROLES,
  type PermissionItem,
  type Requirement,
} from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call a route.
 * - `public`: everybody; the text is the reason, shown in the access table.
 * - `signedIn`: any account; the text is the reason why no item is asked for.
 * - `need`: permission items (outer list AND, nested list OR).
 */
export type Access =
  | { readonly public: string }
  | { readonly signedIn: string }
  | { readonly need: Requirement };

/** Kinds of things that an id on the wire can name; the server has one resolver for each. */
export const SCOPE_KINDS = [
  'self',
  'domain',
  'lab',
  'labTask',
  'labResource',
  'image',
  'specification',
  'ownUsage',
  'anyUsage',
  'tag',
  'software',
  'managedLab',
  'managedSoftware',
  'managedImage',
  'imageVersion',
  'managedSpecification',
  'node',
  'ownComputer',
  'pictured',
  'ownDevice',
  'ownIdentity',
  'managedUser',
  'centre',
  'auditRecord',
  'ownNotification',
  'sentNotification',
  'suggestion',
  'ownSuggestion',
  'ownResource',
  'managedResource',
  'openCentre',
  'mail',
  'course',
  'joinedCourse',
  'managedCourse',
  'ownCourse',
  'courseMember',
  'courseAssistant',
  'courseCollaborator',
  'courseNotice',
  'homework',
  'managedHomework',
  'homeworkAttachment',
  'ownSubmission',
  'readableSubmission',
  'submissionFile',
  'gradedPerson',
  'attachmentUpload',
  'submissionUpload',
  'commentUpload',
  'problem',
  'managedProblem',
  'problemSubmission',
] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

type IDKey = `${string}ID` | `${string}IDList`;
type Shape = Record<string, z.ZodType>;
type IDsOf<S extends Shape | undefined> = S extends Shape ? Extract<keyof S, IDKey> : never;
/** Every id of the parameters, the query and the body, mapped to what it names. */
type ScopeOf<
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends Shape | undefined,
> = {
  readonly [K in IDsOf<P> | IDsOf<Q> | IDsOf<B>]: ScopeKind;
};
type AnyScope = Readonly<Record<string, ScopeKind>>;

export interface RouteDefinition<
  M extends Method = Method,
  P extends Shape | undefined = Shape | undefined,
  Q extends Shape | undefined = Shape | undefined,
  B extends Shape | undefined = Shape | undefined,
  R extends z.ZodType = z.ZodType,
  S extends AnyScope = AnyScope,
> {
  readonly method: M;
  /** Below the API base, with `:name` parameters: `/lab/:labID/task/:taskID`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Takes one file as multipart, in the field `File`, instead of a JSON body. */
  readonly upload?: true;
  /** Takes an HTML form's fields as well as JSON: what a browser can still send while it leaves. */
  readonly form?: true;
  readonly response: R;
  /** Status of a success; 200 unless said. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Codes of this route beyond the shared ones. */
  readonly errors: readonly ErrorCode[];
  /** What each id names; ids of the body and of destinations included. */
  readonly scope: S;
  /** `stream` answers server-sent events, the schema is that of one event's data; `file` answers bytes. */
  readonly kind?: 'json' | 'stream' | 'file';
  /**
   * A call that is in the record of what staff did, as every change is that learners may not make:
   * always, or when whoever calls may do what is named, since learners call it for themselves.
   */
  readonly isRecorded?: true | PermissionItem;
  /** How long a client waits, milliseconds; 30 s unless said. */
  readonly timeoutMs?: number;
}

export interface Route<
  M extends Method = Method,
  P extends Shape | undefined = Shape | undefined,
  Q extends Shape | undefined = Shape | undefined,
  B extends Shape | undefined = Shape | undefined,
  R extends z.ZodType = z.ZodType,
  S extends AnyScope = AnyScope,
> extends RouteDefinition<M, P, Q, B, R, S> {
  readonly paramsSchema: z.ZodType;
  readonly querySchema: z.ZodType;
  readonly bodySchema: z.ZodType | null;
}

type OutputOf<S extends Shape | undefined> = S extends Shape
  ? z.output<z.ZodObject<S>>
  : Record<never, never>;
type InputOf<S extends Shape | undefined> = S extends Shape
  ? z.input<z.ZodObject<S>>
  : Record<never, never>;
export type ParamsOf<T> =
  T extends Route<Method, infer P, infer _Q, infer _B> ? OutputOf<P> : never;
export type QueryOf<T> = T extends Route<Method, infer _P, infer Q, infer _B> ? OutputOf<Q> : never;
export type BodyOf<T> = T extends Route<Method, infer _P, infer _Q, infer B> ? OutputOf<B> : never;
export type QueryInputOf<T> =
  T extends Route<Method, infer _P, infer Q, infer _B> ? InputOf<Q> : never;
export type BodyInputOf<T> =
  T extends Route<Method, infer _P, infer _Q, infer B> ? InputOf<B> : never;
export type ScopeOfRoute<T> = T extends { readonly scope: infer S } ? S : never;
export type AnswerOf<T> = T extends { readonly response: infer R extends z.ZodType }
  ? z.output<R>
  : never;
/** What a handler returns: the answer before the schema fills in anything. */
export type AnswerInputOf<T> = T extends { readonly response: infer R extends z.ZodType }
  ? z.input<R>
  : never;

/** The largest number that a column of ids or versions holds. */
const INTEGER_MAX = 2_147_483_647;

/** An integer id on the wire (decision 46). */
export const id = () => z.int().positive().max(INTEGER_MAX);
/** Moves at every change of a thing; sent back so that two people do not overwrite each other. */
export const version = () => z.int().min(0).max(INTEGER_MAX);
/** The same in a path or a query, where everything is text. */
export const pathID = () => z.coerce.number<string>().int().positive().max(INTEGER_MAX);

/**
 * A page of this site, with its query. Browsers read a backslash as a slash, drop tabs and line
 * ends, and resolve dots: a path with any of these could lead to another site.
 */
export const sitePath = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\/(?![/\\])(?!(?:[^?#]*\/)?(?:\.|%2e){1,2}(?:[/?#]|$))[^\\\s\p{Cc}]*$/iu);

/**
 * Parameters that every request carries (specification, section 7). `role` is a request to act in
 * that role, cut down by the server to what the account has (decision 13). `t` is the cache buster
 * of static addresses and is ignored.
 */
const COMMON_QUERY = {
  role: z.enum(ROLES).default('student'),
  lang: z.enum(LANGUAGES).default('zh-CN'),
  t: z.string().max(20).optional(),
};
export type CommonQuery = { role: (typeof ROLES)[number]; lang: (typeof LANGUAGES)[number] };

/** Query fields of every list: paging and keyword (decisions 32, 49). */
export const listQuery = {
  page: z.coerce.number<string | number>().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce
    .number<string | number>()
    .int()
    .min(1)
    .max(COUNT_LIMITS.pageSizeMax)
    .default(COUNT_LIMITS.pageSizeDefault),
  keyword: z.string().trim().max(TEXT_LIMITS.keyword).optional(),
};

/** The answer of every list: rows and how many there are in all. */
export const listOf = <T extends z.ZodType>(row: T) =>
  z.object({ List: z.array(row), Total: z.int().nonnegative() });

/** Numbers in a query such as `domains=1,2,3` or repeated. */
export const idsInQuery = () =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) =>
      (Array.isArray(value) ? value : value.split(',')).filter((part) => part !== ''),
    )
    .pipe(z.array(z.coerce.number<string>().int().positive().max(INTEGER_MAX)).max(100));

const PATH_PARAMETER = /:([A-Za-z]+)/g;
const isIDKey = (key: string): boolean => /ID(?:List)?$/.test(key);

function checkAccess(name: string, access: Access | undefined): void {
  if (access === undefined) throw new Error(`${name}: access is missing`);
  if ('need' in access) {
    if (access.need.length === 0)
      throw new Error(`${name}: an empty requirement; say public or signedIn with a reason`);
    for (const item of access.need.flat()) {
      if (!PERMISSION_ITEMS.has(item)) throw new NoSuchPermissionItem(item);
    }
    return;
  }
  const reason = 'public' in access ? access.public : access.signedIn;
  if (reason.trim() === '') throw new Error(`${name}: open access needs a reason`);
}

/**
 * Makes a route. Throws, so that the server cannot boot, when access is missing or names an
 * unknown item, when a path parameter has no schema, or when an id has no scope.
 */
export function route<
  M extends Method,
  R extends z.ZodType,
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends Shape | undefined = undefined,
  const S extends ScopeOf<P, Q, B> = ScopeOf<P, Q, B>,
>(definition: RouteDefinition<M, P, Q, B, R, S>): Route<M, P, Q, B, R, S> {
  const name = `${definition.method} ${definition.path}`;
  checkAccess(name, definition.access);
  const params: Shape = definition.params ?? {};
  for (const [, parameter = ''] of definition.path.matchAll(PATH_PARAMETER)) {
    if (!(parameter in params)) throw new Error(`${name}: no schema for :${parameter}`);
  }
  const scope: AnyScope = definition.scope;
  const ids = [params, definition.query ?? {}, definition.body ?? {}]
    .flatMap(Object.keys)
    .filter(isIDKey);
  for (const key of ids) {
    if (scope[key] === undefined) throw new Error(`${name}: ${key} has no scope`);
  }
  return Object.freeze({
    ...definition,
    paramsSchema: z.strictObject(params),
    querySchema: z.strictObject({ ...COMMON_QUERY, ...definition.query }),
    bodySchema: definition.body ? z.strictObject(definition.body) : null,
  });
}

/** The answer of every failure. */
export const failure = z.object({
  Code: z.string(),
  Params: z.record(z.string(), z.unknown()),
  RequestID: z.string(),
});
export type Failure = z.output<typeof failure>;
