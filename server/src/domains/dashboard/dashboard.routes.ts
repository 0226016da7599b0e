import { signedIn } from '../../platform/access/access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { readOnline } from './dashboard.live.ts';
import { sendMap } from './dashboard.maps.ts';
import { readOverview } from './dashboard.overview.ts';
import { readDashboard } from './dashboard.queries.ts';

export interface DashboardRouteOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** IANA name of the calendar. */
  readonly zone: string;
  /** Where the maps lie. */
  readonly mapFolder: string;
}

export const dashboardHandlers = ({
  database,
  clock,
  zone,
  mapFolder,
}: DashboardRouteOptions): HandlersOf<
  'getDashboard' | 'getDashboardNow' | 'getMap' | 'getOverview'
> => ({
  getDashboard: ({ query }) => readDashboard(database, query.period, clock.now(), zone),
  getDashboardNow: () => readOnline(database, clock),
  getMap: ({ params, request, reply }) => sendMap(mapFolder, params.name, request, reply),
  getOverview: ({ actor, query }) => readOverview(database, signedIn(actor), query.lang),
});
