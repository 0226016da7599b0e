/** Running environments of everybody, for those who run the place. */
import { z } from 'zod';
import {
  SessionType,
  TEXT_LIMITS,
  USAGE_PHASES,
  UsageStatus,
  id,
  listOf,
  listQuery,
  pathID,
  route,
} from './kernel/index.ts';

export const environment = z.object({
  ID: id(),
  User: z.object({ ID: id(), Username: z.string(), Nickname: z.string() }),
  Title: z.string(),
  Type: z.enum(SessionType),
  Status: z.enum(UsageStatus),
  Phase: z.enum(USAGE_PHASES),
  Position: z.int().positive().nullable(),
  IsHeld: z.boolean(),
  Cpus: z.number(),
  MemoryBytes: z.int(),
  Nodes: z.array(z.string()),
  /** Machine on which it runs; null while it waits. */
  Machine: z.string().nullable(),
  /** Seconds left; null while nothing counts down. */
  Remaining: z.int().nonnegative().nullable(),
  CreatedAt: z.iso.datetime(),
  ReadyAt: z.iso.datetime().nullable(),
});
export type Environment = z.output<typeof environment>;

export const listEnvironments = route({
  method: 'GET',
  path: '/environment',
  summary: 'Every open environment with its user, resources, age and deadline',
  access: { need: ['usage.adminList'] },
  query: {
    ...listQuery,
    type: z.coerce.number<string>().pipe(z.enum(SessionType)).optional(),
    state: z.enum(['running', 'paused', 'starting', 'queued', 'failed']).optional(),
    sort: z.enum(['latest', 'oldest', 'deadline', 'memory', 'cpus']).default('latest'),
  },
  response: listOf(environment),
  errors: [],
  scope: {},
});

export const endEnvironment = route({
  method: 'POST',
  path: '/environment/:usageID/end',
  summary: 'End an environment with a reason that its user reads',
  access: { need: ['usage.adminStop'] },
  params: { usageID: pathID() },
  body: { Reason: z.string().trim().min(1).max(TEXT_LIMITS.endReason) },
  response: z.null(),
  errors: ['usage_expired'],
  scope: { usageID: 'anyUsage' },
});

export const getCapacity = route({
  method: 'GET',
  path: '/environment/capacity',
  summary: 'What the hosts have, what is reserved, and who waits',
  access: { need: ['usage.adminList'] },
  response: z.object({
    Running: z.int(),
    Paused: z.int(),
    Starting: z.int(),
    Queued: z.int(),
    /** Longest wait of those in the queue now, seconds; null with an empty queue. */
    OldestWaitSeconds: z.int().nullable(),
    Cpus: z.object({ Reserved: z.number(), Limit: z.number(), Host: z.int() }),
    MemoryBytes: z.object({ Reserved: z.int(), Limit: z.int(), Host: z.int(), Free: z.int() }),
    DiskBytes: z.object({ Free: z.int(), Host: z.int() }),
    MaxSessions: z.int().nullable(),
    Workers: z.array(
      z.object({
        Machine: z.string(),
        Engine: z.string(),
        IsReady: z.boolean(),
        Reason: z.string().nullable(),
        SeenAt: z.iso.datetime(),
      }),
    ),
  }),
  errors: [],
  scope: {},
});
