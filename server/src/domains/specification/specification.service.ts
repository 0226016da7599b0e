/** The rules of specifications, and what other domains may ask of them. */
import { COUNT_LIMITS, NODE_LIMITS, type Language } from '@hypercube/contract';
import { eq } from 'drizzle-orm';
import {
  FOREIGN_KEY_VIOLATION,
  sqlState,
  type Database,
  type Executor,
} from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import { presentDependent } from './specification.present.ts';
import * as queries from './specification.queries.ts';
import type { NodeRow, Specification, SpecificationValues } from './specification.queries.ts';
import { specificationNodes, specifications } from './specification.schema.ts';

export {
  findDefaultSpecification,
  findSpecifications,
  lockSpecification,
  type DependentRow,
  type Specification,
} from './specification.queries.ts';
export { presentDependent } from './specification.present.ts';

/** Nothing needs more for messages between the ranks of one node. */
const SHM_MAX_BYTES = 1024 ** 3;

/** A node as staff describe it; the rest follows from that. */
export interface NodeRequest {
  readonly name: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly image: { readonly id: number; readonly type: number };
}

export interface SpecificationServiceOptions {
  readonly database: Database;
  /** What one environment may reserve at most: all that the host has for environments. */
  readonly capacity: { readonly cpus: number; readonly memoryBytes: number };
}

export type SpecificationService = ReturnType<typeof createSpecificationService>;

export function createSpecificationService({ database, capacity }: SpecificationServiceOptions) {
  /** Changes a specification that is locked and read afresh, and answers how it is afterwards. */
  async function change(
    specificationID: number,
    act: (tx: Executor, current: Specification) => Promise<void>,
  ): Promise<Specification> {
    return database.transaction(async (tx) => {
      await queries.lockSpecification(tx, specificationID);
      const [current] = await queries.findSpecifications(tx, [specificationID]);
      if (!current) throw new DomainError('not_found');
      await act(tx, current);
      const [changed] = await queries.findSpecifications(tx, [specificationID]);
      if (!changed) throw new Error(`specification ${specificationID} vanished`);
      return changed;
    });
  }

  async function refuseUsed(
    db: Executor,
    specificationID: number,
    language: Language,
    options: { isPublished: boolean },
  ): Promise<void> {
    const dependents = await queries.listDependents(db, specificationID, options);
    if (dependents.length > 0)
      throw new DomainError('in_use', {
        Dependents: dependents.map((row) => presentDependent(row, language)),
      });
  }

  /** @throws DomainError when the specification could then never start */
  function checkNode(
    { imageType, nodes }: Pick<Specification, 'imageType'> & { nodes: readonly NodeRow[] },
    request: NodeRequest,
  ): void {
    if (request.image.type !== imageType) throw new DomainError('image_type_differs');
    if (nodes.some(({ name }) => name === request.name))
      throw new DomainError('node_name_taken', { Name: request.name });
    const cpus = nodes.reduce((sum, node) => sum + node.cpus, request.cpus);
    const memoryBytes = nodes.reduce((sum, node) => sum + node.memoryBytes, request.memoryBytes);
    if (cpus > capacity.cpus || memoryBytes > capacity.memoryBytes)
      throw new DomainError('usage_too_large', { Cpus: cpus, MemoryBytes: memoryBytes });
  }

  const nodeValues = ({ name, cpus, memoryBytes, diskBytes, image }: NodeRequest) => ({
    name,
    cpus,
    memoryBytes,
    diskBytes,
    imageID: image.id,
    shmBytes: Math.min(SHM_MAX_BYTES, Math.floor(memoryBytes * NODE_LIMITS.shmShare)),
    pids: NODE_LIMITS.pids,
  });

  return {
    async create(
      values: SpecificationValues & { imageType: number; ownerID: number },
    ): Promise<Specification> {
      const specificationID = await queries.insertSpecification(database, values);
      const [made] = await queries.findSpecifications(database, [specificationID]);
      if (!made) throw new Error(`specification ${specificationID} vanished`);
      return made;
    },

    /** Running environments keep what they have. What is published must stay open to everybody. */
    update: (row: Specification, values: SpecificationValues, language: Language) =>
      change(row.id, async (tx, current) => {
        if (current.isShared && !values.isShared)
          await refuseUsed(tx, row.id, language, { isPublished: true });
        await queries.updateSpecificationRow(tx, row.id, values);
      }),

    async remove(row: Specification, language: Language): Promise<void> {
      try {
        await database.transaction(async (tx) => {
          await queries.lockSpecification(tx, row.id);
          await refuseUsed(tx, row.id, language, { isPublished: false });
          await queries.deleteSpecificationRow(tx, row.id);
        });
      } catch (error) {
        // Whoever began to use it meanwhile is in the records by now.
        if (sqlState(error) !== FOREIGN_KEY_VIOLATION) throw error;
        await refuseUsed(database, row.id, language, { isPublished: false });
        throw error;
      }
    },

    addNode: (row: Specification, request: NodeRequest) =>
      change(row.id, async (tx, current) => {
        if (current.nodes.length >= COUNT_LIMITS.nodesPerSpecification)
          throw new DomainError('too_many_nodes', { Limit: COUNT_LIMITS.nodesPerSpecification });
        checkNode(current, request);
        await queries.insertNode(tx, row.id, current.nodes.length + 1, nodeValues(request));
      }),

    updateNode: (row: Specification, node: NodeRow, request: NodeRequest) =>
      change(row.id, async (tx, current) => {
        const others = current.nodes.filter(({ id }) => id !== node.id);
        if (others.length === current.nodes.length) throw new DomainError('not_found');
        checkNode({ ...current, nodes: others }, request);
        await queries.updateNodeRow(tx, node.id, nodeValues(request));
      }),

    removeNode: (row: Specification, node: NodeRow, language: Language) =>
      change(row.id, async (tx, current) => {
        const others = current.nodes.filter(({ id }) => id !== node.id);
        if (others.length === current.nodes.length) throw new DomainError('not_found');
        if (others.length === 0) await refuseUsed(tx, row.id, language, { isPublished: true });
        await queries.deleteNodeRow(tx, node.id);
        for (const [index, { id }] of others.entries())
          await queries.updateNodeRow(tx, id, { sequence: index + 1 });
      }),

    /** @param nodes all of them, in their new order */
    orderNodes: (row: Specification, nodes: readonly NodeRow[]) =>
      change(row.id, async (tx, current) => {
        const named = new Set(nodes.map(({ id }) => id));
        if (
          named.size !== nodes.length ||
          named.size !== current.nodes.length ||
          current.nodes.some(({ id }) => !named.has(id))
        )
          throw new DomainError('order_incomplete');
        for (const [index, { id }] of nodes.entries())
          await queries.updateNodeRow(tx, id, { sequence: index + 1 });
      }),
  };
}

export type SeedNode = Omit<
  typeof specificationNodes.$inferInsert,
  'id' | 'specificationID' | 'sequence'
>;
export type SeedSpecification = Required<
  Pick<typeof specifications.$inferInsert, 'nameZh' | 'nameEn' | 'imageType' | 'lifetimeSeconds'>
> & { slug: string };

/** Puts a specification of the first content in place, with its nodes. @returns its id */
export async function seedSpecification(
  db: Executor,
  specification: SeedSpecification,
  nodes: readonly SeedNode[],
): Promise<number> {
  const { slug, ...changing } = specification;
  const [row] = await db
    .insert(specifications)
    .values({ slug, ...changing })
    .onConflictDoUpdate({ target: specifications.slug, set: changing })
    .returning({ id: specifications.id });
  if (!row) throw new Error(`specification ${slug} was not made`);
  await db.delete(specificationNodes).where(eq(specificationNodes.specificationID, row.id));
  await db
    .insert(specificationNodes)
    .values(
      nodes.map((node, index) => ({ ...node, specificationID: row.id, sequence: index + 1 })),
    );
  return row.id;
}
