/**
 * A real OpenID provider with people of its own, for the tests and for a demonstration: it asks who
 * one is by a button for each, and vouches for whoever was chosen.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';

/** What the provider tells of a person. */
export interface DemoPerson {
  readonly sub: string;
  readonly preferred_username: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly type: string;
}

export interface DemoProviderOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly clientID: string;
  readonly clientSecret: string;
  /** Addresses of ours to which it may send a browser back. */
  readonly callbacks: readonly string[];
  readonly people: readonly DemoPerson[];
  /** Names of the page that asks who one is. */
  readonly title: string;
}

export interface DemoProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Where `address` of the platform leads a person who says who they are: our callback, with its query. */
  signOn(address: string, sub: string): Promise<URL>;
  /** The same, when the person does not want to. */
  decline(address: string): Promise<URL>;
}

/** Where a plain OAuth 2 client reads who somebody is, under names of the provider's own. */
export const PLAIN_PATH = '/person';
const HOUR_SECONDS = 3600;

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = ({ title, people }: DemoProviderOptions, path: string): string => `<!doctype html>
<html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body{font:16px/1.6 system-ui;max-width:420px;margin:12vh auto;padding:0 16px}
button{display:block;width:100%;margin:8px 0;padding:10px;font:inherit}</style>
<h1>${escaped(title)}</h1>
<form method="post" action="${escaped(path)}">
${people.map(({ sub, name }) => `<button name="sub" value="${escaped(sub)}">${escaped(name)}</button>`).join('\n')}
<button name="sub" value="">取消 / Cancel</button>
</form></html>`;

/** Starts the provider on this machine. */
export async function startDemoProvider(options: DemoProviderOptions): Promise<DemoProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () =>
    undefined;
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(500).end());
  }).listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('no port');
  const issuer = `http://127.0.0.1:${place.port}`;
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    format: 'jwk',
  });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: options.clientID,
        client_secret: options.clientSecret,
        redirect_uris: [...options.callbacks],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...key, kid: 'demo', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name', 'type'],
      email: ['email', 'email_verified'],
    },
    ttl: {
      AccessToken: HOUR_SECONDS,
      Grant: HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      Session: HOUR_SECONDS,
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const person = options.people.find((one) => one.sub === sub);
      return person && { accountId: sub, claims: () => ({ ...person }) };
    },
    // Whoever signs on here has agreed to tell us who they are.
    loadExistingGrant: async (context) => {
      const { client, session, params } = context.oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new context.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      const scope = params?.['scope'];
      grant.addOIDCScope(typeof scope === 'string' ? scope : 'openid');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  handle = async (request, response) => {
    if (request.url === PLAIN_PATH) {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
      const known = token === undefined ? undefined : await provider.AccessToken.find(token);
      const person = options.people.find(({ sub }) => sub === known?.accountId);
      response.writeHead(person ? 200 : 401, { 'content-type': 'application/json' }).end(
        JSON.stringify(
          person && {
            id: person.sub,
            login: person.preferred_username,
            fullName: person.name,
            mail: person.email,
          },
        ),
      );
      return;
    }
    if (!request.url?.startsWith('/interaction/')) {
      await callback(request, response);
      return;
    }
    if (request.method !== 'POST') {
      // Throws when there is no such sign-on.
      await provider.interactionDetails(request, response);
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(page(options, request.url));
      return;
    }
    let body = '';
    for await (const part of request) body += String(part);
    const sub = new URLSearchParams(body).get('sub') ?? '';
    await provider.interactionFinished(
      request,
      response,
      sub === '' ? { error: 'access_denied' } : { login: { accountId: sub } },
    );
  };

  /** Follows the provider's own pages as a browser does, until they lead back to us. */
  async function walk(address: string, sub: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let next = new URL(address);
    let isAsked = false;
    while (next.origin === issuer) {
      const isForm: boolean = next.pathname.startsWith('/interaction/') && !isAsked;
      if (isForm) isAsked = true;
      const response: Response = await fetch(next, {
        redirect: 'manual',
        method: isForm ? 'POST' : 'GET',
        headers: {
          cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
          ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        },
        ...(isForm ? { body: new URLSearchParams({ sub }).toString() } : {}),
      });
      for (const set of response.headers.getSetCookie()) {
        const [pair = ''] = set.split(';', 1);
        const at = pair.indexOf('=');
        cookies.set(pair.slice(0, at), pair.slice(at + 1));
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${next.href}: ${await response.text()}`);
      next = new URL(location, next);
    }
    return next;
  }

  return {
    issuer,
    signOn: walk,
    decline: (address) => walk(address, ''),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
