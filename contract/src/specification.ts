/**
 * Specifications: resource layouts of one to three nodes. Everybody who may open environments uses
 * the shared ones; staff make their own, an admin those of everybody.
 */
import { z } from 'zod';
import {
  COUNT_LIMITS,
  NODE_LIMITS,
  SessionType,
  TEXT_LIMITS,
  id,
  listOf,
  listQuery,
  pathID,
  route,
} from './kernel/index.ts';

export const specificationNode = z.object({
  ID: id(),
  SequenceNumber: z.int(),
  /** Host name on the environment's own network. */
  Name: z.string(),
  Cpus: z.number(),
  MemoryBytes: z.int(),
  DiskBytes: z.int(),
  ImageID: id(),
  Image: z.string(),
});
export type SpecificationNode = z.output<typeof specificationNode>;

export const specification = z.object({
  ID: id(),
  /** In the language of the request. */
  Name: z.string(),
  NameZh: z.string(),
  NameEn: z.string(),
  ImageType: z.enum(SessionType),
  IsShared: z.boolean(),
  LifetimeSeconds: z.int().positive(),
  Nodes: z.array(specificationNode),
  /** Whether it came with the first content. */
  IsBuiltIn: z.boolean(),
  /** Who made it; null for the first content and for accounts that are gone. */
  Owner: z.string().nullable(),
  /** Whether the actor may change it. */
  MayEdit: z.boolean(),
});
export type Specification = z.output<typeof specification>;

/** What uses a specification, an image or a lab: shown before it is deleted, and told when that is refused. */
export const dependent = z.object({
  Kind: z.enum(['lab', 'software', 'course', 'problem', 'specification', 'computer', 'usage']),
  ID: id(),
  Title: z.string(),
});
export type Dependent = z.output<typeof dependent>;

const bilingualName = {
  NameZh: z.string().trim().min(1).max(TEXT_LIMITS.specificationName),
  /** Empty: the Chinese name is shown in both languages. */
  NameEn: z.string().trim().max(TEXT_LIMITS.specificationName).default(''),
};

/** Host names: letters, digits and hyphens, beginning with a letter (RFC 1123, lower case). */
export const NODE_NAME_PATTERN = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;

const nodeFields = {
  Name: z.string().max(TEXT_LIMITS.nodeName).regex(NODE_NAME_PATTERN),
  Cpus: z.number().min(NODE_LIMITS.cpusMin).max(NODE_LIMITS.cpusMax),
  MemoryBytes: z.int().min(NODE_LIMITS.memoryMin).max(NODE_LIMITS.memoryMax),
  DiskBytes: z.int().min(NODE_LIMITS.diskMin).max(NODE_LIMITS.diskMax),
  ImageID: id(),
};

export const listSpecifications = route({
  method: 'GET',
  path: '/specification',
  summary: 'Specifications that the actor may use: shared ones and their own, all for an admin',
  access: { need: ['specification.list'] },
  query: {
    ...listQuery,
    imageType: z.coerce.number<string>().pipe(z.enum(SessionType)).optional(),
    mine: z.enum(['true', 'false']).default('false'),
    sort: z.enum(['latest', 'name']).default('latest'),
  },
  response: listOf(specification),
  errors: [],
  scope: {},
});

export const getSpecification = route({
  method: 'GET',
  path: '/specification/:specificationID',
  summary: 'A specification with its nodes',
  access: { need: ['specification.detail'] },
  params: { specificationID: pathID() },
  response: specification,
  errors: [],
  scope: { specificationID: 'specification' },
});

export const createSpecification = route({
  method: 'POST',
  path: '/specification',
  summary: 'Make a specification; its nodes are added one by one',
  access: { need: ['specification.create'] },
  body: {
    ...bilingualName,
    ImageType: z.enum(SessionType),
    IsShared: z.boolean(),
    LifetimeSeconds: z.int().min(NODE_LIMITS.lifetimeMin).max(NODE_LIMITS.lifetimeMax),
  },
  response: specification,
  status: 201,
  errors: [],
  scope: {},
});

export const updateSpecification = route({
  method: 'PUT',
  path: '/specification/:specificationID',
  summary: 'Change name, sharing and lifetime; running environments keep what they have',
  access: { need: ['specification.update'] },
  params: { specificationID: pathID() },
  body: {
    ...bilingualName,
    IsShared: z.boolean(),
    LifetimeSeconds: z.int().min(NODE_LIMITS.lifetimeMin).max(NODE_LIMITS.lifetimeMax),
  },
  response: specification,
  errors: ['in_use'],
  scope: { specificationID: 'managedSpecification' },
});

export const deleteSpecification = route({
  method: 'DELETE',
  path: '/specification/:specificationID',
  summary: 'Delete a specification that nothing uses',
  access: { need: ['specification.delete'] },
  params: { specificationID: pathID() },
  response: z.null(),
  errors: ['in_use'],
  scope: { specificationID: 'managedSpecification' },
});

export const createNode = route({
  method: 'POST',
  path: '/specification/:specificationID/node',
  summary: `Add a node; at most ${COUNT_LIMITS.nodesPerSpecification}`,
  access: { need: ['node.create'] },
  params: { specificationID: pathID() },
  body: nodeFields,
  response: specification,
  status: 201,
  errors: ['too_many_nodes', 'node_name_taken', 'image_type_differs', 'usage_too_large'],
  scope: { specificationID: 'managedSpecification', ImageID: 'image' },
});

export const updateNode = route({
  method: 'PUT',
  path: '/specification/:specificationID/node/:nodeID',
  summary: 'Change a node',
  access: { need: ['node.update'] },
  params: { specificationID: pathID(), nodeID: pathID() },
  body: nodeFields,
  response: specification,
  errors: ['node_name_taken', 'image_type_differs', 'usage_too_large'],
  scope: { specificationID: 'managedSpecification', nodeID: 'node', ImageID: 'image' },
});

export const deleteNode = route({
  method: 'DELETE',
  path: '/specification/:specificationID/node/:nodeID',
  summary: 'Take a node out; the last one of a specification in use stays',
  access: { need: ['node.delete'] },
  params: { specificationID: pathID(), nodeID: pathID() },
  response: specification,
  errors: ['in_use'],
  scope: { specificationID: 'managedSpecification', nodeID: 'node' },
});

export const orderNodes = route({
  method: 'PUT',
  path: '/specification/:specificationID/node/sequence',
  summary: 'Put the nodes in a new order, all of them named; the first one opens',
  access: { need: ['node.update'] },
  params: { specificationID: pathID() },
  body: { NodeIDList: z.array(id()).min(1).max(COUNT_LIMITS.nodesPerSpecification) },
  response: specification,
  errors: ['order_incomplete'],
  scope: { specificationID: 'managedSpecification', NodeIDList: 'node' },
});
