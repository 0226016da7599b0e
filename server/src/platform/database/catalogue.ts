/**
 * The list of a catalogue: published things, filtered by keyword, type, domain and tags, in one
 * statement with its total, prepared once for each shape of filter.
 */
import type { CatalogueSort } from '@hypercube/contract';
import { and, asc, desc, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { PgColumn, PgTable, SelectedFields } from 'drizzle-orm/pg-core';
import { likePattern, searchWords } from '../search.ts';
import type { Database } from './database.ts';

/** The columns that a catalogue's table has in common with every other. */
export type CatalogueTable = PgTable &
  Readonly<
    Record<
      | 'id'
      | 'titleZh'
      | 'titleEn'
      | 'domainID'
      | 'isPublished'
      | 'sequence'
      | 'words'
      | 'updatedAt',
      PgColumn
    >
  >;

export interface CatalogueFilter {
  readonly keyword?: string | undefined;
  readonly type?: number | undefined;
  readonly domains?: readonly number[] | undefined;
  readonly tags?: readonly number[] | undefined;
  /** Values of what else a catalogue filters by, by the names that it has for them. */
  readonly more?: Readonly<Record<string, string | number | undefined>>;
  /** Only what the one who asks has to do with, of a catalogue that knows that. */
  readonly isOwn?: boolean | undefined;
  /** Who asks, for what a row says of them; null: a visitor. */
  readonly userID?: number | null | undefined;
  readonly sort: CatalogueSort;
  readonly page: number;
  readonly pageSize: number;
}

/** The parts of a filter that change the statement; the rest are its values. */
type Shape = Readonly<
  Record<'keyword' | 'type' | 'domains' | 'tags' | 'isOwn', boolean> & {
    sort: CatalogueSort;
    /** Names of the further filters that are used. */
    more: string;
  }
>;

export interface CatalogueParts {
  /** Name of the table in SQL, for the names of the prepared statements too. */
  readonly name: string;
  readonly table: CatalogueTable;
  /** What the filter `type` asks of; undefined: there is one type only. */
  readonly type?: PgColumn;
  /** How much a thing is used: the hottest come first. */
  readonly heat: SQLWrapper;
  /** What is in the list; published things unless said. */
  readonly isShown?: SQL;
  /** What is in the list of one's own; the user is the placeholder `user`. */
  readonly isOwn?: SQL;
  /** What is read of each row. */
  readonly columns: SelectedFields;
  /** Whether a row carries one of the tags; the tags are the placeholder `tags`. */
  readonly hasTag: SQL;
  /** What else it is filtered by; the value of each is the placeholder of its name. */
  readonly more?: Readonly<Record<string, SQL>>;
}

const placeholder = (name: string): SQLWrapper => sql.placeholder(name);

/**
 * Prepares the lists of a catalogue.
 * @returns a page of rows and how many match in all
 */
export function prepareCatalogue<Row>(
  database: Database,
  { name, table, type, heat, isShown, isOwn, columns, hasTag, more = {} }: CatalogueParts,
): (filter: CatalogueFilter) => Promise<{ rows: Row[]; total: number }> {
  const conditions = (shape: Shape): SQL | undefined =>
    and(
      shape.isOwn ? isOwn : (isShown ?? eq(table.isPublished, true)),
      shape.type && type ? sql`${type} = ${placeholder('type')}` : undefined,
      shape.domains ? sql`${table.domainID} = any(${placeholder('domains')}::int[])` : undefined,
      shape.tags ? hasTag : undefined,
      ...shape.more.split(' ').map((filter) => more[filter]),
      shape.keyword
        ? sql`(${table.words} @@ plainto_tsquery('simple', ${placeholder('words')}) or ${table.titleZh} ilike ${placeholder('like')} or ${table.titleEn} ilike ${placeholder('like')})`
        : undefined,
    );
  const order = (shape: Shape): SQL[] => {
    if (shape.sort === 'latest') return [desc(table.updatedAt), desc(table.id)];
    if (shape.sort === 'hottest') return [desc(heat), desc(table.id)];
    const relevance = sql`ts_rank(${table.words}, plainto_tsquery('simple', ${placeholder('words')})) desc`;
    return [...(shape.keyword ? [relevance] : []), asc(table.sequence), asc(table.id)];
  };
  const make = (shape: Shape, key: string) => ({
    list: database
      // Not a window: that would read and sort every row, where an index has the page in order.
      .select({
        ...columns,
        total: sql<number>`(select count(*)::int from ${table} where ${conditions(shape)})`.as(
          'total',
        ),
      })
      .from(table)
      .where(conditions(shape))
      .orderBy(...order(shape))
      .limit(sql.placeholder('limit'))
      .offset(sql.placeholder('offset'))
      .prepare(`${name}_list_${key}`),
    count: database
      .select({ total: sql<number>`count(*)::int` })
      .from(table)
      .where(conditions(shape))
      .prepare(`${name}_count_${key}`),
  });
  const prepared = new Map<string, ReturnType<typeof make>>();

  return async (filter) => {
    const shape: Shape = {
      sort: filter.sort,
      keyword: filter.keyword !== undefined && filter.keyword !== '',
      type: filter.type !== undefined,
      domains: filter.domains !== undefined && filter.domains.length > 0,
      tags: filter.tags !== undefined && filter.tags.length > 0,
      isOwn: filter.isOwn === true,
      more: Object.keys(more)
        .filter((one) => filter.more?.[one] !== undefined)
        .join(' '),
    };
    // Short: the name of a prepared statement has 63 characters.
    const key = Object.values(shape)
      .map((part) => (typeof part === 'boolean' ? Number(part) : part))
      .join('_');
    let statement = prepared.get(key);
    if (!statement) prepared.set(key, (statement = make(shape, key)));
    const values = {
      ...filter.more,
      type: filter.type,
      domains: filter.domains,
      tags: filter.tags,
      words: shape.keyword ? searchWords(filter.keyword ?? '') : '',
      like: likePattern(filter.keyword ?? ''),
      user: filter.userID ?? null,
      limit: filter.pageSize,
      offset: (filter.page - 1) * filter.pageSize,
    };
    const rows = (await statement.list.execute(values)) as (Row & { total: number })[];
    // Beyond the last page no row carries the total.
    const total =
      rows[0]?.total ??
      (filter.page === 1 ? 0 : ((await statement.count.execute(values))[0]?.total ?? 0));
    return { rows, total };
  };
}

/** What staff's lists of a catalogue's things ask for, beside what each filters by on its own. */
export interface ManagedFilter {
  /** Only this owner's; everybody's when undefined. */
  readonly ownerID: number | undefined;
  readonly keyword: string | undefined;
  readonly state: 'published' | 'draft' | undefined;
  readonly sort: 'sequence' | 'latest' | 'title' | 'uses';
  readonly page: number;
  readonly pageSize: number;
}

/** Statement parts of a page of what staff may change, drafts included. */
export function managedPage(
  table: CatalogueTable & Readonly<Record<'ownerID' | 'uses', PgColumn>>,
  { ownerID, keyword, state, sort, page, pageSize }: ManagedFilter,
  more?: SQL,
): { condition: SQL | undefined; order: [SQL, SQL]; limit: number; offset: number } {
  const like = keyword ? likePattern(keyword) : undefined;
  const orders: Record<ManagedFilter['sort'], SQL> = {
    sequence: asc(table.sequence),
    latest: desc(table.updatedAt),
    title: asc(table.titleZh),
    uses: desc(table.uses),
  };
  return {
    condition: and(
      ownerID === undefined ? undefined : eq(table.ownerID, ownerID),
      state === undefined ? undefined : eq(table.isPublished, state === 'published'),
      like === undefined
        ? undefined
        : sql`(${table.titleZh} ilike ${like} or ${table.titleEn} ilike ${like})`,
      more,
    ),
    order: [orders[sort], asc(table.id)],
    limit: pageSize,
    offset: (page - 1) * pageSize,
  };
}
