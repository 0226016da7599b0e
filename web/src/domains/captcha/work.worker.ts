/** Works on the puzzles away from the page, so that it stays usable; tells how far it is. */
import type { WorkChallenge } from '@hypercube/contract';
import { solvePuzzle } from './sha256.ts';

export interface WorkMessage {
  /** How many puzzles are solved. */
  readonly solved: number;
  readonly nonces: readonly number[];
}

self.addEventListener('message', ({ data }: MessageEvent<WorkChallenge>) => {
  const nonces: number[] = [];
  while (nonces.length < data.Puzzles) {
    nonces.push(solvePuzzle(data.Salt, nonces.length, data.Bits));
    const message: WorkMessage = { solved: nonces.length, nonces };
    self.postMessage(message);
  }
});
