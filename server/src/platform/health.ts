/** `/healthz` says that the process lives, `/readyz` that it can do its work, each part with its reason. */
import type { FastifyInstance } from 'fastify';

export interface Check {
  readonly isReady: boolean;
  readonly reason: string | null;
  /** Without it the site still serves; it is told, but it does not make the process unready. */
  readonly isOptional?: boolean;
}

const CHECK_MS = 3000;

/** A check that hangs or throws is not ready, and says so. */
async function run(check: () => Promise<Check>): Promise<Check> {
  const limit = new Promise<Check>((resolve) => {
    setTimeout(
      () => resolve({ isReady: false, reason: `no answer within ${CHECK_MS} ms` }),
      CHECK_MS,
    ).unref();
  });
  const result = check().catch((error: unknown): Check => ({
    isReady: false,
    reason: error instanceof Error ? error.message : String(error),
  }));
  return Promise.race([result, limit]);
}

export function installHealth(
  app: FastifyInstance,
  checks: Readonly<Record<string, () => Promise<Check>>>,
): void {
  app.get('/healthz', { schema: { hide: true }, logLevel: 'warn' }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', { schema: { hide: true }, logLevel: 'warn' }, async (_request, reply) => {
    const names = Object.keys(checks);
    const results = await Promise.all(Object.values(checks).map(run));
    const isReady = results.every((result) => result.isReady || result.isOptional === true);
    const parts = Object.fromEntries(
      names.map((name, index) => [
        name,
        { ready: results[index]?.isReady ?? false, reason: results[index]?.reason ?? null },
      ]),
    );
    return reply
      .status(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'not ready', ...parts });
  });
}
