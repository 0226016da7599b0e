import type { Domain, Language, ManagedDomain, ManagedTag, Tag } from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import type { DomainRow, ManagedDomainRow, ManagedTagRow, TagRow } from './domain.queries.ts';

export type TagFacts = Pick<TagRow, 'id' | 'sequence' | 'titleZh' | 'titleEn' | 'color'>;

export const presentTag = (row: TagFacts, language: Language): Tag => ({
  ID: row.id,
  SequenceNumber: row.sequence,
  Title: inLanguage(language, row.titleZh, row.titleEn),
  TitleZh: row.titleZh,
  TitleEn: row.titleEn,
  Color: row.color,
});

export const presentDomain = (
  row: DomainRow,
  tags: readonly TagRow[],
  language: Language,
): Domain => ({
  ...presentTag(row, language),
  Tags: tags.filter((tag) => tag.domainID === row.id).map((tag) => presentTag(tag, language)),
});

/** A tag as staff see it. */
export const presentManagedTag = (
  row: TagFacts & { readonly uses: number; readonly version: number },
  language: Language,
): ManagedTag => ({ ...presentTag(row, language), Uses: row.uses, Version: row.version });

/** A domain as staff see it. */
export const presentManagedDomain = (
  row: ManagedDomainRow,
  tags: readonly ManagedTagRow[],
  language: Language,
): ManagedDomain => ({
  ...presentManagedTag(row, language),
  Tags: tags
    .filter((tag) => tag.domainID === row.id)
    .map((tag) => presentManagedTag(tag, language)),
});
