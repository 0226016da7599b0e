import { describe, expect, it } from 'vitest';
import { ClipboardMemory, toRemote } from './clipboard.ts';

describe('the clipboards', () => {
  it('have line ends that programs on the desktop know', () => {
    expect(toRemote('一\r\n二\r三\n')).toBe('一\n二\n三\n');
  });
  it('do not send a text back to where it came from, nor twice', () => {
    const memory = new ClipboardMemory();
    expect(memory.isNew('并行')).toBe(true);
    expect(memory.isNew('并行')).toBe(false);
    expect(memory.isNew('a\r\nb')).toBe(true);
    expect(memory.isNew('a\nb')).toBe(false);
    expect(memory.isNew('并行')).toBe(true);
  });
  it('do not empty each other', () => {
    expect(new ClipboardMemory().isNew('')).toBe(false);
  });
});
