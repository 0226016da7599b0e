import { LabType } from '@hypercube/contract';
import { describe, expect, it } from 'vitest';
import {
  EMPTY_SEARCH,
  changeSearch,
  isFiltered,
  queryOfSearch,
  readSearch,
  writeSearch,
} from './search.ts';

const TYPES = Object.values(LabType);

describe('the filters in an address', () => {
  it('are read', () => {
    expect(
      readSearch(
        {
          keyword: ' MPI ',
          type: '2',
          domain: '3',
          tags: '5,6',
          sort: 'latest',
          page: '4',
        },
        TYPES,
      ),
    ).toEqual({ keyword: 'MPI', type: 2, domain: 3, tags: [5, 6], sort: 'latest', page: 4 });
  });
  it.each([
    [{}],
    [{ type: '9', domain: 'x', tags: 'a,-1,0,1.5', sort: 'random', page: '0' }],
    [{ type: ['2'], domain: {}, tags: null, keyword: 7, page: '99999999999' }],
    [{ sort: 'constructor', type: '__proto__' }],
  ])('that make no sense count as not given: %j', (given) => {
    expect(readSearch(given, TYPES)).toEqual(EMPTY_SEARCH);
  });
  it('know only the kinds that the catalogue lists', () => {
    expect(readSearch({ type: '3' }, TYPES).type).toBeNull();
    expect(readSearch({ type: '3' }, [1, 3]).type).toBe(3);
  });
  it('are bounded', () => {
    const many = Array.from({ length: 200 }, (_unused, index) => index + 1).join(',');
    expect(readSearch({ tags: many }, TYPES).tags.length).toBeLessThanOrEqual(100);
    expect(readSearch({ tags: '3,3,3' }, TYPES).tags).toEqual([3]);
    expect(readSearch({ keyword: 'x'.repeat(500) }, TYPES).keyword.length).toBe(100);
  });
  it('survive writing and reading', () => {
    const search = {
      keyword: '归约 & more',
      type: 1,
      domain: 2,
      tags: [9, 4],
      sort: 'hottest',
      page: 3,
    } as const;
    expect(readSearch(writeSearch(search), TYPES)).toEqual(search);
  });
  it('write nothing where all is as usual', () => {
    expect(writeSearch(EMPTY_SEARCH)).toEqual({});
  });
  it('go back to the first page when they change', () => {
    const third = { ...EMPTY_SEARCH, page: 3 };
    expect(changeSearch(third, { sort: 'latest' }).page).toBe(1);
    expect(changeSearch(third, { page: 2 }).page).toBe(2);
  });
  it('are what the call asks for', () => {
    expect(queryOfSearch(EMPTY_SEARCH)).toEqual({ page: 1, pageSize: 12, sort: 'comprehensive' });
    expect(
      queryOfSearch({ ...EMPTY_SEARCH, tags: [1, 2], domain: 3, type: 2, keyword: 'x' }),
    ).toMatchObject({
      tags: '1,2',
      domains: '3',
      type: '2',
      keyword: 'x',
    });
  });
  it('know whether anything narrows the list', () => {
    expect(isFiltered(EMPTY_SEARCH)).toBe(false);
    expect(isFiltered({ ...EMPTY_SEARCH, sort: 'latest', page: 2 })).toBe(false);
    expect(isFiltered({ ...EMPTY_SEARCH, tags: [1] })).toBe(true);
  });
});
