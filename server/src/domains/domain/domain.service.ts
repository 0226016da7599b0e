/** What other domains may ask of domains and tags. */
import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { domains, tags } from './domain.schema.ts';

export type { TagFacts } from './domain.present.ts';

/** SQL of a domain's or a tag's facts as JSON, for statements that read them with what they mark. */
export const tagJson = (alias: 'd' | 't'): SQL =>
  sql.raw(
    `json_build_object('id', ${alias}.id, 'sequence', ${alias}.sequence, 'titleZh', ${alias}.title_zh, 'titleEn', ${alias}.title_en, 'color', ${alias}.color)`,
  );

export interface SeedTag {
  readonly slug: string;
  readonly titleZh: string;
  readonly titleEn: string;
  readonly color: number;
  readonly sequence: number;
}

const changed = {
  titleZh: sql`excluded.title_zh`,
  titleEn: sql`excluded.title_en`,
  color: sql`excluded.color`,
  sequence: sql`excluded.sequence`,
};

/** Puts a domain of the first content in place. @returns its id */
export async function seedDomain(db: Executor, domain: SeedTag): Promise<number> {
  const [row] = await db
    .insert(domains)
    .values(domain)
    .onConflictDoUpdate({ target: domains.slug, set: changed })
    .returning({ id: domains.id });
  if (!row) throw new Error(`domain ${domain.slug} was not made`);
  return row.id;
}

/** Puts a tag of the first content in place. @returns its id */
export async function seedTag(db: Executor, domainID: number, tag: SeedTag): Promise<number> {
  const [row] = await db
    .insert(tags)
    .values({ ...tag, domainID })
    .onConflictDoUpdate({ target: tags.slug, set: { ...changed, domainID } })
    .returning({ id: tags.id });
  if (!row) throw new Error(`tag ${tag.slug} was not made`);
  return row.id;
}
