/** Builds the Fastify app without listening, so that a test can inject requests. */
import fastifyCompress from '@fastify/compress';
import { fastifyMultipart } from '@fastify/multipart';
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUI from '@fastify/swagger-ui';
import { API_BASE, SIZE_LIMITS, routes, type Route } from '@hypercube/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import { createFront, type FrontOptions } from './gateway/front.ts';
import type { Actor, Resolvers } from './platform/access/access.ts';
import { installHealth, type Check } from './platform/health.ts';
import { installErrorHandling } from './platform/http/errors.ts';
import { installFormParser } from './platform/http/form.ts';
import { installPages } from './platform/http/pages.ts';
import type { Recorder } from './platform/http/record.ts';
import { registerRoute, type Handler, type Handlers } from './platform/http/register.ts';
import { UPLOAD_LIMITS, describeUpload } from './platform/http/upload.ts';
import { installSafety, type SafetyOptions } from './platform/http/safety.ts';
import { installMetrics, type MetricSources } from './platform/metrics.ts';

export interface AppParts {
  readonly handlers: Handlers;
  readonly resolvers: Resolvers;
  readonly identify: (request: FastifyRequest) => Promise<Actor>;
  readonly recorder: Recorder;
  readonly checks: Readonly<Record<string, () => Promise<Check>>>;
  readonly metrics: MetricSources;
}

export interface AppOptions extends FrontOptions {
  readonly safety: SafetyOptions;
  readonly pagesFolder: string | undefined;
  /** Puts into the built page what it tells of this site. */
  readonly fillPage: (html: string) => string;
  readonly metricsToken: string | undefined;
  readonly version: string;
}

/** An app with everything but the routes, so that what they need can log through it. */
export function createApp(options: AppOptions): FastifyInstance {
  const app = createFront(options);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // A page of another site can send it without asking first, and no route of ours takes it.
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('actor', null);
  return app;
}

/** Registers everything; the app is ready to listen afterwards. */
export async function fillApp(
  app: FastifyInstance,
  parts: AppParts,
  options: AppOptions,
): Promise<void> {
  installErrorHandling(app, SIZE_LIMITS.jsonBody);
  installFormParser(app);
  await app.register(fastifyMultipart, { limits: UPLOAD_LIMITS, throwFileSizeLimit: false });
  await app.register(fastifyCompress, { threshold: 1024, encodings: ['gzip', 'identity'] });
  await app.register(fastifySwagger, {
    openapi: {
      info: {
        title: 'Hypercube API',
        version: options.version,
        description:
          'Errors are `{ Code, Params, RequestID }`. Every request may carry `role` (the role to act in) and `lang`.',
        license: { name: 'Apache-2.0' },
      },
      components: {
        securitySchemes: { cookie: { type: 'apiKey', in: 'cookie', name: 'hc_login' } },
      },
    },
    transform: (context) => describeUpload(jsonSchemaTransform(context), context.route),
  });
  await app.register(fastifySwaggerUI, { routePrefix: '/openapi' });
  installSafety(app, options.safety);
  installHealth(app, parts.checks);
  installMetrics(app, parts.metrics, options.metricsToken);
  for (const [name, route] of Object.entries(routes)) {
    registerRoute(
      app,
      name,
      route as Route,
      parts.handlers[name as keyof Handlers] as Handler<Route>,
      parts,
    );
  }
  app.all(`${API_BASE}/*`, { schema: { hide: true } }, (_request, reply) => reply.callNotFound());
  await installPages(app, options.pagesFolder, options.fillPage);
}
