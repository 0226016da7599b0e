/** The record of what staff did: written by the platform itself, never changed. */
import { z } from 'zod';
import { ROLES, TEXT_LIMITS, id, listOf, listQuery, pathID, route } from './kernel/index.ts';

/** A thing that an action was about, by the name that it had then. */
const thing = z.object({ Kind: z.string(), ID: id().nullable(), Title: z.string() });

const record = z.object({
  ID: id(),
  At: z.iso.datetime(),
  /** As they were called then. */
  Person: z.object({ ID: id(), Username: z.string(), Nickname: z.string() }),
  Role: z.enum(ROLES),
  Address: z.string(),
  /** Name of the route, such as `updateLab`. */
  Action: z.string(),
  Method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  /** The part of the platform, by the first step of the path. */
  Kind: z.string(),
  Things: z.array(thing),
  /** Code of a refusal; null when it was done. */
  Code: z.string().nullable(),
});
export type AuditRecord = z.output<typeof record>;

/** A field that differs; long texts are shortened around the difference, secrets are masked. */
const change = z.object({
  Kind: z.string(),
  ID: id().nullable(),
  Field: z.string(),
  /** null: there was nothing, or there is nothing any more. */
  Before: z.string().nullable(),
  After: z.string().nullable(),
});

const detail = record.extend({
  Path: z.string(),
  RequestID: z.string(),
  Changes: z.array(change),
  /** What was sent, without files and secrets. */
  Sent: z.array(z.object({ Field: z.string(), Value: z.string() })),
});
export type AuditDetail = z.output<typeof detail>;

const filters = {
  keyword: listQuery.keyword,
  /** Id of an account, which may be gone. */
  person: z.coerce.number<string>().int().positive().max(2_147_483_647).optional(),
  kind: z.string().max(TEXT_LIMITS.keyword).optional(),
  outcome: z.enum(['done', 'refused']).optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  sort: z.enum(['latest', 'oldest']).default('latest'),
};

export const listAudit = route({
  method: 'GET',
  path: '/audit',
  summary: 'What staff did, filtered, sorted and paged',
  access: { need: ['audit.list'] },
  query: { ...listQuery, ...filters },
  response: listOf(record),
  errors: [],
  scope: {},
});

export const listAuditPersons = route({
  method: 'GET',
  path: '/audit/person',
  summary: 'Who appears in the record, and which parts of the platform do',
  access: { need: ['audit.list'] },
  response: z.object({
    List: z.array(z.object({ ID: id(), Username: z.string(), Nickname: z.string() })),
    Total: z.int().nonnegative(),
    Kinds: z.array(z.string()),
  }),
  errors: [],
  scope: {},
});

export const exportAudit = route({
  method: 'GET',
  path: '/audit/export',
  summary: 'The records that match, as xlsx',
  access: { need: ['audit.export'] },
  query: filters,
  response: z.unknown(),
  errors: [],
  scope: {},
  kind: 'file',
  isRecorded: true,
});

export const getAudit = route({
  method: 'GET',
  path: '/audit/:auditID',
  summary: 'One record with what was before and after',
  access: { need: ['audit.list'] },
  params: { auditID: pathID() },
  response: detail,
  errors: [],
  scope: { auditID: 'auditRecord' },
});
