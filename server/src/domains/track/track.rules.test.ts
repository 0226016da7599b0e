import { describe, expect, test } from 'vitest';
import { dayAfter, streaks } from './track.service.ts';
import { readForm } from '../../platform/http/form.ts';

test.each([
  ['2026-11-21', 1, '2026-11-22'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2028-03-01', -1, '2028-02-29'],
])('%s and %i days is %s', (day, days, then) => expect(dayAfter(day, days)).toBe(then));

describe('days in a row', () => {
  test.each([
    [[], 0, 0],
    [['2026-11-21'], 1, 1],
    // Nothing yet today does not break it; nothing yesterday either does.
    [['2026-11-20', '2026-11-19'], 2, 2],
    [['2026-11-19', '2026-11-18'], 0, 2],
    [['2026-11-21', '2026-11-20', '2026-11-18', '2026-11-17', '2026-11-16'], 2, 3],
  ])('%j', (days, streak, longest) =>
    expect(streaks(days, '2026-11-21')).toEqual({ streak, longest }),
  );
});

test('a field that comes more than once is a list, and no name is special', () => {
  expect(readForm('Type=101&Field=1&Field=2&Field=3&__proto__=x')).toEqual(
    Object.fromEntries([
      ['Type', '101'],
      ['Field', ['1', '2', '3']],
      ['__proto__', 'x'],
    ]),
  );
});
