import { and, asc, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { Dependent } from '@hypercube/contract';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { images } from '../image/image.schema.ts';
import { users } from '../user/user.schema.ts';
import { specificationNodes, specifications } from './specification.schema.ts';

export type SpecificationRow = typeof specifications.$inferSelect;
export type NodeRow = typeof specificationNodes.$inferSelect & {
  imageTitleZh: string;
  imageTitleEn: string;
};
export type Specification = SpecificationRow & {
  /** Nickname of who made it. */
  owner: string | null;
  nodes: NodeRow[];
};

/** The nodes of specifications, in order. */
async function withNodes(
  db: Executor,
  rows: readonly { specification: SpecificationRow; owner: string | null }[],
): Promise<Specification[]> {
  if (rows.length === 0) return [];
  const nodes = await db
    .select({
      node: specificationNodes,
      imageTitleZh: images.titleZh,
      imageTitleEn: images.titleEn,
    })
    .from(specificationNodes)
    .innerJoin(images, eq(images.id, specificationNodes.imageID))
    .where(
      inArray(
        specificationNodes.specificationID,
        rows.map(({ specification }) => specification.id),
      ),
    )
    .orderBy(asc(specificationNodes.sequence), asc(specificationNodes.id));
  return rows.map(({ specification, owner }) => ({
    ...specification,
    owner,
    nodes: nodes
      .filter(({ node }) => node.specificationID === specification.id)
      .map(({ node, imageTitleZh, imageTitleEn }) => ({ ...node, imageTitleZh, imageTitleEn })),
  }));
}

/** Specifications with their nodes in order; two statements whatever the number. */
export async function findSpecifications(
  db: Executor,
  ids: readonly number[],
): Promise<Specification[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ specification: specifications, owner: users.nickname })
    .from(specifications)
    .leftJoin(users, eq(users.id, specifications.ownerID))
    .where(inArray(specifications.id, [...ids]));
  return withNodes(db, rows);
}

export interface SpecificationFilter {
  /** Shared ones and those of this user; everybody's when undefined. */
  readonly visibleTo: number | undefined;
  /** Only this user's own. */
  readonly ownerID: number | undefined;
  readonly keyword: string | undefined;
  readonly imageType: number | undefined;
  readonly sort: 'latest' | 'name';
  readonly page: number;
  readonly pageSize: number;
}

/** A page of specifications with their nodes, and how many there are in all. */
export async function listSpecificationRows(
  db: Executor,
  filter: SpecificationFilter,
): Promise<{ rows: Specification[]; total: number }> {
  const like = filter.keyword ? likePattern(filter.keyword) : undefined;
  const condition = and(
    filter.visibleTo === undefined
      ? undefined
      : or(specifications.isShared, eq(specifications.ownerID, filter.visibleTo)),
    filter.ownerID === undefined ? undefined : eq(specifications.ownerID, filter.ownerID),
    filter.imageType === undefined ? undefined : eq(specifications.imageType, filter.imageType),
    like === undefined
      ? undefined
      : sql`(${specifications.nameZh} ilike ${like} or ${specifications.nameEn} ilike ${like})`,
  );
  const orders: Record<SpecificationFilter['sort'], SQL> = {
    latest: desc(specifications.createdAt),
    name: asc(specifications.nameZh),
  };
  const rows = await db
    .select({ specification: specifications, owner: users.nickname })
    .from(specifications)
    .leftJoin(users, eq(users.id, specifications.ownerID))
    .where(condition)
    .orderBy(orders[filter.sort], desc(specifications.id))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return { rows: await withNodes(db, rows), total: await db.$count(specifications, condition) };
}

/** The first shared specification of an image type: what an environment by image alone runs on. */
export async function findDefaultSpecification(
  db: Executor,
  imageType: number,
): Promise<Specification | undefined> {
  const [row] = await db
    .select({ id: specifications.id })
    .from(specifications)
    .where(
      and(
        eq(specifications.imageType, imageType),
        eq(specifications.isShared, true),
        sql`exists (select 1 from specification_node n where n.specification_id = ${specifications}.id)`,
      ),
    )
    .orderBy(asc(specifications.id))
    .limit(1);
  return row && (await findSpecifications(db, [row.id]))[0];
}

export type SpecificationValues = Pick<
  typeof specifications.$inferInsert,
  'nameZh' | 'nameEn' | 'isShared' | 'lifetimeSeconds'
>;

export async function insertSpecification(
  db: Executor,
  values: SpecificationValues & { imageType: number; ownerID: number },
): Promise<number> {
  const [row] = await db.insert(specifications).values(values).returning({ id: specifications.id });
  if (!row) throw new Error('the specification was not made');
  return row.id;
}

export async function updateSpecificationRow(
  db: Executor,
  specificationID: number,
  values: SpecificationValues,
): Promise<void> {
  await db.update(specifications).set(values).where(eq(specifications.id, specificationID));
}

export async function deleteSpecificationRow(db: Executor, specificationID: number): Promise<void> {
  await db.delete(specifications).where(eq(specifications.id, specificationID));
}

/** Until the transaction ends, nobody else adds, orders or takes out nodes, or begins to use it. */
export async function lockSpecification(db: Executor, specificationID: number): Promise<void> {
  await db
    .select({ id: specifications.id })
    .from(specifications)
    .where(eq(specifications.id, specificationID))
    .for('update');
}

export type NodeValues = Omit<
  typeof specificationNodes.$inferInsert,
  'id' | 'specificationID' | 'sequence'
>;

/** Adds a node behind the others. */
export async function insertNode(
  db: Executor,
  specificationID: number,
  sequence: number,
  values: NodeValues,
): Promise<void> {
  await db.insert(specificationNodes).values({ ...values, specificationID, sequence });
}

export async function updateNodeRow(
  db: Executor,
  nodeID: number,
  values: Partial<NodeValues> | { sequence: number },
): Promise<void> {
  await db.update(specificationNodes).set(values).where(eq(specificationNodes.id, nodeID));
}

export async function deleteNodeRow(db: Executor, nodeID: number): Promise<void> {
  await db.delete(specificationNodes).where(eq(specificationNodes.id, nodeID));
}

/** Something that would miss a specification or an image. */
export interface DependentRow {
  readonly kind: Dependent['Kind'];
  readonly id: number;
  readonly titleZh: string;
  readonly titleEn: string;
}

/** More would only fill the page. */
const DEPENDENTS_SHOWN = 50;

/** What names a specification; drafts of labs and software among them unless only published ones count. */
export async function listDependents(
  db: Executor,
  specificationID: number,
  { isPublished }: { isPublished: boolean },
): Promise<DependentRow[]> {
  const drafts = isPublished ? sql`and is_published` : sql``;
  const { rows } = await db.execute<{
    kind: Dependent['Kind'];
    id: number;
    title_zh: string;
    title_en: string;
  }>(sql`
    select 'lab' as kind, id, title_zh, title_en from lab
     where specification_id = ${specificationID} ${drafts}
    union all
    select 'software', id, title_zh, title_en from software
     where specification_id = ${specificationID} ${drafts}
    union all
    select 'computer', id, name, name from computer where specification_id = ${specificationID}
    order by 1, 2 limit ${DEPENDENTS_SHOWN}`);
  return rows.map((row) => ({
    kind: row.kind,
    id: row.id,
    titleZh: row.title_zh,
    titleEn: row.title_en,
  }));
}
