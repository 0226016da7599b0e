/**
 * An application exists for its applicant, for admins, and for the machine admins of its centre;
 * another centre's is not there at all.
 */
import type { Actor, Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  findCentres,
  findManagedRows,
  findOwnRows,
  type CentreRow,
  type ResourceRow,
  type StaffScope,
} from './resource.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    ownResource: ResourceRow;
    managedResource: ResourceRow;
    openCentre: CentreRow;
  }
}

/** What somebody looks after in the role in which they act; undefined: nothing. */
export function staffScopeOf(actor: Actor): StaffScope | undefined {
  const isAdmin = actor.roles.includes('admin');
  return actor.userID !== null && (isAdmin || actor.roles.includes('machine_admin'))
    ? { isAdmin, userID: actor.userID }
    : undefined;
}

const byID = (rows: readonly ResourceRow[]): ReadonlyMap<number, ResourceRow> =>
  new Map(rows.map((row) => [row.id, row]));

export const resolveOwnResources =
  (database: Database): Resolver<'ownResource'> =>
  async (ids, actor) =>
    byID(actor.userID === null ? [] : await findOwnRows(database, ids, actor.userID));

export const resolveManagedResources =
  (database: Database): Resolver<'managedResource'> =>
  async (ids, actor) => {
    const scope = staffScopeOf(actor);
    return byID(scope === undefined ? [] : await findManagedRows(database, ids, scope));
  };

/** Centres where one can apply: each that there is. */
export const resolveOpenCentres =
  (database: Database): Resolver<'openCentre'> =>
  async (ids) =>
    new Map((await findCentres(database, ids)).map((row) => [row.id, row]));
