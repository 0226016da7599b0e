/** The table route × role, made from the contract: what is checked in must equal it. */
import { ROLES, meets, routes, type Role, type Route } from '@hypercube/contract';

/** Everybody who can call: the roles, and a visitor without an account. */
export const CALLERS = ['visitor', ...ROLES.filter((role) => role !== 'anonymous')] as const;
export type Caller = (typeof CALLERS)[number];

const rolesOf = (caller: Caller): Role[] =>
  caller === 'visitor' ? ['anonymous'] : ['anonymous', caller];

/** Whether a caller may use a route at all; whose things it reaches is the scope's business. */
export function mayCall(route: Pick<Route, 'access'>, caller: Caller): boolean {
  if ('public' in route.access) return true;
  if ('signedIn' in route.access) return caller !== 'visitor';
  return meets(rolesOf(caller), route.access.need);
}

/** One line for each route, in order of its address. */
export function accessTable(): string {
  const rows = Object.values(routes as Readonly<Record<string, Route>>)
    .toSorted(
      (a, b) => a.path.localeCompare(b.path, 'en') || a.method.localeCompare(b.method, 'en'),
    )
    .map((route) => {
      const need =
        'need' in route.access
          ? route.access.need
              .map((entry) => (typeof entry === 'string' ? entry : `(${entry.join(' or ')})`))
              .join(', ')
          : 'public' in route.access
            ? `public: ${route.access.public}`
            : `signed in: ${route.access.signedIn}`;
      const scope = Object.entries(route.scope)
        .map(([name, kind]) => `${name}→${kind}`)
        .join(' ');
      return `| ${route.method} | ${route.path} | ${need} | ${scope} | ${CALLERS.map((caller) => (mayCall(route, caller) ? 'yes' : '–')).join(' | ')} |`;
    });
  return [
    '# Who may call what',
    '',
    'Generated from the contract by `npm run docs`; a test compares it. Review a change here as a change of security.',
    '',
    `| method | path | needs | ids | ${CALLERS.join(' | ')} |`,
    `| --- | --- | --- | --- | ${CALLERS.map(() => '---').join(' | ')} |`,
    ...rows,
    '',
  ].join('\n');
}
