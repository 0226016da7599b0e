/**
 * Usages: running environments. The calls are those of the specification's section 7; the rules
 * those of section 4 and of decisions 1 to 12, 46 to 48.
 */
import { z } from 'zod';
import {
  ERRORS,
  SessionType,
  TEXT_LIMITS,
  TIMES,
  USAGE_CAUSES,
  USAGE_PHASES,
  UsageStatus,
  id,
  listOf,
  listQuery,
  pathID,
  route,
  type ErrorCode,
  version,
} from './kernel/index.ts';

/** A code with its values, carried inside an answer. */
const codedReason = z.object({
  Code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  Params: z.record(z.string(), z.unknown()),
});

/** Progress of an image's build: a true denominator, or none. */
export const imageBuild = z.object({
  Image: z.string(),
  State: z.enum(['waiting', 'building', 'ready', 'failed']),
  Step: z.int().nonnegative(),
  Steps: z.int().nonnegative(),
  Text: z.string(),
  StartedAt: z.iso.datetime().nullable(),
});
export type ImageBuild = z.output<typeof imageBuild>;

export const usage = z.object({
  ID: id(),
  Status: z.enum(UsageStatus),
  Phase: z.enum(USAGE_PHASES),
  /** Place in the queue, 1 is next; null when not queued. */
  Position: z.int().positive().nullable(),
  /** What a queued start waits for besides its turn: an image being built. */
  Build: imageBuild.nullable(),
  /** Why the start failed. */
  Reason: codedReason.nullable(),
  /** Unix time, in seconds, of the last start or renewal; the countdown begins there. */
  RenewalTime: z.int(),
  /** Full lifetime, seconds. */
  Lifetime: z.int().positive(),
  /** Seconds left; null while nothing counts down (starting, stopped). */
  Remaining: z.int().nonnegative().nullable(),
  /** Unix time of the server, seconds: a browser with a wrong clock counts from it. */
  ServerTime: z.number(),
  /** Moves by one at every change, so that a page can tell an old answer from a new one. */
  Version: version(),
  Type: z.enum(SessionType),
  RouteName: z.string(),
  RoutePath: z.string(),
  Host: z.string(),
  IP: z.string(),
  /** Where the session opens, below the session origin; null until ready. */
  ProxyPath: z.string().nullable(),
  /** Where its terminals are, below the session origin; null until ready. */
  TerminalPath: z.string().nullable(),
  /** Names of its nodes; the first one opens. */
  Nodes: z.array(z.string()),
  Title: z.string(),
  LabID: id().nullable(),
  TaskID: id().nullable(),
  SoftwareID: id().nullable(),
  ComputerID: id().nullable(),
  SpecificationID: id().nullable(),
  Cpus: z.number(),
  MemoryBytes: z.int(),
  /** The personal folder as it was looked at last; null until then. Over the quota is possible. */
  Storage: z.object({ UsedBytes: z.int(), QuotaBytes: z.int() }).nullable(),
  /** A further node that died, and whether it runs again; its programs are gone. */
  LostNode: z.object({ Name: z.string(), At: z.iso.datetime(), IsBack: z.boolean() }).nullable(),
  /** Frozen in memory (false) or stopped with its files kept (true). */
  IsHeld: z.boolean(),
  /** When each phase began, ISO 8601. */
  PhaseTimes: z.partialRecord(z.enum(USAGE_PHASES), z.iso.datetime()),
  CreatedAt: z.iso.datetime(),
});
export type Usage = z.output<typeof usage>;

/**
 * Seconds left at a moment, from what the server said and the time that has passed since on a
 * clock that cannot be set (performance.now). Every countdown of the product uses this one rule:
 * Remaining = RenewalTime + Lifetime − ServerTime − elapsed (decision 1).
 * @param elapsedSeconds seconds since the answer arrived
 * @returns null while nothing counts down
 */
export function remainingSeconds(
  of: Pick<Usage, 'Status' | 'Phase' | 'RenewalTime' | 'Lifetime' | 'ServerTime'>,
  elapsedSeconds: number,
): number | null {
  if (of.Status !== UsageStatus.running || of.Phase !== 'ready') return null;
  return Math.max(0, of.RenewalTime + of.Lifetime - of.ServerTime - elapsedSeconds);
}

export const getUsage = route({
  method: 'GET',
  path: '/usage',
  summary: 'The current environment of the user; null without one',
  access: { need: ['usage.detail'] },
  response: usage.nullable(),
  errors: [],
  scope: {},
});

export const createUsage = route({
  method: 'POST',
  path: '/usage',
  summary: 'Open an environment; answers when it is ready, or at once with wait=false',
  access: { need: ['usage.create'] },
  query: { wait: z.enum(['true', 'false']).default('true') },
  body: {
    RouteName: z.string().max(TEXT_LIMITS.routeName),
    /** A path of this site: it begins with one slash, and has no backslash and no control sign. */
    RoutePath: z
      .string()
      .max(TEXT_LIMITS.routePath)
      .regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u),
    ImageIDList: z.array(id()).min(1).max(3).optional(),
    SpecificationID: id().optional(),
    LabID: id().optional(),
    TaskID: id().optional(),
    SoftwareID: id().optional(),
    ComputerID: id().optional(),
    /** The answer to “replace the existing one”. */
    Replace: z.boolean().optional(),
  },
  response: usage,
  errors: [
    'usage_exists',
    'usage_queue_full',
    'usage_sessions_full',
    'usage_too_large',
    'engine_unavailable',
    'image_missing',
    'image_build_failed',
    'start_timed_out',
    'start_died',
    'start_out_of_memory',
    'start_no_space',
    'start_failed',
  ],
  scope: {
    ImageIDList: 'image',
    SpecificationID: 'specification',
    LabID: 'lab',
    TaskID: 'labTask',
    SoftwareID: 'software',
    ComputerID: 'ownComputer',
  },
  timeoutMs: TIMES.usageCreateTimeoutMs,
});

export const updateUsage = route({
  method: 'PUT',
  path: '/usage/:usageID',
  summary: 'Pause (stop) or continue (start) an environment',
  access: { need: [['usage.control', 'usage.update']] },
  params: { usageID: pathID() },
  body: { Action: z.enum(['stop', 'start']) },
  response: usage,
  errors: [
    'usage_not_ready',
    'usage_not_running',
    'usage_already_running',
    'usage_expired',
    'usage_action_timeout',
  ],
  scope: { usageID: 'ownUsage' },
  timeoutMs: TIMES.usageActionTimeoutMs,
});

export const renewUsage = route({
  method: 'POST',
  path: '/usage/:usageID/renewal',
  summary: 'Set the countdown back to the full lifetime',
  access: { need: ['usage.renew'] },
  params: { usageID: pathID() },
  body: {},
  response: usage,
  errors: ['usage_renewal_too_late', 'usage_not_running', 'usage_not_ready', 'usage_expired'],
  scope: { usageID: 'ownUsage' },
  timeoutMs: TIMES.usageActionTimeoutMs,
});

export const deleteUsage = route({
  method: 'DELETE',
  path: '/usage/:usageID',
  summary: 'End an environment, or cancel its start; personal files stay',
  access: { need: ['usage.delete'] },
  params: { usageID: pathID() },
  response: z.null(),
  errors: [],
  scope: { usageID: 'ownUsage' },
});

export const listUsageContainers = route({
  method: 'GET',
  path: '/usage/:usageID/container',
  summary: 'The nodes of an environment with their live figures',
  access: { need: ['usage.containers'] },
  params: { usageID: pathID() },
  response: listOf(
    z.object({
      Name: z.string(),
      Image: z.string(),
      State: z.enum(['created', 'running', 'paused', 'exited', 'missing']),
      Cpus: z.number(),
      MemoryLimitBytes: z.int(),
      /** null: the engine did not say. */
      CpuSeconds: z.number().nullable(),
      MemoryBytes: z.number().nullable(),
      Processes: z.number().nullable(),
      /** Since the start. */
      ReceivedBytes: z.number().nullable(),
      SentBytes: z.number().nullable(),
    }),
  ),
  errors: ['engine_unavailable'],
  scope: { usageID: 'ownUsage' },
});

export const listUsageHistory = route({
  method: 'GET',
  path: '/usage/history',
  summary: 'Ended environments of the user, newest first, each with its cause',
  access: { need: ['usage.detail'] },
  query: listQuery,
  response: listOf(
    z.object({
      ID: id(),
      Title: z.string(),
      Type: z.enum(SessionType),
      Cause: z.enum(USAGE_CAUSES),
      Reason: codedReason.nullable(),
      CreatedAt: z.iso.datetime(),
      ReadyAt: z.iso.datetime().nullable(),
      EndedAt: z.iso.datetime(),
      RoutePath: z.string(),
    }),
  ),
  errors: [],
  scope: {},
});

/**
 * What the event stream pushes: the current usage (or null), and how the newest ended one ended.
 * A page that showed that one can then say why it is gone, even after a night of sleep.
 */
export const usageEvent = z.object({
  /** Unread notifications: the number on the bell. */
  Unread: z.int().nonnegative(),
  Usage: usage.nullable(),
  Ended: z
    .object({
      ID: id(),
      Cause: z.enum(USAGE_CAUSES),
      Reason: codedReason.nullable(),
      Title: z.string(),
    })
    .nullable(),
});
export type UsageEvent = z.output<typeof usageEvent>;

export const watchUsage = route({
  method: 'GET',
  path: '/usage/events',
  summary:
    'Server-sent events: the current environment at every change, and what else was asked for',
  access: { need: ['usage.detail'] },
  query: {
    /** The live figures of the dashboard as well, in events of that name; needs `dashboard.read`. */
    live: z.literal('dashboard').optional(),
  },
  response: usageEvent,
  errors: [],
  scope: {},
  kind: 'stream',
});

/** Ticket for a session origin of its own: single use, 60 s, exchanged there for a cookie. */
export const createUsageTicket = route({
  method: 'POST',
  path: '/usage/:usageID/ticket',
  summary:
    'Address at which the session opens, with a single-use ticket when it lives on its own origin',
  access: { need: ['proxy.access'] },
  params: { usageID: pathID() },
  body: {},
  response: z.object({ URL: z.string() }),
  errors: ['usage_not_ready', 'usage_not_running'],
  scope: { usageID: 'ownUsage' },
});
