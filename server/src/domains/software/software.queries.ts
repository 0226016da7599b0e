import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import {
  prepareCatalogue,
  managedPage,
  type ManagedFilter as CatalogueManagedFilter,
} from '../../platform/database/catalogue.ts';
import { searchVector } from '../../platform/search.ts';
import { tagJson, type TagFacts } from '../domain/domain.service.ts';
import { software, softwareTags } from './software.schema.ts';

export type SoftwareRow = typeof software.$inferSelect;

/** A software as the catalogue shows it: its row without the long text, and what belongs to it. */
export type SoftwareListRow = Omit<SoftwareRow, 'contentZh' | 'contentEn' | 'words'> & {
  domain: TagFacts | null;
  tags: TagFacts[];
};

/** A software as staff see it. */
export type ManagedSoftwareRow = SoftwareListRow & {
  owner: string | null;
  specificationZh: string;
  specificationEn: string;
};

const {
  contentZh: _contentZh,
  contentEn: _contentEn,
  words: _words,
  ...shortColumns
} = getTableColumns(software);

// Written out: in a statement on one table drizzle leaves the table's name away, and `id` inside a
// sub-select would then be the wrong table's.
const listColumns = {
  ...shortColumns,
  domain:
    sql<TagFacts | null>`(select ${tagJson('d')} from domain d where d.id = software.domain_id)`.as(
      'domain',
    ),
  tags: sql<
    TagFacts[]
  >`coalesce((select json_agg(${tagJson('t')} order by t.sequence, t.id) from software_tag l join tag t on t.id = l.tag_id where l.software_id = software.id), '[]')`.as(
    'tags',
  ),
};

const managedColumns = {
  ...listColumns,
  owner: sql<
    string | null
  >`(select u.nickname from user_account u where u.id = software.owner_id)`.as('owner'),
  specificationZh:
    sql<string>`(select s.name_zh from specification s where s.id = software.specification_id)`.as(
      'specification_zh',
    ),
  specificationEn:
    sql<string>`(select s.name_en from specification s where s.id = software.specification_id)`.as(
      'specification_en',
    ),
};

/** The catalogue's statements. */
export const prepareSoftwareLists = (database: Database) =>
  prepareCatalogue<SoftwareListRow>(database, {
    name: 'software',
    table: software,
    type: software.type,
    heat: software.uses,
    columns: listColumns,
    hasTag: sql`exists (select 1 from software_tag l where l.software_id = software.id and l.tag_id = any(${sql.placeholder('tags')}::int[]))`,
  });

/** Software by id, drafts included. */
export const findSoftware = (db: Executor, ids: readonly number[]): Promise<SoftwareRow[]> =>
  db
    .select()
    .from(software)
    .where(inArray(software.id, [...ids]));

export async function getSoftwareListRow(
  db: Executor,
  row: SoftwareRow,
): Promise<ManagedSoftwareRow> {
  const [found] = await db.select(managedColumns).from(software).where(eq(software.id, row.id));
  if (!found) throw new Error(`software ${row.id} vanished`);
  return found;
}

export type ManagedFilter = CatalogueManagedFilter & { readonly type: number | undefined };

/** A page of what staff may change, and how many there are in all. */
export async function listManagedRows(
  db: Executor,
  filter: ManagedFilter,
): Promise<{ rows: ManagedSoftwareRow[]; total: number }> {
  const { condition, order, limit, offset } = managedPage(
    software,
    filter,
    filter.type === undefined ? undefined : eq(software.type, filter.type),
  );
  const rows = await db
    .select(managedColumns)
    .from(software)
    .where(condition)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return { rows, total: await db.$count(software, condition) };
}

export type SoftwareValues = Pick<
  typeof software.$inferInsert,
  | 'type'
  | 'titleZh'
  | 'titleEn'
  | 'descriptionZh'
  | 'descriptionEn'
  | 'contentZh'
  | 'contentEn'
  | 'coverKind'
  | 'specificationID'
  | 'isPublished'
> & { domainID: number | null };

/** The words by which it is found. */
const wordsOf = (values: SoftwareValues): string =>
  searchVector(
    [values.titleZh, values.titleEn],
    [values.descriptionZh, values.descriptionEn, values.contentZh, values.contentEn],
  ) as unknown as string;

async function writeTags(db: Executor, softwareID: number, tagIDs: readonly number[]) {
  await db.delete(softwareTags).where(eq(softwareTags.softwareID, softwareID));
  if (tagIDs.length > 0)
    await db.insert(softwareTags).values(tagIDs.map((tagID) => ({ softwareID, tagID })));
}

/** Adds a software at the end of the order. */
export async function insertSoftware(
  db: Database,
  values: SoftwareValues,
  ownerID: number,
  tagIDs: readonly number[],
): Promise<SoftwareRow> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(software)
      .values({
        ...values,
        ownerID,
        words: wordsOf(values),
        coverSeed: sql`floor(random() * 100000)::int`,
        sequence: sql`(select coalesce(max(o.sequence), 0) + 10 from software o)`,
      })
      .returning();
    if (!row) throw new Error('the software was not made');
    await writeTags(tx, row.id, tagIDs);
    return row;
  });
}

/** @returns undefined when somebody else changed it since `version` */
export async function updateSoftwareRow(
  db: Database,
  row: SoftwareRow,
  version: number,
  values: SoftwareValues,
  tagIDs: readonly number[],
): Promise<SoftwareRow | undefined> {
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(software)
      .set({
        ...values,
        words: wordsOf(values),
        version: sql`${software.version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(software.id, row.id), eq(software.version, version)))
      .returning();
    if (changed) await writeTags(tx, row.id, tagIDs);
    return changed;
  });
}

export async function deleteSoftwareRow(db: Executor, row: SoftwareRow): Promise<void> {
  await db.delete(software).where(eq(software.id, row.id));
}

/** Gives the named ones, in their new order, the places that they had among all. */
export async function orderSoftwareRows(db: Database, rows: readonly SoftwareRow[]): Promise<void> {
  const places = rows.map((row) => row.sequence).toSorted((a, b) => a - b);
  await db.transaction(async (tx) => {
    for (const [index, row] of rows.entries())
      await tx
        .update(software)
        .set({ sequence: places[index] ?? row.sequence })
        .where(eq(software.id, row.id));
  });
}

export async function countSoftwareUse(db: Executor, softwareID: number): Promise<void> {
  await db
    .update(software)
    .set({ uses: sql`${software.uses} + 1` })
    .where(eq(software.id, softwareID));
}

export type SeedSoftware = Omit<SoftwareValues, 'isPublished'> & {
  slug: string;
  coverSeed: number;
  sequence: number;
};

/** Puts a software of the first content in place. @returns its id */
export async function seedSoftware(
  db: Executor,
  { slug, ...changing }: SeedSoftware,
  tagIDs: readonly number[],
): Promise<number> {
  const words = wordsOf({ ...changing, isPublished: true });
  const [row] = await db
    .insert(software)
    .values({ slug, ...changing, words, isPublished: true })
    .onConflictDoUpdate({
      target: software.slug,
      set: { ...changing, words, updatedAt: sql`now()` },
    })
    .returning({ id: software.id });
  if (!row) throw new Error(`software ${slug} was not made`);
  await writeTags(db, row.id, tagIDs);
  return row.id;
}
