import type { Image, ImageBuild, ImageDetail, Language } from '@hypercube/contract';
import type { Actor } from '../../platform/access/access.ts';
import { managesRow } from '../../platform/access/managed.ts';
import { inLanguage } from '../../platform/language.ts';
import { presentDependent, type DependentRow } from '../specification/specification.service.ts';
import type { ImageListRow, ImageRow, ImageVersionRow } from './image.queries.ts';

/** How far an image is, for those who wait for it: a commit is a build to them. */
export const presentBuild = (row: ImageRow, language: Language): ImageBuild => ({
  Image: inLanguage(language, row.titleZh, row.titleEn),
  State: row.buildState === 'committing' ? 'building' : (row.buildState as ImageBuild['State']),
  Step: row.buildStep,
  Steps: row.buildSteps,
  Text: row.buildText,
  StartedAt: row.buildStartedAt?.toISOString() ?? null,
});

export const presentImage = (row: ImageListRow, actor: Actor, language: Language): Image => ({
  ID: row.id,
  Type: row.type as Image['Type'],
  Title: inLanguage(language, row.titleZh, row.titleEn),
  TitleZh: row.titleZh,
  TitleEn: row.titleEn,
  Description: inLanguage(language, row.descriptionZh, row.descriptionEn),
  DescriptionZh: row.descriptionZh,
  DescriptionEn: row.descriptionEn,
  IsPublic: row.isPublic,
  IsBuiltIn: row.slug !== null,
  SizeBytes: row.sizeBytes,
  State: row.buildState as Image['State'],
  Step: row.buildStep,
  Steps: row.buildSteps,
  StateText: row.buildText,
  StateSince: row.buildStartedAt?.toISOString() ?? null,
  Version: row.number ?? 0,
  Owner: row.owner,
  MayEdit: managesRow(actor, row),
  UpdatedAt: row.updatedAt.toISOString(),
});

export interface ImageParts {
  readonly versions: readonly (ImageVersionRow & { creator: string | null })[];
  readonly dependents: readonly DependentRow[];
}

export const presentImageDetail = (
  row: ImageListRow,
  { versions, dependents }: ImageParts,
  actor: Actor,
  language: Language,
): ImageDetail => ({
  ...presentImage(row, actor, language),
  Versions: versions.map((version) => ({
    ID: version.id,
    Number: version.number,
    SizeBytes: version.sizeBytes,
    IsCurrent: version.id === row.versionID,
    CreatedAt: version.createdAt.toISOString(),
    CreatedBy: version.creator,
  })),
  Contents: (row.contents ?? []).map(({ name, version }) => ({ Name: name, Version: version })),
  // Who has it open is for those who look after it.
  Dependents: managesRow(actor, row)
    ? dependents.map((dependent) => presentDependent(dependent, language))
    : [],
});
