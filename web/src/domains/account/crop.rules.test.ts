import { describe, expect, test } from 'vitest';
import { WHOLE, bounded, moved, placed, shown } from './crop.ts';

const WIDE = { width: 400, height: 200 };
const SIDE = 100;

describe('cropping a picture', () => {
  test('at first the middle is shown, and fills the window', () => {
    expect(placed(WIDE, WHOLE, SIDE)).toEqual({ width: 200, height: 100, left: -50, top: -0 });
    expect(shown(WIDE, WHOLE)).toEqual({ side: 200, left: 100, top: 0 });
  });

  test('dragging to the right shows what was on the left, and stops at the edge', () => {
    const half = moved(WIDE, WHOLE, SIDE, 25, 0);
    expect(shown(WIDE, half).left).toBe(50);
    expect(placed(WIDE, half, SIDE).left).toBe(-25);
    const edge = moved(WIDE, half, SIDE, 500, 500);
    expect(shown(WIDE, edge)).toEqual({ side: 200, left: 0, top: 0 });
    expect(placed(WIDE, edge, SIDE).left).toBe(0);
  });

  test('a side without room does not move', () => {
    expect(moved(WIDE, WHOLE, SIDE, 0, 80).y).toBe(0);
  });

  test('zooming shows a smaller part of the same middle', () => {
    expect(shown(WIDE, { ...WHOLE, zoom: 2 })).toEqual({ side: 100, left: 150, top: 50 });
  });

  test('the window never shows what is beside the picture', () => {
    expect(bounded({ zoom: 9, x: -7, y: 3 })).toEqual({ zoom: 4, x: -1, y: 1 });
    expect(bounded({ zoom: 0.1, x: 0, y: 0 }).zoom).toBe(1);
  });
});
