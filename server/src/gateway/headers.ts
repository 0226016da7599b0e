/** What passes between a browser and a session: nothing of the platform's own. */
import { PROXY_BASE } from '@hypercube/contract';
import { LOGIN_COOKIES } from '../domains/user/login.ts';
import { SESSION_COOKIE } from '../domains/usage/usage.tickets.ts';

/** Cookies that no session may see, set or clear. */
const PLATFORM_COOKIES: ReadonlySet<string> = new Set([
  LOGIN_COOKIES.plain,
  LOGIN_COOKIES.secure,
  SESSION_COOKIE,
]);

/** Valid for one connection only (RFC 9110, section 7.6.1), and credentials of the platform. */
const NOT_FORWARDED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'authorization',
  'cookie',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]);

/** Answers of a session that would reach beyond it. */
const NOT_ANSWERED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'strict-transport-security',
  'public-key-pins',
  'clear-site-data',
  'service-worker-allowed',
  'alt-svc',
]);

/** A Cookie header without the platform's cookies; undefined when nothing is left. */
export function sessionCookies(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const kept = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !PLATFORM_COOKIES.has(part.split('=', 1)[0]?.trim() ?? ''));
  return kept.length > 0 ? kept.join('; ') : undefined;
}

/** Header pairs (name, value, name, value, …) that a session gets. */
export function requestHeaders(
  raw: readonly string[],
  added: Readonly<Record<string, string>>,
): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    const lower = name.toLowerCase();
    if (lower === 'cookie') {
      const cookies = sessionCookies(value);
      if (cookies !== undefined) kept.push(name, cookies);
    } else if (!NOT_FORWARDED.has(lower)) kept.push(name, value);
  }
  for (const [name, value] of Object.entries(added)) kept.push(name, value);
  return kept;
}

/** A session's Set-Cookie, kept below its own path; undefined when it names a platform cookie. */
function confineCookie(value: string, path: string): string | undefined {
  const [pair = '', ...attributes] = value.split(';');
  const name = pair.split('=', 1)[0]?.trim() ?? '';
  if (name === '' || name.startsWith('__') || PLATFORM_COOKIES.has(name)) return undefined;
  const kept = attributes.filter((attribute) => !/^\s*(?:path|domain)\s*=/i.test(attribute));
  return [pair, ...kept, ` Path=${path}`].join(';');
}

const SESSION_PATH = new RegExp(`^${PROXY_BASE}/[^/?]+/[^/?]+/[^/?]+/`);

/** Path of the session that an address lies in: the narrowest that its cookies may have. */
export const sessionPathOf = (url: string): string =>
  SESSION_PATH.exec(`${url.split('?', 1)[0]}/`)?.[0] ?? `${PROXY_BASE}/`;

/** Header pairs that the browser gets of a session's answer. */
export function responseHeaders(raw: readonly string[], url: string): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    const lower = name.toLowerCase();
    if (lower === 'set-cookie') {
      const cookie = confineCookie(value, sessionPathOf(url));
      if (cookie !== undefined) kept.push(name, cookie);
    } else if (!NOT_ANSWERED.has(lower)) kept.push(name, value);
  }
  return kept;
}
