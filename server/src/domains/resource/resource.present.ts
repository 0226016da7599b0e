import type {
  Language,
  ManagedResource,
  ManagedResourceRow,
  ResourceApplication,
  ResourceCentre,
} from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import type { CentreRow, ResourceRow, StepRow } from './resource.queries.ts';

export const presentCentre = (
  row: CentreRow & { readonly isManaged: boolean },
  language: Language,
): ResourceCentre => ({
  ID: row.id,
  Name: inLanguage(language, row.nameZh, row.nameEn),
  IsManaged: row.isManaged,
});

const presentSummary = (
  row: ResourceRow,
  language: Language,
): Omit<ResourceApplication, 'History'> => ({
  ID: row.id,
  Status: row.status as ResourceApplication['Status'],
  ApplicantName: row.applicantName,
  Organisation: row.organisation,
  Phone: row.phone,
  Email: row.email,
  Project: row.project,
  Centre: { ID: row.centreID, Name: inLanguage(language, row.centreZh, row.centreEn) },
  CpuHours: row.cpuHours,
  Purpose: row.purpose,
  Target: row.target as ResourceApplication['Target'],
  Software:
    row.softwareID === null
      ? null
      : {
          ID: row.softwareID,
          Title: inLanguage(language, row.softwareZh ?? '', row.softwareEn ?? ''),
        },
  Reason: row.reason,
  CreatedAt: row.createdAt.toISOString(),
  UpdatedAt: row.updatedAt.toISOString(),
  Version: row.version,
});

const presentStep = (row: StepRow): ResourceApplication['History'][number] => ({
  Step: row.step as ResourceApplication['History'][number]['Step'],
  Status: row.status as ResourceApplication['Status'],
  By: row.by,
  IsStaff: row.isStaff,
  Reason: row.reason,
  At: row.at.toISOString(),
});

/** As its applicant sees it. @param steps of this application and possibly of others */
export const presentResource = (
  row: ResourceRow,
  steps: readonly StepRow[],
  language: Language,
): ResourceApplication => ({
  ...presentSummary(row, language),
  History: steps.filter(({ applyID }) => applyID === row.id).map(presentStep),
});

/** As a row of the list of staff. */
export const presentManagedRow = (row: ResourceRow, language: Language): ManagedResourceRow => ({
  ...presentSummary(row, language),
  Username: row.username,
});

export const presentManagedResource = (
  row: ResourceRow,
  steps: readonly StepRow[],
  language: Language,
): ManagedResource => ({ ...presentResource(row, steps, language), Username: row.username });
