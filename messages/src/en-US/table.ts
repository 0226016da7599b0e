import type { table as source } from '../zh-CN/table.ts';
import type { Translation } from '../types.ts';

/** The lists of the admin area. */
export const table: Translation<typeof source> = {
  all: 'All',
  columns: 'Columns',
  export: 'Export',
  clear: 'Clear filters',
  actions: 'Actions',
  selectAll: 'Select all on this page',
  select: (name) => `Select ${name}`,
  selected: (count) => `${count} selected`,
  sort: 'Sort',
  usualSort: 'Usual order',
  sortBy: (column) => `Sort by ${column}`,
  unsort: (column) => `Sorted by ${column}; back to the usual order`,
  found: (count) => (count === 1 ? '1 entry' : `${count} entries`),
  nothingFound: 'Nothing matches',
  nothingFoundText: 'Try another word, or clear the filters.',
  nothingYet: 'Nothing here yet',
};
