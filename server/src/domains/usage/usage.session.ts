/** What answers inside each kind of session, and where. */
import { SESSION_FOLDERS } from '@hypercube/contract';
import type { ProxyKind } from './usage.present.ts';

/** The session agent of every first node: terminals, and the desktop's screen. */
export const AGENT_PORT = 7070;

interface SessionServer {
  readonly port: number;
  /**
   * What stands for `/proxy/<kind>/<host>/<ip>` in the address that the server sees; undefined
   * where the server knows its own prefix.
   */
  readonly prefix: string | undefined;
}

const SERVERS: Readonly<Record<ProxyKind, SessionServer>> = {
  desktop: { port: AGENT_PORT, prefix: '/desktop' },
  notebook: { port: 8888, prefix: undefined },
  ide: { port: 8080, prefix: '' },
  terminal: { port: AGENT_PORT, prefix: '/terminal' },
};

const DETAILS = {
  1: { kind: 'desktop', home: '/home/learner', data: SESSION_FOLDERS.desktop, health: 'healthz' },
  2: { kind: 'notebook', home: '/home/jovyan', data: SESSION_FOLDERS.notebook, health: 'api' },
  3: { kind: 'ide', home: '/home/coder', data: SESSION_FOLDERS.ide, health: 'healthz' },
} as const;

/** How a kind of session is opened inside its container. */
export const sessionOf = (row: { readonly type: number }) => {
  const detail = DETAILS[row.type as keyof typeof DETAILS];
  return { ...detail, port: SERVERS[detail.kind].port };
};

const PREFIX = /^\/proxy\/[^/?]+\/[^/?]+\/[^/?]+/;

/** The path under which a session's own server knows an address of the gateway. */
export function innerPath(kind: ProxyKind, url: string): string {
  const { prefix } = SERVERS[kind];
  if (prefix === undefined) return url;
  const rest = url.replace(PREFIX, '');
  // A server has one sign of life, whatever else it serves.
  if (rest === '/healthz') return rest;
  const inner = prefix + rest;
  return inner.startsWith('/') ? inner : `/${inner}`;
}

/**
 * Where a request of a kind goes.
 * @param address `ip:port` of the session's main server, from our records
 */
export function serverOf(
  kind: ProxyKind,
  address: string,
  url: string,
): { address: string; path: string } {
  const [ip = ''] = address.split(':');
  return { address: `${ip}:${SERVERS[kind].port}`, path: innerPath(kind, url) };
}

/** What the agent of a session's first node is told. */
export const agentEnvironment = (row: { readonly type: number }): Record<string, string> => ({
  HC_AGENT_PORT: String(AGENT_PORT),
  HC_DATA_FOLDER: sessionOf(row).data,
});
