/** Labs: list, detail, tasks, resources, and copying starter files to the personal folder. */
import { z } from 'zod';
import {
  CATALOGUE_SORTS,
  LabType,
  ResourceType,
  id,
  idsInQuery,
  listOf,
  listQuery,
  pathID,
  route,
} from './kernel/index.ts';
import { tag } from './domain.ts';

/** How the generated cover of an item is drawn. */
export const cover = z.object({
  Kind: z.enum(['torus', 'tree', 'butterfly', 'ring', 'cube']),
  Seed: z.int().nonnegative(),
});
export type Cover = z.output<typeof cover>;

export const labSummary = z.object({
  ID: id(),
  Type: z.enum(LabType),
  Title: z.string(),
  Description: z.string(),
  Cover: cover,
  Domain: tag.nullable(),
  Tags: z.array(tag),
  TaskCount: z.int().nonnegative(),
  Minutes: z.int().nonnegative(),
  /** How many environments were opened for it. */
  Uses: z.int().nonnegative(),
  UpdatedAt: z.iso.datetime(),
});
export type LabSummary = z.output<typeof labSummary>;

const specificationSummary = z.object({
  ID: id(),
  Name: z.string(),
  LifetimeSeconds: z.int().positive(),
  Nodes: z.array(
    z.object({ Name: z.string(), Cpus: z.number(), MemoryBytes: z.int(), Image: z.string() }),
  ),
});

export const labDetail = labSummary.extend({
  /** Markdown. */
  Content: z.string(),
  Specification: specificationSummary,
  /** Address that the text's relative addresses (`media/ring.svg`) are appended to. */
  MediaPath: z.string(),
});
export type LabDetail = z.output<typeof labDetail>;

export const labTaskSummary = z.object({
  ID: id(),
  SequenceNumber: z.int(),
  Title: z.string(),
  Minutes: z.int().nonnegative(),
});
export type LabTaskSummary = z.output<typeof labTaskSummary>;

export const labTask = labTaskSummary.extend({ Content: z.string(), MediaPath: z.string() });
export type LabTask = z.output<typeof labTask>;

export const labResource = z.object({
  ID: id(),
  Type: z.enum(ResourceType),
  Title: z.string(),
  /** Path below the bundle folder. */
  Path: z.string(),
  SizeBytes: z.int().nonnegative(),
});
export type LabResource = z.output<typeof labResource>;

export const listLabs = route({
  method: 'GET',
  path: '/lab',
  summary: 'The catalogue of labs',
  access: { need: ['lab.list'] },
  query: {
    ...listQuery,
    sort: z.enum(CATALOGUE_SORTS).default('comprehensive'),
    type: z.coerce.number<string>().pipe(z.enum(LabType)).optional(),
    domains: idsInQuery().optional(),
    tags: idsInQuery().optional(),
  },
  response: listOf(labSummary),
  errors: [],
  scope: {},
});

export const getLab = route({
  method: 'GET',
  path: '/lab/:labID',
  summary: 'A lab with its text',
  access: { need: ['lab.detail'] },
  params: { labID: pathID() },
  response: labDetail,
  errors: [],
  scope: { labID: 'lab' },
});

export const listLabTasks = route({
  method: 'GET',
  path: '/lab/:labID/task',
  summary: 'The tasks of a lab, in order',
  access: { need: ['lab.tasks'] },
  params: { labID: pathID() },
  response: listOf(labTaskSummary),
  errors: [],
  scope: { labID: 'lab' },
});

export const getLabTask = route({
  method: 'GET',
  path: '/lab/:labID/task/:taskID',
  summary: 'A task with its text',
  access: { need: ['lab.tasks'] },
  params: { labID: pathID(), taskID: pathID() },
  response: labTask,
  errors: [],
  scope: { labID: 'lab', taskID: 'labTask' },
});

export const listLabResources = route({
  method: 'GET',
  path: '/lab/:labID/resource',
  summary: 'Starter files and data sets of a lab',
  access: { need: ['lab.resources'] },
  params: { labID: pathID() },
  response: listOf(labResource),
  errors: [],
  scope: { labID: 'lab' },
});

/** What to do with a file that is already there. Without it, a conflict is told and nothing is written. */
export const COPY_CONFLICT_ACTIONS = ['keep', 'rename', 'replace'] as const;

export const copyLabResources = route({
  method: 'POST',
  path: '/lab/:labID/resource/copy',
  summary: 'Copy starter files into the personal folder; never overwrites without being told',
  access: { need: ['lab.resources', 'file.upload'] },
  params: { labID: pathID() },
  body: {
    /** All of the lab’s when absent. */
    ResourceIDList: z.array(id()).min(1).max(100).optional(),
    OnConflict: z.enum(COPY_CONFLICT_ACTIONS).optional(),
  },
  response: z.object({
    /** Folder in the personal files, such as `first-mpi`. */
    Folder: z.string(),
    Copied: z.array(z.string()),
    Kept: z.array(z.string()),
    /** Original name and the name under which it was written beside the existing one. */
    Renamed: z.array(z.object({ From: z.string(), To: z.string() })),
  }),
  errors: ['copy_conflict', 'copy_unsafe', 'storage_full'],
  scope: { labID: 'lab', ResourceIDList: 'labResource' },
});

export const getLabMedia = route({
  method: 'GET',
  path: '/lab/:labID/media/:name',
  summary: 'A picture or video of a lab’s text',
  access: { need: ['lab.detail'] },
  params: {
    labID: pathID(),
    name: z
      .string()
      .max(120)
      .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/),
  },
  response: z.unknown(),
  errors: [],
  scope: { labID: 'lab' },
  kind: 'file',
});
