/** A suggestion exists for its author and for staff, and for everybody once its author says so. */
import type { Actor, Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findRows, type SuggestionRow } from './suggestion.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    suggestion: SuggestionRow;
    ownSuggestion: SuggestionRow;
  }
}

/** Its author, and whoever looks after suggestions. */
const isOwn = (actor: Actor, row: SuggestionRow): boolean =>
  actor.roles.includes('admin') || (actor.userID !== null && row.userID === actor.userID);

const resolve =
  (database: Database, exists: (actor: Actor, row: SuggestionRow) => boolean) =>
  async (ids: readonly number[], actor: Actor): Promise<ReadonlyMap<number, SuggestionRow>> =>
    new Map(
      (await findRows(database, ids))
        .filter((row) => exists(actor, row))
        .map((row) => [row.id, row]),
    );

export const resolveSuggestions = (database: Database): Resolver<'suggestion'> =>
  resolve(database, (actor, row) => row.isPublic || isOwn(actor, row));

export const resolveOwnSuggestions = (database: Database): Resolver<'ownSuggestion'> =>
  resolve(database, isOwn);
