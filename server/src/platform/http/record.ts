/**
 * What is recorded of an action by staff: who did what to which things, and what differs
 * afterwards. Texts are shortened and secrets masked here, once, so that no record can hold them.
 */
import { meets, type Role, type Route, type ScopeKind } from '@hypercube/contract';
import type { Actor, Resolver, Resolvers } from '../access/access.ts';

/** A thing that an action was about, by the name that it had then. */
export interface RecordedThing {
  readonly Kind: string;
  readonly ID: number | null;
  readonly Title: string;
}

/** A field that differs; null: there was nothing, or there is nothing any more. */
export interface RecordedChange {
  readonly Kind: string;
  readonly ID: number | null;
  readonly Field: string;
  readonly Before: string | null;
  readonly After: string | null;
}

/** A thing before and after, for what the scope of a route does not name. */
export interface NotedChange {
  readonly kind: string;
  readonly id: number | null;
  readonly title: string;
  readonly before: object | null;
  readonly after: object | null;
}

export interface RecordedAction {
  readonly userID: number;
  readonly username: string;
  readonly role: Role;
  readonly address: string;
  readonly action: string;
  readonly method: string;
  readonly path: string;
  readonly kind: string;
  readonly things: readonly RecordedThing[];
  readonly changes: readonly RecordedChange[];
  readonly sent: readonly { Field: string; Value: string }[];
  readonly requestID: string;
  readonly code: string | null;
}

/** Keeps what staff did. */
export type Recorder = (action: RecordedAction) => Promise<void>;

const LEARNER: readonly Role[] = ['anonymous', 'student'];

/** Whether calls in some roles are recorded: changes that a student may not make, and what says so. */
export const isRecorded = (
  { access, method, isRecorded: isNamed }: Route,
  roles: readonly Role[],
): boolean =>
  isNamed === true ||
  (isNamed !== undefined && meets(roles, [isNamed])) ||
  (method !== 'GET' && 'need' in access && !meets(LEARNER, access.need));

const TEXT_MAX = 200;
const LEAD = 30;
const FIELDS_MAX = 60;
const MASK = '•••';
const SECRET = /pass|secret|token|hash|credential|privatekey|apikey|cookie/i;
/** Columns that say nothing to people: counters that move by themselves, and words cut for search. */
const NOISE = new Set(['words', 'updatedAt', 'version', 'Version', 'UpdatedAt']);

/** A value as people read it; objects as JSON, in which secrets are masked at every depth. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object')
    return JSON.stringify(value, (key, inner: unknown) => (SECRET.test(key) ? MASK : inner));
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : null;
}

/** The part of a text from which two differ, with some lead. */
function excerpt(text: string | null, from: number): string | null {
  if (text === null || text.length <= TEXT_MAX) return text;
  const start = Math.max(0, Math.min(from - LEAD, text.length - TEXT_MAX));
  const part = text.slice(start, start + TEXT_MAX);
  return `${start > 0 ? '…' : ''}${part}${start + TEXT_MAX < text.length ? '…' : ''}`;
}

function firstDifference(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index += 1) if (a[index] !== b[index]) return index;
  return end;
}

const fieldsOf = (thing: object | null): Map<string, unknown> =>
  new Map(Object.entries(thing ?? {}).filter(([key]) => !NOISE.has(key)));

/** What differs between two states of a thing. */
export function differences(
  kind: string,
  id: number | null,
  before: object | null,
  after: object | null,
): RecordedChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const changes: RecordedChange[] = [];
  for (const field of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [textOf(was.get(field)), textOf(is.get(field))];
    if (old === now) continue;
    const at = old === null || now === null ? 0 : firstDifference(old, now);
    const isSecret = SECRET.test(field);
    changes.push({
      Kind: kind,
      ID: id,
      Field: field,
      Before: isSecret && old !== null ? MASK : excerpt(old, at),
      After: isSecret && now !== null ? MASK : excerpt(now, at),
    });
  }
  return changes.slice(0, FIELDS_MAX);
}

/** What was sent, field by field. */
const sentOf = (body: object): { Field: string; Value: string }[] =>
  Object.entries(body)
    .flatMap(([Field, value]) => {
      const text = SECRET.test(Field) ? MASK : excerpt(textOf(value), 0);
      return text === null ? [] : [{ Field, Value: text }];
    })
    .slice(0, FIELDS_MAX);

const TITLES = ['titleZh', 'nameZh', 'username', 'name', 'title', 'TitleZh', 'NameZh', 'Username'];

const titleOf = (thing: object): string => {
  const fields = new Map<string, unknown>(Object.entries(thing));
  const title = TITLES.map((key) => fields.get(key)).find((value) => typeof value === 'string');
  return typeof title === 'string' ? title : '';
};

interface ScopedThing {
  readonly kind: ScopeKind;
  readonly id: number;
  readonly before: object;
}

const isThing = (value: unknown): value is { readonly id: number } =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number';

/** The things that a request names. */
function thingsOf(route: Route, scoped: Readonly<Record<string, unknown>>): ScopedThing[] {
  return Object.entries(route.scope).flatMap(([name, kind]) =>
    [scoped[name]]
      .flat()
      .filter(isThing)
      .map((thing) => ({ kind, id: thing.id, before: { ...thing } })),
  );
}

/** The same things as they are now; what is gone, or out of this actor's sight, is not there. */
async function readAgain(
  things: readonly ScopedThing[],
  scoped: Readonly<Record<string, unknown>>,
  actor: Actor,
  resolvers: Resolvers,
): Promise<Map<ScopedThing, object>> {
  const now = new Map<ScopedThing, object>();
  for (const kind of new Set(things.map((thing) => thing.kind))) {
    const same = things.filter((thing) => thing.kind === kind);
    const resolve: Resolver<ScopeKind> = resolvers[kind];
    const found: ReadonlyMap<number, unknown> = await resolve(
      [...new Set(same.map(({ id }) => id))],
      actor,
      scoped,
    );
    for (const thing of same) {
      const object = found.get(thing.id);
      if (typeof object === 'object' && object !== null) now.set(thing, object);
    }
  }
  return now;
}

/** A thing that was made, from the answer that tells of it. */
function madeOf(route: Route, answer: unknown): NotedChange[] {
  if (route.method !== 'POST' || typeof answer !== 'object' || answer === null) return [];
  if (!('ID' in answer) || typeof answer.ID !== 'number') return [];
  const literal = route.path.split('/').findLast((step) => step !== '' && !step.startsWith(':'));
  return [
    {
      kind: literal ?? '',
      id: answer.ID,
      title: titleOf(answer),
      before: null,
      after: answer,
    },
  ];
}

export interface Watched {
  readonly name: string;
  readonly route: Route;
  readonly actor: Actor;
  readonly scoped: Readonly<Record<string, unknown>>;
  readonly body: object;
  readonly address: string;
  readonly path: string;
  readonly requestID: string;
}

/** An action while it is done: begun with what was there before, ended with what came of it. */
export class ActionRecord {
  readonly #watched: Watched;
  readonly #things: readonly ScopedThing[];
  readonly #noted: NotedChange[] = [];

  constructor(watched: Watched) {
    this.#watched = watched;
    // Taken now: a handler may change the objects that it was given.
    this.#things = thingsOf(watched.route, watched.scoped);
  }

  note(change: NotedChange): void {
    this.#noted.push(change);
  }

  /** @param code of a refusal; null when it was done */
  async finish(
    resolvers: Resolvers,
    answer: unknown,
    code: string | null,
  ): Promise<RecordedAction> {
    const { route, actor, scoped, ...watched } = this.#watched;
    const noted = [...this.#noted, ...(code === null ? madeOf(route, answer) : [])];
    // A refusal changes nothing, so nothing is read again for it.
    const isRead = code === null && route.method !== 'GET';
    const now = isRead ? await readAgain(this.#things, scoped, actor, resolvers) : undefined;
    return {
      userID: actor.userID ?? 0,
      username: actor.username ?? '',
      role: actor.roles.at(-1) ?? 'anonymous',
      address: watched.address,
      action: watched.name,
      method: route.method,
      path: watched.path,
      kind: route.path.split('/')[1] ?? '',
      things: [
        ...this.#things.map(({ kind, id, before }) => ({
          Kind: kind,
          ID: id,
          Title: titleOf(before),
        })),
        ...noted.map(({ kind, id, title }) => ({ Kind: kind, ID: id, Title: title })),
      ],
      changes: [
        ...(now === undefined
          ? []
          : this.#things.flatMap((thing) =>
              differences(thing.kind, thing.id, thing.before, now.get(thing) ?? null),
            )),
        ...noted.flatMap(({ kind, id, before, after }) => differences(kind, id, before, after)),
      ],
      sent: sentOf(this.#watched.body),
      requestID: watched.requestID,
      code,
    };
  }
}
