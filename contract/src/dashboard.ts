/** What those who run the place see of it: figures over time, and now. */
import { z } from 'zod';
import { TRACK_MODULES, UserType, route } from './kernel/index.ts';

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
    z.object({ Kind: z.enum(['lab', 'software', 'image', 'specification']), Count: count }),
  ),
  /** Hours that environments ran, begun in each period. */
  UsageHours: z.array(z.object({ Bucket: bucket, Hours: z.number().nonnegative() })),
  /** Page views by module, and sessions of browsers. */
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

export const getDashboardNow = route({
  method: 'GET',
  path: '/dashboard/now',
  summary: 'Who is here now',
  access: { need: ['dashboard.read'] },
  response: z.object({
    /** Users who did something within the last five minutes. */
    Online: count,
    /** Users with an environment that is open now. */
    WithEnvironment: count,
    /** What waits for staff. */
    TeacherApplications: count,
    OpenSuggestions: count,
  }),
  errors: [],
  scope: {},
});
