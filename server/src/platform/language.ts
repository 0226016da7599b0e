/** Texts that exist in both languages. */
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '@hypercube/contract';

/** The text in a language, or in the other one where it was not written. */
export const inLanguage = (language: Language, zh: string, en: string): string =>
  language === 'zh-CN' ? zh || en : en || zh;

/**
 * The language in which somebody is written to.
 * @param chosen as the database keeps it; null for who has not chosen
 * @param usual for them
 */
export const languageOf = (chosen: string | null, usual: Language = DEFAULT_LANGUAGE): Language =>
  LANGUAGES.find((known) => known === chosen) ?? usual;
