import {
  and,
  asc,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import type { RecordedAction } from '../../platform/http/record.ts';
import { auditRecords } from './audit.schema.ts';

export type AuditRow = typeof auditRecords.$inferSelect;

/** What a list shows of each; the differences are read one record at a time. */
const listed = {
  id: auditRecords.id,
  at: auditRecords.at,
  userID: auditRecords.userID,
  username: auditRecords.username,
  nickname: auditRecords.nickname,
  role: auditRecords.role,
  address: auditRecords.address,
  action: auditRecords.action,
  method: auditRecords.method,
  kind: auditRecords.kind,
  things: auditRecords.things,
  code: auditRecords.code,
};
export type ListedAudit = Pick<AuditRow, keyof typeof listed>;

export interface AuditFilter {
  readonly keyword?: string | undefined;
  readonly person?: number | undefined;
  readonly kind?: string | undefined;
  readonly outcome?: 'done' | 'refused' | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly sort: 'latest' | 'oldest';
}

const conditionOf = (filter: AuditFilter): SQL | undefined =>
  and(
    filter.keyword ? sql`${auditRecords.words} ilike ${likePattern(filter.keyword)}` : undefined,
    filter.person === undefined ? undefined : eq(auditRecords.userID, filter.person),
    filter.kind === undefined ? undefined : eq(auditRecords.kind, filter.kind),
    filter.outcome === undefined
      ? undefined
      : filter.outcome === 'done'
        ? isNull(auditRecords.code)
        : isNotNull(auditRecords.code),
    filter.from === undefined ? undefined : gte(auditRecords.at, filter.from),
    filter.to === undefined ? undefined : lte(auditRecords.at, filter.to),
  );

const orderOf = ({ sort }: AuditFilter): SQL[] =>
  sort === 'latest'
    ? [desc(auditRecords.at), desc(auditRecords.id)]
    : [asc(auditRecords.at), asc(auditRecords.id)];

/** Keeps a record. The nickname is the account's of this moment. */
export async function insertAudit(
  db: Database,
  action: RecordedAction,
  at: Date,
  words: string,
): Promise<void> {
  const nickname = sql<string>`coalesce((select u.nickname from user_account u where u.id = ${action.userID}), ${action.username})`;
  await db
    .insert(auditRecords)
    .values({ ...action, at, nickname, words: sql`${nickname} || ' ' || ${words}::text` });
}

export async function listAuditRows(
  db: Executor,
  filter: AuditFilter,
  page: number,
  pageSize: number,
): Promise<{ rows: ListedAudit[]; total: number }> {
  const condition = conditionOf(filter);
  const [rows, total] = await Promise.all([
    db
      .select(listed)
      .from(auditRecords)
      .where(condition)
      .orderBy(...orderOf(filter))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.$count(auditRecords, condition),
  ]);
  return { rows, total };
}

export const findAudit = (db: Executor, ids: readonly number[]): Promise<AuditRow[]> =>
  db
    .select()
    .from(auditRecords)
    .where(inArray(auditRecords.id, [...ids]));

/** Longest list of people to choose from. */
const PERSONS = 200;

/**
 * Who appears in the record, by the name that they had last. Steps from one id to the next on the
 * index: reading every record for a handful of names would take longer each day.
 */
export async function listAuditPersons(
  db: Executor,
): Promise<{ id: number; username: string; nickname: string }[]> {
  const { rows } = await db.execute<{ id: number; username: string; nickname: string }>(sql`
    with recursive person (id) as (
      (select min(user_id) from audit_record)
      union all
      select (select min(a.user_id) from audit_record a where a.user_id > p.id) from person p where p.id is not null
    )
    select p.id, l.username, l.nickname
      from (select id from person where id is not null limit ${PERSONS}) p
     cross join lateral (select a.username, a.nickname from audit_record a where a.user_id = p.id order by a.at desc limit 1) l
     order by l.username`);
  return rows;
}

/** Which parts of the platform appear, in the same way. */
export async function listAuditKinds(db: Executor): Promise<string[]> {
  const { rows } = await db.execute<{ kind: string }>(sql`
    with recursive part (kind) as (
      (select min(kind) from audit_record)
      union all
      select (select min(a.kind) from audit_record a where a.kind > p.kind) from part p where p.kind is not null
    )
    select kind from part where kind is not null order by 1`);
  return rows.map(({ kind }) => kind);
}

/** The statement of an export; its rows are {@link ExportedAudit}s. */
export const exportStatement = (db: Executor, filter: AuditFilter) =>
  db
    .select({ ...listed, changes: auditRecords.changes, requestID: auditRecords.requestID })
    .from(auditRecords)
    .where(conditionOf(filter))
    .orderBy(...orderOf(filter))
    .toSQL();

/** A row of that statement, as the database names its columns. */
export interface ExportedAudit {
  readonly at: Date;
  readonly username: string;
  readonly nickname: string;
  readonly role: string;
  readonly address: string;
  readonly action: string;
  readonly method: string;
  readonly kind: string;
  readonly things: AuditRow['things'];
  readonly changes: AuditRow['changes'];
  readonly request_id: string;
  readonly code: string | null;
}
