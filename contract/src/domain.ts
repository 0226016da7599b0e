/** Domains and their tags: the filters of every catalogue. */
import { z } from 'zod';
import { dependent } from './specification.ts';
import { line } from './user.ts';
import { COUNT_LIMITS, TEXT_LIMITS, id, listOf, pathID, route, version } from './kernel/index.ts';

export const tag = z.object({
  ID: id(),
  SequenceNumber: z.int(),
  /** In the language of the request. */
  Title: z.string(),
  TitleZh: z.string(),
  TitleEn: z.string(),
  /** 1 to 11, a number of the palette. */
  Color: z.int().min(1).max(COUNT_LIMITS.tagColours),
});
export type Tag = z.output<typeof tag>;

export const domain = tag.extend({ Tags: z.array(tag) });
export type Domain = z.output<typeof domain>;

export const listDomains = route({
  method: 'GET',
  path: '/domain',
  summary: 'Domains with their tags, in order',
  access: { need: ['tag.list'] },
  response: listOf(domain),
  errors: [],
  scope: {},
});

export const listTags = route({
  method: 'GET',
  path: '/domain/:domainID/tag',
  summary: 'Tags of a domain, in order',
  access: { need: ['tag.list'] },
  params: { domainID: pathID() },
  response: listOf(tag),
  errors: [],
  scope: { domainID: 'domain' },
});

/** A tag or a domain as staff see it. */
const managedTag = tag.extend({
  /** How many labs, courses and problems and how much software carry it. */
  Uses: z.int().nonnegative(),
  /** Sent back with a change, so that two people do not overwrite each other. */
  Version: version(),
});
export type ManagedTag = z.output<typeof managedTag>;

export const managedDomain = managedTag.extend({ Tags: z.array(managedTag) });
export type ManagedDomain = z.output<typeof managedDomain>;

const fields = {
  TitleZh: line(TEXT_LIMITS.tagName),
  /** Empty: the Chinese title is shown in both languages. */
  TitleEn: line(TEXT_LIMITS.tagName, 0).default(''),
  Color: z.int().min(1).max(COUNT_LIMITS.tagColours),
};

/** The pairs of the specification; every one of the list must be there, and none twice. */
const pairs = {
  List: z
    .array(z.object({ ID: id(), SequenceNumber: z.int().nonnegative() }))
    .min(1)
    .max(1000),
};

export const listManagedDomains = route({
  method: 'GET',
  path: '/domain/managed',
  summary: 'Domains with their tags and how much each is used',
  access: { need: ['domain.list'] },
  response: listOf(managedDomain),
  errors: [],
  scope: {},
});

export const createDomain = route({
  method: 'POST',
  path: '/domain',
  summary: 'Add a domain at the end',
  access: { need: ['domain.create'] },
  body: fields,
  response: managedDomain,
  status: 201,
  errors: [],
  scope: {},
});

export const updateDomain = route({
  method: 'PUT',
  path: '/domain/:domainID',
  summary: 'Change a domain',
  access: { need: ['domain.update'] },
  params: { domainID: pathID() },
  body: { ...fields, Version: version() },
  response: managedDomain,
  errors: ['changed_meanwhile'],
  scope: { domainID: 'domain' },
});

export const deleteDomain = route({
  method: 'DELETE',
  path: '/domain/:domainID',
  summary: 'Delete a domain with its tags; what carried them stays, without them',
  access: { need: ['domain.delete'] },
  params: { domainID: pathID() },
  response: z.null(),
  errors: [],
  scope: { domainID: 'domain' },
});

export const listDomainDependents = route({
  method: 'GET',
  path: '/domain/:domainID/dependent',
  summary: 'What carries a domain or one of its tags',
  access: { need: ['domain.delete'] },
  params: { domainID: pathID() },
  response: listOf(dependent),
  errors: [],
  scope: { domainID: 'domain' },
});

export const orderDomains = route({
  method: 'PUT',
  path: '/domain/sequence',
  summary: 'Put the domains in a new order',
  access: { need: ['sequence.tag'] },
  body: pairs,
  response: z.null(),
  errors: ['order_incomplete'],
  scope: {},
});

export const createTag = route({
  method: 'POST',
  path: '/domain/:domainID/tag',
  summary: 'Add a tag at the end of a domain',
  access: { need: ['tag.create'] },
  params: { domainID: pathID() },
  body: fields,
  response: managedTag,
  status: 201,
  errors: [],
  scope: { domainID: 'domain' },
});

export const updateTag = route({
  method: 'PUT',
  path: '/domain/:domainID/tag/:tagID',
  summary: 'Change a tag',
  access: { need: ['tag.update'] },
  params: { domainID: pathID(), tagID: pathID() },
  body: { ...fields, Version: version() },
  response: managedTag,
  errors: ['changed_meanwhile'],
  scope: { domainID: 'domain', tagID: 'tag' },
});

export const deleteTag = route({
  method: 'DELETE',
  path: '/domain/:domainID/tag/:tagID',
  summary: 'Delete a tag; what carried it stays, without it',
  access: { need: ['tag.delete'] },
  params: { domainID: pathID(), tagID: pathID() },
  response: z.null(),
  errors: [],
  scope: { domainID: 'domain', tagID: 'tag' },
});

export const listTagDependents = route({
  method: 'GET',
  path: '/domain/:domainID/tag/:tagID/dependent',
  summary: 'What carries a tag',
  access: { need: ['tag.delete'] },
  params: { domainID: pathID(), tagID: pathID() },
  response: listOf(dependent),
  errors: [],
  scope: { domainID: 'domain', tagID: 'tag' },
});

export const orderTags = route({
  method: 'PUT',
  path: '/domain/:domainID/tag/sequence',
  summary: 'Put the tags of a domain in a new order',
  access: { need: ['sequence.tag'] },
  params: { domainID: pathID() },
  body: pairs,
  response: z.null(),
  errors: ['order_incomplete'],
  scope: { domainID: 'domain' },
});

const selection = z.object({ DomainIDList: z.array(id()) });

export const getSelectedDomains = route({
  method: 'GET',
  path: '/user/:userID/domain',
  summary: 'The domains that one has chosen to see in catalogues; empty: all',
  access: { need: ['user.detail'] },
  params: { userID: pathID() },
  response: selection,
  errors: [],
  scope: { userID: 'self' },
});

export const selectDomains = route({
  method: 'PUT',
  path: '/user/:userID/domain',
  summary: 'Choose the domains that one sees in catalogues; none: all',
  access: { need: ['user.update'] },
  params: { userID: pathID() },
  body: { DomainIDList: z.array(id()).max(100) },
  response: selection,
  errors: [],
  scope: { userID: 'self', DomainIDList: 'domain' },
});
