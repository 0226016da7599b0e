/**
 * Shared specifications may be used by everybody who may open environments, one's own by oneself;
 * an admin looks after all. A node is reached only through its own specification.
 */
import type { Resolver } from '../../platform/access/access.ts';
import { managesRow } from '../../platform/access/managed.ts';
import type { Database } from '../../platform/database/database.ts';
import { findSpecifications, type NodeRow, type Specification } from './specification.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    specification: Specification;
    managedSpecification: Specification;
    node: NodeRow;
  }
}

export const resolveSpecifications =
  (database: Database): Resolver<'specification'> =>
  async (ids, actor) =>
    new Map(
      (await findSpecifications(database, ids))
        .filter((row) => row.isShared || managesRow(actor, row))
        .map((row) => [row.id, row]),
    );

export const resolveManagedSpecifications =
  (database: Database): Resolver<'managedSpecification'> =>
  async (ids, actor) =>
    new Map(
      (await findSpecifications(database, ids))
        .filter((row) => managesRow(actor, row))
        .map((row) => [row.id, row]),
    );

/** The specification of the same request was loaded with its nodes. */
export const resolveNodes: Resolver<'node'> = async (ids, _actor, found) => {
  const specification = found['specificationID'] as Specification | undefined;
  return new Map(
    (specification?.nodes ?? []).filter(({ id }) => ids.includes(id)).map((row) => [row.id, row]),
  );
};
