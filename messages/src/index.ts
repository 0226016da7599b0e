/**
 * The message catalogue: every text that people read, in zh-CN (the source) and en-US, typed.
 * Languages are loaded on demand, so that a page carries only the one that it shows.
 */
import type { ErrorCode, Language } from '@hypercube/contract';
import type { catalogue as source } from './zh-CN/index.ts';
import type { ErrorParams, ErrorTexts, Translation } from './types.ts';

export type { ErrorParams, ErrorText, ErrorTexts, Translation } from './types.ts';

/** All texts of one language. */
export type Catalogue = Translation<Omit<typeof source, 'errors'>> & {
  readonly errors: ErrorTexts;
};

/** Loads the texts of a language. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
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
