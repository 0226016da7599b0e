/**
 * What the site is called and says of itself. It comes with the page, so that the first paint is
 * right and nothing moves, and anew with every answer that tells of the site.
 */
import { SITE_ELEMENT, type Language, type SiteFace } from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { useSyncExternalStore } from 'react';

function readPage(): SiteFace | null {
  if (typeof document === 'undefined') return null;
  try {
    // Pages that another server delivers, such as that of development, bring nothing.
    const text = document.querySelector(`#${SITE_ELEMENT}`)?.textContent;
    return text === undefined ? null : (JSON.parse(text) as SiteFace);
  } catch {
    return null;
  }
}

let face = readPage();
const listeners = new Set<() => void>();

/** Shows what the server has just told. */
export function showSite(next: SiteFace): void {
  if (JSON.stringify(next) === JSON.stringify(face)) return;
  face = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const currentFace = (): SiteFace | null => face;

/** What is known of the site; null where the page brought nothing and nobody has asked yet. */
export const useSite = (): SiteFace | null =>
  useSyncExternalStore(subscribe, currentFace, currentFace);

/** One of two texts, by the language; an empty English one leaves it to the Chinese one. */
export const inLanguage = (language: Language, zh: string, en: string): string =>
  language === 'zh-CN' || en === '' ? zh : en;

/** What the site is called, and its other name where it has one. */
export function siteNames(
  site: SiteFace | null,
  language: Language,
  messages: Catalogue,
): { readonly name: string; readonly otherName: string | null } {
  const own = site === null ? null : [site.NameZh, site.NameEn];
  const [name = '', other = ''] = (language === 'zh-CN' ? own : own?.toReversed()) ?? [
    messages.common.brand,
    messages.common.brandLatin,
  ];
  return { name, otherName: other === name ? null : other };
}

/** What the site says of itself, for code outside of React; null: the platform's own words serve. */
export function currentIntro(language: Language): string | null {
  const intro = face === null ? '' : inLanguage(language, face.IntroZh, face.IntroEn);
  return intro === '' ? null : intro;
}
