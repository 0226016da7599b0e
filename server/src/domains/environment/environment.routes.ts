import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { Settings } from '../setting/setting.service.ts';
import type { UsageService } from '../usage/usage.service.ts';
import { readHost } from './environment.host.ts';
import { presentEnvironment } from './environment.present.ts';
import { listEnvironmentRows, listWorkers, readLoad } from './environment.queries.ts';

type Names = 'listEnvironments' | 'endEnvironment' | 'getCapacity';

/** A worker not heard of for this long is not shown any more. */
const WORKER_GONE_MS = 60_000;

export interface EnvironmentRouteOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly usages: UsageService;
  readonly settings: Settings;
  readonly capacity: { readonly cpus: number; readonly memoryBytes: number };
  /** Where data and images lie. */
  readonly folders: readonly string[];
}

export const environmentHandlers = ({
  database,
  clock,
  usages,
  settings,
  capacity,
  folders,
}: EnvironmentRouteOptions): HandlersOf<Names> => ({
  listEnvironments: async ({ query }) => {
    const { rows, total } = await listEnvironmentRows(database, {
      ...query,
      keyword: query.keyword,
      type: query.type,
      state: query.state,
    });
    const now = clock.now();
    return { List: rows.map((row) => presentEnvironment(row, now, query.lang)), Total: total };
  },

  endEnvironment: async ({ scoped, body }) => {
    await usages.endByStaff(scoped.usageID, body.Reason);
    return null;
  },

  getCapacity: async () => {
    const now = clock.now();
    const [load, workers, host] = await Promise.all([
      readLoad(database),
      listWorkers(database, new Date(now.getTime() - WORKER_GONE_MS)),
      readHost(folders),
    ]);
    return {
      Running: load.running,
      Paused: load.paused,
      Starting: load.starting,
      Queued: load.queued,
      OldestWaitSeconds:
        load.oldestQueuedAt === null
          ? null
          : Math.max(0, Math.floor((now.getTime() - load.oldestQueuedAt.getTime()) / 1000)),
      Cpus: { Reserved: load.cpus, Limit: capacity.cpus, Host: host.cpus },
      MemoryBytes: {
        Reserved: load.memoryBytes,
        Limit: capacity.memoryBytes,
        Host: host.memoryBytes,
        Free: host.freeMemoryBytes,
      },
      DiskBytes: { Free: host.freeDiskBytes, Host: host.diskBytes },
      MaxSessions: settings.current('limits').MaxSessions,
      Workers: workers.map((worker) => ({
        Machine: worker.machine,
        Engine: worker.engineName,
        IsReady: worker.isEngineReady,
        Reason: worker.engineReason,
        SeenAt: worker.seenAt.toISOString(),
      })),
    };
  },
});
