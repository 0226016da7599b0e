/** The terminals of a session as tabs. */
import { chosen, readStored, writeStored } from '../../kernel/stored.ts';
import { MAX_TERMINALS, TERMINAL_NAME } from './protocol.ts';

export interface TerminalTab {
  /** Name under which the session knows it. */
  readonly name: string;
  /** Node on which it runs; empty for the first one. */
  readonly node: string;
}

export const FIRST_TAB: TerminalTab = { name: '1', node: '' };

const isTab = (value: unknown): value is TerminalTab =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as TerminalTab).name === 'string' &&
  typeof (value as TerminalTab).node === 'string' &&
  TERMINAL_NAME.test((value as TerminalTab).name);

/** The tabs in an answer of the session: those that run, or a first one. */
export function tabsOf(answer: unknown): readonly TerminalTab[] {
  const list = (answer as { readonly List?: unknown } | null)?.List;
  const tabs = (Array.isArray(list) ? list : [])
    .filter((entry: { readonly IsAlive?: unknown }) => entry.IsAlive !== false)
    .map((entry: { readonly Name?: unknown; readonly Node?: unknown }) => ({
      name: entry.Name,
      node: entry.Node ?? '',
    }))
    .filter(isTab);
  return tabs.length > 0 ? tabs.slice(0, MAX_TERMINALS) : [FIRST_TAB];
}

/** A tab more, under the first number that is free; null when there are as many as there may be. */
export function addTab(tabs: readonly TerminalTab[], node: string): TerminalTab | null {
  if (tabs.length >= MAX_TERMINALS) return null;
  const taken = new Set(tabs.map((tab) => tab.name));
  for (let number = 1; ; number++) {
    if (!taken.has(String(number))) return { name: String(number), node };
  }
}

/** Which tab shows after one was closed: the one that took its place, or the last. */
export function neighbourOf(tabs: readonly TerminalTab[], closed: string): string | null {
  const index = tabs.findIndex((tab) => tab.name === closed);
  return (tabs[index + 1] ?? tabs[index - 1])?.name ?? null;
}

const TABS = (usageID: number): string => `terminals-${usageID}`;

/** The tabs that this browser knew last, for a session whose list it may not read. */
export function loadTabs(usageID: number): readonly TerminalTab[] {
  try {
    const stored: unknown = JSON.parse(readStored(TABS(usageID)) ?? '[]');
    const tabs = Array.isArray(stored) ? stored.filter(isTab) : [];
    return tabs.length > 0 ? tabs.slice(0, MAX_TERMINALS) : [FIRST_TAB];
  } catch {
    return [FIRST_TAB];
  }
}
export const saveTabs = (usageID: number, tabs: readonly TerminalTab[]): void =>
  writeStored(TABS(usageID), JSON.stringify(tabs));

/** Sizes of the letters, in pixels. */
const FONT_SIZES = ['12', '13', '14', '16', '18', '20', '24'] as const;

export const loadFontSize = (): number =>
  Number(chosen(readStored('terminal-font'), FONT_SIZES, '14'));
export const saveFontSize = (size: number): void => writeStored('terminal-font', String(size));

/** The size beside one, larger or smaller; the same at the ends. */
export function fontSizeBeside(size: number, step: 1 | -1): number {
  const index = FONT_SIZES.findIndex((known) => known === String(size));
  return Number(FONT_SIZES[index + step] ?? size);
}

export const loadScreenReader = (): boolean => readStored('terminal-reader') === 'on';
export const saveScreenReader = (isOn: boolean): void =>
  writeStored('terminal-reader', isOn ? 'on' : 'off');
