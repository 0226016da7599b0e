import type { Dependent, Language, Specification as OnWire } from '@hypercube/contract';
import type { Actor } from '../../platform/access/access.ts';
import { managesRow } from '../../platform/access/managed.ts';
import { inLanguage } from '../../platform/language.ts';
import type { DependentRow, Specification } from './specification.queries.ts';

/** A specification as staff see it: both names, its nodes, and whether they may change it. */
export const presentSpecification = (
  row: Specification,
  actor: Actor,
  language: Language,
): OnWire => ({
  ID: row.id,
  Name: inLanguage(language, row.nameZh, row.nameEn),
  NameZh: row.nameZh,
  NameEn: row.nameEn,
  ImageType: row.imageType as OnWire['ImageType'],
  IsShared: row.isShared,
  LifetimeSeconds: row.lifetimeSeconds,
  Nodes: row.nodes.map((node) => ({
    ID: node.id,
    SequenceNumber: node.sequence,
    Name: node.name,
    Cpus: node.cpus,
    MemoryBytes: node.memoryBytes,
    DiskBytes: node.diskBytes,
    ImageID: node.imageID,
    Image: inLanguage(language, node.imageTitleZh, node.imageTitleEn),
  })),
  IsBuiltIn: row.slug !== null,
  Owner: row.owner,
  MayEdit: managesRow(actor, row),
});

/** What uses a thing, in the language of whoever wants to delete it. */
export const presentDependent = (row: DependentRow, language: Language): Dependent => ({
  Kind: row.kind,
  ID: row.id,
  Title: inLanguage(language, row.titleZh, row.titleEn),
});
