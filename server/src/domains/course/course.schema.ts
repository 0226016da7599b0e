import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { at, itemColumns } from '../../platform/database/columns.ts';
import { domains, tags } from '../domain/domain.schema.ts';
import { users } from '../user/user.schema.ts';

/** Courses: what they say of themselves, who finds them, and how they are joined. */
export const courses = pgTable(
  'course',
  {
    ...itemColumns(),
    domainID: integer('domain_id').references(() => domains.id, { onDelete: 'set null' }),
    /** Who made it; null while the first content has no accounts. */
    ownerID: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    isHidden: boolean('is_hidden').notNull().default(false),
    isPrivate: boolean('is_private').notNull().default(false),
    /** CourseJoinMode of the contract. */
    joinMode: smallint('join_mode').notNull().default(1),
    inviteCode: text('invite_code'),
    inviteFrom: at('invite_from'),
    inviteUntil: at('invite_until'),
  },
  (table) => [
    check('course_join_mode', sql`${table.joinMode} between 1 and 3`),
    check(
      'course_invite_code',
      sql`${table.inviteCode} is not null or not (${table.isPrivate} or ${table.joinMode} = 3)`,
    ),
    check('course_invite_period', sql`${table.inviteFrom} < ${table.inviteUntil}`),
    index('course_sequence').on(table.sequence, table.id),
    index('course_updated').on(table.updatedAt, table.id),
    index('course_owner').on(table.ownerID),
    index('course_words').using('gin', table.words),
    index('course_title_zh_trgm').using('gin', sql`${table.titleZh} gin_trgm_ops`),
    index('course_title_en_trgm').using('gin', sql`${table.titleEn} gin_trgm_ops`),
  ],
);

export const courseTags = pgTable(
  'course_tag',
  {
    courseID: integer('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    tagID: integer('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.courseID, table.tagID] }),
    index('course_tag_tag').on(table.tagID),
  ],
);

/** Who has to do with a course beside its owner; one row each, so that nobody is two things at once. */
export const coursePeople = pgTable(
  'course_person',
  {
    courseID: integer('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    userID: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
    appliedAt: at('applied_at').notNull(),
    /** Since when they are what they are; null while they wait. */
    joinedAt: at('joined_at'),
  },
  (table) => [
    primaryKey({ columns: [table.courseID, table.userID] }),
    check(
      'course_person_role',
      sql`${table.role} in ('waiting', 'member', 'assistant', 'collaborator')`,
    ),
    check('course_person_joined', sql`(${table.role} = 'waiting') = (${table.joinedAt} is null)`),
    index('course_person_user').on(table.userID, table.role),
    index('course_person_role_joined').on(table.courseID, table.role, table.joinedAt, table.userID),
    index('course_person_applied').on(table.courseID, table.appliedAt, table.userID),
  ],
);

export const courseNotices = pgTable(
  'course_notice',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    courseID: integer('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    titleZh: text('title_zh').notNull(),
    titleEn: text('title_en').notNull(),
    contentZh: text('content_zh').notNull(),
    contentEn: text('content_en').notNull(),
    authorID: integer('author_id').references(() => users.id, { onDelete: 'set null' }),
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (table) => [index('course_notice_course').on(table.courseID, table.createdAt, table.id)],
);
