/** Light or dark: the system's choice until the user makes one, kept in this browser. */
import type { ThemeChoice } from '@hypercube/contract';
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const KEY = 'theme';
const listeners = new Set<() => void>();

/** The choice in a stored value; anything unknown means the system's. */
export const choiceOf = (stored: string | null): ThemeChoice =>
  stored === 'light' || stored === 'dark' ? stored : 'system';

export const themeOf = (choice: ThemeChoice, systemIsDark: boolean): Theme =>
  choice === 'system' ? (systemIsDark ? 'dark' : 'light') : choice;

const systemDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

function readChoice(): ThemeChoice {
  try {
    return choiceOf(localStorage.getItem(KEY));
  } catch {
    return 'system';
  }
}

function apply(): void {
  document.documentElement.dataset['theme'] = themeOf(readChoice(), systemDark().matches);
  for (const listener of listeners) listener();
}

let onChoice: ((choice: ThemeChoice) => void) | undefined;
/** Tells of every choice that a user makes on these pages. */
export function watchThemeChoice(listener: (choice: ThemeChoice) => void): void {
  onChoice = listener;
}

/** The user chooses a theme. */
export function setTheme(choice: ThemeChoice): void {
  showTheme(choice);
  onChoice?.(choice);
}

/** Shows a theme that was chosen, here or elsewhere; `system` forgets the choice. */
export function showTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Without storage the choice lasts as long as the page.
    document.documentElement.dataset['theme'] = themeOf(choice, systemDark().matches);
    for (const listener of listeners) listener();
    return;
  }
  apply();
}

/** Follows the system and the other tabs. Call once. */
export function watchTheme(): void {
  systemDark().addEventListener('change', apply);
  addEventListener('storage', (event) => {
    if (event.key === KEY) apply();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useThemeChoice = (): ThemeChoice =>
  useSyncExternalStore(subscribe, readChoice, () => 'system');

/** The theme that shows now. */
export const useTheme = (): Theme =>
  useSyncExternalStore(
    subscribe,
    () => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'),
    () => 'light',
  );
