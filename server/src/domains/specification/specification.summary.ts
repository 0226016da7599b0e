import type { LabDetail, Language } from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import type { Specification } from './specification.queries.ts';

/** A specification as learners see it, on the page of whatever opens with it. */
export const presentSpecificationSummary = (
  specification: Specification,
  language: Language,
): LabDetail['Specification'] => ({
  ID: specification.id,
  Name: inLanguage(language, specification.nameZh, specification.nameEn),
  LifetimeSeconds: specification.lifetimeSeconds,
  Nodes: specification.nodes.map((node) => ({
    Name: node.name,
    Cpus: node.cpus,
    MemoryBytes: node.memoryBytes,
    Image: inLanguage(language, node.imageTitleZh, node.imageTitleEn),
  })),
});
