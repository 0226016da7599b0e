import { asc, eq, inArray } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { images } from '../image/image.schema.ts';
import { specificationNodes, specifications } from './specification.schema.ts';

export type SpecificationRow = typeof specifications.$inferSelect;
export type NodeRow = typeof specificationNodes.$inferSelect & {
  imageTitleZh: string;
  imageTitleEn: string;
};
export type Specification = SpecificationRow & { nodes: NodeRow[] };

/** Specifications with their nodes in order; two statements whatever the number. */
export async function findSpecifications(
  db: Executor,
  ids: readonly number[],
): Promise<Specification[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select()
    .from(specifications)
    .where(inArray(specifications.id, [...ids]));
  const nodes = await db
    .select({
      node: specificationNodes,
      imageTitleZh: images.titleZh,
      imageTitleEn: images.titleEn,
    })
    .from(specificationNodes)
    .innerJoin(images, eq(images.id, specificationNodes.imageID))
    .where(inArray(specificationNodes.specificationID, [...ids]))
    .orderBy(asc(specificationNodes.sequence));
  return rows.map((row) => ({
    ...row,
    nodes: nodes
      .filter(({ node }) => node.specificationID === row.id)
      .map(({ node, imageTitleZh, imageTitleEn }) => ({ ...node, imageTitleZh, imageTitleEn })),
  }));
}

/** The first shared specification of an image type: what an environment by image alone runs on. */
export async function findDefaultSpecification(
  db: Executor,
  imageType: number,
): Promise<Specification | undefined> {
  const [row] = await db
    .select({ id: specifications.id })
    .from(specifications)
    .where(eq(specifications.imageType, imageType))
    .orderBy(asc(specifications.id))
    .limit(1);
  return row && (await findSpecifications(db, [row.id]))[0];
}
