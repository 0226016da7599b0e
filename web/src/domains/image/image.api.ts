/** Calls about images. */
import { routes, type BodyInputOf, type Image, type ImageDetail } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';
import type { ReadList } from '../../ui/table/use-list.ts';

export const IMAGES_KEY = ['image'] as const;

/** How often an image that is being made is looked at. */
const LOOK_MS = 1500;

export const isMoving = (image: Pick<Image, 'State'>): boolean =>
  image.State === 'building' || image.State === 'committing' || image.State === 'waiting';

export const readImages: ReadList<Image> = (query, signal) =>
  call(routes.listImages, { query, signal });

export const imageQuery = (imageID: number, language: string) =>
  queryOptions({
    queryKey: [...IMAGES_KEY, 'one', imageID, language],
    queryFn: ({ signal }) => call(routes.getImage, { params: { imageID }, signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isMoving(state.data) ? LOOK_MS : false,
    meta: { isHandled: true },
  });

export const imageLogQuery = (imageID: number, isLive: boolean) =>
  queryOptions({
    queryKey: [...IMAGES_KEY, 'log', imageID],
    queryFn: ({ signal }) => call(routes.getImageLog, { params: { imageID }, signal }),
    refetchInterval: isLive ? LOOK_MS : false,
    meta: { isHandled: true },
  });

/** Those of a type that can be used, newest first. */
export const imagesOfType = (type: number, language: string) =>
  queryOptions({
    queryKey: [...IMAGES_KEY, 'type', type, language],
    queryFn: async ({ signal }) =>
      (await call(routes.listImages, { query: { type: String(type), pageSize: 100 }, signal }))
        .List,
    meta: { isHandled: true },
  });

export type CommitBody = BodyInputOf<typeof routes.commitImage>;
export const commitImage = (body: CommitBody) => call(routes.commitImage, { body });

export const updateImage = (imageID: number, body: BodyInputOf<typeof routes.updateImage>) =>
  call(routes.updateImage, { params: { imageID }, body });

export const deleteImage = (imageID: number) => call(routes.deleteImage, { params: { imageID } });

export const chooseVersion = (imageID: number, versionID: number): Promise<ImageDetail> =>
  call(routes.chooseImageVersion, { params: { imageID, versionID }, body: {} });

export const deleteVersion = (imageID: number, versionID: number): Promise<ImageDetail> =>
  call(routes.deleteImageVersion, { params: { imageID, versionID } });

export const rebuildImage = (imageID: number) =>
  call(routes.rebuildImage, { params: { imageID }, body: {} });
