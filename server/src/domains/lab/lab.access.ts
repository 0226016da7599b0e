/**
 * Published labs are open; drafts exist for their owner and for admins only. A task or a resource
 * is reached only through its own lab.
 */
import type { Resolver } from '../../platform/access/access.ts';
import { managesRow } from '../../platform/access/managed.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  findLabs,
  findResources,
  findTasks,
  type LabResourceRow,
  type LabRow,
  type LabTaskRow,
} from './lab.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    lab: LabRow;
    managedLab: LabRow;
    labTask: LabTaskRow;
    labResource: LabResourceRow;
  }
}

/** The lab that the same request names; a task named without its lab names nothing. */
const labOf = (found: Readonly<Record<string, unknown>>): LabRow | undefined =>
  (found['labID'] ?? found['LabID']) as LabRow | undefined;

export const resolveLabs =
  (database: Database): Resolver<'lab'> =>
  async (ids, actor) =>
    new Map(
      (await findLabs(database, ids))
        .filter((row) => row.isPublished || managesRow(actor, row))
        .map((row) => [row.id, row]),
    );

export const resolveManagedLabs =
  (database: Database): Resolver<'managedLab'> =>
  async (ids, actor) =>
    new Map(
      (await findLabs(database, ids))
        .filter((row) => managesRow(actor, row))
        .map((row) => [row.id, row]),
    );

export const resolveLabTasks =
  (database: Database): Resolver<'labTask'> =>
  async (ids, _actor, found) => {
    const lab = labOf(found);
    return new Map(lab ? (await findTasks(database, ids, lab)).map((row) => [row.id, row]) : []);
  };

export const resolveLabResources =
  (database: Database): Resolver<'labResource'> =>
  async (ids, _actor, found) => {
    const lab = labOf(found);
    return new Map(
      lab ? (await findResources(database, ids, lab)).map((row) => [row.id, row]) : [],
    );
  };
