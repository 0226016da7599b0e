/**
 * The way through the human check without dragging or seeing: the device works. Many small puzzles
 * instead of a large one, so that the time is nearly the same for everybody and progress is true.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface Work {
  readonly salt: string;
  readonly puzzles: number;
  readonly bits: number;
}

const PUZZLES = 24;
/** Together about 800,000 hashes: some seconds of a phone, and nothing that is given away. */
const BITS = 15;
/** Whoever asks again and again works longer: a bit more, twice the work, for each so many. */
const MORE_FROM = 60;
const MOST_BITS = 20;

/** @param asked how many challenges the same address has asked for lately */
export const makeWork = (asked: number): Work => ({
  salt: randomBytes(16).toString('base64url'),
  puzzles: PUZZLES,
  bits: Math.min(MOST_BITS, BITS + Math.floor(asked / MORE_FROM)),
});

const leadingZeroBits = (hash: Buffer): number => {
  let bits = 0;
  for (const byte of hash) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24;
    bits += 8;
  }
  return bits;
};

/** Whether every puzzle is solved. */
export const isWorkDone = (work: Work, nonces: readonly number[]): boolean =>
  nonces.length === work.puzzles &&
  nonces.every(
    (nonce, index) =>
      leadingZeroBits(createHash('sha256').update(`${work.salt}:${index}:${nonce}`).digest()) >=
      work.bits,
  );
