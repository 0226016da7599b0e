/** Turns contract routes into Fastify routes: access first, then validation, scope, handler. */
import {
  API_BASE,
  type AnswerInputOf,
  type BodyOf,
  type CommonQuery,
  type ParamsOf,
  type QueryOf,
  type Route,
  type Routes,
} from '@hypercube/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  authorise,
  resolveScope,
  type Actor,
  type Resolvers,
  type Scoped,
} from '../access/access.ts';
import { codeOf } from './errors.ts';
import { ActionRecord, isRecorded, type NotedChange, type Recorder } from './record.ts';
import { refuseForm } from './form.ts';
import { readUpload, refuseMultipart, type IncomingFile } from './upload.ts';

export interface Call<T extends Route> {
  readonly actor: Actor;
  readonly scoped: Scoped<T>;
  readonly params: ParamsOf<T>;
  readonly query: QueryOf<T> & CommonQuery;
  readonly body: BodyOf<T>;
  /** The file of a route that takes an upload, to be read once. @throws DomainError `upload_missing` */
  readonly file: () => Promise<IncomingFile>;
  /**
   * Adds to the record of this action what the route's ids do not name, such as what an import
   * made. Calls that are not recorded leave it out.
   */
  readonly note: (change: NotedChange) => void;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type Handler<T extends Route> = (call: Call<T>) => Promise<AnswerInputOf<T> | FastifyReply>;

/** A handler for every route of the contract; leaving one out is a type error. */
export type Handlers = { readonly [K in keyof Routes]: Handler<Routes[K]> };

/** The handlers of some domains, to be spread into {@link Handlers}. */
export type HandlersOf<K extends keyof Routes> = Pick<Handlers, K>;

export interface RegisterOptions {
  readonly resolvers: Resolvers;
  /** Who acts in this request, from its cookie and its role parameter. */
  readonly identify: (request: FastifyRequest) => Promise<Actor>;
  /** Keeps what staff did. */
  readonly recorder: Recorder;
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    /** Takes one file as multipart. */
    isUpload?: boolean;
  }
}

/** Registers one route. */
export function registerRoute<T extends Route>(
  app: FastifyInstance,
  name: string,
  route: T,
  handler: Handler<T>,
  options: RegisterOptions,
): void {
  // Streams and files write their own answer, so no schema describes the whole.
  const response =
    route.kind === 'stream' || route.kind === 'file'
      ? {}
      : { response: { [route.status ?? 200]: route.response } };
  app.route({
    method: route.method,
    url: API_BASE + route.path,
    config: { isUpload: route.upload === true },
    schema: {
      operationId: name,
      summary: route.summary,
      tags: [route.path.split('/')[1] ?? ''],
      params: route.paramsSchema,
      querystring: route.querySchema,
      ...(route.bodySchema ? { body: route.bodySchema } : {}),
      ...response,
    },
    // Before the body is read: who may not call learns nothing about what would have been valid.
    onRequest: async (request) => {
      request.actor = await options.identify(request);
      authorise(request.actor, route.access);
      if (!route.upload) refuseMultipart(request);
      if (!route.form) refuseForm(request);
    },
    handler: async (request, reply) => {
      const { actor } = request;
      if (!actor) throw new Error(`${name} ran without an actor`);
      const params = request.params as ParamsOf<T>;
      const query = request.query as QueryOf<T> & CommonQuery;
      const body = (request.body ?? {}) as BodyOf<T>;
      const sent: Record<string, unknown> = { ...body, ...query, ...params };
      const scoped = (await resolveScope(route, sent, actor, options.resolvers)) as Scoped<T>;
      reply.status(route.status ?? 200);
      const file = () => readUpload(request);
      const action = isRecorded(route, actor.roles)
        ? new ActionRecord({
            name,
            route,
            actor,
            scoped,
            body: { ...body, ...query, role: undefined, lang: undefined },
            address: request.ip,
            path: request.url.split('?', 1)[0] ?? '',
            requestID: request.id,
          })
        : undefined;
      const keep = async (answer: unknown, code: string | null): Promise<void> => {
        if (!action) return;
        try {
          await options.recorder(await action.finish(options.resolvers, answer, code));
        } catch (error) {
          // It is done and cannot be taken back: the log is the second place that tells of it.
          request.log.error({ err: error, name, actor, code }, 'an action was not recorded');
        }
      };
      const note = (change: NotedChange): void => action?.note(change);
      try {
        const call = { actor, scoped, params, query, body, file, note, request, reply };
        const answer = await handler(call);
        // A file is not looked into; it goes out once the record is there.
        await keep(answer === reply || route.kind === 'file' ? null : answer, null);
        return answer;
      } catch (error) {
        await keep(null, codeOf(error as FastifyError).code);
        // What is still being sent is not read any more: the connection cannot carry another request.
        if (route.upload && !request.raw.complete) reply.header('connection', 'close');
        throw error;
      }
    },
  });
}
