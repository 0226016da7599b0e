/**
 * Practice images: built ones that come with the platform, and those that staff commit from a
 * running environment. Every commit is a version; environments that run keep theirs.
 */
import { z } from 'zod';
import {
  SessionType,
  TEXT_LIMITS,
  id,
  listOf,
  listQuery,
  pathID,
  route,
  version,
} from './kernel/index.ts';
import { dependent } from './specification.ts';

/** What is in an image, as it says itself: `{ Name: 'gcc', Version: '14.2' }`. */
const imagePart = z.object({ Name: z.string(), Version: z.string() });

/** What a commit does, in order; `StateText` says which. */
export const COMMIT_STEPS = ['checking', 'saving', 'scrubbing', 'measuring'] as const;

export const image = z.object({
  ID: id(),
  Type: z.enum(SessionType),
  /** In the language of the request. */
  Title: z.string(),
  TitleZh: z.string(),
  TitleEn: z.string(),
  Description: z.string(),
  DescriptionZh: z.string(),
  DescriptionEn: z.string(),
  IsPublic: z.boolean(),
  IsBuiltIn: z.boolean(),
  /** Of the version in use, as the engine counts it; null while there is none. */
  SizeBytes: z.int().nullable(),
  /** `committing` while a version is being made; the one before stays in use. */
  State: z.enum(['waiting', 'building', 'committing', 'ready', 'failed']),
  Step: z.int().nonnegative(),
  Steps: z.int().nonnegative(),
  /**
   * What is done now, or why it failed. Of a build: what it printed last. Of a commit: one of
   * {@link COMMIT_STEPS}, or an error code.
   */
  StateText: z.string(),
  StateSince: z.iso.datetime().nullable(),
  Version: version(),
  Owner: z.string().nullable(),
  MayEdit: z.boolean(),
  UpdatedAt: z.iso.datetime(),
});
export type Image = z.output<typeof image>;

export const imageDetail = image.extend({
  Versions: z.array(
    z.object({
      ID: id(),
      Number: z.int().positive(),
      SizeBytes: z.int().nullable(),
      IsCurrent: z.boolean(),
      CreatedAt: z.iso.datetime(),
      CreatedBy: z.string().nullable(),
    }),
  ),
  Contents: z.array(imagePart),
  Dependents: z.array(dependent),
});
export type ImageDetail = z.output<typeof imageDetail>;

const texts = {
  TitleZh: z.string().trim().min(1).max(TEXT_LIMITS.imageTitle),
  TitleEn: z.string().trim().max(TEXT_LIMITS.imageTitle).default(''),
  DescriptionZh: z.string().trim().max(TEXT_LIMITS.imageDescription).default(''),
  DescriptionEn: z.string().trim().max(TEXT_LIMITS.imageDescription).default(''),
  IsPublic: z.boolean(),
};

export const listImages = route({
  method: 'GET',
  path: '/image',
  summary: 'Images that the actor may use: public ones and their own, all for an admin',
  access: { need: ['image.list'] },
  query: {
    ...listQuery,
    type: z.coerce.number<string>().pipe(z.enum(SessionType)).optional(),
    mine: z.enum(['true', 'false']).default('false'),
    state: z.enum(['ready', 'failed']).optional(),
    sort: z.enum(['latest', 'name', 'size']).default('latest'),
  },
  response: listOf(image),
  errors: [],
  scope: {},
});

export const getImage = route({
  method: 'GET',
  path: '/image/:imageID',
  summary: 'An image with its versions, contents and what uses it',
  access: { need: ['image.detail'] },
  params: { imageID: pathID() },
  response: imageDetail,
  errors: [],
  scope: { imageID: 'image' },
});

/** Makes an image from what runs. The job goes on when the page is left; `GET /image/:imageID` tells how far it is. */
export const commitImage = route({
  method: 'POST',
  path: '/image/commit',
  summary: 'Commit a running environment as a new image, or as a new version of one',
  access: { need: ['image.commit'] },
  body: {
    UsageID: id(),
    /** A new version of this one; a new image without it. */
    ImageID: id().optional(),
    /** Which node's file system; the first one unless said. */
    Node: z.string().max(TEXT_LIMITS.nodeName).optional(),
    ...texts,
  },
  response: image,
  status: 202,
  errors: [
    'usage_not_running',
    'usage_not_ready',
    'commit_too_late',
    'commit_under_way',
    'image_type_differs',
    'built_in',
    'engine_unavailable',
    'storage_full',
  ],
  scope: { UsageID: 'ownUsage', ImageID: 'managedImage' },
});

export const updateImage = route({
  method: 'PUT',
  path: '/image/:imageID',
  summary: 'Change the texts and who may use it',
  access: { need: ['image.update'] },
  params: { imageID: pathID() },
  body: texts,
  response: image,
  errors: ['in_use'],
  scope: { imageID: 'managedImage' },
});

export const chooseImageVersion = route({
  method: 'PUT',
  path: '/image/:imageID/version/:versionID',
  summary: 'Go back, or forward, to a version; new environments start from it',
  access: { need: ['image.update'] },
  params: { imageID: pathID(), versionID: pathID() },
  body: {},
  response: imageDetail,
  errors: [],
  scope: { imageID: 'managedImage', versionID: 'imageVersion' },
});

export const deleteImageVersion = route({
  method: 'DELETE',
  path: '/image/:imageID/version/:versionID',
  summary: 'Delete a version that is neither current nor in use',
  access: { need: ['image.delete'] },
  params: { imageID: pathID(), versionID: pathID() },
  response: imageDetail,
  errors: ['in_use'],
  scope: { imageID: 'managedImage', versionID: 'imageVersion' },
});

export const deleteImage = route({
  method: 'DELETE',
  path: '/image/:imageID',
  summary: 'Delete an image that nothing uses',
  access: { need: ['image.delete'] },
  params: { imageID: pathID() },
  response: z.null(),
  errors: ['in_use', 'built_in'],
  scope: { imageID: 'managedImage' },
});

export const rebuildImage = route({
  method: 'POST',
  path: '/image/:imageID/rebuild',
  summary: 'Build a built-in image again; the present one stays in use meanwhile',
  access: { need: ['image.update', 'setting.update'] },
  params: { imageID: pathID() },
  body: {},
  response: image,
  status: 202,
  errors: ['commit_under_way', 'engine_unavailable', 'not_built_in'],
  scope: { imageID: 'managedImage' },
});

export const getImageLog = route({
  method: 'GET',
  path: '/image/:imageID/log',
  summary: 'What the last build or commit printed, as text',
  access: { need: ['image.detail', 'setting.read'] },
  params: { imageID: pathID() },
  response: z.object({ Text: z.string(), IsComplete: z.boolean() }),
  errors: [],
  scope: { imageID: 'managedImage' },
});
