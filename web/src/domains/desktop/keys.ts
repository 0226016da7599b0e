/** Keys that a browser or the system would keep for itself, sent to a desktop by a click. */

interface Key {
  /** X's number of the symbol. */
  readonly symbol: number;
  /** Its place on the keyboard. */
  readonly code: string;
}

const CONTROL: Key = { symbol: 0xff_e3, code: 'ControlLeft' };
const ALT: Key = { symbol: 0xff_e9, code: 'AltLeft' };
const SHIFT: Key = { symbol: 0xff_e1, code: 'ShiftLeft' };
const SUPER: Key = { symbol: 0xff_eb, code: 'MetaLeft' };

/** Pressed in order, released in reverse. */
export const COMBINATIONS = {
  inputMethod: [CONTROL, { symbol: 0x20, code: 'Space' }],
  ctrlAltDel: [CONTROL, ALT, { symbol: 0xff_ff, code: 'Delete' }],
  switchWindow: [ALT, { symbol: 0xff_09, code: 'Tab' }],
  closeWindow: [ALT, { symbol: 0xff_c1, code: 'F4' }],
  closeTab: [CONTROL, { symbol: 0x77, code: 'KeyW' }],
  menu: [SUPER],
  escape: [{ symbol: 0xff_1b, code: 'Escape' }],
} as const satisfies Record<string, readonly Key[]>;
export type KeyCombination = keyof typeof COMBINATIONS;

/** What presses and releases a key. */
export interface Keyboard {
  sendKey: (symbol: number, code: string, isDown: boolean) => void;
}

export function pressKeys(keyboard: Keyboard, name: KeyCombination): void {
  const keys: readonly Key[] = COMBINATIONS[name];
  for (const { symbol, code } of keys) keyboard.sendKey(symbol, code, true);
  for (const { symbol, code } of keys.toReversed()) keyboard.sendKey(symbol, code, false);
}

/** Lets go of what was held on the way out, which the desktop would else believe to be held on. */
export function releaseModifiers(keyboard: Keyboard): void {
  for (const { symbol, code } of [CONTROL, ALT, SHIFT, SUPER])
    keyboard.sendKey(symbol, code, false);
}
