import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { domains, tags, userDomains } from './domain.schema.ts';

export type DomainRow = typeof domains.$inferSelect;
export type TagRow = typeof tags.$inferSelect;

export const listDomainRows = (db: Executor): Promise<DomainRow[]> =>
  db.select().from(domains).orderBy(asc(domains.sequence), asc(domains.id));

export const listTagRows = (db: Executor): Promise<TagRow[]> =>
  db.select().from(tags).orderBy(asc(tags.sequence), asc(tags.id));

export const listTagRowsOf = (db: Executor, domain: DomainRow): Promise<TagRow[]> =>
  db
    .select()
    .from(tags)
    .where(eq(tags.domainID, domain.id))
    .orderBy(asc(tags.sequence), asc(tags.id));

export const findDomains = (db: Executor, ids: readonly number[]): Promise<DomainRow[]> =>
  db
    .select()
    .from(domains)
    .where(inArray(domains.id, [...ids]));

export const findTags = (db: Executor, ids: readonly number[]): Promise<TagRow[]> =>
  db
    .select()
    .from(tags)
    .where(inArray(tags.id, [...ids]));

export type ManagedDomainRow = DomainRow & { uses: number };
export type ManagedTagRow = TagRow & { uses: number };

// Written out: in a statement on one table drizzle leaves the table's name away, and `id` inside a
// sub-select would then be the wrong table's.
const domainUses =
  sql<number>`((select count(*)::int from lab l where l.domain_id = domain.id) + (select count(*)::int from software s where s.domain_id = domain.id) + (select count(*)::int from course c where c.domain_id = domain.id) + (select count(*)::int from problem p where p.domain_id = domain.id))`.as(
    'uses',
  );
const tagUses =
  sql<number>`((select count(*)::int from lab_tag l where l.tag_id = tag.id) + (select count(*)::int from software_tag s where s.tag_id = tag.id) + (select count(*)::int from course_tag c where c.tag_id = tag.id) + (select count(*)::int from problem_tag p where p.tag_id = tag.id))`.as(
    'uses',
  );

export const listManagedDomainRows = (db: Executor): Promise<ManagedDomainRow[]> =>
  db
    .select({ ...getTableColumns(domains), uses: domainUses })
    .from(domains)
    .orderBy(asc(domains.sequence), asc(domains.id));

export const listManagedTagRows = (db: Executor): Promise<ManagedTagRow[]> =>
  db
    .select({ ...getTableColumns(tags), uses: tagUses })
    .from(tags)
    .orderBy(asc(tags.sequence), asc(tags.id));

export type TagValues = Pick<DomainRow, 'titleZh' | 'titleEn' | 'color'>;

/** Adds a domain at the end of the order. */
export async function insertDomain(db: Executor, values: TagValues): Promise<DomainRow> {
  const [row] = await db
    .insert(domains)
    .values({
      ...values,
      sequence: sql`(select coalesce(max(o.sequence), 0) + 10 from domain o)`,
    })
    .returning();
  if (!row) throw new Error('the domain was not made');
  return row;
}

/** @returns undefined when somebody else changed it since `version` */
export async function changeDomain(
  db: Executor,
  domainID: number,
  version: number,
  values: TagValues,
): Promise<DomainRow | undefined> {
  const [row] = await db
    .update(domains)
    .set({ ...values, version: sql`${domains.version} + 1` })
    .where(and(eq(domains.id, domainID), eq(domains.version, version)))
    .returning();
  return row;
}

export async function deleteDomainRow(db: Executor, domainID: number): Promise<void> {
  await db.delete(domains).where(eq(domains.id, domainID));
}

/** Adds a tag at the end of its domain. */
export async function insertTag(
  db: Executor,
  domainID: number,
  values: TagValues,
): Promise<TagRow> {
  const [row] = await db
    .insert(tags)
    .values({
      ...values,
      domainID,
      sequence: sql`(select coalesce(max(o.sequence), 0) + 10 from tag o where o.domain_id = ${domainID})`,
    })
    .returning();
  if (!row) throw new Error('the tag was not made');
  return row;
}

/** @returns undefined when somebody else changed it since `version` */
export async function changeTag(
  db: Executor,
  tagID: number,
  version: number,
  values: TagValues,
): Promise<TagRow | undefined> {
  const [row] = await db
    .update(tags)
    .set({ ...values, version: sql`${tags.version} + 1` })
    .where(and(eq(tags.id, tagID), eq(tags.version, version)))
    .returning();
  return row;
}

export async function deleteTagRow(db: Executor, tagID: number): Promise<void> {
  await db.delete(tags).where(eq(tags.id, tagID));
}

/** Locks all of a level against another order, and says which ones there are. */
export async function lockDomains(tx: Executor): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(
    sql`select id from domain order by id for update`,
  );
  return rows.map(({ id }) => id);
}

export async function lockTags(tx: Executor, domainID: number): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(
    sql`select id from tag where domain_id = ${domainID} order by id for update`,
  );
  return rows.map(({ id }) => id);
}

export async function setSequence(
  tx: Executor,
  level: 'domain' | 'tag',
  id: number,
  sequence: number,
): Promise<void> {
  const table = level === 'domain' ? domains : tags;
  await tx.update(table).set({ sequence }).where(eq(table.id, id));
}

export interface CarrierRow {
  readonly kind: 'lab' | 'software' | 'course' | 'problem';
  readonly id: number;
  readonly title: string;
}

/** What carries a domain itself, or one of its tags. */
export async function listDomainCarriers(db: Executor, domainID: number): Promise<CarrierRow[]> {
  const { rows } = await db.execute<{ kind: CarrierRow['kind']; id: number; title: string }>(sql`
    select 'lab' as kind, l.id, l.title_zh as title from lab l
     where l.domain_id = ${domainID} or exists (select 1 from lab_tag x join tag t on t.id = x.tag_id where x.lab_id = l.id and t.domain_id = ${domainID})
    union all
    select 'software', s.id, s.title_zh from software s
     where s.domain_id = ${domainID} or exists (select 1 from software_tag x join tag t on t.id = x.tag_id where x.software_id = s.id and t.domain_id = ${domainID})
    union all
    select 'course', c.id, c.title_zh from course c
     where c.domain_id = ${domainID} or exists (select 1 from course_tag x join tag t on t.id = x.tag_id where x.course_id = c.id and t.domain_id = ${domainID})
    union all
    select 'problem', p.id, p.title_zh from problem p
     where p.domain_id = ${domainID} or exists (select 1 from problem_tag x join tag t on t.id = x.tag_id where x.problem_id = p.id and t.domain_id = ${domainID})
    order by 1, 2 limit 1000`);
  return rows;
}

export async function listTagCarriers(db: Executor, tagID: number): Promise<CarrierRow[]> {
  const { rows } = await db.execute<{ kind: CarrierRow['kind']; id: number; title: string }>(sql`
    select 'lab' as kind, l.id, l.title_zh as title from lab l join lab_tag x on x.lab_id = l.id where x.tag_id = ${tagID}
    union all
    select 'software', s.id, s.title_zh from software s join software_tag x on x.software_id = s.id where x.tag_id = ${tagID}
    union all
    select 'course', c.id, c.title_zh from course c join course_tag x on x.course_id = c.id where x.tag_id = ${tagID}
    union all
    select 'problem', p.id, p.title_zh from problem p join problem_tag x on x.problem_id = p.id where x.tag_id = ${tagID}
    order by 1, 2 limit 1000`);
  return rows;
}

/** The domains that somebody has chosen, in order. */
export async function listSelected(db: Executor, userID: number): Promise<number[]> {
  const rows = await db
    .select({ id: domains.id })
    .from(userDomains)
    .innerJoin(domains, eq(domains.id, userDomains.domainID))
    .where(eq(userDomains.userID, userID))
    .orderBy(asc(domains.sequence), asc(domains.id));
  return rows.map(({ id }) => id);
}

export async function replaceSelected(
  tx: Executor,
  userID: number,
  domainIDs: readonly number[],
): Promise<void> {
  await tx.delete(userDomains).where(eq(userDomains.userID, userID));
  if (domainIDs.length > 0)
    await tx
      .insert(userDomains)
      .values(domainIDs.map((domainID) => ({ userID, domainID })))
      .onConflictDoNothing();
}
