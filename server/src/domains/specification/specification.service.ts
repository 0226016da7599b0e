/** What other domains may ask of specifications. */
export {
  findDefaultSpecification,
  findSpecifications,
  type Specification,
} from './specification.queries.ts';
import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { specificationNodes, specifications } from './specification.schema.ts';

export type SeedNode = Omit<
  typeof specificationNodes.$inferInsert,
  'id' | 'specificationID' | 'sequence'
>;
export type SeedSpecification = Required<
  Omit<typeof specifications.$inferInsert, 'id' | 'isShared' | 'slug'>
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
