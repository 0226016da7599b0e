/**
 * The role `gateway`: a process that carries sessions and nothing else. It needs the database and
 * the way to the containers, so that the site can be restarted, or be busy, while sessions go on.
 * A reverse proxy sends it what begins with the proxy path, or the whole session origin.
 */
import type pg from 'pg';
import { SIZE_LIMITS } from '@hypercube/contract';
import { createSessionTickets } from '../domains/usage/usage.tickets.ts';
import { Logins } from '../domains/user/login.ts';
import { keepDatabaseClock, type Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { checkServer, openDatabase, readDatabaseTime } from '../platform/database/database.ts';
import { Listener } from '../platform/database/notify.ts';
import { installHealth } from '../platform/health.ts';
import { installErrorHandling, sendFailure } from '../platform/http/errors.ts';
import { logOptions } from '../platform/log.ts';
import { installMetrics } from '../platform/metrics.ts';
import { createFront } from './front.ts';
import { Gateway } from './gateway.ts';

/** Where it listens, and how it ends. */
export interface StartedGateway {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Listens where the configuration says. The schema is the site's to make: a gateway migrates nothing.
 * @param ownClock for tests that set the time; else the database's clock is used
 */
export async function startGateway(config: Config, ownClock?: Clock): Promise<StartedGateway> {
  const connection: pg.ClientConfig = { connectionString: config.DATABASE_URL };
  const handle = openDatabase(connection);
  const { database } = handle;
  await checkServer(database).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  const databaseClock = await keepDatabaseClock(() => readDatabaseTime(database));
  const clock = ownClock ?? databaseClock.clock;
  const listener = new Listener(connection);
  await listener.start();
  let gateway: Gateway | undefined;
  const app = createFront({
    logger: logOptions(config, process.stdout.isTTY),
    trustProxy: config.HC_TRUST_PROXY,
    gateway: () => gateway,
  });
  const theGateway = new Gateway({
    database,
    clock,
    listener,
    logins: new Logins({
      database,
      clock,
      listener,
      isSecure: config.HC_PUBLIC_URL?.startsWith('https:') ?? false,
    }),
    tickets: createSessionTickets({ database, clock, sessionOrigin: config.HC_SESSION_ORIGIN }),
    publicOrigin: config.HC_PUBLIC_URL,
    sessionOrigin: config.HC_SESSION_ORIGIN,
    isBehindProxy: config.HC_TRUST_PROXY,
    log: app.log,
  });
  gateway = theGateway;
  gateway.attach(app.server);
  installErrorHandling(app, SIZE_LIMITS.jsonBody);
  app.setNotFoundHandler((request, reply) => sendFailure(request, reply, 'not_found'));
  installHealth(app, {
    database: async () => {
      await readDatabaseTime(database);
      return { isReady: true, reason: null };
    },
    notifications: async () => ({
      isReady: listener.isLive,
      reason: listener.isLive ? null : 'notifications are interrupted',
    }),
  });
  installMetrics(
    app,
    {
      gauges: {
        gateway_sockets: {
          help: 'Open WebSockets to sessions',
          read: () => theGateway.openSockets,
        },
      },
    },
    config.HC_METRICS_TOKEN,
  );
  const address = await app.listen({ host: config.HC_HOST, port: config.HC_PORT });
  return {
    address,
    async close() {
      databaseClock.stop();
      theGateway.close();
      await app.close();
      await listener.close();
      await handle.close();
    },
  };
}
