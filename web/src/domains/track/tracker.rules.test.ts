import { describe, expect, test } from 'vitest';
import { PAGES } from '../../app/pages.ts';
import { TRACKED, isRefused, recordOf } from './tracker.ts';

describe('what a page tells', () => {
  test('its type in the hundreds of its module, and the ids of its address', () => {
    const record = recordOf('notebookLabTaskDetail', { labID: '3', taskID: '7' }, '/lab/3', '/lab');
    expect(record?.get('Type')).toBe('102');
    expect(record?.getAll('Field')).toEqual(['3', '7']);
    expect(record?.get('FromURL')).toBe('/lab');
  });

  test('writing a homework is time for its course', () => {
    const record = recordOf('homeworkDetail', { courseID: '4', homeworkID: '9' }, '/', '');
    expect(record?.get('Type')).toBe('202');
    expect(record?.getAll('Field')).toEqual(['4', '9']);
  });

  test('nothing on a page that is not tracked', () => {
    expect(recordOf('personalSettings', {}, '/settings', '')).toBeNull();
    expect(recordOf(undefined, {}, '/', '')).toBeNull();
  });

  test('every tracked page exists, and no two have one type', () => {
    for (const page of Object.keys(TRACKED)) expect(Object.keys(PAGES)).toContain(page);
    const types = Object.values(TRACKED).map(({ module, number }) => `${module}${number}`);
    expect(new Set(types).size).toBe(types.length);
  });
});

test.each([
  [{ globalPrivacyControl: true }, true],
  [{ doNotTrack: '1' }, true],
  [{ doNotTrack: 'unspecified' }, false],
  [{}, false],
])('%j is refused: %s', (asking, refused) => expect(isRefused(asking)).toBe(refused));
