/** The state of an admin list as it stands in the address of the page. */
import { TEXT_LIMITS } from '@hypercube/contract';

export interface ListSearch {
  readonly keyword: string;
  /** One of the list's sorts. */
  readonly sort: string;
  readonly page: number;
  /** Filter → chosen value; a filter that is not set is not there. */
  readonly filters: Readonly<Record<string, string>>;
}

/**
 * What a list can be sorted and filtered by; the first sort is the usual one. A filter without
 * values takes any text.
 */
export interface ListShape {
  readonly sorts: readonly [string, ...string[]];
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

export const ROWS_PER_PAGE = 20;

/** Reads an address. What is not understood counts as not given, so that no link is an error. */
export function readListSearch(
  given: Readonly<Record<string, unknown>>,
  shape: ListShape,
): ListSearch {
  const text = (key: string): string => {
    const value = given[key];
    return typeof value === 'string' ? value : '';
  };
  const page = /^[1-9]\d{0,5}$/.test(text('page')) ? Number(text('page')) : 1;
  return {
    keyword: text('keyword').trim().slice(0, TEXT_LIMITS.keyword),
    sort: shape.sorts.find((sort) => sort === text('sort')) ?? shape.sorts[0],
    page,
    filters: Object.fromEntries(
      Object.entries(shape.filters).flatMap(([name, values]) => {
        const wanted = text(name).trim().slice(0, TEXT_LIMITS.keyword);
        const value =
          values.length === 0 ? wanted : (values.find((known) => known === wanted) ?? '');
        return value === '' ? [] : [[name, value]];
      }),
    ),
  };
}

/** The parameters of an address; what is as usual is left out. */
export function writeListSearch(search: ListSearch, shape: ListShape): Record<string, string> {
  return {
    ...(search.keyword === '' ? {} : { keyword: search.keyword }),
    ...(search.sort === shape.sorts[0] ? {} : { sort: search.sort }),
    ...search.filters,
    ...(search.page === 1 ? {} : { page: String(search.page) }),
  };
}

/** A change of anything but the page begins at the first page again. */
export const changeListSearch = (search: ListSearch, change: Partial<ListSearch>): ListSearch => ({
  ...search,
  page: 1,
  ...change,
});

export const isListFiltered = (search: ListSearch): boolean =>
  search.keyword !== '' || Object.keys(search.filters).length > 0;

/** What the call of a list is asked for. */
export const queryOfList = (search: ListSearch): Record<string, string> => ({
  page: String(search.page),
  pageSize: String(ROWS_PER_PAGE),
  sort: search.sort,
  ...search.filters,
  ...(search.keyword === '' ? {} : { keyword: search.keyword }),
});
