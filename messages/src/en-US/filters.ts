import type { filters as source } from '../zh-CN/filters.ts';
import type { Translation } from '../types.ts';

export const filters: Translation<typeof source> = {
  label: 'Filters',
  domain: 'Field',
  type: 'Type',
  tag: 'Tags',
  sort: 'Sort',
  all: 'All',
  sorts: { comprehensive: 'Comprehensive', latest: 'Latest', hottest: 'Hottest' },
  removeTag: (tag) => `Remove tag ${tag}`,
  emptyText: 'Remove some filters, or try another keyword.',
  clear: 'Clear all filters',
};
