/** A catalogue's filters as they stand in the address of the page. */
import { CATALOGUE_SORTS, TEXT_LIMITS, type CatalogueSort } from '@hypercube/contract';

export const ITEMS_PER_PAGE = 12;

/** @typeParam T numbers of the kinds that the catalogue lists */
export interface CatalogueSearch<T extends number = number> {
  readonly keyword: string;
  readonly type: T | null;
  readonly domain: number | null;
  readonly tags: readonly number[];
  readonly sort: CatalogueSort;
  readonly page: number;
  /** The domains that the user chose in the settings: they narrow what no domain narrows. */
  readonly selected?: readonly number[];
  /** Only what the user has joined, in a catalogue of what can be joined. */
  readonly joined?: true;
}

export const EMPTY_SEARCH: CatalogueSearch<never> = {
  keyword: '',
  type: null,
  domain: null,
  tags: [],
  sort: 'comprehensive',
  page: 1,
};

const MAX_TAGS = 20;

function wholeNumber(value: string | undefined, max: number): number | null {
  if (value === undefined || !/^[1-9]\d{0,9}$/.test(value)) return null;
  const number = Number(value);
  return number <= max ? number : null;
}

const MAX_ID = 2_147_483_647;

/**
 * Reads an address. What is not understood counts as not given, so that no link is an error.
 * @param types the kinds that the catalogue lists
 * @param canJoin whether it lists what can be joined
 */
export function readSearch<T extends number>(
  given: Readonly<Record<string, unknown>>,
  types: readonly T[],
  canJoin = false,
): CatalogueSearch<T> {
  const text = (key: string): string | undefined => {
    const value = given[key];
    return typeof value === 'string' ? value : undefined;
  };
  const type = wholeNumber(text('type'), 9);
  const tags = (text('tags') ?? '')
    .split(',')
    .map((part) => wholeNumber(part, MAX_ID))
    .filter((id) => id !== null);
  return {
    keyword: (text('keyword') ?? '').trim().slice(0, TEXT_LIMITS.keyword),
    type: types.find((known) => known === type) ?? null,
    domain: wholeNumber(text('domain'), MAX_ID),
    tags: [...new Set(tags)].slice(0, MAX_TAGS),
    sort: CATALOGUE_SORTS.find((known) => known === given['sort']) ?? 'comprehensive',
    page: wholeNumber(text('page'), 1_000_000) ?? 1,
    ...(canJoin && text('joined') === 'true' ? { joined: true } : {}),
  };
}

/** Writes the filters for an address; what is as usual is left out, so that links stay short. */
export function writeSearch(search: CatalogueSearch): Record<string, string> {
  const written: Record<string, string> = {};
  if (search.keyword !== '') written['keyword'] = search.keyword;
  if (search.type !== null) written['type'] = String(search.type);
  if (search.domain !== null) written['domain'] = String(search.domain);
  if (search.tags.length > 0) written['tags'] = search.tags.join(',');
  if (search.sort !== 'comprehensive') written['sort'] = search.sort;
  if (search.joined) written['joined'] = 'true';
  if (search.page > 1) written['page'] = String(search.page);
  return written;
}

/** The filters with a change; any change but of the page itself goes back to the first page. */
export const changeSearch = <T extends number>(
  search: CatalogueSearch<T>,
  change: Partial<CatalogueSearch<T>>,
): CatalogueSearch<T> => ({
  ...search,
  page: 1,
  ...change,
});

export const isFiltered = (search: CatalogueSearch): boolean =>
  search.keyword !== '' ||
  search.type !== null ||
  search.domain !== null ||
  search.tags.length > 0 ||
  search.joined === true;

/** The query of the call. */
export function queryOfSearch(search: CatalogueSearch) {
  return {
    page: search.page,
    pageSize: ITEMS_PER_PAGE,
    sort: search.sort,
    ...(search.keyword === '' ? {} : { keyword: search.keyword }),
    ...(search.type === null ? {} : { type: String(search.type) }),
    ...(search.domain === null
      ? search.selected === undefined
        ? {}
        : { domains: search.selected.join(',') }
      : { domains: String(search.domain) }),
    ...(search.tags.length === 0 ? {} : { tags: search.tags.join(',') }),
  };
}
