/** Reading values that came over the wire as `unknown`, so that a text never shows `undefined`. */

/** The number in a value, or null when there is none. */
export function number(value: unknown): number | null {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : null;
}

/** The titles of the things in a value. */
export function titlesOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown) =>
    typeof item === 'object' && item !== null && 'Title' in item && typeof item.Title === 'string'
      ? [item.Title]
      : [],
  );
}

/** The names in a value, joined; empty when there are none. Objects are left out. */
export function list(value: unknown, separator: string): string {
  const items = Array.isArray(value) ? value : [value];
  return items
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map(String)
    .join(separator);
}
