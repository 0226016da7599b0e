/** Software: what one opens without a lab, as a desktop, a notebook or a web IDE. */
import { z } from 'zod';
import {
  CATALOGUE_SORTS,
  SoftwareType,
  id,
  idsInQuery,
  listOf,
  listQuery,
  pathID,
  route,
  version,
} from './kernel/index.ts';
import { tag } from './domain.ts';
import { cover, itemFields, itemScope, managedItem } from './item.ts';
import { specificationSummary } from './lab.ts';

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

export const managedSoftware = managedItem.extend({ Type: z.enum(SoftwareType) });
export type ManagedSoftware = z.output<typeof managedSoftware>;

const managedSoftwareRow = managedSoftware.omit({ ContentZh: true, ContentEn: true });
export type ManagedSoftwareRow = z.output<typeof managedSoftwareRow>;

const fields = { Type: z.enum(SoftwareType), ...itemFields, IsPublished: z.boolean() };

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
  scope: itemScope,
});

export const updateSoftware = route({
  method: 'PUT',
  path: '/software/:softwareID',
  summary: 'Change a software',
  access: { need: ['software.update'] },
  params: { softwareID: pathID() },
  body: { ...fields, Version: version() },
  response: managedSoftware,
  errors: ['image_type_differs', 'changed_meanwhile'],
  scope: { softwareID: 'managedSoftware', ...itemScope },
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
