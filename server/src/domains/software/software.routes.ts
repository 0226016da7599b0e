import { SoftwareType, type BodyOf, type Language, type routes } from '@hypercube/contract';
import { signedIn } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { findSpecifications, type Specification } from '../specification/specification.service.ts';
import {
  presentManaged,
  presentManagedRow,
  presentSoftware,
  presentSoftwareDetail,
} from './software.present.ts';
import {
  deleteSoftwareRow,
  getSoftwareListRow,
  insertSoftware,
  listManagedRows,
  orderSoftwareRows,
  prepareSoftwareLists,
  updateSoftwareRow,
  type SoftwareRow,
  type SoftwareValues,
} from './software.queries.ts';

type Names =
  | 'listSoftware'
  | 'getSoftware'
  | 'listManagedSoftware'
  | 'getManagedSoftware'
  | 'createSoftware'
  | 'updateSoftware'
  | 'deleteSoftware'
  | 'orderSoftware';

/** @throws DomainError `image_type_differs`: a desktop cannot open from a notebook's image */
function checkType(type: number, specification: Specification): void {
  if (type !== SoftwareType.cnGrid && specification.imageType !== type)
    throw new DomainError('image_type_differs');
}

type Fields = BodyOf<typeof routes.createSoftware>;

const valuesOf = (body: Fields): SoftwareValues => ({
  type: body.Type,
  titleZh: body.TitleZh,
  titleEn: body.TitleEn,
  descriptionZh: body.DescriptionZh,
  descriptionEn: body.DescriptionEn,
  contentZh: body.ContentZh,
  contentEn: body.ContentEn,
  coverKind: body.CoverKind,
  domainID: body.DomainID ?? null,
  specificationID: body.SpecificationID,
  isPublished: body.IsPublished,
});

export function softwareHandlers(database: Database): HandlersOf<Names> {
  const list = prepareSoftwareLists(database);
  const managed = async (row: SoftwareRow, language: Language) =>
    presentManaged(row, await getSoftwareListRow(database, row), language);

  return {
    listSoftware: async ({ query }) => {
      const { rows, total } = await list(query);
      return { List: rows.map((row) => presentSoftware(row, query.lang)), Total: total };
    },

    getSoftware: async ({ scoped: { softwareID: row }, query }) => {
      const [listRow, [specification]] = await Promise.all([
        getSoftwareListRow(database, row),
        findSpecifications(database, [row.specificationID]),
      ]);
      if (!specification) throw new Error(`software ${row.id} has no specification`);
      return presentSoftwareDetail(row, listRow, specification, query.lang);
    },

    listManagedSoftware: async ({ actor, query }) => {
      const { rows, total } = await listManagedRows(database, {
        ...query,
        keyword: query.keyword,
        type: query.type,
        state: query.state,
        ownerID: actor.roles.includes('admin') ? undefined : signedIn(actor).userID,
      });
      return { List: rows.map((row) => presentManagedRow(row, query.lang)), Total: total };
    },

    getManagedSoftware: async ({ scoped, query }) => managed(scoped.softwareID, query.lang),

    createSoftware: async ({ actor, scoped, body, query }) => {
      if (scoped.SpecificationID) checkType(body.Type, scoped.SpecificationID);
      const row = await insertSoftware(
        database,
        valuesOf(body),
        signedIn(actor).userID,
        body.TagIDList,
      );
      return managed(row, query.lang);
    },

    updateSoftware: async ({ scoped, body, query }) => {
      if (scoped.SpecificationID) checkType(body.Type, scoped.SpecificationID);
      const row = await updateSoftwareRow(
        database,
        scoped.softwareID,
        body.Version,
        valuesOf(body),
        body.TagIDList,
      );
      if (!row) throw new DomainError('changed_meanwhile');
      return managed(row, query.lang);
    },

    deleteSoftware: async ({ scoped }) => {
      await deleteSoftwareRow(database, scoped.softwareID);
      return null;
    },

    orderSoftware: async ({ scoped }) => {
      await orderSoftwareRows(database, scoped.SoftwareIDList ?? []);
      return null;
    },
  };
}
