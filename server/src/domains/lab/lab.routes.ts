import { extname } from 'node:path';
import { signedIn } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { findSpecifications } from '../specification/specification.service.ts';
import {
  presentLabDetail,
  presentLabSummary,
  presentResource,
  presentTask,
  presentTaskSummary,
} from './lab.present.ts';
import { getLabListRow, listResourceRows, listTaskRows, prepareLabLists } from './lab.queries.ts';
import type { LabService } from './lab.service.ts';

type Names =
  | 'listLabs'
  | 'getLab'
  | 'listLabTasks'
  | 'getLabTask'
  | 'listLabResources'
  | 'copyLabResources'
  | 'getLabMedia';

/** Kinds of media that a text may show; anything else is handed out as a download. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.webm': 'video/webm',
  '.mp4': 'video/mp4',
};

export function labHandlers(database: Database, service: LabService): HandlersOf<Names> {
  const listLabs = prepareLabLists(database);
  return {
    listLabs: async ({ query }) => {
      const { rows, total } = await listLabs({
        ...query,
        keyword: query.keyword,
        type: query.type,
        domains: query.domains,
        tags: query.tags,
      });
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
  };
}
