import { and, asc, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import {
  prepareCatalogue,
  managedPage,
  type ManagedFilter as CatalogueManagedFilter,
} from '../../platform/database/catalogue.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { searchVector } from '../../platform/search.ts';
import { tagJson, type TagFacts } from '../domain/domain.service.ts';
import { labEditions, labResources, labTags, labTasks, labs } from './lab.schema.ts';

export type LabRow = typeof labs.$inferSelect;
export type LabTaskRow = typeof labTasks.$inferSelect;
export type LabResourceRow = typeof labResources.$inferSelect;

/** A lab as the catalogue shows it: its row without the long text, and what belongs to it. */
export type LabListRow = Omit<LabRow, 'contentZh' | 'contentEn' | 'words'> & {
  domain: TagFacts | null;
  tags: TagFacts[];
  taskCount: number;
  minutes: number;
};

/** A lab as staff see it. */
export type ManagedLabRow = LabListRow & {
  /** Nickname of who made it. */
  owner: string | null;
  specificationZh: string;
  specificationEn: string;
  resourceCount: number;
};

const {
  contentZh: _contentZh,
  contentEn: _contentEn,
  words: _words,
  ...shortColumns
} = getTableColumns(labs);

// Written out: in a statement on one table drizzle leaves the table's name away, and `id` inside a
// sub-select would then be the wrong table's.
const listColumns = {
  ...shortColumns,
  domain:
    sql<TagFacts | null>`(select ${tagJson('d')} from domain d where d.id = lab.domain_id)`.as(
      'domain',
    ),
  tags: sql<
    TagFacts[]
  >`coalesce((select json_agg(${tagJson('t')} order by t.sequence, t.id) from lab_tag l join tag t on t.id = l.tag_id where l.lab_id = lab.id), '[]')`.as(
    'tags',
  ),
  taskCount: sql<number>`(select count(*)::int from lab_task k where k.lab_id = lab.id)`.as(
    'task_count',
  ),
  minutes:
    sql<number>`(select coalesce(sum(k.minutes), 0)::int from lab_task k where k.lab_id = lab.id)`.as(
      'minutes',
    ),
};

const managedColumns = {
  ...listColumns,
  owner: sql<string | null>`(select u.nickname from user_account u where u.id = lab.owner_id)`.as(
    'owner',
  ),
  specificationZh:
    sql<string>`(select s.name_zh from specification s where s.id = lab.specification_id)`.as(
      'specification_zh',
    ),
  specificationEn:
    sql<string>`(select s.name_en from specification s where s.id = lab.specification_id)`.as(
      'specification_en',
    ),
  resourceCount: sql<number>`(select count(*)::int from lab_resource r where r.lab_id = lab.id)`.as(
    'resource_count',
  ),
};

/** The catalogue's statements. */
export const prepareLabLists = (database: Database) =>
  prepareCatalogue<LabListRow>(database, {
    name: 'lab',
    table: labs,
    type: labs.type,
    heat: labs.uses,
    columns: listColumns,
    hasTag: sql`exists (select 1 from lab_tag l where l.lab_id = lab.id and l.tag_id = any(${sql.placeholder('tags')}::int[]))`,
  });

/** Labs by id, drafts included. */
export const findLabs = (db: Executor, ids: readonly number[]): Promise<LabRow[]> =>
  db
    .select()
    .from(labs)
    .where(inArray(labs.id, [...ids]));

/** The catalogue's view of one lab. */
export async function getLabListRow(db: Executor, lab: Pick<LabRow, 'id'>): Promise<ManagedLabRow> {
  const [row] = await db.select(managedColumns).from(labs).where(eq(labs.id, lab.id));
  if (!row) throw new Error(`lab ${lab.id} vanished`);
  return row;
}

export type ManagedFilter = CatalogueManagedFilter & { readonly type: number | undefined };

/** A page of what staff may change, and how many there are in all. */
export async function listManagedRows(
  db: Executor,
  filter: ManagedFilter,
): Promise<{ rows: ManagedLabRow[]; total: number }> {
  const { condition, order, limit, offset } = managedPage(
    labs,
    filter,
    filter.type === undefined ? undefined : eq(labs.type, filter.type),
  );
  const rows = await db
    .select(managedColumns)
    .from(labs)
    .where(condition)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return { rows, total: await db.$count(labs, condition) };
}

export const listTaskRows = (db: Executor, lab: Pick<LabRow, 'id'>): Promise<LabTaskRow[]> =>
  db
    .select()
    .from(labTasks)
    .where(eq(labTasks.labID, lab.id))
    .orderBy(asc(labTasks.sequence), asc(labTasks.id));

export const findTasks = (
  db: Executor,
  ids: readonly number[],
  lab: LabRow,
): Promise<LabTaskRow[]> =>
  db
    .select()
    .from(labTasks)
    .where(and(inArray(labTasks.id, [...ids]), eq(labTasks.labID, lab.id)));

export const listResourceRows = (
  db: Executor,
  lab: Pick<LabRow, 'id'>,
): Promise<LabResourceRow[]> =>
  db
    .select()
    .from(labResources)
    .where(eq(labResources.labID, lab.id))
    .orderBy(asc(labResources.sequence), asc(labResources.id));

export const findResources = (
  db: Executor,
  ids: readonly number[],
  lab: LabRow,
): Promise<LabResourceRow[]> =>
  db
    .select()
    .from(labResources)
    .where(and(inArray(labResources.id, [...ids]), eq(labResources.labID, lab.id)));

export async function countUse(db: Executor, labID: number): Promise<void> {
  await db
    .update(labs)
    .set({ uses: sql`${labs.uses} + 1` })
    .where(eq(labs.id, labID));
}

/** What the home page counts. */
export async function countPublished(
  db: Executor,
): Promise<{ labs: number; tasks: number; tags: number }> {
  const [row] = await db
    .select({
      labs: sql<number>`count(*)::int`,
      tasks: sql<number>`(select count(*)::int from lab_task k join lab l on l.id = k.lab_id where l.is_published)`,
      tags: sql<number>`(select count(*)::int from tag)`,
    })
    .from(labs)
    .where(eq(labs.isPublished, true));
  return row ?? { labs: 0, tasks: 0, tags: 0 };
}

// What staff change -----------------------------------------------------------------------------

export type LabValues = Pick<
  typeof labs.$inferInsert,
  | 'type'
  | 'titleZh'
  | 'titleEn'
  | 'descriptionZh'
  | 'descriptionEn'
  | 'contentZh'
  | 'contentEn'
  | 'coverKind'
  | 'specificationID'
> & { domainID: number | null };

/** The words by which a lab is found: its titles, and its texts with the titles of its tasks. */
export const labWords = (
  lab: Pick<
    LabValues,
    'titleZh' | 'titleEn' | 'descriptionZh' | 'descriptionEn' | 'contentZh' | 'contentEn'
  >,
  tasks: readonly Pick<LabTaskRow, 'titleZh' | 'titleEn'>[],
): string =>
  searchVector(
    [lab.titleZh, lab.titleEn],
    [
      lab.descriptionZh,
      lab.descriptionEn,
      lab.contentZh,
      lab.contentEn,
      ...tasks.flatMap((task) => [task.titleZh, task.titleEn]),
    ],
  ) as unknown as string;

/** Until the transaction ends, nobody else changes the lab, its tasks or its files. */
export async function lockLab(db: Executor, labID: number): Promise<LabRow | undefined> {
  const [row] = await db.select().from(labs).where(eq(labs.id, labID)).for('update');
  return row;
}

export async function writeLabTags(
  db: Executor,
  labID: number,
  tagIDs: readonly number[],
): Promise<void> {
  await db.delete(labTags).where(eq(labTags.labID, labID));
  const distinct = [...new Set(tagIDs)];
  if (distinct.length > 0)
    await db.insert(labTags).values(distinct.map((tagID) => ({ labID, tagID })));
}

/** Adds a lab at the end of the order, as a draft. */
export async function insertLab(db: Executor, values: LabValues, ownerID: number): Promise<LabRow> {
  const [row] = await db
    .insert(labs)
    .values({
      ...values,
      ownerID,
      words: labWords(values, []),
      coverSeed: sql`floor(random() * 100000)::int`,
      sequence: sql`(select coalesce(max(o.sequence), 0) + 10 from lab o)`,
    })
    .returning();
  if (!row) throw new Error('the lab was not made');
  return row;
}

/** @returns false when somebody else changed it since `version` */
export async function updateLabRow(
  db: Executor,
  labID: number,
  version: number,
  values: LabValues,
): Promise<boolean> {
  const rows = await db
    .update(labs)
    .set({ ...values, version: sql`${labs.version} + 1` })
    .where(and(eq(labs.id, labID), eq(labs.version, version)))
    .returning({ id: labs.id });
  return rows.length > 0;
}

/** After any change of a lab or what belongs to it: its words, and when it was changed. */
export async function touchLab(db: Executor, labID: number): Promise<void> {
  const [lab] = await findLabs(db, [labID]);
  if (!lab) return;
  const words = labWords(lab, await listTaskRows(db, lab));
  await db
    .update(labs)
    .set({ words, updatedAt: sql`now()` })
    .where(eq(labs.id, labID));
}

export async function setPublished(
  db: Executor,
  labID: number,
  isPublished: boolean,
): Promise<void> {
  await db.update(labs).set({ isPublished }).where(eq(labs.id, labID));
}

export async function deleteLabRow(db: Executor, labID: number): Promise<void> {
  await db.delete(labs).where(eq(labs.id, labID));
}

/** Gives the named ones, in their new order, the places that they had among all. */
export async function orderLabRows(db: Database, rows: readonly LabRow[]): Promise<void> {
  const places = rows.map((row) => row.sequence).toSorted((a, b) => a - b);
  await db.transaction(async (tx) => {
    for (const [index, row] of rows.entries())
      await tx
        .update(labs)
        .set({ sequence: places[index] ?? row.sequence })
        .where(eq(labs.id, row.id));
  });
}

export type TaskValues = Pick<
  typeof labTasks.$inferInsert,
  'titleZh' | 'titleEn' | 'contentZh' | 'contentEn'
> & { minutes: number };

/** Adds a task behind the others. */
export async function insertTask(
  db: Executor,
  labID: number,
  values: TaskValues,
): Promise<LabTaskRow> {
  const [row] = await db
    .insert(labTasks)
    .values({
      ...values,
      labID,
      sequence: sql`(select coalesce(max(o.sequence), 0) + 1 from lab_task o where o.lab_id = ${labID})`,
    })
    .returning();
  if (!row) throw new Error('the task was not made');
  return row;
}

/** @returns undefined when somebody else changed it since `version` */
export async function updateTaskRow(
  db: Executor,
  taskID: number,
  version: number,
  values: TaskValues,
): Promise<LabTaskRow | undefined> {
  const [row] = await db
    .update(labTasks)
    .set({ ...values, version: sql`${labTasks.version} + 1` })
    .where(and(eq(labTasks.id, taskID), eq(labTasks.version, version)))
    .returning();
  return row;
}

export async function deleteTaskRow(db: Executor, taskID: number): Promise<void> {
  await db.delete(labTasks).where(eq(labTasks.id, taskID));
}

export async function orderTaskRows(db: Executor, taskIDs: readonly number[]): Promise<void> {
  for (const [index, taskID] of taskIDs.entries())
    await db
      .update(labTasks)
      .set({ sequence: index + 1 })
      .where(eq(labTasks.id, taskID));
}

export type ResourceValues = Pick<typeof labResources.$inferInsert, 'type' | 'titleZh' | 'titleEn'>;

/** Adds a resource behind the others, or takes the place of the one of the same path. */
export async function upsertResource(
  db: Executor,
  labID: number,
  values: ResourceValues & { path: string; sizeBytes: number },
): Promise<LabResourceRow> {
  const { path, ...changing } = values;
  const [row] = await db
    .insert(labResources)
    .values({
      ...values,
      labID,
      sequence: sql`(select coalesce(max(o.sequence), 0) + 1 from lab_resource o where o.lab_id = ${labID})`,
    })
    .onConflictDoUpdate({ target: [labResources.labID, labResources.path], set: changing })
    .returning();
  if (!row) throw new Error(`resource ${path} was not made`);
  return row;
}

export async function updateResourceRow(
  db: Executor,
  resourceID: number,
  values: ResourceValues,
): Promise<LabResourceRow | undefined> {
  const [row] = await db
    .update(labResources)
    .set(values)
    .where(eq(labResources.id, resourceID))
    .returning();
  return row;
}

export async function deleteResourceRow(db: Executor, resourceID: number): Promise<void> {
  await db.delete(labResources).where(eq(labResources.id, resourceID));
}

export async function orderResourceRows(
  db: Executor,
  resourceIDs: readonly number[],
): Promise<void> {
  for (const [index, resourceID] of resourceIDs.entries())
    await db
      .update(labResources)
      .set({ sequence: index + 1 })
      .where(eq(labResources.id, resourceID));
}

/** Copies what belongs to a lab, but not its files. */
export async function copyParts(db: Executor, from: LabRow, to: LabRow): Promise<void> {
  await db.execute(sql`
    insert into lab_tag (lab_id, tag_id) select ${to.id}, tag_id from lab_tag where lab_id = ${from.id}`);
  await db.execute(sql`
    insert into lab_task (lab_id, sequence, title_zh, title_en, content_zh, content_en, minutes)
    select ${to.id}, sequence, title_zh, title_en, content_zh, content_en, minutes
      from lab_task where lab_id = ${from.id} order by sequence, id`);
  await db.execute(sql`
    insert into lab_resource (lab_id, sequence, type, title_zh, title_en, path, size_bytes)
    select ${to.id}, sequence, type, title_zh, title_en, path, size_bytes
      from lab_resource where lab_id = ${from.id} order by sequence, id`);
}

/** An environment that was opened for a lab. */
export interface OpenUsage {
  readonly id: number;
  /** Nickname of its user. */
  readonly nickname: string;
  readonly phase: string;
}

/** Environments that are open for a lab; more would only fill the page. */
export async function listOpenUsages(db: Executor, labID: number): Promise<OpenUsage[]> {
  const { rows } = await db.execute<{ id: number; nickname: string; phase: string }>(sql`
    select u.id, a.nickname, u.phase from usage u join user_account a on a.id = u.user_id
     where u.lab_id = ${labID} and u.ended_at is null order by u.id limit 100`);
  return rows;
}

// Editions of the files ---------------------------------------------------------------------------

/** Lets a lab have another folder from now on, or none; the one before is kept as long as it is needed. */
export async function moveFolder(
  db: Executor,
  lab: Pick<LabRow, 'id' | 'folder'>,
  folder: string | null,
  now: Date | SQL,
): Promise<void> {
  await db.update(labs).set({ folder }).where(eq(labs.id, lab.id));
  if (lab.folder !== null && lab.folder !== folder)
    await db
      .insert(labEditions)
      .values({ folder: lab.folder, retiredAt: now })
      .onConflictDoUpdate({ target: labEditions.folder, set: { retiredAt: now } });
}

/** Retired folders that nothing can have mounted: every open environment began after their time. */
export async function listFreeEditions(db: Executor): Promise<string[]> {
  const { rows } = await db.execute<{ folder: string }>(sql`
    select e.folder from lab_edition e
     where not exists (select 1 from lab l where l.folder = e.folder)
       and not exists (select 1 from usage u
                        where u.removed_at is null and u.created_at <= e.retired_at)`);
  return rows.map(({ folder }) => folder);
}

export async function forgetEdition(db: Executor, folder: string): Promise<void> {
  await db.delete(labEditions).where(eq(labEditions.folder, folder));
}

/** Every folder that a lab has, or had and may still be mounted. */
export async function listKnownFolders(db: Executor): Promise<Set<string>> {
  const { rows } = await db.execute<{ folder: string }>(sql`
    select folder from lab where folder is not null union select folder from lab_edition`);
  return new Set(rows.map(({ folder }) => folder));
}
