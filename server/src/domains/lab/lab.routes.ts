import { extname } from 'node:path';
import type { BodyOf, Language, routes } from '@hypercube/contract';
import { signedIn } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { findSpecifications } from '../specification/specification.service.ts';
import {
  presentLabDetail,
  presentLabSummary,
  presentManaged,
  presentManagedRow,
  presentManagedTask,
  presentResource,
  presentTask,
  presentTaskSummary,
} from './lab.present.ts';
import { MEDIA_TYPES } from './lab.media.ts';
import {
  getLabListRow,
  listManagedRows,
  listResourceRows,
  listTaskRows,
  prepareLabLists,
  type LabRow,
  type LabValues,
  type TaskValues,
} from './lab.queries.ts';
import type { LabService } from './lab.service.ts';

type Names =
  | 'listLabs'
  | 'getLab'
  | 'listLabTasks'
  | 'getLabTask'
  | 'listLabResources'
  | 'copyLabResources'
  | 'getLabMedia'
  | 'listManagedLabs'
  | 'getManagedLab'
  | 'createLab'
  | 'updateLab'
  | 'publishLab'
  | 'duplicateLab'
  | 'deleteLab'
  | 'listLabDependents'
  | 'orderLabs'
  | 'listManagedLabTasks'
  | 'createLabTask'
  | 'updateLabTask'
  | 'deleteLabTask'
  | 'orderLabTasks'
  | 'uploadLabResource'
  | 'updateLabResource'
  | 'deleteLabResource'
  | 'orderLabResources'
  | 'listLabResourceEntries'
  | 'uploadLabMedia';

const valuesOf = (body: BodyOf<typeof routes.createLab>): LabValues => ({
  type: body.Type,
  titleZh: body.TitleZh,
  titleEn: body.TitleEn,
  descriptionZh: body.DescriptionZh,
  descriptionEn: body.DescriptionEn,
  contentZh: body.ContentZh,
  contentEn: body.ContentEn,
  coverKind: body.CoverKind,
  domainID: body.DomainID ?? null,
  specificationID: body.SpecificationID,
});

const taskValuesOf = (body: BodyOf<typeof routes.createLabTask>): TaskValues => ({
  titleZh: body.TitleZh,
  titleEn: body.TitleEn,
  contentZh: body.ContentZh,
  contentEn: body.ContentEn,
  minutes: body.Minutes,
});

export function labHandlers(database: Database, service: LabService): HandlersOf<Names> {
  const listLabs = prepareLabLists(database);
  const managed = async (lab: LabRow, language: Language) =>
    presentManaged(lab, await getLabListRow(database, lab), language);

  return {
    listLabs: async ({ query }) => {
      const { rows, total } = await listLabs(query);
      return { List: rows.map((row) => presentLabSummary(row, query.lang)), Total: total };
    },

    getLab: async ({ scoped: { labID: lab }, query }) => {
      const [row, [specification]] = await Promise.all([
        getLabListRow(database, lab),
        findSpecifications(database, [lab.specificationID]),
      ]);
      if (!specification) throw new Error(`lab ${lab.id} has no specification`);
      return presentLabDetail(lab, row, specification, query.lang);
    },

    listLabTasks: async ({ scoped, query }) => {
      const rows = await listTaskRows(database, scoped.labID);
      return { List: rows.map((row) => presentTaskSummary(row, query.lang)), Total: rows.length };
    },

    getLabTask: async ({ scoped, query }) => presentTask(scoped.taskID, query.lang),

    listLabResources: async ({ scoped, query }) => {
      const rows = await listResourceRows(database, scoped.labID);
      return { List: rows.map((row) => presentResource(row, query.lang)), Total: rows.length };
    },

    copyLabResources: async ({ scoped, actor, body }) => {
      const resources = scoped.ResourceIDList ?? (await listResourceRows(database, scoped.labID));
      const outcome = await service.copyResources(
        scoped.labID,
        resources,
        signedIn(actor).userID,
        body.OnConflict,
      );
      return {
        Folder: outcome.folder,
        Copied: outcome.copied,
        Kept: outcome.kept,
        Renamed: outcome.renamed.map(({ from, to }) => ({ From: from, To: to })),
      };
    },

    getLabMedia: async ({ scoped, params, reply }) => {
      const media = await service.openMedia(scoped.labID, params.name);
      if (!media) throw new DomainError('not_found');
      const type = MEDIA_TYPES[extname(params.name).toLowerCase()];
      return reply
        .headers({
          'content-type': type ?? 'application/octet-stream',
          'content-length': media.sizeBytes,
          'content-disposition': type ? 'inline' : 'attachment',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'cache-control': 'private, max-age=3600',
        })
        .send(media.stream);
    },

    // What staff change -------------------------------------------------------------------------

    listManagedLabs: async ({ actor, query }) => {
      const { rows, total } = await listManagedRows(database, {
        ...query,
        keyword: query.keyword,
        type: query.type,
        state: query.state,
        ownerID: actor.roles.includes('admin') ? undefined : signedIn(actor).userID,
      });
      return { List: rows.map((row) => presentManagedRow(row, query.lang)), Total: total };
    },

    getManagedLab: async ({ scoped, query }) => managed(scoped.labID, query.lang),

    createLab: async ({ actor, body, query }) =>
      managed(
        await service.create(valuesOf(body), signedIn(actor).userID, body.TagIDList),
        query.lang,
      ),

    updateLab: async ({ scoped, body, query }) =>
      managed(
        await service.update(scoped.labID, body.Version, valuesOf(body), body.TagIDList),
        query.lang,
      ),

    publishLab: async ({ scoped, body, query }) =>
      managed(await service.publish(scoped.labID, body.IsPublished), query.lang),

    duplicateLab: async ({ actor, scoped, query }) =>
      managed(await service.duplicate(scoped.labID, signedIn(actor).userID), query.lang),

    deleteLab: async ({ scoped }) => {
      await service.remove(scoped.labID);
      return null;
    },

    listLabDependents: async ({ scoped }) => {
      const rows = await service.listDependents(scoped.labID);
      return {
        List: rows.map(({ id, nickname }) => ({
          Kind: 'usage' as const,
          ID: id,
          Title: nickname,
        })),
        Total: rows.length,
      };
    },

    orderLabs: async ({ scoped }) => {
      await service.order(scoped.LabIDList ?? []);
      return null;
    },

    listManagedLabTasks: async ({ scoped }) => {
      const rows = await listTaskRows(database, scoped.labID);
      return { List: rows.map(presentManagedTask), Total: rows.length };
    },

    createLabTask: async ({ scoped, body }) =>
      presentManagedTask(await service.addTask(scoped.labID, taskValuesOf(body))),

    updateLabTask: async ({ scoped, body }) =>
      presentManagedTask(
        await service.updateTask(scoped.labID, scoped.taskID, body.Version, taskValuesOf(body)),
      ),

    deleteLabTask: async ({ scoped }) => {
      await service.removeTask(scoped.labID, scoped.taskID);
      return null;
    },

    orderLabTasks: async ({ scoped }) => {
      await service.orderTasks(scoped.labID, scoped.TaskIDList ?? []);
      return null;
    },

    uploadLabResource: async ({ scoped, query, file }) =>
      presentResource(
        await service.addResource(
          scoped.labID,
          await file(),
          { type: query.type, titleZh: query.title, titleEn: query.titleEn },
          query.replace === 'true',
        ),
        query.lang,
      ),

    updateLabResource: async ({ scoped, body, query }) =>
      presentResource(
        await service.updateResource(scoped.labID, scoped.resourceID, {
          type: body.Type,
          titleZh: body.TitleZh,
          titleEn: body.TitleEn,
        }),
        query.lang,
      ),

    deleteLabResource: async ({ scoped }) => {
      await service.removeResource(scoped.labID, scoped.resourceID);
      return null;
    },

    orderLabResources: async ({ scoped }) => {
      await service.orderResources(scoped.labID, scoped.ResourceIDList ?? []);
      return null;
    },

    listLabResourceEntries: async ({ scoped }) => {
      const entries = await service.listEntries(scoped.labID, scoped.resourceID);
      return {
        List: entries.map(({ path, sizeBytes }) => ({ Path: path, SizeBytes: sizeBytes })),
        Total: entries.length,
      };
    },

    uploadLabMedia: async ({ scoped, file }) => ({
      Path: await service.addMedia(scoped.labID, await file()),
    }),
  };
}
