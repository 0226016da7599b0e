/** What a request to open an environment names, turned into what is run (decision 48). */
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { ComputerRow } from '../computer/computer.service.ts';
import type { ImageRow } from '../image/image.service.ts';
import type { LabRow, LabTaskRow } from '../lab/lab.service.ts';
import type { SoftwareRow } from '../software/software.service.ts';
import {
  findDefaultSpecification,
  findSpecifications,
  type Specification,
} from '../specification/specification.service.ts';
import type { UsageRequest } from './usage.service.ts';

/** The things that a request may name, as far as the actor may know of them. */
export interface Named {
  readonly lab: LabRow | undefined;
  readonly task: LabTaskRow | undefined;
  readonly software: SoftwareRow | undefined;
  readonly computer: ComputerRow | undefined;
  readonly specification: Specification | undefined;
  readonly images: readonly ImageRow[] | undefined;
}

type Opening = Pick<
  UsageRequest,
  | 'titleZh'
  | 'titleEn'
  | 'labID'
  | 'taskID'
  | 'softwareID'
  | 'computerID'
  | 'specification'
  | 'images'
>;

/**
 * @throws DomainError `invalid_input` unless exactly one thing is named, and `not_found` where
 *   there is nothing to run it on
 */
export async function openingOf(database: Database, named: Named): Promise<Opening> {
  const { lab, task, software, computer, images } = named;
  const resources = [lab, software, computer, named.specification, images];
  if (
    resources.filter((part) => part !== undefined).length !== 1 ||
    (lab === undefined) !== (task === undefined)
  ) {
    throw new DomainError('invalid_input', { Fields: [{ Path: 'LabID', Rule: 'one_resource' }] });
  }
  const owner = lab ?? software ?? computer;
  const specification =
    named.specification ??
    (owner
      ? (await findSpecifications(database, [owner.specificationID]))[0]
      : await findDefaultSpecification(database, images?.[0]?.type ?? 0));
  if (!specification || specification.nodes.length === 0) throw new DomainError('not_found');
  const titled = lab ?? software ?? images?.[0];
  return {
    titleZh: computer?.name ?? titled?.titleZh ?? specification.nameZh,
    titleEn: computer?.name ?? titled?.titleEn ?? specification.nameEn,
    labID: lab?.id ?? null,
    taskID: task?.id ?? null,
    softwareID: software?.id ?? null,
    computerID: computer?.id ?? null,
    specification,
    images,
  };
}
