/** Domains and their tags: the filters of every catalogue. */
import { z } from 'zod';
import { COUNT_LIMITS, id, listOf, pathID, route } from './kernel/index.ts';

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
