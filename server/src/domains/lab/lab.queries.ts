import { and, asc, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { CatalogueSort } from '@hypercube/contract';
import type { Database, Executor } from '../../platform/database/database.ts';
import { likePattern, searchWords } from '../../platform/search.ts';
import type { TagFacts } from '../domain/domain.present.ts';
import { labResources, labTasks, labs } from './lab.schema.ts';

export type LabRow = typeof labs.$inferSelect;
export type LabTaskRow = typeof labTasks.$inferSelect;
export type LabResourceRow = typeof labResources.$inferSelect;

/** A lab as the catalogue shows it: its row without the long text, and what belongs to it. */
export type LabListRow = Pick<
  LabRow,
  | 'id'
  | 'type'
  | 'titleZh'
  | 'titleEn'
  | 'descriptionZh'
  | 'descriptionEn'
  | 'coverKind'
  | 'coverSeed'
  | 'uses'
  | 'updatedAt'
> & {
  domain: TagFacts | null;
  tags: TagFacts[];
  taskCount: number;
  minutes: number;
};

export interface LabFilter {
  readonly keyword: string | undefined;
  readonly type: number | undefined;
  readonly domains: readonly number[] | undefined;
  readonly tags: readonly number[] | undefined;
  readonly sort: CatalogueSort;
  readonly page: number;
  readonly pageSize: number;
}

// Written out: in a statement on one table drizzle leaves the table's name away, and `id` inside a
// sub-select would then be the wrong table's.
const tagJson = (alias: 'd' | 't'): SQL =>
  sql.raw(
    `json_build_object('id', ${alias}.id, 'sequence', ${alias}.sequence, 'titleZh', ${alias}.title_zh, 'titleEn', ${alias}.title_en, 'color', ${alias}.color)`,
  );

const listColumns = {
  id: labs.id,
  type: labs.type,
  titleZh: labs.titleZh,
  titleEn: labs.titleEn,
  descriptionZh: labs.descriptionZh,
  descriptionEn: labs.descriptionEn,
  coverKind: labs.coverKind,
  coverSeed: labs.coverSeed,
  uses: labs.uses,
  updatedAt: labs.updatedAt,
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

/** The parts of a filter that change the statement; the rest are its values. */
type Shape = {
  sort: CatalogueSort;
  keyword: boolean;
  type: boolean;
  domains: boolean;
  tags: boolean;
};

function conditions(shape: Shape): SQL | undefined {
  return and(
    eq(labs.isPublished, true),
    shape.type ? eq(labs.type, sql.placeholder('type')) : undefined,
    shape.domains ? sql`${labs.domainID} = any(${sql.placeholder('domains')}::int[])` : undefined,
    shape.tags
      ? sql`exists (select 1 from lab_tag l where l.lab_id = lab.id and l.tag_id = any(${sql.placeholder('tags')}::int[]))`
      : undefined,
    shape.keyword
      ? sql`(${labs.words} @@ plainto_tsquery('simple', ${sql.placeholder('words')}) or ${labs.titleZh} ilike ${sql.placeholder('like')} or ${labs.titleEn} ilike ${sql.placeholder('like')})`
      : undefined,
  );
}

function order(shape: Shape): SQL[] {
  if (shape.sort === 'latest') return [desc(labs.updatedAt), desc(labs.id)];
  if (shape.sort === 'hottest') return [desc(labs.uses), desc(labs.id)];
  const relevance = sql`ts_rank(${labs.words}, plainto_tsquery('simple', ${sql.placeholder('words')})) desc`;
  return [...(shape.keyword ? [relevance] : []), asc(labs.sequence), asc(labs.id)];
}

/** The catalogue's statements, one for each shape of filter, prepared once. */
export function prepareLabLists(database: Database) {
  const make = (shape: Shape, name: string) => ({
    list: database
      // Not a window: that would read and sort every row, where an index has the page in order.
      .select({
        ...listColumns,
        total: sql<number>`(select count(*)::int from lab where ${conditions(shape)})`.as('total'),
      })
      .from(labs)
      .where(conditions(shape))
      .orderBy(...order(shape))
      .limit(sql.placeholder('limit'))
      .offset(sql.placeholder('offset'))
      .prepare(`lab_list_${name}`),
    count: database
      .select({ total: sql<number>`count(*)::int` })
      .from(labs)
      .where(conditions(shape))
      .prepare(`lab_count_${name}`),
  });
  const prepared = new Map<string, ReturnType<typeof make>>();

  /** Rows of a page and how many match in all. */
  return async (filter: LabFilter): Promise<{ rows: LabListRow[]; total: number }> => {
    const shape: Shape = {
      sort: filter.sort,
      keyword: filter.keyword !== undefined && filter.keyword !== '',
      type: filter.type !== undefined,
      domains: filter.domains !== undefined && filter.domains.length > 0,
      tags: filter.tags !== undefined && filter.tags.length > 0,
    };
    const name = Object.values(shape).join('_');
    let statement = prepared.get(name);
    if (!statement) prepared.set(name, (statement = make(shape, name)));
    const values = {
      type: filter.type,
      domains: filter.domains,
      tags: filter.tags,
      words: shape.keyword ? searchWords(filter.keyword ?? '') : '',
      like: likePattern(filter.keyword ?? ''),
      limit: filter.pageSize,
      offset: (filter.page - 1) * filter.pageSize,
    };
    const rows = await statement.list.execute(values);
    // Beyond the last page no row carries the total.
    const total =
      rows[0]?.total ??
      (filter.page === 1 ? 0 : ((await statement.count.execute(values))[0]?.total ?? 0));
    return { rows, total };
  };
}

/** Published labs by id. */
export const findLabs = (db: Executor, ids: readonly number[]): Promise<LabRow[]> =>
  db
    .select()
    .from(labs)
    .where(and(inArray(labs.id, [...ids]), eq(labs.isPublished, true)));

/** The catalogue's view of one lab. */
export async function getLabListRow(db: Executor, lab: LabRow): Promise<LabListRow> {
  const [row] = await db.select(listColumns).from(labs).where(eq(labs.id, lab.id));
  if (!row) throw new Error(`lab ${lab.id} vanished`);
  return row;
}

export const listTaskRows = (db: Executor, lab: LabRow): Promise<LabTaskRow[]> =>
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

export const listResourceRows = (db: Executor, lab: LabRow): Promise<LabResourceRow[]> =>
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
