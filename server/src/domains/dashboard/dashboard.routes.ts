import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { readDashboard, readNow } from './dashboard.queries.ts';

/** Who did something within this is online; sessions write down that they were seen now and then. */
const ONLINE_MS = 5 * 60_000;

export const dashboardHandlers = (
  database: Database,
  clock: Clock,
  zone: string,
): HandlersOf<'getDashboard' | 'getDashboardNow'> => ({
  getDashboard: ({ query }) => readDashboard(database, query.period, clock.now(), zone),
  getDashboardNow: () => readNow(database, new Date(clock.now().getTime() - ONLINE_MS)),
});
