import type { QueryOf, routes } from '@hypercube/contract';
import type pg from 'pg';
import { signedIn } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { SHEET_BYTES } from '../../platform/sheet/read.ts';
import { XLSX_TYPE } from '../../platform/sheet/write.ts';
import { exportSheet } from './user.admin.export.ts';
import { presentCentre, presentManagedUser } from './user.admin.present.ts';
import {
  changeCentre,
  findCentres,
  findManagedUsers,
  insertCentre,
  listCentreRows,
  listUserRows,
  type ManagedUserRow,
  type UserFilter,
} from './user.admin.queries.ts';
import { fateOf, type UserAdminService } from './user.admin.service.ts';

type Names =
  | 'listCentres'
  | 'createCentre'
  | 'updateCentre'
  | 'deleteCentre'
  | 'listUsers'
  | 'exportUsers'
  | 'updateUserRoles'
  | 'updateUserState'
  | 'listUserDependents'
  | 'deleteUser'
  | 'previewUserImport'
  | 'importUsers';

type Filters = Omit<QueryOf<typeof routes.exportUsers>, 'columns'>;

const filterOf = (query: Filters): UserFilter => ({
  keyword: query.keyword,
  type: query.type,
  holds: query.holds,
  isUnapproved: query.unapproved === 'true',
  organisation: query.organisation,
  active: query.active,
  sort: query.sort,
});

export function userAdminHandlers({
  database,
  pool,
  service,
}: {
  readonly database: Database;
  /** For the connection of its own on which an export reads. */
  readonly pool: pg.Pool;
  readonly service: UserAdminService;
}): HandlersOf<Names> {
  const reread = async (user: ManagedUserRow): Promise<ManagedUserRow> => {
    const [now] = await findManagedUsers(database, [user.id]);
    if (!now) throw new DomainError('not_found');
    return now;
  };

  return {
    listCentres: async ({ query }) => {
      const rows = await listCentreRows(database);
      return { List: rows.map((row) => presentCentre(row, query.lang)), Total: rows.length };
    },

    createCentre: async ({ body, query }) =>
      presentCentre(
        await insertCentre(database, { nameZh: body.NameZh, nameEn: body.NameEn }),
        query.lang,
      ),

    updateCentre: async ({ scoped, body, query }) => {
      const { id } = scoped.centreID;
      await changeCentre(database, id, { nameZh: body.NameZh, nameEn: body.NameEn });
      const [row] = await findCentres(database, [id]);
      if (!row) throw new DomainError('not_found');
      return presentCentre(row, query.lang);
    },

    deleteCentre: async ({ scoped }) => {
      await service.removeCentre(scoped.centreID.id);
      return null;
    },

    listUsers: async ({ query }) => {
      const { rows, total } = await listUserRows(
        database,
        filterOf(query),
        query.page,
        query.pageSize,
      );
      return { List: rows.map((row) => presentManagedUser(row, query.lang)), Total: total };
    },

    exportUsers: async ({ query, reply }) => {
      const sheet = await exportSheet(
        { database, pool },
        filterOf(query),
        query.columns,
        query.lang,
      );
      reply.headers({
        'content-type': XLSX_TYPE,
        'content-disposition': 'attachment; filename="users.xlsx"',
        'cache-control': 'no-store',
      });
      return sheet;
    },

    updateUserRoles: async ({ scoped, body, query }) => {
      await service.changeRoles(scoped.userID, {
        roles: body.Roles,
        centreIDs: body.CentreIDList,
        action: body.Action,
        reason: body.Reason,
        version: body.Version,
      });
      return presentManagedUser(await reread(scoped.userID), query.lang);
    },

    updateUserState: async ({ actor, scoped, body, query }) => {
      await service.changeState(
        scoped.userID,
        body.IsDisabled,
        body.Version,
        signedIn(actor).userID,
      );
      return presentManagedUser(await reread(scoped.userID), query.lang);
    },

    listUserDependents: async ({ scoped }) => {
      const rows = await service.listDependents(scoped.userID);
      return {
        List: rows.map(({ kind, id, title }) => ({
          Kind: kind,
          ID: id,
          Title: title,
          Fate: fateOf(kind),
        })),
        Total: rows.length,
      };
    },

    deleteUser: async ({ actor, scoped, query }) => {
      await service.remove(scoped.userID, query.confirm, signedIn(actor).userID);
      return null;
    },

    previewUserImport: async ({ file }) => {
      const { stream } = await file();
      const parts: Buffer[] = [];
      let length = 0;
      for await (const part of stream as AsyncIterable<Buffer>) {
        length += part.length;
        if (length > SHEET_BYTES)
          throw new DomainError('upload_too_large', { LimitBytes: SHEET_BYTES });
        parts.push(part);
      }
      const rows = await service.previewImport(Buffer.concat(parts));
      return {
        List: rows.map(({ row, problems }) => ({ ...row, Problems: [...problems] })),
        Total: rows.length,
      };
    },

    importUsers: async ({ body, query, note }) => {
      const ids = await service.importUsers(body.Rows, query.lang);
      for (const [index, row] of body.Rows.entries())
        note({
          kind: 'user',
          id: ids[index] ?? null,
          title: row.Username,
          before: null,
          after: { Email: row.Email },
        });
      return { Made: ids.length };
    },
  };
}
