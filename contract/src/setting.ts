/** Settings that an admin changes in the browser; they hold at once, on every process. */
import { z } from 'zod';
import { SETTING_LIMITS, route, version } from './kernel/index.ts';

const whole = (limits: { readonly min: number; readonly max: number }) =>
  z.int().min(limits.min).max(limits.max);

/** Every setting with its bounds; the page is made from these. null: no limit, or what the machine gives. */
export const settings = z.object({
  /** Environments that may be open at once, paused ones included. */
  MaxSessions: whole(SETTING_LIMITS.maxSessions).nullable(),
  QueueLimit: whole(SETTING_LIMITS.queue),
  /** Lifetime of an environment whose specification does not say otherwise, seconds. */
  LifetimeSeconds: whole(SETTING_LIMITS.lifetimeSeconds),
  HoldSeconds: whole(SETTING_LIMITS.holdSeconds),
  KeepSeconds: whole(SETTING_LIMITS.keepSeconds),
  PersonalQuotaBytes: whole(SETTING_LIMITS.quotaBytes),
  UploadBytes: whole(SETTING_LIMITS.uploadBytes),
});
export type Settings = z.output<typeof settings>;

/** The same without bounds: those are for what an admin sets, the configuration has its own. */
const valuesInForce = z.object({
  MaxSessions: z.int().nullable(),
  QueueLimit: z.int(),
  LifetimeSeconds: z.int(),
  HoldSeconds: z.int(),
  KeepSeconds: z.int(),
  PersonalQuotaBytes: z.int(),
  UploadBytes: z.int(),
}) satisfies z.ZodType<Settings>;

const answer = z.object({
  Settings: valuesInForce,
  /** What holds when nothing was set, from the configuration. */
  Defaults: valuesInForce,
  UpdatedAt: z.iso.datetime().nullable(),
  UpdatedBy: z.string().nullable(),
  /** Moves at every change; sent back so that two admins do not overwrite each other. */
  Version: version(),
});

export const getSettings = route({
  method: 'GET',
  path: '/setting',
  summary: 'The settings, their defaults, and who changed them last',
  access: { need: ['setting.read'] },
  response: answer,
  errors: [],
  scope: {},
});

export const updateSettings = route({
  method: 'PUT',
  path: '/setting',
  summary: 'Change settings; those left out stay',
  access: { need: ['setting.update'] },
  body: { Version: version(), Values: settings.partial().strict() },
  response: answer,
  errors: ['changed_meanwhile'],
  scope: {},
});
