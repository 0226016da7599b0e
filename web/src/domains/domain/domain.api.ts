/** Calls of staff about domains and tags, and about the domains that somebody chose. */
import { routes, type BodyInputOf } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../kernel/api.ts';

export const MANAGED_DOMAINS_KEY = ['managed-domain'] as const;

export const managedDomainsQuery = (language: string) =>
  queryOptions({
    queryKey: [...MANAGED_DOMAINS_KEY, language],
    queryFn: async ({ signal }) => (await call(routes.listManagedDomains, { signal })).List,
    meta: { isHandled: true },
  });

export type TagBody = BodyInputOf<typeof routes.createDomain>;

/** Makes a domain, or a tag of a domain. */
export const createTag = (domainID: number | null, body: TagBody) =>
  domainID === null
    ? call(routes.createDomain, { body })
    : call(routes.createTag, { params: { domainID }, body });

/** Changes a domain, or a tag of a domain. */
export const updateTag = (
  domainID: number | null,
  id: number,
  body: TagBody & { readonly Version: number },
) =>
  domainID === null
    ? call(routes.updateDomain, { params: { domainID: id }, body })
    : call(routes.updateTag, { params: { domainID, tagID: id }, body });

export const deleteTag = (domainID: number | null, id: number) =>
  domainID === null
    ? call(routes.deleteDomain, { params: { domainID: id } })
    : call(routes.deleteTag, { params: { domainID, tagID: id } });

export const dependentsQuery = (domainID: number | null, id: number) =>
  queryOptions({
    queryKey: [...MANAGED_DOMAINS_KEY, 'dependents', domainID, id],
    queryFn: ({ signal }) =>
      domainID === null
        ? call(routes.listDomainDependents, { params: { domainID: id }, signal })
        : call(routes.listTagDependents, { params: { domainID, tagID: id }, signal }),
    // What carries it may have changed since it was looked at.
    staleTime: 0,
    meta: { isHandled: true },
  });

/** Puts domains, or the tags of a domain, in the order of the ids. */
export const orderTags = (domainID: number | null, ids: readonly number[]) => {
  const body = { List: ids.map((ID, index) => ({ ID, SequenceNumber: (index + 1) * 10 })) };
  return domainID === null
    ? call(routes.orderDomains, { body })
    : call(routes.orderTags, { params: { domainID }, body });
};

/** The domains that somebody chose; below `user`, so that it is forgotten with the account. */
export const selectedDomainsQuery = (userID: number) =>
  queryOptions({
    queryKey: ['user', userID, 'domain'],
    queryFn: async ({ signal }) =>
      (await call(routes.getSelectedDomains, { params: { userID }, signal })).DomainIDList,
    staleTime: 300_000,
    meta: { isHandled: true },
  });

export const selectDomains = (userID: number, DomainIDList: number[]) =>
  call(routes.selectDomains, { params: { userID }, body: { DomainIDList } });
