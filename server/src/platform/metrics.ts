/** Figures for Prometheus, at `/metrics`. */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { DomainError } from './errors.ts';

export interface MetricSources {
  /** Current values by metric name; read at each scrape. */
  readonly gauges: Readonly<Record<string, { help: string; read: () => number | Promise<number> }>>;
}

const isLocal = (request: FastifyRequest): boolean =>
  ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.ip) &&
  request.headers['x-forwarded-for'] === undefined;

function hasToken(request: FastifyRequest, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Installs the route and the request timings. Each app has a registry of its own, for tests. */
export function installMetrics(
  app: FastifyInstance,
  sources: MetricSources,
  token: string | undefined,
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'hypercube_' });
  const durations = new Histogram({
    name: 'hypercube_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  });
  for (const [name, { help, read }] of Object.entries(sources.gauges)) {
    const gauge = new Gauge({
      name: `hypercube_${name}`,
      help,
      registers: [registry],
      async collect() {
        gauge.set(await read());
      },
    });
  }
  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern, not the address: ids would make endless series.
    const route = request.routeOptions.url ?? 'none';
    durations.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (token === undefined ? !isLocal(request) : !hasToken(request, token))
      throw new DomainError('not_found');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
