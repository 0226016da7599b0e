/** Texts that exist in both languages. */
import type { Language } from '@hypercube/contract';

/** The text in a language, or in the other one where it was not written. */
export const inLanguage = (language: Language, zh: string, en: string): string =>
  language === 'zh-CN' ? zh || en : en || zh;
