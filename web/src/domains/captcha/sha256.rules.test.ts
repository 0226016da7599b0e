import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { firstWordOfHash, solvePuzzle } from './sha256.ts';

describe('the hash', () => {
  it.each(['', 'a', 'abc', 'x'.repeat(54), 'x'.repeat(55), 'salt-_:12:1234567890'])(
    'of “%s” is the standard’s',
    (text) => {
      const expected = createHash('sha256').update(text).digest().readUInt32BE(0);
      expect(firstWordOfHash(text)).toBe(expected);
    },
  );
  it('refuses what does not fit one block', () => {
    expect(() => firstWordOfHash('x'.repeat(56))).toThrow(RangeError);
  });
});

it('a puzzle is solved by the first number that fits', () => {
  const hashOf = (nonce: number) =>
    createHash('sha256').update(`salt:3:${nonce}`).digest().readUInt32BE(0);
  const nonce = solvePuzzle('salt', 3, 8);
  expect(hashOf(nonce)).toBeLessThan(2 ** 24);
  for (let before = 0; before < nonce; before += 1)
    expect(hashOf(before)).toBeGreaterThanOrEqual(2 ** 24);
});
