/** Where to go after signing in. */

const BASE = 'http://hypercube.invalid';

/**
 * The path of this site in a `redirect` value, or the home page. Only a path that begins with one
 * slash is followed, so that a link to the login page can never lead to another site; nor back to
 * the login page itself.
 */
export function safeRedirect(value: unknown): string {
  if (typeof value !== 'string' || value.length > 2000) return '/';
  if (!value.startsWith('/') || value.startsWith('//')) return '/';
  // Browsers read a backslash as a slash and drop tabs and line ends inside an address.
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\\\u0000-\u001f\u007f]/.test(value)) return '/';
  if (!URL.canParse(value, BASE)) return '/';
  const url = new URL(value, BASE);
  // A path such as `/./` + `/host` becomes `//host` only after it is resolved.
  if (url.origin !== BASE || url.pathname.startsWith('//')) return '/';
  if (url.pathname === '/login') return '/';
  return url.pathname + url.search + url.hash;
}
