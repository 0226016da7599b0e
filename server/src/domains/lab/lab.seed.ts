/** Putting a lab of the first content in place; what learners did with it stays. */
import { and, eq, notInArray, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { findLabs, labWords, moveFolder } from './lab.queries.ts';
import { labResources, labTags, labTasks, labs } from './lab.schema.ts';

type Insert = typeof labs.$inferInsert;
export type SeedLab = Required<
  Pick<
    Insert,
    | 'type'
    | 'titleZh'
    | 'titleEn'
    | 'descriptionZh'
    | 'descriptionEn'
    | 'contentZh'
    | 'contentEn'
    | 'coverKind'
    | 'coverSeed'
    | 'domainID'
    | 'specificationID'
    | 'sequence'
  >
> & { slug: string };
export type SeedTask = Required<
  Pick<
    typeof labTasks.$inferInsert,
    'titleZh' | 'titleEn' | 'contentZh' | 'contentEn' | 'minutes' | 'sequence'
  >
> & { slug: string };
export type SeedResource = Required<
  Pick<
    typeof labResources.$inferInsert,
    'type' | 'titleZh' | 'titleEn' | 'path' | 'sizeBytes' | 'sequence'
  >
>;

/** @returns its id */
export async function seedLab(
  db: Executor,
  lab: SeedLab,
  tagIDs: readonly number[],
  tasks: readonly SeedTask[],
  resources: readonly SeedResource[],
): Promise<number> {
  const { slug, ...changing } = lab;
  const words = labWords(lab, tasks);
  const [row] = await db
    .insert(labs)
    .values({ slug, ...changing, words, isPublished: true })
    .onConflictDoUpdate({ target: labs.slug, set: { ...changing, words, updatedAt: sql`now()` } })
    .returning({ id: labs.id });
  if (!row) throw new Error(`lab ${slug} was not made`);
  const labID = row.id;
  await db.delete(labTags).where(eq(labTags.labID, labID));
  if (tagIDs.length > 0) await db.insert(labTags).values(tagIDs.map((tagID) => ({ labID, tagID })));
  for (const task of tasks) {
    const { slug: taskSlug, ...taskChanging } = task;
    await db
      .insert(labTasks)
      .values({ labID, slug: taskSlug, ...taskChanging })
      .onConflictDoUpdate({ target: [labTasks.labID, labTasks.slug], set: taskChanging });
  }
  await db.delete(labTasks).where(
    and(
      eq(labTasks.labID, labID),
      notInArray(
        labTasks.slug,
        tasks.map((task) => task.slug),
      ),
    ),
  );
  for (const resource of resources) {
    const { path, ...resourceChanging } = resource;
    await db
      .insert(labResources)
      .values({ labID, path, ...resourceChanging })
      .onConflictDoUpdate({
        target: [labResources.labID, labResources.path],
        set: resourceChanging,
      });
  }
  await db
    .delete(labResources)
    .where(
      and(
        eq(labResources.labID, labID),
        notInArray(labResources.path, ['', ...resources.map(({ path }) => path)]),
      ),
    );
  return labID;
}

/** Gives a lab the folder of its files; the one before stays for those that opened it. */
export async function setLabFolder(db: Executor, labID: number, folder: string): Promise<void> {
  const [lab] = await findLabs(db, [labID]);
  if (lab) await moveFolder(db, lab, folder, sql`now()`);
}
