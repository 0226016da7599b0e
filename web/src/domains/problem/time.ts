import { formatDuration } from '../../kernel/format.ts';

/** A measured time of a program: tests take milliseconds, where a tenth of a second says nothing. */
export const formatTime = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : formatDuration(ms);
