import type { Domain, Language, Tag } from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import type { DomainRow, TagRow } from './domain.queries.ts';

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
