import type { ProblemSummary } from '@hypercube/contract';

/** Share of those who tried it and solved it, in percent; null: nobody tried. */
export const rateOf = ({
  Tried,
  Solved,
}: Pick<ProblemSummary, 'Tried' | 'Solved'>): number | null =>
  Tried === 0 ? null : Math.round((Solved / Tried) * 100);
