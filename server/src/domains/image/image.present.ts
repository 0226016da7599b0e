import type { ImageBuild, Language } from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import type { ImageRow } from './image.queries.ts';

export const presentBuild = (row: ImageRow, language: Language): ImageBuild => ({
  Image: inLanguage(language, row.titleZh, row.titleEn),
  State: row.buildState as ImageBuild['State'],
  Step: row.buildStep,
  Steps: row.buildSteps,
  Text: row.buildText,
  StartedAt: row.buildStartedAt?.toISOString() ?? null,
});
