import { describe, expect, it } from 'vitest';
import { moved } from '../Order.tsx';
import { toCsv } from './csv.ts';
import {
  changeListSearch,
  isListFiltered,
  queryOfList,
  readListSearch,
  writeListSearch,
  type ListShape,
} from './list-search.ts';

const SHAPE: ListShape = {
  sorts: ['latest', 'name'],
  filters: { type: ['1', '2'], mine: ['true'] },
};
const EMPTY = { keyword: '', sort: 'latest', page: 1, filters: {} };

describe('the address of an admin list', () => {
  it('is read', () => {
    expect(
      readListSearch({ keyword: ' mpi ', sort: 'name', page: '3', type: '2', mine: 'true' }, SHAPE),
    ).toEqual({ keyword: 'mpi', sort: 'name', page: 3, filters: { type: '2', mine: 'true' } });
  });
  it.each([
    [{}],
    [{ sort: 'random', page: '0', type: '9', mine: 'no' }],
    [{ page: '-1', sort: 7, keyword: {}, other: 'x' }],
    [{ page: '99999999', type: ['1'] }],
  ])('that makes no sense counts as not given: %j', (given) => {
    expect(readListSearch(given, SHAPE)).toEqual(EMPTY);
  });
  it('survives writing and reading, and writes nothing where all is as usual', () => {
    const search = { keyword: '归约 & more', sort: 'name', page: 4, filters: { type: '1' } };
    expect(readListSearch(writeListSearch(search, SHAPE), SHAPE)).toEqual(search);
    expect(writeListSearch(EMPTY, SHAPE)).toEqual({});
  });
  it('takes any text in a filter without values', () => {
    const shape: ListShape = { sorts: ['latest'], filters: { organisation: [] } };
    expect(readListSearch({ organisation: ' 清华 ' }, shape).filters).toEqual({
      organisation: '清华',
    });
    expect(readListSearch({ organisation: '  ' }, shape).filters).toEqual({});
  });
  it('goes back to the first page when anything else changes', () => {
    expect(changeListSearch({ ...EMPTY, page: 5 }, { sort: 'name' }).page).toBe(1);
    expect(changeListSearch({ ...EMPTY, page: 5 }, { page: 6 }).page).toBe(6);
  });
  it('is what the call asks for', () => {
    expect(queryOfList({ ...EMPTY, keyword: 'x', filters: { type: '1' } })).toEqual({
      page: '1',
      pageSize: '20',
      sort: 'latest',
      type: '1',
      keyword: 'x',
    });
  });
  it('knows whether anything narrows the list', () => {
    expect(isListFiltered({ ...EMPTY, sort: 'name', page: 2 })).toBe(false);
    expect(isListFiltered({ ...EMPTY, filters: { mine: 'true' } })).toBe(true);
  });
});

describe('an export', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-2', "'-2"],
    ['@cmd', "'@cmd"],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['普通', '普通'],
    ['=a,b', `"'=a,b"`],
  ])('writes %j as %j', (value, cell) => {
    expect(toCsv([[value]])).toBe(`\uFEFF${cell}\r\n`);
  });
});

describe('an order', () => {
  it.each([
    [0, 2, 'bca'],
    [2, 0, 'cab'],
    [1, 1, 'abc'],
  ])('moves %d to %d', (from, to, result) => {
    expect(moved(['a', 'b', 'c'], from, to).join('')).toBe(result);
  });
});
