import { loadCatalogue } from '@hypercube/messages';
import { describe, expect, it } from 'vitest';
import { isPoints } from './admin/points.ts';
import { isOverdue, leftText, stateText } from './homework.ts';

const DUE = '2026-11-21T12:00:00.000Z';
const before = (seconds: number): number => Date.parse(DUE) - seconds * 1000;

describe('how long there is left', () => {
  it.each([
    [10 * 86_400, '还有 10 天'],
    [2 * 86_400, '还有 2 天'],
    [2 * 86_400 - 1, '还有 47 小时'],
    [2 * 3600 - 1, '还有 120 分钟'],
    [61, '还有 2 分钟'],
    [1, '还有 1 分钟'],
    [0, '还有 1 分钟'],
    [-1, '已过截止时间'],
  ])('%s s before', async (seconds, text) => {
    expect(leftText(DUE, before(seconds), await loadCatalogue('zh-CN'))).toBe(text);
  });
  it('says one day and two days apart in English', async () => {
    const messages = await loadCatalogue('en-US');
    expect(leftText(DUE, before(3 * 86_400), messages)).toBe('in 3 days');
    expect(leftText(DUE, before(60), messages)).toBe('in 1 minute');
  });
  it('ends at the due time itself', () => {
    expect([isOverdue(DUE, before(0)), isOverdue(DUE, before(-1))]).toEqual([false, true]);
  });
});

describe('the state', () => {
  it.each([
    [0, 2, '未提交'],
    [1, 2, '已提交'],
    [2, 2, '逾期提交'],
    [1, 1, '已批改'],
    [2, 1, '已批改 · 逾期提交'],
    [0, 1, '已批改'],
  ] as const)('%s, %s', async (State, Correction, text) => {
    expect(stateText({ State, Correction }, await loadCatalogue('zh-CN'))).toBe(text);
  });
});

it.each([
  ['0', true],
  ['100', true],
  [' 87.5 ', true],
  ['100.1', false],
  ['87.55', false],
  ['-1', false],
  ['1e1', false],
  ['', false],
])('points “%s” of a hundred: %s', (text, is) => expect(isPoints(text, 0, 100)).toBe(is));
