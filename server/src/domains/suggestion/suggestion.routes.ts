import { API_BASE, type Suggestion, type SuggestionReply } from '@hypercube/contract';
import { signedIn, type Actor } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import {
  listReplyRows,
  listRows,
  maySeePicture,
  type ReplyRow,
  type SuggestionRow,
} from './suggestion.queries.ts';
import type { SuggestionService } from './suggestion.service.ts';

const picturePath = (name: string): string => `${API_BASE}/suggestion/picture/${name}`;

const present = (row: SuggestionRow, actor: Actor): Suggestion => ({
  ID: row.id,
  Title: row.title,
  Content: row.content,
  Status: row.status as Suggestion['Status'],
  IsPublic: row.isPublic,
  IsOwn: row.userID !== null && row.userID === actor.userID,
  Author: row.author === null ? null : { Nickname: row.author, IsStaff: false },
  Pictures: row.pictures.map(picturePath),
  Replies: row.replies,
  CreatedAt: row.createdAt.toISOString(),
  UpdatedAt: row.updatedAt.toISOString(),
});

const presentReply = (row: ReplyRow, actor: Actor): SuggestionReply => ({
  ID: row.id,
  Content: row.content,
  Author: row.author === null ? null : { Nickname: row.author, IsStaff: row.isStaff },
  IsOwn: row.userID !== null && row.userID === actor.userID,
  CreatedAt: row.createdAt.toISOString(),
});

type Names =
  | 'listSuggestions'
  | 'listManagedSuggestions'
  | 'getSuggestion'
  | 'createSuggestion'
  | 'updateSuggestion'
  | 'finishSuggestion'
  | 'deleteSuggestion'
  | 'listReplies'
  | 'createReply'
  | 'uploadSuggestionPicture'
  | 'getSuggestionPicture';

export const suggestionHandlers = (
  database: Database,
  service: SuggestionService,
): HandlersOf<Names> => ({
  listSuggestions: async ({ actor, query }) => {
    const { rows, total } = await listRows(database, {
      ...query,
      keyword: query.keyword,
      status: query.status,
      viewerID: actor.userID,
      isOwnOnly: query.own === 'true',
    });
    return { List: rows.map((row) => present(row, actor)), Total: total };
  },

  listManagedSuggestions: async ({ actor, query }) => {
    const { rows, total } = await listRows(database, {
      ...query,
      keyword: query.keyword,
      status: query.status,
    });
    return { List: rows.map((row) => present(row, actor)), Total: total };
  },

  getSuggestion: async ({ actor, scoped }) => present(scoped.suggestionID, actor),

  createSuggestion: async ({ actor, body }) =>
    present(await service.create(signedIn(actor), body), actor),

  updateSuggestion: async ({ actor, scoped, body }) =>
    present(await service.update(signedIn(actor), scoped.suggestionID, body), actor),

  finishSuggestion: async ({ actor, scoped, body }) =>
    present(await service.finish(scoped.suggestionID, body.Status), actor),

  deleteSuggestion: async ({ scoped }) => {
    await service.remove(scoped.suggestionID);
    return null;
  },

  listReplies: async ({ actor, scoped, query }) => {
    const { rows, total } = await listReplyRows(
      database,
      scoped.suggestionID.id,
      query.page,
      query.pageSize,
    );
    return { List: rows.map((row) => presentReply(row, actor)), Total: total };
  },

  createReply: async ({ actor, scoped, body }) =>
    presentReply(await service.reply(signedIn(actor), scoped.suggestionID, body.Content), actor),

  uploadSuggestionPicture: async ({ actor, file }) => {
    const name = await service.keepPicture(signedIn(actor), await file());
    return { Name: name, Path: picturePath(name) };
  },

  getSuggestionPicture: async ({ actor, params, reply }) => {
    const viewer = { userID: actor.userID, isStaff: actor.roles.includes('admin') };
    const picture = (await maySeePicture(database, params.name, viewer))
      ? await service.openPicture(params.name)
      : null;
    if (!picture) throw new DomainError('not_found');
    return reply
      .headers({
        'content-type': 'image/webp',
        'content-length': picture.sizeBytes,
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=3600',
      })
      .send(picture.stream);
  },
});
