import type { BodyOf, routes } from '@hypercube/contract';
import { signedIn } from '../../platform/access/access.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import {
  presentDomain,
  presentManagedDomain,
  presentManagedTag,
  presentTag,
} from './domain.present.ts';
import * as queries from './domain.queries.ts';

type Names =
  | 'listDomains'
  | 'listTags'
  | 'listManagedDomains'
  | 'createDomain'
  | 'updateDomain'
  | 'deleteDomain'
  | 'listDomainDependents'
  | 'orderDomains'
  | 'createTag'
  | 'updateTag'
  | 'deleteTag'
  | 'listTagDependents'
  | 'orderTags'
  | 'getSelectedDomains'
  | 'selectDomains';

type Pairs = BodyOf<typeof routes.orderDomains>['List'];

const valuesOf = (body: BodyOf<typeof routes.createDomain>): queries.TagValues => ({
  titleZh: body.TitleZh,
  titleEn: body.TitleEn,
  color: body.Color,
});

const dependentsOf = (rows: readonly queries.CarrierRow[]) => ({
  List: rows.map(({ kind, id, title }) => ({ Kind: kind, ID: id, Title: title })),
  Total: rows.length,
});

/** @throws DomainError `order_incomplete` unless the pairs name each of them once, at places of their own */
async function writeOrder(
  tx: Executor,
  level: 'domain' | 'tag',
  present: readonly number[],
  pairs: Pairs,
): Promise<void> {
  const ids = new Set(pairs.map(({ ID }) => ID));
  const places = new Set(pairs.map(({ SequenceNumber }) => SequenceNumber));
  const isWhole =
    pairs.length === present.length &&
    ids.size === pairs.length &&
    places.size === pairs.length &&
    present.every((id) => ids.has(id));
  if (!isWhole) throw new DomainError('order_incomplete');
  for (const { ID, SequenceNumber } of pairs)
    await queries.setSequence(tx, level, ID, SequenceNumber);
}

/** How an order reads in the record of what staff did. */
const orderText = (ids: readonly number[]) => ({ order: ids.join(', ') });
const inOrder = (pairs: Pairs): number[] =>
  pairs.toSorted((a, b) => a.SequenceNumber - b.SequenceNumber).map(({ ID }) => ID);

export function domainHandlers(database: Database): HandlersOf<Names> {
  return {
    listDomains: async ({ query }) => {
      const [domains, tags] = await Promise.all([
        queries.listDomainRows(database),
        queries.listTagRows(database),
      ]);
      return {
        List: domains.map((row) => presentDomain(row, tags, query.lang)),
        Total: domains.length,
      };
    },

    listTags: async ({ scoped, query }) => {
      const rows = await queries.listTagRowsOf(database, scoped.domainID);
      return { List: rows.map((row) => presentTag(row, query.lang)), Total: rows.length };
    },

    listManagedDomains: async ({ query }) => {
      const [domains, tags] = await Promise.all([
        queries.listManagedDomainRows(database),
        queries.listManagedTagRows(database),
      ]);
      return {
        List: domains.map((row) => presentManagedDomain(row, tags, query.lang)),
        Total: domains.length,
      };
    },

    createDomain: async ({ body, query }) => {
      const row = await queries.insertDomain(database, valuesOf(body));
      return presentManagedDomain({ ...row, uses: 0 }, [], query.lang);
    },

    updateDomain: async ({ scoped, body, query }) => {
      const { id } = scoped.domainID;
      if (!(await queries.changeDomain(database, id, body.Version, valuesOf(body))))
        throw new DomainError('changed_meanwhile');
      const [domains, tags] = await Promise.all([
        queries.listManagedDomainRows(database),
        queries.listManagedTagRows(database),
      ]);
      const row = domains.find((domain) => domain.id === id);
      if (!row) throw new DomainError('not_found');
      return presentManagedDomain(row, tags, query.lang);
    },

    deleteDomain: async ({ scoped }) => {
      await queries.deleteDomainRow(database, scoped.domainID.id);
      return null;
    },

    listDomainDependents: async ({ scoped }) =>
      dependentsOf(await queries.listDomainCarriers(database, scoped.domainID.id)),

    orderDomains: async ({ body, note }) => {
      const before = (await queries.listDomainRows(database)).map(({ id }) => id);
      await database.transaction(async (tx) =>
        writeOrder(tx, 'domain', await queries.lockDomains(tx), body.List),
      );
      note({
        kind: 'domain',
        id: null,
        title: '',
        before: orderText(before),
        after: orderText(inOrder(body.List)),
      });
      return null;
    },

    createTag: async ({ scoped, body, query }) => {
      const row = await queries.insertTag(database, scoped.domainID.id, valuesOf(body));
      return presentManagedTag({ ...row, uses: 0 }, query.lang);
    },

    updateTag: async ({ scoped, body, query }) => {
      const { id } = scoped.tagID;
      if (!(await queries.changeTag(database, id, body.Version, valuesOf(body))))
        throw new DomainError('changed_meanwhile');
      const row = (await queries.listManagedTagRows(database)).find((tag) => tag.id === id);
      if (!row) throw new DomainError('not_found');
      return presentManagedTag(row, query.lang);
    },

    deleteTag: async ({ scoped }) => {
      await queries.deleteTagRow(database, scoped.tagID.id);
      return null;
    },

    listTagDependents: async ({ scoped }) =>
      dependentsOf(await queries.listTagCarriers(database, scoped.tagID.id)),

    orderTags: async ({ scoped, body, note }) => {
      const domain = scoped.domainID;
      const before = (await queries.listTagRowsOf(database, domain)).map(({ id }) => id);
      await database.transaction(async (tx) =>
        writeOrder(tx, 'tag', await queries.lockTags(tx, domain.id), body.List),
      );
      note({
        kind: 'tag',
        id: null,
        title: domain.titleZh,
        before: orderText(before),
        after: orderText(inOrder(body.List)),
      });
      return null;
    },

    getSelectedDomains: async ({ actor }) => ({
      DomainIDList: await queries.listSelected(database, signedIn(actor).userID),
    }),

    selectDomains: async ({ actor, body }) => {
      const { userID } = signedIn(actor);
      await database.transaction((tx) => queries.replaceSelected(tx, userID, body.DomainIDList));
      return { DomainIDList: await queries.listSelected(database, userID) };
    },
  };
}
