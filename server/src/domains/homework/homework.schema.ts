import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { at } from '../../platform/database/columns.ts';
import { courses } from '../course/course.schema.ts';
import { users } from '../user/user.schema.ts';

/** Homework of courses. Points are kept in tenths, so that they are compared exactly. */
export const homework = pgTable(
  'homework',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    courseID: integer('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    titleZh: text('title_zh').notNull(),
    titleEn: text('title_en').notNull(),
    contentZh: text('content_zh').notNull(),
    contentEn: text('content_en').notNull(),
    /** HomeworkType of the contract. */
    type: smallint('type').notNull().default(1),
    /** Hidden from learners before; null: open as soon as it is published. */
    openAt: at('open_at'),
    dueAt: at('due_at').notNull(),
    maxTenths: integer('max_tenths').notNull(),
    isPublished: boolean('is_published').notNull(),
    /** When the members were told of it; null until then. */
    toldAt: at('told_at'),
    authorID: integer('author_id').references(() => users.id, { onDelete: 'set null' }),
    /** Moves at every change, so that two people do not overwrite each other. */
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (table) => [
    check('homework_type', sql`${table.type} between 1 and 2`),
    check('homework_max', sql`${table.maxTenths} between 10 and 10000`),
    check('homework_period', sql`${table.openAt} < ${table.dueAt}`),
    index('homework_course').on(table.courseID, table.dueAt, table.id),
    index('homework_untold')
      .on(table.openAt)
      .where(sql`${table.isPublished} and ${table.toldAt} is null`),
  ],
);

/** What a learner handed in and got for it; one each, also for points without a submission. */
export const homeworkSubmissions = pgTable(
  'homework_submission',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    homeworkID: integer('homework_id')
      .notNull()
      .references(() => homework.id, { onDelete: 'cascade' }),
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** HomeworkSubmitState of the contract. */
    state: smallint('state').notNull().default(0),
    text: text('text').notNull().default(''),
    submittedAt: at('submitted_at'),
    /** null until it is corrected. */
    scoreTenths: integer('score_tenths'),
    comment: text('comment').notNull().default(''),
    gradedBy: integer('graded_by').references(() => users.id, { onDelete: 'set null' }),
    gradedAt: at('graded_at'),
    /** Moves at every change, by the learner and by staff. */
    version: integer('version').notNull().default(1),
  },
  (table) => [
    unique('homework_submission_one').on(table.homeworkID, table.userID),
    check('homework_submission_state', sql`${table.state} between 0 and 2`),
    check('homework_submission_at', sql`(${table.state} = 0) = (${table.submittedAt} is null)`),
    check('homework_submission_score', sql`${table.scoreTenths} >= 0`),
    check(
      'homework_submission_graded',
      sql`(${table.scoreTenths} is null) = (${table.gradedAt} is null)`,
    ),
    index('homework_submission_user').on(table.userID),
    index('homework_submission_waiting')
      .on(table.homeworkID)
      .where(sql`${table.state} > 0 and ${table.scoreTenths} is null`),
  ],
);

/**
 * Files of homework, of submissions and of comments. Each is sent before what it belongs to names
 * it; one that nothing has named is swept after a day.
 */
export const homeworkFiles = pgTable(
  'homework_file',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** `attachment`, `submission` or `comment`. */
    kind: text('kind').notNull(),
    courseID: integer('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    /** null for an attachment that no homework names yet. */
    homeworkID: integer('homework_id').references(() => homework.id, { onDelete: 'cascade' }),
    /** null for an attachment, and for what no submission names yet. */
    submissionID: integer('submission_id').references(() => homeworkSubmissions.id, {
      onDelete: 'cascade',
    }),
    /** Who sent it. */
    userID: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** As people know it. */
    name: text('name').notNull(),
    /** Its name in the folder of homework files. */
    stored: text('stored').notNull().unique(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    sequence: smallint('sequence').notNull().default(0),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    check('homework_file_kind', sql`${table.kind} in ('attachment', 'submission', 'comment')`),
    check(
      'homework_file_place',
      sql`case when ${table.kind} = 'attachment' then ${table.submissionID} is null else ${table.homeworkID} is not null end`,
    ),
    index('homework_file_homework').on(table.homeworkID),
    index('homework_file_submission').on(table.submissionID),
    index('homework_file_course').on(table.courseID),
    index('homework_file_user').on(table.userID, table.createdAt),
  ],
);

/** Every change of what was given, kept with who made it. */
export const homeworkScoreChanges = pgTable(
  'homework_score_change',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    submissionID: integer('submission_id')
      .notNull()
      .references(() => homeworkSubmissions.id, { onDelete: 'cascade' }),
    at: at('at').notNull(),
    byID: integer('by_id').references(() => users.id, { onDelete: 'set null' }),
    scoreBefore: integer('score_before'),
    scoreAfter: integer('score_after'),
    commentBefore: text('comment_before').notNull(),
    commentAfter: text('comment_after').notNull(),
  },
  (table) => [
    index('homework_score_change_submission').on(table.submissionID, table.id),
    index('homework_score_change_by').on(table.byID),
  ],
);
