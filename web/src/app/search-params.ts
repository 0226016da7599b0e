/** Search parameters as plain text, so that addresses stay readable: `?page=2&tags=1,2`. */

export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if ((typeof value === 'string' && value !== '') || typeof value === 'number')
      params.set(key, String(value));
  }
  // Commas and slashes need no escape in a query.
  const text = params.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  return text === '' ? '' : `?${text}`;
}
