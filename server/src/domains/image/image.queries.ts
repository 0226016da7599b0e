import { asc, eq, inArray } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { images } from './image.schema.ts';

export type ImageRow = typeof images.$inferSelect;

export const findImages = (db: Executor, ids: readonly number[]): Promise<ImageRow[]> =>
  db
    .select()
    .from(images)
    .where(inArray(images.id, [...ids]));

export const listImageRows = (db: Executor): Promise<ImageRow[]> =>
  db.select().from(images).orderBy(asc(images.id));

export async function updateImageBuild(
  db: Executor,
  slug: string,
  build: Partial<
    Pick<
      ImageRow,
      'reference' | 'buildState' | 'buildStep' | 'buildSteps' | 'buildText' | 'buildStartedAt'
    >
  >,
): Promise<void> {
  await db.update(images).set(build).where(eq(images.slug, slug));
}

export type BuiltInImage = Required<
  Pick<typeof images.$inferInsert, 'type' | 'titleZh' | 'titleEn'>
> & { slug: string };

export async function upsertImage(db: Executor, image: BuiltInImage): Promise<number> {
  const { slug, ...changing } = image;
  const [row] = await db
    .insert(images)
    .values({ slug, ...changing })
    .onConflictDoUpdate({ target: images.slug, set: changing })
    .returning({ id: images.id });
  if (!row) throw new Error(`image ${slug} was not made`);
  return row.id;
}
