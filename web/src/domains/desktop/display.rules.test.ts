import { describe, expect, it } from 'vitest';
import { QUALITIES, QUALITY_LEVELS, readFit, readQuality } from './display.ts';

describe('how a desktop is drawn', () => {
  it('remembers only what makes sense', () => {
    expect(readFit('scale')).toBe('scale');
    expect(readQuality('sharp')).toBe('sharp');
    for (const stored of [null, '', 'toString']) {
      expect(readFit(stored)).toBe('resize');
      expect(readQuality(stored)).toBe('balanced');
    }
  });
  it('costs more the better it looks', () => {
    const levels = QUALITIES.map((quality) => QUALITY_LEVELS[quality].quality);
    expect(levels).toEqual(levels.toSorted((a, b) => a - b));
    for (const { quality, compression } of Object.values(QUALITY_LEVELS)) {
      for (const level of [quality, compression]) {
        expect(level).toBeGreaterThanOrEqual(0);
        expect(level).toBeLessThanOrEqual(9);
      }
    }
  });
});
