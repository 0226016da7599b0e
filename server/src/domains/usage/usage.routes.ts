import type { FastifyReply } from 'fastify';
import type { Usage } from '@hypercube/contract';
import type { ContainerEngine, NodeState, NodeStats } from '../../engines/containers/engine.ts';
import { signedIn } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { inLanguage } from '../../platform/language.ts';
import { countUse } from '../lab/lab.service.ts';
import { findImages } from '../image/image.service.ts';
import {
  findDefaultSpecification,
  findSpecifications,
} from '../specification/specification.service.ts';
import type { UsageEvents } from './usage.events.ts';
import type { UsageService } from './usage.service.ts';
import type { SessionTickets } from './usage.tickets.ts';

type Names =
  | 'getUsage'
  | 'createUsage'
  | 'updateUsage'
  | 'renewUsage'
  | 'deleteUsage'
  | 'listUsageContainers'
  | 'listUsageHistory'
  | 'watchUsage'
  | 'createUsageTicket';

export interface UsageRouteOptions {
  readonly database: Database;
  readonly service: UsageService;
  readonly events: UsageEvents;
  readonly tickets: SessionTickets;
  /** Asks the engine for live figures; null where this process has none. */
  readonly engine: () => ContainerEngine | null;
}

/** Aborts when the client goes away, so that nobody waits for an answer that nobody hears. */
function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

export function usageHandlers({
  database,
  service,
  events,
  tickets,
  engine,
}: UsageRouteOptions): HandlersOf<Names> {
  return {
    getUsage: async ({ actor, query }) => {
      const row = await service.findCurrent(signedIn(actor).userID);
      return row ? service.present(row, query.lang) : null;
    },

    createUsage: async ({ actor, scoped, query, body, reply }) => {
      const { userID } = signedIn(actor);
      const { LabID: lab, TaskID: task, SpecificationID: chosen, ImageIDList: images } = scoped;
      if (
        [lab, chosen, images].filter((part) => part !== undefined).length !== 1 ||
        (lab === undefined) !== (task === undefined)
      ) {
        throw new DomainError('invalid_input', {
          Fields: [{ Path: 'LabID', Rule: 'one_resource' }],
        });
      }
      const specification =
        chosen ??
        (lab
          ? (await findSpecifications(database, [lab.specificationID]))[0]
          : await findDefaultSpecification(database, images?.[0]?.type ?? 0));
      if (!specification) throw new DomainError('not_found');
      const first = images?.[0];
      const row = await service.create({
        userID,
        language: query.lang,
        routeName: body.RouteName,
        routePath: body.RoutePath,
        titleZh: lab ? lab.titleZh : (first?.titleZh ?? specification.nameZh),
        titleEn: lab ? lab.titleEn : (first?.titleEn ?? specification.nameEn),
        labID: lab?.id ?? null,
        taskID: task?.id ?? null,
        specification,
        images,
        replace: body.Replace ?? false,
      });
      if (lab) await countUse(database, lab.id);
      if (query.wait === 'false') return service.present(row, query.lang);
      return service.present(await service.waitUntilReady(row, clientGone(reply)), query.lang);
    },

    updateUsage: async ({ scoped, body, query, reply }) =>
      service.present(
        await service.control(scoped.usageID, body.Action, clientGone(reply)),
        query.lang,
      ),

    renewUsage: async ({ scoped, query }) =>
      service.present(await service.renew(scoped.usageID), query.lang),

    deleteUsage: async ({ scoped }) => {
      await service.end(scoped.usageID);
      return null;
    },

    listUsageContainers: async ({ scoped: { usageID: usage }, query }) => {
      const running = usage.endedAt === null && usage.removedAt === null ? engine() : null;
      const images = await findImages(
        database,
        usage.nodes.map((node) => node.imageID),
      );
      const [states, stats] = running
        ? await Promise.all([
            running.inspect(usage.id).catch((): NodeState[] => []),
            running.stats(usage.id).catch((): NodeStats[] => []),
          ])
        : [[], []];
      const list = usage.nodes.map((node) => {
        const image = images.find((candidate) => candidate.id === node.imageID);
        const figures = stats.find((candidate) => candidate.name === node.name);
        return {
          Name: node.name,
          Image: image ? inLanguage(query.lang, image.titleZh, image.titleEn) : '',
          State:
            states.find((candidate) => candidate.name === node.name)?.state ?? ('missing' as const),
          Cpus: node.cpus,
          MemoryLimitBytes: node.memoryBytes,
          CpuSeconds: figures?.cpuSeconds ?? null,
          MemoryBytes: figures?.memoryBytes ?? null,
          Processes: figures?.pids ?? null,
        };
      });
      return { List: list, Total: list.length };
    },

    listUsageHistory: async ({ actor, query }) =>
      service.listHistory(
        signedIn(actor).userID,
        query.page,
        query.pageSize,
        query.keyword,
        query.lang,
      ),

    watchUsage: async ({ actor, query, reply }) =>
      events.open(signedIn(actor).userID, query.lang, reply),

    createUsageTicket: async ({ actor, scoped: { usageID: usage }, query }) => {
      const shown: Usage = await service.present(usage, query.lang);
      if (usage.endedAt !== null || shown.ProxyPath === null)
        throw new DomainError('usage_not_ready');
      if (usage.status !== 1) throw new DomainError('usage_not_running');
      return { URL: await tickets.addressFor(signedIn(actor), shown.ProxyPath) };
    },
  };
}
