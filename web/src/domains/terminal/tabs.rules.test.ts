import { describe, expect, it } from 'vitest';
import { FIRST_TAB, addTab, fontSizeBeside, neighbourOf, tabsOf } from './tabs.ts';

describe('the tabs', () => {
  it('are what the session says runs', () => {
    expect(
      tabsOf({
        List: [
          { Name: '1', Node: '', IsAlive: true },
          { Name: '2', Node: 'node2', IsAlive: true },
          { Name: '3', Node: '', IsAlive: false },
        ],
      }),
    ).toEqual([
      { name: '1', node: '' },
      { name: '2', node: 'node2' },
    ]);
  });
  it.each([[null], [{}], [{ List: [] }], [{ List: 'x' }], [{ List: [{ Name: '../x' }] }], ['ok']])(
    'are one where nothing sensible is said: %j',
    (answer) => expect(tabsOf(answer)).toEqual([FIRST_TAB]),
  );
  it('get the first free number, and are not more than the session takes', () => {
    expect(addTab([FIRST_TAB, { name: '3', node: '' }], 'node2')).toEqual({
      name: '2',
      node: 'node2',
    });
    const full = Array.from({ length: 8 }, (_unused, index) => ({ name: `${index}`, node: '' }));
    expect(addTab(full, '')).toBeNull();
  });
  it('leave the place to a neighbour', () => {
    const tabs = ['1', '2', '3'].map((name) => ({ name, node: '' }));
    expect(neighbourOf(tabs, '2')).toBe('3');
    expect(neighbourOf(tabs, '3')).toBe('2');
    expect(neighbourOf([FIRST_TAB], '1')).toBeNull();
  });
  it('have letters of a size within bounds', () => {
    expect(fontSizeBeside(14, 1)).toBe(16);
    expect(fontSizeBeside(12, -1)).toBe(12);
    expect(fontSizeBeside(24, 1)).toBe(24);
  });
});
