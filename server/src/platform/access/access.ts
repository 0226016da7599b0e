/**
 * The access engine. A route's requirement and the scope of its ids come from the contract;
 * handlers get loaded, scoped objects and never look up a bare id of a client.
 */
import {
  SCOPE_KINDS,
  meets,
  type Access,
  type Language,
  type Role,
  type Route,
  type ScopeKind,
  type ScopeOfRoute,
} from '@hypercube/contract';
import { DomainError } from '../errors.ts';

/** Who acts. `userID` is null for a visitor. */
export interface Actor {
  readonly userID: number | null;
  readonly username: string | null;
  readonly loginSessionID: number | null;
  readonly roles: readonly Role[];
  readonly language: Language;
}

/** An actor who is signed in. */
export interface SignedInActor extends Actor {
  readonly userID: number;
  readonly username: string;
  readonly loginSessionID: number;
}

/** What each kind resolves to; a domain adds its own by declaration merging. */
export interface ScopeTypes {}

export type ScopedObject<K extends ScopeKind> = K extends keyof ScopeTypes ? ScopeTypes[K] : never;

/**
 * Loads the objects of one kind that this actor may know of. What it leaves out is "not found".
 * @param ids distinct
 * @param found what the route's earlier ids resolved to, such as the lab of a task
 */
export type Resolver<K extends ScopeKind> = (
  ids: readonly number[],
  actor: Actor,
  found: Readonly<Record<string, unknown>>,
) => Promise<ReadonlyMap<number, ScopedObject<K>>>;

export type Resolvers = { readonly [K in ScopeKind]: Resolver<K> };

/** Refuses at boot a set of resolvers that lacks a kind. */
export function checkResolvers(resolvers: Partial<Resolvers>): asserts resolvers is Resolvers {
  for (const kind of SCOPE_KINDS) {
    if (!resolvers[kind]) throw new Error(`no resolver for scope kind ${kind}`);
  }
}

/** Throws `not_signed_in` or `forbidden` unless the actor may call the route. */
export function authorise(actor: Actor, access: Access): void {
  if ('public' in access) return;
  if ('signedIn' in access) {
    if (actor.userID === null) throw new DomainError('not_signed_in');
    return;
  }
  if (meets(actor.roles, access.need)) return;
  if (actor.userID === null) throw new DomainError('not_signed_in');
  const item = access.need.find((entry) => !meets(actor.roles, [entry]));
  throw new DomainError('forbidden', { Item: typeof item === 'string' ? item : item?.[0] });
}

/** What the handler of a route gets for its ids. An optional id that was not sent is undefined. */
export type Scoped<T extends Route> = {
  readonly [K in keyof ScopeOfRoute<T>]: ScopeOfRoute<T>[K] extends ScopeKind
    ? K extends `${string}IDList`
      ? readonly ScopedObject<ScopeOfRoute<T>[K]>[] | undefined
      : K extends keyof NonNullable<T['params']>
        ? ScopedObject<ScopeOfRoute<T>[K]>
        : ScopedObject<ScopeOfRoute<T>[K]> | undefined
    : never;
};

const idsOf = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (part): part is number => typeof part === 'number',
  );

/**
 * Resolves every id of a request, in the order in which the route names them.
 * @throws DomainError `not_found` when one names nothing that the actor may know of
 */
export async function resolveScope(
  route: Route,
  sent: Readonly<Record<string, unknown>>,
  actor: Actor,
  resolvers: Resolvers,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(route.scope)) {
    const value = sent[name];
    if (value === undefined) continue;
    const ids = idsOf(value);
    const resolve: Resolver<ScopeKind> = resolvers[kind];
    const objects: ReadonlyMap<number, unknown> = await resolve([...new Set(ids)], actor, found);
    const loaded = ids.map((id) => {
      const object = objects.get(id);
      if (object === undefined) throw new DomainError('not_found');
      return object;
    });
    found[name] = Array.isArray(value) ? loaded : loaded[0];
  }
  return found;
}

/** Narrows to a signed-in actor, for rules behind routes that visitors cannot reach. */
export function signedIn(actor: Actor): SignedInActor {
  if (actor.userID === null || actor.username === null || actor.loginSessionID === null)
    throw new DomainError('not_signed_in');
  return {
    ...actor,
    userID: actor.userID,
    username: actor.username,
    loginSessionID: actor.loginSessionID,
  };
}
