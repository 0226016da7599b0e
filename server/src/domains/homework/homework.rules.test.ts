import { describe, expect, test } from 'vitest';
import { rangeOf } from '../../platform/http/ranges.ts';
import { stepOf } from './homework.export.ts';
import type { GradedPersonRow } from './homework.score.queries.ts';
import { peopleOfFiles, peopleOfSheet, rowsOfSheet, tenthsOf } from './homework.sheet.ts';

const person = (
  id: number,
  studentID: string | null,
  name: string,
): Pick<GradedPersonRow, 'id' | 'username' | 'name' | 'studentID'> => ({
  id,
  username: `user${id}`,
  name,
  studentID,
});

const PEOPLE = [
  person(1, '2023001', '林同学'),
  person(2, '2023-002', '陈 同学'),
  person(3, null, 'Ada Lovelace'),
  person(4, '7', '张伟'),
  person(5, '7', '张伟'),
  person(6, '8', '李娜'),
  person(7, '8', '王芳'),
];
const idOf = (found: { readonly id: number } | string): number | string =>
  typeof found === 'string' ? found : found.id;

describe('for whom a file is', () => {
  test.each([
    ['2023001_林同学.pdf', 1],
    ['2023001-林同学.PDF', 1],
    ['2023001 林同学.pdf', 1],
    ['２０２３００１_林同学.pdf', 1],
    ['2023001__林同学.pdf', 'name_differs'],
    ['2023-002_陈 同学.pdf', 2],
    ['2023-002 陈同学.pdf', 2],
    ['user3_Ada Lovelace.pdf', 3],
    ['user3-ada lovelace.pdf', 3],
    ['林同学_2023001.pdf', 'unknown'],
    ['2023001.pdf', 'unknown'],
    ['2023001_陈同学.pdf', 'name_differs'],
    ['2023009_林同学.pdf', 'unknown'],
    ['7_张伟.pdf', 'ambiguous'],
    ['7_张伟 (user5).pdf', 5],
    ['8_李娜.pdf', 6],
    ['_.pdf', 'unknown'],
    ['.pdf', 'unknown'],
  ])('%s', (file, expected) => {
    expect(idOf(peopleOfFiles(PEOPLE).findByFile(file))).toBe(expected);
  });
});

describe('whom a row means', () => {
  test.each([
    ['2023001', '林同学', 1],
    [' 2023001', '林 同学', 1],
    ['2023001', '', 1],
    ['', 'Ada Lovelace', 3],
    ['', '林同学', 'unknown'],
    ['2023001', '李娜', 'name_differs'],
    ['7', '张伟', 'ambiguous'],
    ['7', '张伟 (user4)', 4],
    ['8', '', 'ambiguous'],
    ['8', '王芳', 7],
    ['', '', 'unknown'],
  ])('%s %s', (number, name, expected) => {
    expect(idOf(peopleOfSheet(PEOPLE).find(number, name))).toBe(expected);
  });
});

test('a sheet is read by its headings, in any order and either language', async () => {
  const rows = await rowsOfSheet([
    ['Comment', 'student id', 'Points', 'NAME'],
    ['good', '1', '9', 'Ada'],
    ['', '', '', ''],
    ["'=1+1", "'+1", '8', 'Bob'],
  ]);
  expect(rows).toEqual([
    { row: 2, studentID: '1', name: 'Ada', score: '9', comment: 'good' },
    { row: 4, studentID: "'+1", name: 'Bob', score: '8', comment: "'=1+1" },
  ]);
  expect(await rowsOfSheet([['学号', '姓名', '分数']])).toBeUndefined();
});

test.each([
  ['0', 0],
  ['100', 1000],
  ['87.5', 875],
  ['87.50', 875],
  ['８７', 870],
  ['87.55', null],
  ['100.1', null],
  ['-1', null],
  ['1e2', null],
  ['优', null],
  ['', null],
])('points “%s”', (text, expected) => {
  expect(tenthsOf(text, 1000)).toBe(expected);
});

test.each([
  ['2023001_林同学', '2023001_林同学'],
  ['../../etc', '_.._etc'],
  ['a\u0000b:c', 'a_b_c'],
  ['...', '_'],
  ['CON<>|', 'CON___'],
])('a folder called “%s”', (text, expected) => {
  expect(stepOf(text)).toBe(expected);
});

test.each([
  [undefined, undefined],
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=10-', { start: 10, end: 99 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=-0', null],
  ['bytes=100-', null],
  ['bytes=9-5', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=0-1', undefined],
  ['bytes=-', undefined],
])('of 100 bytes, “%s”', (header, expected) => {
  expect(rangeOf(header, 100)).toEqual(expected);
});
