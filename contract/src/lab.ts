/** Labs: list, detail, tasks, resources, and copying starter files to the personal folder. */
import { z } from 'zod';
import {
  CATALOGUE_SORTS,
  LabType,
  ResourceType,
  TEXT_LIMITS,
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
import { dependent } from './specification.ts';

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

/** A specification as learners see it. */
export const specificationSummary = z.object({
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

/** Lab as staff see it: both languages, drafts included. */
export const managedLab = managedItem.extend({
  Type: z.enum(LabType),
  TaskCount: z.int().nonnegative(),
  ResourceCount: z.int().nonnegative(),
  MediaPath: z.string(),
});
export type ManagedLab = z.output<typeof managedLab>;

const managedLabRow = managedLab.omit({ ContentZh: true, ContentEn: true });
export type ManagedLabRow = z.output<typeof managedLabRow>;

const labFields = { Type: z.enum(LabType), ...itemFields };

export const listManagedLabs = route({
  method: 'GET',
  path: '/lab/managed',
  summary: 'Labs that the actor may change, drafts included',
  access: { need: ['lab.update'] },
  query: {
    ...listQuery,
    type: z.coerce.number<string>().pipe(z.enum(LabType)).optional(),
    state: z.enum(['published', 'draft']).optional(),
    sort: z.enum(['sequence', 'latest', 'title', 'uses']).default('sequence'),
  },
  response: listOf(managedLabRow),
  errors: [],
  scope: {},
});

export const getManagedLab = route({
  method: 'GET',
  path: '/lab/:labID/managed',
  summary: 'A lab with everything that can be changed',
  access: { need: ['lab.update'] },
  params: { labID: pathID() },
  response: managedLab,
  errors: [],
  scope: { labID: 'managedLab' },
});

export const createLab = route({
  method: 'POST',
  path: '/lab',
  summary: 'Make a lab, as a draft',
  access: { need: ['lab.create'] },
  body: labFields,
  response: managedLab,
  status: 201,
  errors: ['image_type_differs'],
  scope: itemScope,
});

export const updateLab = route({
  method: 'PUT',
  path: '/lab/:labID',
  summary: 'Change a lab',
  access: { need: ['lab.update'] },
  params: { labID: pathID() },
  body: { ...labFields, Version: version() },
  response: managedLab,
  errors: ['image_type_differs', 'changed_meanwhile', 'lab_incomplete'],
  scope: { labID: 'managedLab', ...itemScope },
});

export const publishLab = route({
  method: 'PUT',
  path: '/lab/:labID/publish',
  summary: 'Publish a lab, or take it back to a draft',
  access: { need: ['lab.update'] },
  params: { labID: pathID() },
  body: { IsPublished: z.boolean() },
  response: managedLab,
  errors: ['lab_incomplete'],
  scope: { labID: 'managedLab' },
});

export const duplicateLab = route({
  method: 'POST',
  path: '/lab/:labID/duplicate',
  summary: 'Copy a lab with its tasks and resources, as a draft of one’s own',
  access: { need: ['lab.create'] },
  params: { labID: pathID() },
  body: {},
  response: managedLab,
  status: 201,
  errors: ['storage_full'],
  scope: { labID: 'lab' },
});

export const deleteLab = route({
  method: 'DELETE',
  path: '/lab/:labID',
  summary: 'Delete a lab with its tasks and resources; environments that are open run on',
  access: { need: ['lab.delete'] },
  params: { labID: pathID() },
  response: z.null(),
  errors: ['in_use'],
  scope: { labID: 'managedLab' },
});

export const listLabDependents = route({
  method: 'GET',
  path: '/lab/:labID/dependent',
  summary: 'What would miss a lab if it were deleted',
  access: { need: ['lab.delete'] },
  params: { labID: pathID() },
  response: listOf(dependent),
  errors: [],
  scope: { labID: 'managedLab' },
});

export const orderLabs = route({
  method: 'PUT',
  path: '/lab/sequence',
  summary: 'Put labs in a new order: those named come in this order, at the places that they had',
  access: { need: ['sequence.lab'] },
  body: { LabIDList: z.array(id()).min(1).max(100) },
  response: z.null(),
  errors: [],
  scope: { LabIDList: 'managedLab' },
});

export const managedLabTask = z.object({
  ID: id(),
  SequenceNumber: z.int(),
  TitleZh: z.string(),
  TitleEn: z.string(),
  ContentZh: z.string(),
  ContentEn: z.string(),
  Minutes: z.int().nonnegative(),
  MediaPath: z.string(),
  Version: version(),
});
export type ManagedLabTask = z.output<typeof managedLabTask>;

const taskFields = {
  TitleZh: z.string().trim().min(1).max(TEXT_LIMITS.title),
  TitleEn: z.string().trim().max(TEXT_LIMITS.title).default(''),
  ContentZh: z.string().max(TEXT_LIMITS.markdown).default(''),
  ContentEn: z.string().max(TEXT_LIMITS.markdown).default(''),
  Minutes: z.int().min(0).max(10_000).default(0),
};

export const listManagedLabTasks = route({
  method: 'GET',
  path: '/lab/:labID/task/managed',
  summary: 'The tasks of a lab with both languages, in order',
  access: { need: ['labTask.update'] },
  params: { labID: pathID() },
  response: listOf(managedLabTask),
  errors: [],
  scope: { labID: 'managedLab' },
});

export const createLabTask = route({
  method: 'POST',
  path: '/lab/:labID/task',
  summary: 'Add a task at the end',
  access: { need: ['labTask.create'] },
  params: { labID: pathID() },
  body: taskFields,
  response: managedLabTask,
  status: 201,
  errors: [],
  scope: { labID: 'managedLab' },
});

export const updateLabTask = route({
  method: 'PUT',
  path: '/lab/:labID/task/:taskID',
  summary: 'Change a task',
  access: { need: ['labTask.update'] },
  params: { labID: pathID(), taskID: pathID() },
  body: { ...taskFields, Version: version() },
  response: managedLabTask,
  errors: ['changed_meanwhile'],
  scope: { labID: 'managedLab', taskID: 'labTask' },
});

export const deleteLabTask = route({
  method: 'DELETE',
  path: '/lab/:labID/task/:taskID',
  summary: 'Delete a task; a published lab keeps at least one',
  access: { need: ['labTask.delete'] },
  params: { labID: pathID(), taskID: pathID() },
  response: z.null(),
  errors: ['lab_incomplete'],
  scope: { labID: 'managedLab', taskID: 'labTask' },
});

export const orderLabTasks = route({
  method: 'PUT',
  path: '/lab/:labID/task/sequence',
  summary: 'Put the tasks in a new order, all of them named',
  access: { need: ['labTask.update'] },
  params: { labID: pathID() },
  body: { TaskIDList: z.array(id()).min(1).max(200) },
  response: z.null(),
  errors: ['order_incomplete'],
  scope: { labID: 'managedLab', TaskIDList: 'labTask' },
});

/** Multipart, one file named `File`: a single file, or a zip that is unpacked into a folder of its name. */
export const uploadLabResource = route({
  method: 'POST',
  path: '/lab/:labID/resource',
  summary: 'Add a data set or code: a file, or a zip that is unpacked',
  access: { need: ['labResource.create'] },
  params: { labID: pathID() },
  query: {
    type: z.coerce.number<string>().pipe(z.enum(ResourceType)),
    title: z.string().trim().min(1).max(TEXT_LIMITS.resourceTitle),
    titleEn: z.string().trim().max(TEXT_LIMITS.resourceTitle).default(''),
    /** Replaces a resource of the same path. */
    replace: z.enum(['true', 'false']).default('false'),
  },
  upload: true,
  response: labResource,
  status: 201,
  errors: [
    'upload_missing',
    'upload_too_large',
    'file_name_invalid',
    'file_exists',
    'zip_refused',
    'storage_full',
  ],
  scope: { labID: 'managedLab' },
  timeoutMs: 600_000,
});

export const updateLabResource = route({
  method: 'PUT',
  path: '/lab/:labID/resource/:resourceID',
  summary: 'Change title and kind of a resource',
  access: { need: ['labResource.update'] },
  params: { labID: pathID(), resourceID: pathID() },
  body: {
    Type: z.enum(ResourceType),
    TitleZh: z.string().trim().min(1).max(TEXT_LIMITS.resourceTitle),
    TitleEn: z.string().trim().max(TEXT_LIMITS.resourceTitle).default(''),
  },
  response: labResource,
  errors: [],
  scope: { labID: 'managedLab', resourceID: 'labResource' },
});

export const deleteLabResource = route({
  method: 'DELETE',
  path: '/lab/:labID/resource/:resourceID',
  summary: 'Delete a resource with its files; environments that are open keep theirs',
  access: { need: ['labResource.delete'] },
  params: { labID: pathID(), resourceID: pathID() },
  response: z.null(),
  errors: [],
  scope: { labID: 'managedLab', resourceID: 'labResource' },
});

export const orderLabResources = route({
  method: 'PUT',
  path: '/lab/:labID/resource/sequence',
  summary: 'Put the resources in a new order, all of them named',
  access: { need: ['labResource.update'] },
  params: { labID: pathID() },
  body: { ResourceIDList: z.array(id()).min(1).max(200) },
  response: z.null(),
  errors: ['order_incomplete'],
  scope: { labID: 'managedLab', ResourceIDList: 'labResource' },
});

export const listLabResourceEntries = route({
  method: 'GET',
  path: '/lab/:labID/resource/:resourceID/entry',
  summary: 'What is inside a resource: its files with their sizes',
  access: { need: ['lab.resources'] },
  params: { labID: pathID(), resourceID: pathID() },
  response: listOf(z.object({ Path: z.string(), SizeBytes: z.int().nonnegative() })),
  errors: [],
  scope: { labID: 'lab', resourceID: 'labResource' },
});

/** Multipart, one picture named `File`; the answer is what the text refers to. */
export const uploadLabMedia = route({
  method: 'POST',
  path: '/lab/:labID/media',
  summary: 'Add a picture or video for the texts of a lab',
  access: { need: ['labTask.update'] },
  params: { labID: pathID() },
  upload: true,
  response: z.object({ Path: z.string() }),
  status: 201,
  errors: ['upload_missing', 'upload_too_large', 'upload_type', 'storage_full'],
  scope: { labID: 'managedLab' },
  timeoutMs: 600_000,
});
