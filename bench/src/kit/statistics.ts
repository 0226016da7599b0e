/** The few figures that a series of measurements is reduced to. */

/** The value below which the given part of a series lies, by linear interpolation. */
export function quantile(values: readonly number[], part: number): number {
  if (values.length === 0) throw new Error('a series without values has no quantile');
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * part;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
