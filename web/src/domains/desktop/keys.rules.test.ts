import { describe, expect, it } from 'vitest';
import { COMBINATIONS, pressKeys, releaseModifiers, type KeyCombination } from './keys.ts';

function pressed(
  run: (keyboard: { sendKey: (...args: [number, string, boolean]) => void }) => void,
) {
  const sent: [string, boolean][] = [];
  run({ sendKey: (_symbol, code, isDown) => sent.push([code, isDown]) });
  return sent;
}

describe('keys sent by a click', () => {
  it.each(Object.keys(COMBINATIONS) as KeyCombination[])('%s holds nothing on', (name) => {
    const sent = pressed((keyboard) => pressKeys(keyboard, name));
    const codes = (isDown: boolean) =>
      sent.filter((key) => key[1] === isDown).map(([code]) => code);
    expect(codes(false)).toEqual(codes(true).toReversed());
    expect(codes(true).length).toBeGreaterThan(0);
  });
  it('are pressed in order and released in reverse', () => {
    expect(pressed((keyboard) => pressKeys(keyboard, 'inputMethod'))).toEqual([
      ['ControlLeft', true],
      ['Space', true],
      ['Space', false],
      ['ControlLeft', false],
    ]);
  });
  it('are let go of on the way out', () => {
    expect(pressed(releaseModifiers).every(([, isDown]) => !isDown)).toBe(true);
  });
});
