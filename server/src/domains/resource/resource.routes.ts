import type { Language, QueryOf, routes } from '@hypercube/contract';
import type pg from 'pg';
import { signedIn, type Actor } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { XLSX_TYPE } from '../../platform/sheet/write.ts';
import { staffScopeOf } from './resource.access.ts';
import { exportSheet } from './resource.export.ts';
import {
  presentCentre,
  presentManagedResource,
  presentManagedRow,
  presentResource,
} from './resource.present.ts';
import {
  listCentres,
  listManagedRows,
  listOwnRows,
  type ResourceFilter,
  type ResourceRow,
  type StaffScope,
} from './resource.queries.ts';
import type { ResourceService } from './resource.service.ts';

type Names =
  | 'listResources'
  | 'listResourceCentres'
  | 'createResource'
  | 'getResource'
  | 'updateResource'
  | 'deleteResource'
  | 'getResourceAccount'
  | 'listManagedResources'
  | 'exportResources'
  | 'getManagedResource'
  | 'rejectResource'
  | 'getManagedResourceAccount'
  | 'updateResourceAccount';

const filterOf = (query: QueryOf<typeof routes.exportResources>): ResourceFilter => ({
  keyword: query.keyword,
  status: query.status,
  centreID: query.centre,
  sort: query.sort,
});

/** For rules behind routes that only staff can reach. */
function staffScope(actor: Actor): StaffScope {
  const scope = staffScopeOf(actor);
  if (!scope) throw new DomainError('not_found');
  return scope;
}

export function resourceHandlers({
  database,
  pool,
  service,
}: {
  readonly database: Database;
  /** For the connection of its own on which an export reads. */
  readonly pool: pg.Pool;
  readonly service: ResourceService;
}): HandlersOf<Names> {
  const present = async (row: ResourceRow, language: Language) =>
    presentResource(row, await service.listSteps([row]), language);
  const presentManaged = async (row: ResourceRow, language: Language) =>
    presentManagedResource(row, await service.listSteps([row]), language);

  return {
    listResources: async ({ actor, query }) => {
      const { rows, total } = await listOwnRows(
        database,
        signedIn(actor).userID,
        query.status,
        query.page,
        query.pageSize,
      );
      const steps = await service.listSteps(rows);
      return { List: rows.map((row) => presentResource(row, steps, query.lang)), Total: total };
    },

    listResourceCentres: async ({ actor, query }) => {
      const rows = await listCentres(database, staffScopeOf(actor));
      return { List: rows.map((row) => presentCentre(row, query.lang)), Total: rows.length };
    },

    createResource: async ({ actor, body, query }) =>
      present(await service.apply(signedIn(actor).userID, body), query.lang),

    getResource: async ({ scoped, query }) => present(scoped.applyID, query.lang),

    updateResource: async ({ actor, scoped, body, query }) => {
      const { Version, ...fields } = body;
      const { userID } = signedIn(actor);
      return present(await service.change(scoped.applyID, userID, Version, fields), query.lang);
    },

    deleteResource: async ({ actor, scoped }) => {
      await service.withdraw(scoped.applyID, signedIn(actor).userID);
      return null;
    },

    getResourceAccount: async ({ scoped }) => service.readAccount(scoped.applyID),

    listManagedResources: async ({ actor, query }) => {
      const { rows, total } = await listManagedRows(
        database,
        filterOf(query),
        staffScope(actor),
        query.page,
        query.pageSize,
      );
      return { List: rows.map((row) => presentManagedRow(row, query.lang)), Total: total };
    },

    exportResources: async ({ actor, query, reply }) => {
      const sheet = await exportSheet(
        { database, pool },
        filterOf(query),
        staffScope(actor),
        query.lang,
      );
      reply.headers({
        'content-type': XLSX_TYPE,
        'content-disposition': 'attachment; filename="applications.xlsx"',
        'cache-control': 'no-store',
      });
      return sheet;
    },

    getManagedResource: async ({ scoped, query }) => presentManaged(scoped.applyID, query.lang),

    rejectResource: async ({ actor, scoped, body, query }) =>
      presentManaged(
        await service.reject(scoped.applyID, staffScope(actor), body.Version, body.Reason),
        query.lang,
      ),

    getManagedResourceAccount: async ({ scoped }) => service.readAccount(scoped.applyID),

    updateResourceAccount: async ({ actor, scoped, body, query }) =>
      presentManaged(
        await service.giveAccount(
          scoped.applyID,
          staffScope(actor),
          body.Version,
          body.Credentials,
        ),
        query.lang,
      ),
  };
}
