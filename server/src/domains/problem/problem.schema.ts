import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { at, itemColumns } from '../../platform/database/columns.ts';
import { domains, tags } from '../domain/domain.schema.ts';
import { users } from '../user/user.schema.ts';

// A problem is a row of a list: it has neither a description nor a cover.
const {
  descriptionZh: _descriptionZh,
  descriptionEn: _descriptionEn,
  coverKind: _coverKind,
  coverSeed: _coverSeed,
  ...columns
} = itemColumns();

/** Programming problems: what they ask, and what a program may use. */
export const problems = pgTable(
  'problem',
  {
    ...columns,
    /** ProblemType of the contract. */
    type: smallint('type').notNull().default(1),
    /** Difficulty of the contract. */
    difficulty: smallint('difficulty').notNull(),
    domainID: integer('domain_id').references(() => domains.id, { onDelete: 'set null' }),
    /** Who made it; null for the first content and for accounts that are gone. */
    ownerID: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    cpuMs: integer('cpu_ms').notNull(),
    memoryBytes: bigint('memory_bytes', { mode: 'number' }).notNull(),
    parallelism: smallint('parallelism').notNull().default(1),
    /** So many of the first tests are shown as examples. */
    samples: smallint('samples').notNull().default(0),
    /** Folder of the tests, below the data folder; a new package gets a new one. */
    testsFolder: text('tests_folder'),
    testCount: smallint('test_count').notNull().default(0),
    testsBytes: bigint('tests_bytes', { mode: 'number' }).notNull().default(0),
    testsAt: at('tests_at'),
    /** Moves with every package of tests, so that a result says by which it was judged. */
    testsVersion: integer('tests_version').notNull().default(0),
    /** Submissions, for the hottest first. */
    uses: integer('uses').notNull().default(0),
  },
  (table) => [
    check('problem_type', sql`${table.type} between 1 and 5`),
    check('problem_difficulty', sql`${table.difficulty} between 1 and 3`),
    check('problem_test_count', sql`${table.testCount} between 0 and 100`),
    check('problem_tests', sql`(${table.testsFolder} is null) = (${table.testCount} = 0)`),
    check('problem_published', sql`not ${table.isPublished} or ${table.testCount} > 0`),
    index('problem_sequence').on(table.sequence, table.id),
    index('problem_updated').on(table.updatedAt, table.id),
    index('problem_uses').on(table.uses, table.id),
    index('problem_owner').on(table.ownerID),
    index('problem_words').using('gin', table.words),
    index('problem_title_zh_trgm').using('gin', sql`${table.titleZh} gin_trgm_ops`),
    index('problem_title_en_trgm').using('gin', sql`${table.titleEn} gin_trgm_ops`),
  ],
);

export const problemTags = pgTable(
  'problem_tag',
  {
    problemID: integer('problem_id')
      .notNull()
      .references(() => problems.id, { onDelete: 'cascade' }),
    tagID: integer('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.problemID, table.tagID] }),
    index('problem_tag_tag').on(table.tagID),
  ],
);

/** The languages in which a problem may be solved. */
export const problemCodes = pgTable(
  'problem_code',
  {
    problemID: integer('problem_id')
      .notNull()
      .references(() => problems.id, { onDelete: 'cascade' }),
    /** ProgrammingLanguage of the contract. */
    language: smallint('language').notNull(),
    /** What the editor opens with. */
    defaultCode: text('default_code').notNull(),
    /** A solution, for staff alone. */
    referenceCode: text('reference_code').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.problemID, table.language] }),
    check('problem_code_language', sql`${table.language} between 1 and 8`),
  ],
);

/** What a test said of a program; kept as a list in the submission. */
export interface StoredTest {
  readonly number: number;
  readonly verdict: string;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly memoryBytes: number;
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly difference: {
    readonly token: number;
    readonly expected: string | null;
    readonly found: string | null;
  } | null;
  readonly errorOutput: string;
}

/** What was sent to be judged or run, its place in the queue, and what came of it. */
export const problemSubmissions = pgTable(
  'problem_submission',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    problemID: integer('problem_id')
      .notNull()
      .references(() => problems.id, { onDelete: 'cascade' }),
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    language: smallint('language').notNull(),
    source: text('source').notNull(),
    stdin: text('stdin').notNull().default(''),
    /** JudgeState of the contract. */
    state: smallint('state').notNull().default(0),
    /** Its turn: the queue goes by this moment, which lies further ahead the more a user sent. */
    due: at('due').notNull(),
    /** How often it was begun. */
    attempts: smallint('attempts').notNull().default(0),
    /** Who judges it now; another judge’s words are not heard. */
    lease: uuid('lease'),
    leaseUntil: at('lease_until'),
    verdict: text('verdict'),
    returnCode: integer('return_code'),
    passed: smallint('passed').notNull().default(0),
    total: smallint('total').notNull().default(0),
    /** The most of any test. */
    cpuMs: integer('cpu_ms'),
    memoryBytes: bigint('memory_bytes', { mode: 'number' }),
    compilerOutput: text('compiler_output').notNull().default(''),
    output: text('output').notNull().default(''),
    tests: jsonb('tests')
      .$type<readonly StoredTest[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** Which tests of the problem judged it. */
    testsVersion: integer('tests_version').notNull(),
    createdAt: at('created_at').notNull(),
    startedAt: at('started_at'),
    /** Of the last verdict; one that waits and has it is judged again. */
    judgedAt: at('judged_at'),
  },
  (table) => [
    check('problem_submission_kind', sql`${table.kind} in ('submission', 'run', 'check')`),
    check('problem_submission_state', sql`${table.state} between 0 and 2`),
    check('problem_submission_lease', sql`(${table.state} = 1) = (${table.lease} is not null)`),
    check('problem_submission_done', sql`(${table.state} = 2) = (${table.verdict} is not null)`),
    index('problem_submission_user').on(table.problemID, table.userID, table.id),
    index('problem_submission_kind').on(table.problemID, table.kind, table.id),
    index('problem_submission_queue')
      .on(table.due, table.id)
      .where(sql`state = 0`),
    index('problem_submission_open')
      .on(table.userID, table.state)
      .where(sql`state < 2`),
  ],
);

/** How far a learner is with a problem: made of their submissions, so that lists need not count. */
export const problemProgress = pgTable(
  'problem_progress',
  {
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    problemID: integer('problem_id')
      .notNull()
      .references(() => problems.id, { onDelete: 'cascade' }),
    /** When the first accepted one was sent; null: not solved. */
    solvedAt: at('solved_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userID, table.problemID] }),
    index('problem_progress_problem').on(table.problemID, table.solvedAt),
    index('problem_progress_solved').on(table.userID, table.solvedAt),
  ],
);

/** Workers that judge, and what they can; one that was not heard of for a while is gone. */
export const problemJudges = pgTable('problem_judge', {
  id: uuid('id').primaryKey(),
  isReady: boolean('is_ready').notNull(),
  reason: text('reason'),
  languages: smallint('languages').array().notNull(),
  seenAt: at('seen_at').notNull(),
});
