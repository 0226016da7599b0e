/** Every page by its route name: its path, who may see it, and how it behaves. */
import type { Requirement } from '@hypercube/contract';

export interface Page {
  readonly path: string;
  /** `signedIn` pages send a visitor to the login page. */
  readonly access: 'public' | 'signedIn';
  /** Without these the page does not exist for the user. */
  readonly need?: Requirement;
  /** The floating environment widget does not show here (specification, section 2). */
  readonly hidesWidget?: true;
  /** Always begins at the top, also when the user comes back to it. */
  readonly resetsScroll?: true;
}

export const PAGES = {
  index: { path: '/', access: 'public' },
  notFoundPage: { path: '/404', access: 'public', hidesWidget: true },
  login: { path: '/login', access: 'public' },
  shortcuts: { path: '/shortcuts', access: 'public' },
  personalHome: { path: '/home', access: 'signedIn', need: ['usage.detail'] },
  personalSettings: { path: '/settings', access: 'signedIn', need: ['user.detail'] },
  labIndex: { path: '/lab', access: 'signedIn', need: ['lab.list'], resetsScroll: true },
  labDetail: {
    path: '/lab/$labID',
    access: 'signedIn',
    need: ['lab.detail', 'lab.tasks'],
    resetsScroll: true,
  },
  notebookLabTaskDetail: {
    path: '/lab/$labID/notebook/task/$taskID',
    access: 'signedIn',
    need: ['lab.tasks', 'usage.detail', 'usage.create'],
    hidesWidget: true,
    resetsScroll: true,
  },
} as const satisfies Record<string, Page>;

export type PageName = keyof typeof PAGES;

export const pageOf = (name: PageName): Page => PAGES[name];

/** The top navigation in the specified order; an entry shows once its page exists. */
export const NAVIGATION = [
  'index',
  'labIndex',
  'courseIndex',
  'learningPathList',
  'knowledgeGraphIndex',
  'softwareIndex',
  'problemIndex',
  'caseIndex',
  'resourceIndex',
  'manualIndex',
  'suggestionIndex',
] as const;
export type NavigationName = (typeof NAVIGATION)[number];

/** The entries that have a page. */
export const shownNavigation = (): {
  readonly name: NavigationName & PageName;
  readonly path: string;
}[] =>
  NAVIGATION.filter((name): name is NavigationName & PageName => Object.hasOwn(PAGES, name)).map(
    (name) => ({
      name,
      path: PAGES[name].path,
    }),
  );

/** Whether a navigation entry is the current one: its own page or one below it. */
export const isCurrent = (entryPath: string, pathname: string): boolean =>
  entryPath === '/'
    ? pathname === '/'
    : pathname === entryPath || pathname.startsWith(`${entryPath}/`);
