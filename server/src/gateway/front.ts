/** A Fastify app that lets the gateway answer first; whole sites and lone gateways are built on it. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import { SIZE_LIMITS } from '@hypercube/contract';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { sendFailure } from '../platform/http/errors.ts';
import { CLOSED_HEADERS } from '../platform/http/safety.ts';
import { isProxyPath, type Gateway } from './gateway.ts';

export interface FrontOptions {
  readonly logger: FastifyServerOptions['logger'];
  readonly trustProxy: boolean;
  /** Set once the gateway exists; requests below the proxy path go to it. */
  readonly gateway: () => Gateway | undefined;
}

/** An app without any route, so that what they need can log through it. */
export function createFront(options: FrontOptions): FastifyInstance {
  const app = Fastify({
    ...(options.logger === undefined ? {} : { logger: options.logger }),
    trustProxy: options.trustProxy,
    bodyLimit: SIZE_LIMITS.jsonBody,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // An address that cannot be read reaches no hook.
    frameworkErrors: (_error, request, reply) => {
      void sendFailure(request, reply.headers(CLOSED_HEADERS), 'invalid_input');
    },
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    serverFactory: (handler) =>
      createServer(
        { keepAliveTimeout: 72_000 },
        (request: IncomingMessage, response: ServerResponse) => {
          const gateway = options.gateway();
          // Session content is no business of Fastify: its hooks and limits would only slow it down.
          if (gateway && isProxyPath(request.url)) void gateway.handle(request, response);
          else handler(request, response);
        },
      ),
  });
  // The gateway reads cookies with it as well, which works only once it is registered.
  void app.register(fastifyCookie);
  return app;
}
