/** What those who run the place see of it: figures over time, and now. */
import { z } from 'zod';
import { TRACK_MODULES, UserType, id, route } from './kernel/index.ts';

const count = z.int().nonnegative();
/** A period in the server's calendar: `2026-11-21`, `2026-11` or `2026`. */
const bucket = z.string();

export const dashboard = z.object({
  /** Accounts: new ones in each period and how many there were at its end. */
  Growth: z.array(z.object({ Bucket: bucket, New: count, Total: count })),
  Structure: z.array(z.object({ Type: z.enum(UserType), Count: count })),
  /** By where the organisation is: ISO 3166-2 within China, else the country; null: not said. */
  Regions: z.array(z.object({ Region: z.string().nullable(), Count: count })),
  /** The largest ones. */
  Organisations: z.array(z.object({ Name: z.string(), Count: count })),
  /** What there is to learn with. */
  Composition: z.array(
    z.object({
      Kind: z.enum(['lab', 'software', 'course', 'problem', 'image', 'specification']),
      Count: count,
    }),
  ),
  /** Hours that environments ran within each period. */
  UsageHours: z.array(z.object({ Bucket: bucket, Hours: z.number().nonnegative() })),
  /** Page views by module, one for each time that a page was opened, and sessions of browsers. */
  Visits: z.array(
    z.object({ Bucket: bucket, Module: z.enum(TRACK_MODULES), Views: count, Sessions: count }),
  ),
});
export type Dashboard = z.output<typeof dashboard>;

export const getDashboard = route({
  method: 'GET',
  path: '/dashboard',
  summary: 'Figures of the last 30 days, 24 months or 10 years',
  access: { need: ['dashboard.read'] },
  query: { period: z.enum(['day', 'month', 'year']).default('day') },
  response: dashboard,
  errors: [],
  scope: {},
});

export const dashboardNow = z.object({
  /** Users who did something within the last five minutes. */
  Online: count,
  /** Users with an environment that is open now. */
  WithEnvironment: count,
  /** What waits for staff. */
  TeacherApplications: count,
  OpenSuggestions: count,
});
export type DashboardNow = z.output<typeof dashboardNow>;

export const getDashboardNow = route({
  method: 'GET',
  path: '/dashboard/now',
  summary: 'Who is here now; the event stream tells it at every change to those who ask for it',
  access: { need: ['dashboard.read'] },
  response: dashboardNow,
  errors: [],
  scope: {},
});

/** The maps on which users are shown. */
export const MAPS = ['china', 'world'] as const;
export type MapName = (typeof MAPS)[number];

export const getMap = route({
  method: 'GET',
  path: '/dashboard/map/:name',
  summary: 'A map as GeoJSON, as the installation has it',
  access: { need: ['dashboard.read'] },
  params: { name: z.enum(MAPS) },
  response: z.unknown(),
  errors: [],
  scope: {},
  kind: 'file',
});

/** Modules of the admin area that say what they hold; a module that comes adds itself here. */
export const OVERVIEW_MODULES = [
  'lab',
  'software',
  'course',
  'problem',
  'image',
  'specification',
  'environment',
  'resource',
] as const;
export type OverviewModule = (typeof OVERVIEW_MODULES)[number];

/** How an item stands, whatever the module. */
export const OVERVIEW_STATES = [
  'published',
  'draft',
  'shared',
  'private',
  'waiting',
  'running',
  'paused',
  'ready',
  'failed',
  'approved',
  'rejected',
] as const;
export type OverviewState = (typeof OVERVIEW_STATES)[number];

/** What may wait for staff. */
export const WAITING_KINDS = [
  'teacherApplication',
  'courseApplication',
  'homework',
  'suggestion',
  'failedImage',
  'queuedEnvironment',
  'failedMail',
  'resourceApplication',
] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

export const overview = z.object({
  /** Of the modules that the acting role may look after, in the order of the contract. */
  Modules: z.array(
    z.object({
      Module: z.enum(OVERVIEW_MODULES),
      Total: count,
      /** Those that changed last. */
      Recent: z.array(
        z.object({
          ID: id(),
          Title: z.string(),
          State: z.enum(OVERVIEW_STATES),
          UpdatedAt: z.iso.datetime(),
        }),
      ),
    }),
  ),
  /** Of the kinds that the acting role may act on, also those of which none waits. */
  Waiting: z.array(z.object({ Kind: z.enum(WAITING_KINDS), Count: count })),
});
export type Overview = z.output<typeof overview>;

export const getOverview = route({
  method: 'GET',
  path: '/dashboard/overview',
  summary: 'What the acting role looks after: counts, what changed last, and what waits',
  access: { need: ['dashboard.overview'] },
  response: overview,
  errors: [],
  scope: {},
});
