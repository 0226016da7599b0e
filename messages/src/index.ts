/**
 * The message catalogue: every text that people read, in zh-CN (the source) and en-US, typed.
 * Languages are loaded on demand, so that a page carries only the one that it shows.
 */
import type { ErrorCode, Language } from '@hypercube/contract';
import type { catalogue as source } from './zh-CN/index.ts';
import type { told } from './zh-CN/parts/told.ts';
import type { ErrorParams, ErrorTexts, Translation } from './types.ts';

export type { ErrorParams, ErrorText, ErrorTexts, Translation } from './types.ts';

/** All texts of one language. */
export type AllTexts = Translation<Omit<typeof source, 'errors'>> & {
  readonly errors: ErrorTexts;
};
/** The texts that pages show; what the server alone tells is not among them. */
export type Catalogue = Omit<AllTexts, keyof typeof told>;

/**
 * What pages load one after the other: `first` with the first script, `pages` with the first page
 * that is not the home page, the others with the pages that show them.
 */
export const TEXT_PARTS = ['first', 'pages', 'people', 'courses', 'machines', 'staff'] as const;
export type TextPart = (typeof TEXT_PARTS)[number];

const PARTS: Readonly<
  Record<Language, Readonly<Record<TextPart, () => Promise<Partial<Catalogue>>>>>
> = {
  'zh-CN': {
    first: async () => (await import('./zh-CN/parts/first.ts')).first,
    pages: async () => (await import('./zh-CN/parts/pages.ts')).pages,
    people: async () => (await import('./zh-CN/parts/people.ts')).people,
    courses: async () => (await import('./zh-CN/parts/courses.ts')).courses,
    machines: async () => (await import('./zh-CN/parts/machines.ts')).machines,
    staff: async () => (await import('./zh-CN/parts/staff.ts')).staff,
  },
  'en-US': {
    first: async () => (await import('./en-US/parts/first.ts')).first,
    pages: async () => (await import('./en-US/parts/pages.ts')).pages,
    people: async () => (await import('./en-US/parts/people.ts')).people,
    courses: async () => (await import('./en-US/parts/courses.ts')).courses,
    machines: async () => (await import('./en-US/parts/machines.ts')).machines,
    staff: async () => (await import('./en-US/parts/staff.ts')).staff,
  },
};

/** Loads a part of the texts of a language. */
export const loadTexts = (language: Language, part: TextPart): Promise<Partial<Catalogue>> =>
  PARTS[language][part]();

/** Loads all texts of a language. */
export async function loadCatalogue(language: Language): Promise<AllTexts> {
  switch (language) {
    case 'zh-CN':
      return (await import('./zh-CN/index.ts')).catalogue;
    case 'en-US':
      return (await import('./en-US/index.ts')).catalogue;
  }
}

/** The text of an error code; a code that this version does not know reads as an internal error. */
export function errorText(catalogue: Catalogue, code: string, params: ErrorParams = {}): string {
  const text = Object.hasOwn(catalogue.errors, code)
    ? catalogue.errors[code as ErrorCode]
    : catalogue.errors.internal;
  return typeof text === 'string' ? text : text(params);
}
