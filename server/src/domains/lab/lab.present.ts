import {
  API_BASE,
  type Language,
  type LabDetail,
  type LabResource,
  type LabSummary,
  type LabTask,
  type LabTaskSummary,
  type ManagedLab,
  type ManagedLabRow as ManagedRowOnWire,
  type ManagedLabTask,
} from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import { presentTag } from '../domain/domain.present.ts';
import { presentSpecificationSummary } from '../specification/specification.summary.ts';
import type { Specification } from '../specification/specification.service.ts';
import type {
  LabListRow,
  LabResourceRow,
  LabRow,
  LabTaskRow,
  ManagedLabRow,
} from './lab.queries.ts';

/** Relative addresses of a lab's texts are appended to this. */
const mediaPath = (labID: number): string => `${API_BASE}/lab/${labID}/`;

const coverOf = (row: Pick<LabRow, 'coverKind' | 'coverSeed'>): LabSummary['Cover'] => ({
  Kind: row.coverKind as LabSummary['Cover']['Kind'],
  Seed: row.coverSeed,
});

export const presentLabSummary = (row: LabListRow, language: Language): LabSummary => ({
  ID: row.id,
  Type: row.type as LabSummary['Type'],
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Description: inLanguage(language, row.descriptionZh, row.descriptionEn),
  Cover: coverOf(row),
  Domain: row.domain && presentTag(row.domain, language),
  Tags: row.tags.map((tag) => presentTag(tag, language)),
  TaskCount: row.taskCount,
  Minutes: row.minutes,
  Uses: row.uses,
  UpdatedAt: row.updatedAt.toISOString(),
});

export const presentLabDetail = (
  lab: LabRow,
  row: LabListRow,
  specification: Specification,
  language: Language,
): LabDetail => ({
  ...presentLabSummary(row, language),
  Content: inLanguage(language, lab.contentZh, lab.contentEn),
  MediaPath: mediaPath(lab.id),
  Specification: presentSpecificationSummary(specification, language),
});

export const presentTaskSummary = (row: LabTaskRow, language: Language): LabTaskSummary => ({
  ID: row.id,
  SequenceNumber: row.sequence,
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Minutes: row.minutes,
});

export const presentTask = (row: LabTaskRow, language: Language): LabTask => ({
  ...presentTaskSummary(row, language),
  Content: inLanguage(language, row.contentZh, row.contentEn),
  MediaPath: mediaPath(row.labID),
});

export const presentResource = (row: LabResourceRow, language: Language): LabResource => ({
  ID: row.id,
  Type: row.type as LabResource['Type'],
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Path: row.path,
  SizeBytes: row.sizeBytes,
});

/** A lab as staff see it in a list: both languages, drafts included. */
export const presentManagedRow = (row: ManagedLabRow, language: Language): ManagedRowOnWire => ({
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
  TaskCount: row.taskCount,
  ResourceCount: row.resourceCount,
  Uses: row.uses,
  MediaPath: mediaPath(row.id),
  UpdatedAt: row.updatedAt.toISOString(),
  Version: row.version,
});

export const presentManaged = (
  lab: Pick<LabRow, 'contentZh' | 'contentEn'>,
  row: ManagedLabRow,
  language: Language,
): ManagedLab => ({
  ...presentManagedRow(row, language),
  ContentZh: lab.contentZh,
  ContentEn: lab.contentEn,
});

export const presentManagedTask = (row: LabTaskRow): ManagedLabTask => ({
  ID: row.id,
  SequenceNumber: row.sequence,
  TitleZh: row.titleZh,
  TitleEn: row.titleEn,
  ContentZh: row.contentZh,
  ContentEn: row.contentEn,
  Minutes: row.minutes,
  MediaPath: mediaPath(row.labID),
  Version: row.version,
});
