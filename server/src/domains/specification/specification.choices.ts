import { and, asc, eq, exists } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { findSpecifications, type Specification } from './specification.queries.ts';
import { specificationNodes, specifications } from './specification.schema.ts';

/** Shared specifications of a type that can be opened, in order: what a learner may choose from. */
export async function listSharedSpecifications(
  db: Executor,
  imageType: number,
): Promise<Specification[]> {
  const rows = await db
    .select({ id: specifications.id })
    .from(specifications)
    .where(
      and(
        eq(specifications.imageType, imageType),
        eq(specifications.isShared, true),
        exists(
          db
            .select({ id: specificationNodes.id })
            .from(specificationNodes)
            .where(eq(specificationNodes.specificationID, specifications.id)),
        ),
      ),
    )
    .orderBy(asc(specifications.id));
  const ids = rows.map(({ id }) => id);
  const found = await findSpecifications(db, ids);
  return found.toSorted((a, b) => a.id - b.id);
}
