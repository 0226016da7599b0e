/** Software: what one opens without a lab, as a desktop, a notebook or a web IDE. */
import { z } from 'zod';
import {
  CATALOGUE_SORTS,
  COVER_KINDS,
  SoftwareType,
  TEXT_LIMITS,
  id,
  idsInQuery,
  listOf,
  listQuery,
  pathID,
  route,
} from './kernel/index.ts';
import { tag } from './domain.ts';
import { cover, specificationSummary } from './lab.ts';

export const softwareSummary = z.object({
  ID: id(),
  Type: z.enum(SoftwareType),
  Title: z.string(),
  Description: z.string(),
  Cover: cover,
  Domain: tag.nullable(),
  Tags: z.array(tag),
  /** How many environments were opened for it. */
  Uses: z.int().nonnegative(),
  UpdatedAt: z.iso.datetime(),
});
export type SoftwareSummary = z.output<typeof softwareSummary>;

export const softwareDetail = softwareSummary.extend({
  /** Markdown. */
  Content: z.string(),
  Specification: specificationSummary,
});
export type SoftwareDetail = z.output<typeof softwareDetail>;

export const listSoftware = route({
  method: 'GET',
  path: '/software',
  summary: 'The catalogue of software',
  access: { need: ['software.list'] },
  query: {
    ...listQuery,
    sort: z.enum(CATALOGUE_SORTS).default('comprehensive'),
    type: z.coerce.number<string>().pipe(z.enum(SoftwareType)).optional(),
    domains: idsInQuery().optional(),
    tags: idsInQuery().optional(),
  },
  response: listOf(softwareSummary),
  errors: [],
  scope: {},
});

export const getSoftware = route({
  method: 'GET',
  path: '/software/:softwareID',
  summary: 'A software with its text',
  access: { need: ['software.detail'] },
  params: { softwareID: pathID() },
  response: softwareDetail,
  errors: [],
  scope: { softwareID: 'software' },
});

export const managedSoftware = z.object({
  ID: id(),
  Type: z.enum(SoftwareType),
  Title: z.string(),
  TitleZh: z.string(),
  TitleEn: z.string(),
  DescriptionZh: z.string(),
  DescriptionEn: z.string(),
  ContentZh: z.string(),
  ContentEn: z.string(),
  Cover: cover,
  DomainID: id().nullable(),
  TagIDList: z.array(id()),
  SpecificationID: id(),
  Specification: z.string(),
  IsPublished: z.boolean(),
  IsBuiltIn: z.boolean(),
  SequenceNumber: z.int(),
  Owner: z.string().nullable(),
  Uses: z.int().nonnegative(),
  UpdatedAt: z.iso.datetime(),
  Version: z.int(),
});
export type ManagedSoftware = z.output<typeof managedSoftware>;

const managedSoftwareRow = managedSoftware.omit({ ContentZh: true, ContentEn: true });
export type ManagedSoftwareRow = z.output<typeof managedSoftwareRow>;

const fields = {
  Type: z.enum(SoftwareType),
  TitleZh: z.string().trim().min(1).max(TEXT_LIMITS.title),
  TitleEn: z.string().trim().max(TEXT_LIMITS.title).default(''),
  DescriptionZh: z.string().trim().max(TEXT_LIMITS.description).default(''),
  DescriptionEn: z.string().trim().max(TEXT_LIMITS.description).default(''),
  ContentZh: z.string().max(TEXT_LIMITS.markdown).default(''),
  ContentEn: z.string().max(TEXT_LIMITS.markdown).default(''),
  CoverKind: z.enum(COVER_KINDS),
  DomainID: id().optional(),
  TagIDList: z.array(id()).max(20).default([]),
  SpecificationID: id(),
  IsPublished: z.boolean(),
};
const scope = { DomainID: 'domain', TagIDList: 'tag', SpecificationID: 'specification' } as const;

export const listManagedSoftware = route({
  method: 'GET',
  path: '/software/managed',
  summary: 'Software that the actor may change, drafts included',
  access: { need: ['software.update'] },
  query: {
    ...listQuery,
    type: z.coerce.number<string>().pipe(z.enum(SoftwareType)).optional(),
    state: z.enum(['published', 'draft']).optional(),
    sort: z.enum(['sequence', 'latest', 'title', 'uses']).default('sequence'),
  },
  response: listOf(managedSoftwareRow),
  errors: [],
  scope: {},
});

export const getManagedSoftware = route({
  method: 'GET',
  path: '/software/:softwareID/managed',
  summary: 'A software with everything that can be changed',
  access: { need: ['software.update'] },
  params: { softwareID: pathID() },
  response: managedSoftware,
  errors: [],
  scope: { softwareID: 'managedSoftware' },
});

export const createSoftware = route({
  method: 'POST',
  path: '/software',
  summary: 'Add a software',
  access: { need: ['software.create'] },
  body: fields,
  response: managedSoftware,
  status: 201,
  errors: ['image_type_differs'],
  scope,
});

export const updateSoftware = route({
  method: 'PUT',
  path: '/software/:softwareID',
  summary: 'Change a software',
  access: { need: ['software.update'] },
  params: { softwareID: pathID() },
  body: { ...fields, Version: z.int() },
  response: managedSoftware,
  errors: ['image_type_differs', 'changed_meanwhile'],
  scope: { softwareID: 'managedSoftware', ...scope },
});

export const deleteSoftware = route({
  method: 'DELETE',
  path: '/software/:softwareID',
  summary: 'Delete a software; environments that are open run on',
  access: { need: ['software.delete'] },
  params: { softwareID: pathID() },
  response: z.null(),
  errors: [],
  scope: { softwareID: 'managedSoftware' },
});

export const orderSoftware = route({
  method: 'PUT',
  path: '/software/sequence',
  summary:
    'Put software in a new order: those named come in this order, at the places that they had',
  access: { need: ['sequence.software'] },
  body: { SoftwareIDList: z.array(id()).min(1).max(100) },
  response: z.null(),
  errors: [],
  scope: { SoftwareIDList: 'managedSoftware' },
});
