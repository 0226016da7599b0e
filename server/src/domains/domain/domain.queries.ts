import { asc, eq, inArray } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { domains, tags } from './domain.schema.ts';

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
