/** The problems themselves: the catalogue, what staff see of it, and how they change it. */
import {
  and,
  asc,
  eq,
  getTableColumns,
  inArray,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import {
  prepareCatalogue,
  managedPage,
  type ManagedFilter as CatalogueManagedFilter,
} from '../../platform/database/catalogue.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { searchVector } from '../../platform/search.ts';
import { tagJson, type TagFacts } from '../domain/domain.service.ts';
import { problemCodes, problemTags, problems } from './problem.schema.ts';

export type ProblemRow = typeof problems.$inferSelect;
export type CodeRow = typeof problemCodes.$inferSelect;

/** A problem as the catalogue shows it: its row without the long text, and what belongs to it. */
export type ProblemListRow = Omit<ProblemRow, 'contentZh' | 'contentEn' | 'words'> & {
  domain: TagFacts | null;
  tags: TagFacts[];
  languages: number[];
  tried: number;
  solved: number;
  myState: 'tried' | 'solved' | null;
};

/** A problem as staff see it. */
export type ManagedProblemRow = ProblemListRow & {
  /** Nickname of who made it. */
  owner: string | null;
};

const {
  contentZh: _contentZh,
  contentEn: _contentEn,
  words: _words,
  ...shortColumns
} = getTableColumns(problems);

/** How far a user is with the problem of the row; the user may be null. */
const stateOf = (userID: SQLWrapper): SQL<ProblemListRow['myState']> =>
  sql<
    ProblemListRow['myState']
  >`(select case when g.solved_at is null then 'tried' else 'solved' end from problem_progress g where g.problem_id = problem.id and g.user_id = ${userID}::integer)`;

// Written out: in a statement on one table drizzle leaves the table's name away, and `id` inside a
// sub-select would then be the wrong table's.
const listColumns = (userID: SQLWrapper) => ({
  ...shortColumns,
  domain:
    sql<TagFacts | null>`(select ${tagJson('d')} from domain d where d.id = problem.domain_id)`.as(
      'domain',
    ),
  tags: sql<
    TagFacts[]
  >`coalesce((select json_agg(${tagJson('t')} order by t.sequence, t.id) from problem_tag l join tag t on t.id = l.tag_id where l.problem_id = problem.id), '[]')`.as(
    'tags',
  ),
  languages: sql<
    number[]
  >`coalesce((select json_agg(c.language order by c.language) from problem_code c where c.problem_id = problem.id), '[]')`.as(
    'languages',
  ),
  tried:
    sql<number>`(select count(*)::int from problem_progress g where g.problem_id = problem.id)`.as(
      'tried',
    ),
  solved:
    sql<number>`(select count(*)::int from problem_progress g where g.problem_id = problem.id and g.solved_at is not null)`.as(
      'solved',
    ),
  myState: stateOf(userID).as('my_state'),
});
const value = (userID: number | null): SQLWrapper => sql`${sql.param(userID)}`;

const managedColumns = (userID: number | null) => ({
  ...listColumns(value(userID)),
  owner: sql<
    string | null
  >`(select u.nickname from user_account u where u.id = problem.owner_id)`.as('owner'),
});

/** The catalogue's statements. */
export const prepareProblemLists = (database: Database) =>
  prepareCatalogue<ProblemListRow>(database, {
    name: 'problem',
    table: problems,
    type: problems.difficulty,
    heat: problems.uses,
    columns: listColumns(sql.placeholder('user')),
    hasTag: sql`exists (select 1 from problem_tag l where l.problem_id = problem.id and l.tag_id = any(${sql.placeholder('tags')}::int[]))`,
    more: {
      language: sql`exists (select 1 from problem_code c where c.problem_id = problem.id and c.language = ${sql.placeholder('language')}::int)`,
      state: sql`coalesce(${stateOf(sql.placeholder('user'))}, 'untried') = ${sql.placeholder('state')}`,
    },
  });

/** Problems by id, drafts included. */
export const findProblems = (db: Executor, ids: readonly number[]): Promise<ProblemRow[]> =>
  db
    .select()
    .from(problems)
    .where(inArray(problems.id, [...ids]));

/** One problem with what belongs to it. */
export async function getProblemRow(
  db: Executor,
  problem: Pick<ProblemRow, 'id'>,
  userID: number | null,
): Promise<ManagedProblemRow> {
  const [row] = await db
    .select(managedColumns(userID))
    .from(problems)
    .where(eq(problems.id, problem.id));
  if (!row) throw new Error(`problem ${problem.id} vanished`);
  return row;
}

/** The languages of a problem with their code. */
export const listCodes = (db: Executor, problemID: number): Promise<CodeRow[]> =>
  db
    .select()
    .from(problemCodes)
    .where(eq(problemCodes.problemID, problemID))
    .orderBy(asc(problemCodes.language));

export type ManagedFilter = CatalogueManagedFilter & { readonly difficulty: number | undefined };

/** A page of what staff may change, and how many there are in all. */
export async function listManagedRows(
  db: Executor,
  filter: ManagedFilter,
): Promise<{ rows: ManagedProblemRow[]; total: number }> {
  const { condition, order, limit, offset } = managedPage(
    problems,
    filter,
    filter.difficulty === undefined ? undefined : eq(problems.difficulty, filter.difficulty),
  );
  const rows = await db
    .select(managedColumns(null))
    .from(problems)
    .where(condition)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return { rows, total: await db.$count(problems, condition) };
}

export type ProblemValues = Pick<
  typeof problems.$inferInsert,
  'titleZh' | 'titleEn' | 'contentZh' | 'contentEn' | 'difficulty' | 'cpuMs' | 'memoryBytes'
> & { domainID: number | null; parallelism: number; samples: number };
export type CodeValues = Omit<CodeRow, 'problemID'>;

/** The words by which it is found. */
const wordsOf = (
  values: Pick<ProblemValues, 'titleZh' | 'titleEn' | 'contentZh' | 'contentEn'>,
): string =>
  searchVector(
    [values.titleZh, values.titleEn],
    [values.contentZh, values.contentEn],
  ) as unknown as string;

async function writeParts(
  db: Executor,
  problemID: number,
  tagIDs: readonly number[],
  codes: readonly CodeValues[],
): Promise<void> {
  await db.delete(problemTags).where(eq(problemTags.problemID, problemID));
  if (tagIDs.length > 0)
    await db
      .insert(problemTags)
      .values([...new Set(tagIDs)].map((tagID) => ({ problemID, tagID })));
  await db.delete(problemCodes).where(eq(problemCodes.problemID, problemID));
  await db.insert(problemCodes).values(codes.map((code) => ({ problemID, ...code })));
}

/** Adds a problem at the end of the order. */
export async function insertProblem(
  db: Database,
  values: ProblemValues,
  ownerID: number,
  tagIDs: readonly number[],
  codes: readonly CodeValues[],
): Promise<ProblemRow> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(problems)
      .values({
        ...values,
        ownerID,
        words: wordsOf(values),
        sequence: sql`(select coalesce(max(o.sequence), 0) + 10 from problem o)`,
      })
      .returning();
    if (!row) throw new Error('the problem was not made');
    await writeParts(tx, row.id, tagIDs, codes);
    return row;
  });
}

/** @returns undefined when somebody else changed it since `version` */
export async function updateProblemRow(
  db: Database,
  row: ProblemRow,
  version: number,
  values: ProblemValues,
  tagIDs: readonly number[],
  codes: readonly CodeValues[],
): Promise<ProblemRow | undefined> {
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(problems)
      .set({
        ...values,
        words: wordsOf(values),
        version: sql`${problems.version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(problems.id, row.id), eq(problems.version, version)))
      .returning();
    if (changed) await writeParts(tx, row.id, tagIDs, codes);
    return changed;
  });
}

/** @returns undefined when it has no tests, and is to be published */
export async function publishProblemRow(
  db: Executor,
  row: Pick<ProblemRow, 'id'>,
  isPublished: boolean,
): Promise<ProblemRow | undefined> {
  const [changed] = await db
    .update(problems)
    .set({ isPublished, version: sql`${problems.version} + 1`, updatedAt: sql`now()` })
    .where(and(eq(problems.id, row.id), isPublished ? sql`${problems.testCount} > 0` : undefined))
    .returning();
  return changed;
}

export interface TestsValues {
  readonly testsFolder: string;
  readonly testCount: number;
  readonly testsBytes: number;
}

/** Gives a problem other tests. @returns the folder of those before */
export async function setTests(
  db: Database,
  row: Pick<ProblemRow, 'id'>,
  values: TestsValues,
  now: Date,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ folder: problems.testsFolder })
      .from(problems)
      .where(eq(problems.id, row.id))
      .for('update');
    await tx
      .update(problems)
      .set({
        ...values,
        testsAt: now,
        testsVersion: sql`${problems.testsVersion} + 1`,
        version: sql`${problems.version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(eq(problems.id, row.id));
    return before?.folder ?? null;
  });
}

export const deleteProblemRow = (db: Executor, row: Pick<ProblemRow, 'id'>): Promise<unknown> =>
  db.delete(problems).where(eq(problems.id, row.id));

/** Folders of tests that a record names. */
export const listTestFolders = async (db: Executor): Promise<string[]> =>
  (
    await db
      .select({ folder: problems.testsFolder })
      .from(problems)
      .where(sql`${problems.testsFolder} is not null`)
  ).flatMap(({ folder }) => folder ?? []);

/** Published problems. */
export const countProblems = (db: Executor): Promise<number> =>
  db.$count(problems, eq(problems.isPublished, true));

export interface DifficultyCount {
  readonly difficulty: number;
  readonly total: number;
  readonly solved: number;
  readonly tried: number;
}

/** Published problems of each difficulty, and how far a user is with them. */
export async function countByDifficulty(
  db: Executor,
  userID: number | null,
): Promise<DifficultyCount[]> {
  const { rows } = await db.execute(sql`
    select p.difficulty, count(*)::int as total,
           count(g.solved_at)::int as solved,
           count(*) filter (where g.user_id is not null and g.solved_at is null)::int as tried
      from problem p
      left join problem_progress g on g.problem_id = p.id and g.user_id = ${userID}::integer
     where p.is_published
     group by 1 order by 1`);
  return rows as unknown as DifficultyCount[];
}

export type SeedProblem = ProblemValues & { slug: string; sequence: number };

/** Puts a problem of the first content in place; it is published once its tests are. @returns its row */
export async function seedProblemRow(
  db: Executor,
  { slug, ...changing }: SeedProblem,
  tagIDs: readonly number[],
  codes: readonly CodeValues[],
): Promise<ProblemRow> {
  const words = wordsOf(changing);
  const [row] = await db
    .insert(problems)
    .values({ slug, ...changing, words })
    .onConflictDoUpdate({
      target: problems.slug,
      set: { ...changing, words, updatedAt: sql`now()` },
    })
    .returning();
  if (!row) throw new Error(`problem ${slug} was not made`);
  await writeParts(db, row.id, tagIDs, codes);
  return row;
}

/** Gives a problem of the first content its tests; the same ones change nothing. */
export async function seedTests(db: Executor, row: ProblemRow, values: TestsValues): Promise<void> {
  if (row.testsFolder === values.testsFolder) return;
  await db
    .update(problems)
    .set({
      ...values,
      testsAt: sql`now()`,
      testsVersion: sql`${problems.testsVersion} + 1`,
      // Whoever took it back to a draft later meant it.
      ...(row.testsFolder === null ? { isPublished: true } : {}),
    })
    .where(eq(problems.id, row.id));
}
