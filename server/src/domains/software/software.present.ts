import type {
  Language,
  ManagedSoftware,
  ManagedSoftwareRow as ManagedRowOnWire,
  SoftwareDetail,
  SoftwareSummary,
} from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import { presentTag } from '../domain/domain.present.ts';
import { presentSpecificationSummary } from '../specification/specification.summary.ts';
import type { Specification } from '../specification/specification.service.ts';
import type { ManagedSoftwareRow, SoftwareListRow, SoftwareRow } from './software.queries.ts';

const coverOf = (row: Pick<SoftwareRow, 'coverKind' | 'coverSeed'>): SoftwareSummary['Cover'] => ({
  Kind: row.coverKind as SoftwareSummary['Cover']['Kind'],
  Seed: row.coverSeed,
});

export const presentSoftware = (row: SoftwareListRow, language: Language): SoftwareSummary => ({
  ID: row.id,
  Type: row.type as SoftwareSummary['Type'],
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Description: inLanguage(language, row.descriptionZh, row.descriptionEn),
  Cover: coverOf(row),
  Domain: row.domain && presentTag(row.domain, language),
  Tags: row.tags.map((tag) => presentTag(tag, language)),
  Uses: row.uses,
  UpdatedAt: row.updatedAt.toISOString(),
});

export const presentSoftwareDetail = (
  row: SoftwareRow,
  listRow: SoftwareListRow,
  specification: Specification,
  language: Language,
): SoftwareDetail => ({
  ...presentSoftware(listRow, language),
  Content: inLanguage(language, row.contentZh, row.contentEn),
  Specification: presentSpecificationSummary(specification, language),
});

export const presentManagedRow = (
  row: ManagedSoftwareRow,
  language: Language,
): ManagedRowOnWire => ({
  ID: row.id,
  Type: row.type as ManagedRowOnWire['Type'],
  Title: inLanguage(language, row.titleZh, row.titleEn),
  TitleZh: row.titleZh,
  TitleEn: row.titleEn,
  DescriptionZh: row.descriptionZh,
  DescriptionEn: row.descriptionEn,
  Cover: coverOf(row),
  DomainID: row.domainID,
  TagIDList: row.tags.map((tag) => tag.id),
  SpecificationID: row.specificationID,
  Specification: inLanguage(language, row.specificationZh, row.specificationEn),
  IsPublished: row.isPublished,
  IsBuiltIn: row.slug !== null,
  SequenceNumber: row.sequence,
  Owner: row.owner,
  Uses: row.uses,
  UpdatedAt: row.updatedAt.toISOString(),
  Version: row.version,
});

export const presentManaged = (
  row: SoftwareRow,
  listRow: ManagedSoftwareRow,
  language: Language,
): ManagedSoftware => ({
  ...presentManagedRow(listRow, language),
  ContentZh: row.contentZh,
  ContentEn: row.contentEn,
});
