import type { FastifyReply } from 'fastify';
import { meets, type Requirement, type Usage } from '@hypercube/contract';
import type { ContainerEngine, NodeState, NodeStats } from '../../engines/containers/engine.ts';
import { authorise, signedIn } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { inLanguage } from '../../platform/language.ts';
import type { ComputerService } from '../computer/computer.service.ts';
import type { LiveFigures } from '../dashboard/dashboard.live.ts';
import { countUse } from '../lab/lab.service.ts';
import { findImages } from '../image/image.service.ts';
import { countSoftwareUse } from '../software/software.service.ts';
import type { Logins } from '../user/login.ts';
import type { UsageEvents } from './usage.events.ts';
import { openingOf } from './usage.opening.ts';
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
  readonly computers: Pick<ComputerService, 'started'>;
  readonly logins: Pick<Logins, 'identify'>;
  readonly figures: Pick<LiveFigures, 'follow'>;
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
  computers,
  logins,
  figures,
  engine,
}: UsageRouteOptions): HandlersOf<Names> {
  return {
    getUsage: async ({ actor, query }) => {
      const row = await service.findCurrent(signedIn(actor).userID);
      return row ? service.present(row, query.lang) : null;
    },

    createUsage: async ({ actor, scoped, query, body, reply }) => {
      const { userID } = signedIn(actor);
      const { LabID: lab, SoftwareID: software, ComputerID: computer } = scoped;
      const opening = await openingOf(database, {
        lab,
        task: scoped.TaskID,
        software,
        computer,
        specification: scoped.SpecificationID,
        images: scoped.ImageIDList,
      });
      const row = await service.create({
        ...opening,
        userID,
        language: query.lang,
        routeName: body.RouteName,
        routePath: body.RoutePath,
        replace: body.Replace ?? false,
      });
      if (lab) await countUse(database, lab.id);
      if (software) await countSoftwareUse(database, software.id);
      if (computer) await computers.started(computer);
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
          ReceivedBytes: figures?.receivedBytes ?? null,
          SentBytes: figures?.sentBytes ?? null,
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

    watchUsage: async ({ actor, query, request, reply }) => {
      const need: Requirement = query.live ? ['dashboard.read'] : [];
      authorise(actor, { need });
      // Who lost the right to what was asked for loses the stream too, and asks for less.
      const isSignedIn = async (): Promise<boolean> => {
        const { userID, roles } = await logins.identify(request);
        return userID !== null && meets(roles, need);
      };
      return events.open(
        signedIn(actor).userID,
        query.lang,
        reply,
        isSignedIn,
        query.live && ((tell) => figures.follow((now) => tell(query.live ?? '', now))),
      );
    },

    createUsageTicket: async ({ actor, scoped: { usageID: usage }, query }) => {
      const shown: Usage = await service.present(usage, query.lang);
      if (usage.endedAt !== null || shown.ProxyPath === null)
        throw new DomainError('usage_not_ready');
      if (usage.status !== 1) throw new DomainError('usage_not_running');
      return { URL: await tickets.addressFor(signedIn(actor), shown.ProxyPath) };
    },
  };
}
