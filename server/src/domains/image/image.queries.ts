import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import type { DependentRow } from '../specification/specification.service.ts';
import { users } from '../user/user.schema.ts';
import { imageVersions, images, type ImagePart } from './image.schema.ts';

export type ImageRow = typeof images.$inferSelect;
export type ImageVersionRow = typeof imageVersions.$inferSelect;

/** An image with its version in use. */
export type ImageListRow = ImageRow & {
  /** Nickname of who made it. */
  owner: string | null;
  /** Of the version in use; null while there is none. */
  number: number | null;
  sizeBytes: number | null;
  contents: ImagePart[] | null;
};

export const findImages = (db: Executor, ids: readonly number[]): Promise<ImageRow[]> =>
  db
    .select()
    .from(images)
    .where(inArray(images.id, [...ids]));

export const listBuiltInImages = (db: Executor): Promise<ImageRow[]> =>
  db.select().from(images).where(isNotNull(images.slug)).orderBy(asc(images.id));

const listed = (db: Executor) =>
  db
    .select({
      image: images,
      owner: users.nickname,
      number: imageVersions.number,
      sizeBytes: imageVersions.sizeBytes,
      contents: imageVersions.contents,
    })
    .from(images)
    .leftJoin(imageVersions, eq(imageVersions.id, images.versionID))
    .leftJoin(users, eq(users.id, images.ownerID));

/** An image as it is now; undefined when it is gone. */
export async function findImageListRow(
  db: Executor,
  imageID: number,
): Promise<ImageListRow | undefined> {
  const [row] = await listed(db).where(eq(images.id, imageID));
  if (!row) return undefined;
  const { image, ...rest } = row;
  return { ...image, ...rest };
}

export interface ImageFilter {
  /** Public ones and those of this user; everybody's when undefined. */
  readonly visibleTo: number | undefined;
  /** Only this user's own. */
  readonly ownerID: number | undefined;
  readonly keyword: string | undefined;
  readonly type: number | undefined;
  /** How the last build or commit ended. */
  readonly state: 'ready' | 'failed' | undefined;
  readonly sort: 'latest' | 'name' | 'size';
  readonly page: number;
  readonly pageSize: number;
}

/** A page of images, and how many there are in all. */
export async function listImageRows(
  db: Executor,
  filter: ImageFilter,
): Promise<{ rows: ImageListRow[]; total: number }> {
  const like = filter.keyword ? likePattern(filter.keyword) : undefined;
  const condition = and(
    filter.visibleTo === undefined
      ? undefined
      : or(
          // What somebody else has not finished yet is nobody's business.
          and(images.isPublic, or(isNotNull(images.slug), isNotNull(images.reference))),
          eq(images.ownerID, filter.visibleTo),
        ),
    filter.ownerID === undefined ? undefined : eq(images.ownerID, filter.ownerID),
    filter.type === undefined ? undefined : eq(images.type, filter.type),
    filter.state === undefined ? undefined : eq(images.buildState, filter.state),
    like === undefined
      ? undefined
      : sql`(${images.titleZh} ilike ${like} or ${images.titleEn} ilike ${like})`,
  );
  const orders: Record<ImageFilter['sort'], SQL> = {
    latest: desc(images.updatedAt),
    name: asc(images.titleZh),
    size: sql`${imageVersions.sizeBytes} desc nulls last`,
  };
  const rows = await listed(db)
    .where(condition)
    .orderBy(orders[filter.sort], desc(images.id))
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  return {
    rows: rows.map(({ image, ...rest }) => ({ ...image, ...rest })),
    total: await db.$count(images, condition),
  };
}

export type BuildMove = Partial<
  Pick<
    ImageRow,
    | 'reference'
    | 'versionID'
    | 'buildState'
    | 'buildStep'
    | 'buildSteps'
    | 'buildText'
    | 'buildStartedAt'
    | 'commit'
    | 'isRebuildWanted'
  >
>;

/** @returns whether the image was there, and still this worker's if one is named */
export async function updateImageBuild(
  db: Executor,
  imageID: number,
  build: BuildMove,
  workerID?: string,
): Promise<boolean> {
  const rows = await db
    .update(images)
    .set(build)
    .where(
      and(
        eq(images.id, imageID),
        workerID === undefined ? undefined : eq(images.claimedBy, workerID),
      ),
    )
    .returning({ id: images.id });
  return rows.length > 0;
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

// What staff change -----------------------------------------------------------------------------

export type ImageTexts = Pick<
  ImageRow,
  'titleZh' | 'titleEn' | 'descriptionZh' | 'descriptionEn' | 'isPublic'
>;

/** Until the transaction ends, nobody else changes the image or its versions. */
export async function lockImage(db: Executor, imageID: number): Promise<ImageRow | undefined> {
  const [row] = await db.select().from(images).where(eq(images.id, imageID)).for('update');
  return row;
}

export async function insertImage(
  db: Executor,
  values: typeof images.$inferInsert,
): Promise<number> {
  const [row] = await db.insert(images).values(values).returning({ id: images.id });
  if (!row) throw new Error('the image was not made');
  return row.id;
}

export async function updateImageRow(
  db: Executor,
  imageID: number,
  values: Partial<typeof images.$inferInsert>,
): Promise<void> {
  await db
    .update(images)
    .set({ ...values, updatedAt: sql`now()` })
    .where(eq(images.id, imageID));
}

export async function deleteImageRow(db: Executor, imageID: number): Promise<void> {
  await db.delete(images).where(eq(images.id, imageID));
}

// Versions --------------------------------------------------------------------------------------

/** Versions of an image with who made them, newest first. */
export async function listVersionRows(
  db: Executor,
  imageID: number,
): Promise<(ImageVersionRow & { creator: string | null })[]> {
  const rows = await db
    .select({ version: imageVersions, creator: users.nickname })
    .from(imageVersions)
    .leftJoin(users, eq(users.id, imageVersions.createdBy))
    .where(eq(imageVersions.imageID, imageID))
    .orderBy(desc(imageVersions.number));
  return rows.map(({ version, creator }) => ({ ...version, creator }));
}

export const findVersions = (
  db: Executor,
  ids: readonly number[],
  imageID: number,
): Promise<ImageVersionRow[]> =>
  db
    .select()
    .from(imageVersions)
    .where(and(inArray(imageVersions.id, [...ids]), eq(imageVersions.imageID, imageID)));

export async function readNextNumber(db: Executor, imageID: number): Promise<number> {
  const [row] = await db
    .select({ number: sql<number>`coalesce(max(${imageVersions.number}), 0) + 1` })
    .from(imageVersions)
    .where(eq(imageVersions.imageID, imageID));
  return Number(row?.number ?? 1);
}

export async function insertVersion(
  db: Executor,
  values: typeof imageVersions.$inferInsert,
): Promise<ImageVersionRow> {
  const [row] = await db.insert(imageVersions).values(values).returning();
  if (!row) throw new Error('the version was not made');
  return row;
}

export async function deleteVersionRow(db: Executor, versionID: number): Promise<void> {
  await db.delete(imageVersions).where(eq(imageVersions.id, versionID));
}

export async function describeVersion(
  db: Executor,
  versionID: number,
  facts: { sizeBytes: number; contents: ImagePart[] },
): Promise<void> {
  await db.update(imageVersions).set(facts).where(eq(imageVersions.id, versionID));
}

/** Versions of which the engine was not asked yet what they hold. */
export const listUndescribedVersions = (db: Executor): Promise<ImageVersionRow[]> =>
  db.select().from(imageVersions).where(isNull(imageVersions.contents)).limit(20);

/** Versions of the built-in images, whose references the sources decide. */
export async function listBuiltInVersions(
  db: Executor,
): Promise<(ImageVersionRow & { isCurrent: boolean })[]> {
  const rows = await db
    .select({ version: imageVersions, currentID: images.versionID })
    .from(imageVersions)
    .innerJoin(images, eq(images.id, imageVersions.imageID))
    .where(isNotNull(images.slug));
  return rows.map(({ version, currentID }) => ({
    ...version,
    isCurrent: version.id === currentID,
  }));
}

/** Numbers of every version that staff committed or that is being committed, by image. */
export async function listCommitted(
  db: Executor,
): Promise<{ imageID: number; number: number; isUnderWay: boolean }[]> {
  const { rows } = await db.execute<{
    image_id: number;
    number: number;
    is_under_way: boolean;
  }>(sql`
    select v.image_id, v.number, false as is_under_way
      from image_version v join image i on i.id = v.image_id where i.slug is null
    union all
    select id, (commit ->> 'number')::int, true from image where commit is not null`);
  return rows.map((row) => ({
    imageID: row.image_id,
    number: row.number,
    isUnderWay: row.is_under_way,
  }));
}

// What uses them --------------------------------------------------------------------------------

/** More would only fill the page. */
const DEPENDENTS_SHOWN = 50;

type DependentRecord = {
  kind: DependentRow['kind'];
  id: number;
  title_zh: string;
  title_en: string;
};

const dependentOf = (row: DependentRecord): DependentRow => ({
  kind: row.kind,
  id: row.id,
  titleZh: row.title_zh,
  titleEn: row.title_en,
});

/** Specifications whose nodes start from an image, and environments that are open with it. */
export async function listDependents(db: Executor, imageID: number): Promise<DependentRow[]> {
  const { rows } = await db.execute<DependentRecord>(sql`
    select 'specification' as kind, s.id, s.name_zh as title_zh, s.name_en as title_en
      from specification s
     where exists (select 1 from specification_node n
                    where n.specification_id = s.id and n.image_id = ${imageID})
    union all
    select 'usage', u.id, a.nickname, a.nickname
      from usage u join user_account a on a.id = u.user_id
     where u.ended_at is null and u.nodes @> ${JSON.stringify([{ imageID }])}::jsonb
    order by 1, 2 limit ${DEPENDENTS_SHOWN}`);
  return rows.map(dependentOf);
}

/** Specifications of others than its owner whose nodes start from an image. */
export async function listForeignDependents(
  db: Executor,
  image: Pick<ImageRow, 'id' | 'ownerID'>,
): Promise<DependentRow[]> {
  const { rows } = await db.execute<DependentRecord>(sql`
    select 'specification' as kind, s.id, s.name_zh as title_zh, s.name_en as title_en
      from specification s
     where s.owner_id is distinct from ${image.ownerID}
       and exists (select 1 from specification_node n
                    where n.specification_id = s.id and n.image_id = ${image.id})
    order by 2 limit ${DEPENDENTS_SHOWN}`);
  return rows.map(dependentOf);
}

/** Environments whose containers were made from a version and are still there. */
export async function listVersionDependents(
  db: Executor,
  version: Pick<ImageVersionRow, 'reference'>,
): Promise<DependentRow[]> {
  const { reference } = version;
  const { rows } = await db.execute<DependentRecord>(sql`
    select 'usage' as kind, u.id, a.nickname as title_zh, a.nickname as title_en
      from usage u join user_account a on a.id = u.user_id
     where u.removed_at is null and u.nodes @> ${JSON.stringify([{ reference }])}::jsonb
    order by 2 limit ${DEPENDENTS_SHOWN}`);
  return rows.map(dependentOf);
}

// The worker's side -----------------------------------------------------------------------------

/** Takes the next image that is to be committed or built again, unless another worker has it. */
export async function claimImage(
  db: Executor,
  workerID: string,
  now: Date,
  leaseSeconds: number,
): Promise<ImageRow | undefined> {
  const [due] = await db
    .select({ id: images.id })
    .from(images)
    .where(
      and(
        or(isNotNull(images.commit), eq(images.isRebuildWanted, true)),
        or(isNull(images.claimedBy), lte(images.claimedUntil, now)),
      ),
    )
    .orderBy(asc(images.buildStartedAt), asc(images.id))
    .limit(1)
    .for('update', { skipLocked: true });
  if (!due) return undefined;
  const [row] = await db
    .update(images)
    .set({ claimedBy: workerID, claimedUntil: new Date(now.getTime() + leaseSeconds * 1000) })
    .where(eq(images.id, due.id))
    .returning();
  return row;
}

export async function extendClaims(
  db: Executor,
  workerID: string,
  now: Date,
  leaseSeconds: number,
): Promise<void> {
  await db
    .update(images)
    .set({ claimedUntil: new Date(now.getTime() + leaseSeconds * 1000) })
    .where(eq(images.claimedBy, workerID));
}

export async function releaseImage(db: Executor, imageID: number, workerID: string): Promise<void> {
  await db
    .update(images)
    .set({ claimedBy: null, claimedUntil: null })
    .where(and(eq(images.id, imageID), eq(images.claimedBy, workerID)));
}

/** Namespace of the session-level advisory locks by which a worker shows that it lives. */
const WORKER_LOCK = 4_211_005;

/** Held on a connection of the worker's own: it goes with the process, however that ends. */
export const holdWorkerLock = (workerID: string): SQL =>
  sql`select pg_advisory_lock(${WORKER_LOCK}, hashtext(${workerID}))`;

/** Frees what dead workers had taken, so that a restart goes on at once and not after the lease. */
export async function releaseDeadClaims(db: Executor): Promise<void> {
  const owners = await db
    .selectDistinct({ id: images.claimedBy })
    .from(images)
    .where(isNotNull(images.claimedBy));
  for (const { id } of owners) {
    if (id === null) continue;
    const { rows } = await db.execute<{ free: boolean }>(
      sql`select pg_try_advisory_xact_lock(${WORKER_LOCK}, hashtext(${id})) as free`,
    );
    if (!rows[0]?.free) continue;
    await db
      .update(images)
      .set({ claimedBy: null, claimedUntil: null })
      .where(eq(images.claimedBy, id));
  }
}
