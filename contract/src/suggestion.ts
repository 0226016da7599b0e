/** Suggestions of users, and the conversation with staff about them. */
import { z } from 'zod';
import {
  COUNT_LIMITS,
  SuggestionStatus,
  TEXT_LIMITS,
  id,
  listOf,
  listQuery,
  pathID,
  route,
} from './kernel/index.ts';

const author = z.object({ Nickname: z.string(), IsStaff: z.boolean() }).nullable();
const pictures = z
  .array(z.string().regex(/^[0-9a-f-]{36}\.webp$/))
  .max(COUNT_LIMITS.suggestionPictures);

export const suggestion = z.object({
  ID: id(),
  Title: z.string(),
  Content: z.string(),
  Status: z.enum(SuggestionStatus),
  IsPublic: z.boolean(),
  /** Whether the one who asks wrote it. */
  IsOwn: z.boolean(),
  /** null once the account is gone. */
  Author: author,
  /** Paths below the API base. */
  Pictures: z.array(z.string()),
  Replies: z.int().nonnegative(),
  CreatedAt: z.iso.datetime(),
  UpdatedAt: z.iso.datetime(),
});
export type Suggestion = z.output<typeof suggestion>;

const listFields = {
  ...listQuery,
  status: z.coerce.number<string>().pipe(z.enum(SuggestionStatus)).optional(),
  sort: z.enum(['latest', 'oldest', 'replies']).default('latest'),
};

export const listSuggestions = route({
  method: 'GET',
  path: '/suggestion',
  summary: 'Suggestions that their authors made public, and one’s own',
  access: { need: ['suggestion.list'] },
  query: { ...listFields, own: z.enum(['true', 'false']).default('false') },
  response: listOf(suggestion),
  errors: [],
  scope: {},
});

export const listManagedSuggestions = route({
  method: 'GET',
  path: '/suggestion/managed',
  summary: 'Every suggestion, for staff',
  access: { need: ['suggestion.adminList'] },
  query: listFields,
  response: listOf(suggestion),
  errors: [],
  scope: {},
});

export const getSuggestion = route({
  method: 'GET',
  path: '/suggestion/:suggestionID',
  summary: 'A suggestion that is public, one’s own, or any for staff',
  access: { need: ['suggestion.list'] },
  params: { suggestionID: pathID() },
  response: suggestion,
  errors: [],
  scope: { suggestionID: 'suggestion' },
});

const fields = {
  Title: z.string().trim().min(1).max(TEXT_LIMITS.suggestionTitle),
  Content: z.string().trim().min(1).max(TEXT_LIMITS.suggestionContent),
  IsPublic: z.boolean(),
  /** Names that the upload of a picture answered. */
  Pictures: pictures.default([]),
};

export const createSuggestion = route({
  method: 'POST',
  path: '/suggestion',
  summary: 'Make a suggestion',
  access: { need: ['suggestion.create'] },
  body: fields,
  response: suggestion,
  status: 201,
  errors: ['picture_missing', 'too_many_requests'],
  scope: {},
});

export const updateSuggestion = route({
  method: 'PUT',
  path: '/suggestion/:suggestionID',
  summary: 'Change one’s own suggestion while it is being processed',
  access: { need: ['suggestion.update'] },
  params: { suggestionID: pathID() },
  body: fields,
  response: suggestion,
  errors: ['suggestion_finished', 'picture_missing'],
  scope: { suggestionID: 'ownSuggestion' },
  isRecorded: 'suggestion.adminList',
});

export const finishSuggestion = route({
  method: 'PUT',
  path: '/suggestion/:suggestionID/status',
  summary: 'Finish a suggestion, or open it again',
  access: { need: ['suggestion.finish'] },
  params: { suggestionID: pathID() },
  body: { Status: z.enum(SuggestionStatus) },
  response: suggestion,
  errors: [],
  scope: { suggestionID: 'suggestion' },
});

export const deleteSuggestion = route({
  method: 'DELETE',
  path: '/suggestion/:suggestionID',
  summary: 'Delete a suggestion with its conversation: one’s own, or any for staff',
  access: { need: ['suggestion.delete'] },
  params: { suggestionID: pathID() },
  response: z.null(),
  errors: [],
  scope: { suggestionID: 'ownSuggestion' },
  isRecorded: 'suggestion.adminList',
});

export const suggestionReply = z.object({
  ID: id(),
  Content: z.string(),
  Author: author,
  IsOwn: z.boolean(),
  CreatedAt: z.iso.datetime(),
});
export type SuggestionReply = z.output<typeof suggestionReply>;

export const listReplies = route({
  method: 'GET',
  path: '/suggestion/:suggestionID/conversation',
  summary: 'The conversation about a suggestion, oldest first',
  access: { need: ['suggestion.list'] },
  params: { suggestionID: pathID() },
  query: { page: listQuery.page, pageSize: listQuery.pageSize },
  response: listOf(suggestionReply),
  errors: [],
  scope: { suggestionID: 'suggestion' },
});

export const createReply = route({
  method: 'POST',
  path: '/suggestion/:suggestionID/conversation',
  summary: 'Say something in the conversation: its author and staff',
  access: { need: ['suggestion.conversation'] },
  params: { suggestionID: pathID() },
  body: { Content: z.string().trim().min(1).max(TEXT_LIMITS.reply) },
  response: suggestionReply,
  status: 201,
  errors: ['suggestion_finished'],
  scope: { suggestionID: 'ownSuggestion' },
  isRecorded: 'suggestion.reply',
});

export const uploadSuggestionPicture = route({
  method: 'POST',
  path: '/suggestion/picture',
  summary: 'Send a picture for a suggestion; it is made anew, so that nothing hides in it',
  access: { need: ['suggestion.create'] },
  upload: true,
  response: z.object({ Name: z.string(), Path: z.string() }),
  status: 201,
  errors: ['upload_missing', 'upload_too_large', 'upload_type'],
  scope: {},
});

export const getSuggestionPicture = route({
  method: 'GET',
  path: '/suggestion/picture/:name',
  summary: 'A picture of a suggestion',
  access: { need: ['suggestion.list'] },
  params: { name: z.string().regex(/^[0-9a-f-]{36}\.webp$/) },
  response: z.unknown(),
  errors: [],
  scope: {},
  kind: 'file',
});
