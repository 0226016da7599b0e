import type { software as source } from '../zh-CN/software.ts';
import type { Translation } from '../types.ts';

export const software: Translation<typeof source> = {
  title: 'Software',
  lead: 'Nothing to install: open it and use it in the browser. Files are kept in your data.',
  searchIn: (total) => (total === 1 ? 'Search in 1 software' : `Search in ${total} software`),
  searchLabel: 'Search software',
  types: { 1: 'Desktop', 2: 'Notebook', 3: 'Web IDE', 4: 'Grid jobs' },
  list: 'List of software',
  uses: (count) => (count === '1' ? 'opened once' : `opened ${count} times`),
  found: (total) => `${total} software found`,
  emptyTitle: 'No software matches',
  emptySite: 'No software has been published yet',
  emptySiteText: 'Software appears here once it is published.',
  backLabel: 'Leave, back to the software',
  documentRegion: 'About the software',
  lifetime: (minutes) => `${minutes} each time, renewable`,
};
