/** What labs, software and courses have in common as staff make them. */
import { z } from 'zod';
import { COVER_KINDS, TEXT_LIMITS, id, version } from './kernel/index.ts';

/** How the generated cover of an item is drawn. */
export const cover = z.object({
  Kind: z.enum(COVER_KINDS),
  Seed: z.int().nonnegative(),
});
export type Cover = z.output<typeof cover>;

/** Both languages, and what staff are told beside them. */
export const managedItem = z.object({
  ID: id(),
  Title: z.string(),
  TitleZh: z.string(),
  TitleEn: z.string(),
  DescriptionZh: z.string(),
  DescriptionEn: z.string(),
  ContentZh: z.string(),
  ContentEn: z.string(),
  Cover: cover,
  DomainID: id().nullable(),
  TagIDList: z.array(id()),
  SpecificationID: id(),
  Specification: z.string(),
  IsPublished: z.boolean(),
  IsBuiltIn: z.boolean(),
  SequenceNumber: z.int(),
  Owner: z.string().nullable(),
  Uses: z.int().nonnegative(),
  UpdatedAt: z.iso.datetime(),
  /** Sent back with a change, so that two people do not overwrite each other. */
  Version: version(),
});

/** What staff say of a thing; an empty English text is shown in Chinese. */
export const describedFields = {
  TitleZh: z.string().trim().min(1).max(TEXT_LIMITS.title),
  TitleEn: z.string().trim().max(TEXT_LIMITS.title).default(''),
  DescriptionZh: z.string().trim().max(TEXT_LIMITS.description).default(''),
  DescriptionEn: z.string().trim().max(TEXT_LIMITS.description).default(''),
  ContentZh: z.string().max(TEXT_LIMITS.markdown).default(''),
  ContentEn: z.string().max(TEXT_LIMITS.markdown).default(''),
  CoverKind: z.enum(COVER_KINDS),
  DomainID: id().optional(),
  TagIDList: z.array(id()).max(20).default([]),
};
export const describedScope = { DomainID: 'domain', TagIDList: 'tag' } as const;

/** What staff send of what opens as an environment, beside the type. */
export const itemFields = { ...describedFields, SpecificationID: id() };
export const itemScope = { ...describedScope, SpecificationID: 'specification' } as const;
