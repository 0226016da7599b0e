import {
  API_BASE,
  type Language,
  type LabDetail,
  type LabResource,
  type LabSummary,
  type LabTask,
  type LabTaskSummary,
} from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import { presentTag } from '../domain/domain.present.ts';
import type { Specification } from '../specification/specification.service.ts';
import type { LabListRow, LabResourceRow, LabRow, LabTaskRow } from './lab.queries.ts';

/** Relative addresses of a lab's texts are appended to this. */
const mediaPath = (labID: number): string => `${API_BASE}/lab/${labID}/`;

export const presentLabSummary = (row: LabListRow, language: Language): LabSummary => ({
  ID: row.id,
  Type: row.type as LabSummary['Type'],
  Title: inLanguage(language, row.titleZh, row.titleEn),
  Description: inLanguage(language, row.descriptionZh, row.descriptionEn),
  Cover: { Kind: row.coverKind as LabSummary['Cover']['Kind'], Seed: row.coverSeed },
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
  Specification: {
    ID: specification.id,
    Name: inLanguage(language, specification.nameZh, specification.nameEn),
    LifetimeSeconds: specification.lifetimeSeconds,
    Nodes: specification.nodes.map((node) => ({
      Name: node.name,
      Cpus: node.cpus,
      MemoryBytes: node.memoryBytes,
      Image: inLanguage(language, node.imageTitleZh, node.imageTitleEn),
    })),
  },
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
