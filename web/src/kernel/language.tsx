/** The language of the page: chosen by a cookie, switched without a reload. */
import { DEFAULT_LANGUAGE, LANGUAGES, LANGUAGE_COOKIE, type Language } from '@hypercube/contract';
import { errorText, loadTexts, type Catalogue, type TextPart } from '@hypercube/messages';
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { ApiError, configureApi } from './api.ts';
import { currentIntro } from './site.ts';

/** The language in a cookie header; the default for none, an unknown or a damaged one. */
export function languageOfCookie(cookie: string): Language {
  for (const part of cookie.split(';')) {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim());
    if (name === LANGUAGE_COOKIE) {
      return LANGUAGES.find((language) => language === value) ?? DEFAULT_LANGUAGE;
    }
  }
  return DEFAULT_LANGUAGE;
}

interface LanguageState {
  readonly language: Language;
  readonly messages: Catalogue;
  readonly setLanguage: (language: Language) => Promise<void>;
}
const LanguageContext = createContext<LanguageState | null>(null);

/**
 * The texts of the current language that are here; a part that comes later is added to the same
 * object, so that whatever holds it has that part too.
 */
let current: Catalogue | null = null;
const parts = new Set<TextPart>(['first']);
/** The texts of the current language, for code outside of React (guards, failed calls). */
export function currentMessages(): Catalogue {
  if (current === null) throw new Error('the language is not loaded yet');
  return current;
}

let language: Language = DEFAULT_LANGUAGE;
/** The current language, for code outside of React. */
export const currentLanguage = (): Language => language;

const ONE_YEAR_SECONDS = 31_536_000;

function applyLanguage(next: Language, messages: Catalogue): void {
  current = messages;
  language = next;
  document.documentElement.lang = next;
  document
    .querySelector('meta[name=description]')
    ?.setAttribute('content', currentIntro(next) ?? messages.home.description);
  configureApi({ language: next });
}

let publish: ((state: Pick<LanguageState, 'language' | 'messages'>) => void) | undefined;

/** The texts of a language, as much of them as pages have asked for (see {@link needTexts}). */
async function loadLanguage(next: Language): Promise<Catalogue> {
  const wanted = [...parts];
  const loaded = await Promise.all(wanted.map((part) => loadTexts(next, part)));
  // A page may have asked for another part meanwhile.
  if (parts.size > wanted.length) return loadLanguage(next);
  return Object.assign({}, ...loaded) as Catalogue;
}

/** Loads what a page needs beside the first texts; nothing of it may be shown before. */
export async function needTexts(...wanted: readonly TextPart[]): Promise<void> {
  const missing = wanted.filter((part) => !parts.has(part));
  if (missing.length === 0) return;
  const shown = language;
  const loaded = await Promise.all(missing.map((part) => loadTexts(shown, part)));
  // The language was switched meanwhile: what came is of the other one.
  if (shown !== language) return needTexts(...wanted);
  Object.assign(currentMessages(), ...loaded);
  for (const part of missing) parts.add(part);
}

/** Shows a language that was chosen, here or elsewhere, and keeps it in this browser. */
export async function showLanguage(next: Language): Promise<void> {
  const messages = await loadLanguage(next);
  document.cookie = `${LANGUAGE_COOKIE}=${next}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; SameSite=Lax`;
  applyLanguage(next, messages);
  publish?.({ language: next, messages });
}

let onChoice: ((choice: Language) => void) | undefined;
/** Tells of every choice that a user makes on these pages. */
export function watchLanguageChoice(listener: (choice: Language) => void): void {
  onChoice = listener;
}

async function setLanguage(next: Language): Promise<void> {
  await showLanguage(next);
  onChoice?.(next);
}

/** Holds the language for everything below. */
export function LanguageProvider(props: {
  readonly language: Language;
  readonly messages: Catalogue;
  readonly children: ReactNode;
}): ReactNode {
  const [state, setState] = useState({ language: props.language, messages: props.messages });
  useEffect(() => {
    publish = setState;
    return () => {
      publish = undefined;
    };
  }, []);
  const value = useMemo(() => ({ ...state, setLanguage }), [state]);
  return <LanguageContext value={value}>{props.children}</LanguageContext>;
}

/** Loads the texts of the language that the visitor's cookie names. */
export async function loadInitialLanguage(): Promise<{ language: Language; messages: Catalogue }> {
  const chosen = languageOfCookie(document.cookie);
  const messages = await loadLanguage(chosen);
  applyLanguage(chosen, messages);
  return { language: chosen, messages };
}

export function useLanguage(): LanguageState {
  const state = use(LanguageContext);
  if (state === null) throw new Error('useLanguage outside of LanguageProvider');
  return state;
}

/** The texts of the current language. */
export const useMessages = (): Catalogue => useLanguage().messages;

/** What to tell people of a failure, whatever was thrown. */
export function describeError(messages: Catalogue, error: unknown): string {
  if (!(error instanceof ApiError)) return errorText(messages, 'internal');
  if (error.code === 'offline') return messages.common.offline;
  if (error.code === 'timed_out') return messages.common.timedOut;
  return errorText(messages, error.code, error.params);
}
