/** SHA-256 of short texts, for the puzzles: the browser's own answers each hash too late. */

const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate += 1)
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);

/** The first 32 bits behind the point of a root, as the standard takes its constants. */
const fraction = (root: number): number => Math.trunc((root - Math.floor(root)) * 2 ** 32) | 0;
const K = new Int32Array(primes.map((prime) => fraction(Math.cbrt(prime))));
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const words = new Int32Array(64);
const rotate = (value: number, by: number): number => (value >>> by) | (value << (32 - by));
const wordAt = (index: number): number => words[index] ?? 0;

/**
 * The first 32 bits of the hash.
 * @param text ASCII, at most 55 characters: it fits one block
 */
export function firstWordOfHash(text: string): number {
  if (text.length > 55) throw new RangeError('the text is longer than a block');
  words.fill(0, 0, 16);
  for (let index = 0; index <= text.length; index += 1) {
    // Behind the text stands a single bit.
    const byte = index === text.length ? 0x80 : text.charCodeAt(index);
    words[index >> 2] = wordAt(index >> 2) | (byte << (24 - 8 * (index & 3)));
  }
  words[15] = text.length * 8;
  for (let index = 16; index < 64; index += 1) {
    const two = wordAt(index - 2);
    const fifteen = wordAt(index - 15);
    const one = rotate(two, 17) ^ rotate(two, 19) ^ (two >>> 10);
    const zero = rotate(fifteen, 7) ^ rotate(fifteen, 18) ^ (fifteen >>> 3);
    words[index] = (one + wordAt(index - 7) + zero + wordAt(index - 16)) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = START;
  for (let index = 0; index < 64; index += 1) {
    const one = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + one + ((e & f) ^ (~e & g)) + (K[index] ?? 0) + wordAt(index)) | 0;
    const zero = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (zero + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  return (a + (START[0] ?? 0)) >>> 0;
}

/** Looks for the number whose hash begins with so many zero bits. */
export function solvePuzzle(salt: string, index: number, bits: number): number {
  const limit = 2 ** (32 - bits);
  for (let nonce = 0; ; nonce += 1)
    if (firstWordOfHash(`${salt}:${index}:${nonce}`) < limit) return nonce;
}
