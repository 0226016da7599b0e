import { API_BASE, type SignOnOutcome } from '@hypercube/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signedIn } from '../../platform/access/access.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { CaptchaService } from '../captcha/captcha.service.ts';
import type { Logins } from '../user/login.ts';
import { presentLoginSession } from '../user/user.present.ts';
import { arrivalOf } from '../user/user.routes.ts';
import type { OpenedLogin } from '../user/user.service.ts';
import { presentIdentity, presentPending } from './sso.present.ts';
import { ATTEMPT_SECONDS, type SsoService } from './sso.service.ts';

type Names =
  | 'listProviders'
  | 'beginSignOn'
  | 'finishSignOn'
  | 'getPendingIdentity'
  | 'linkIdentity'
  | 'createIdentityAccount'
  | 'listIdentities'
  | 'deleteIdentity';

/** Of the sign-on under way. Only the calls below its path get it, session content never does. */
const COOKIES = { plain: 'hc_sso', secure: '__Secure-hc_sso' } as const;
const COOKIE_PATH = `${API_BASE}/oauth2`;

export interface SsoHandlersOptions {
  readonly service: SsoService;
  readonly logins: Logins;
  readonly captcha: CaptchaService;
  /** Origin under which people reach the site; the request's own when not configured. */
  readonly publicOrigin: string | undefined;
}

export function ssoHandlers({
  service,
  logins,
  captcha,
  publicOrigin,
}: SsoHandlersOptions): HandlersOf<Names> {
  const isSecure = publicOrigin?.startsWith('https:') ?? false;
  const cookie = isSecure ? COOKIES.secure : COOKIES.plain;
  const cookieOptions = {
    path: COOKIE_PATH,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
  } as const;
  const tokenOf = (request: FastifyRequest): string | undefined => request.cookies[cookie];
  const keep = (reply: FastifyReply, token: string): void => {
    reply.setCookie(cookie, token, { ...cookieOptions, maxAge: ATTEMPT_SECONDS });
  };

  /** The attempt is over, and somebody is signed in. */
  function signIn(reply: FastifyReply, opened: OpenedLogin, redirect: string): SignOnOutcome {
    reply.clearCookie(cookie, cookieOptions);
    logins.setCookie(reply, opened.token, opened.login.expiresAt);
    return {
      Outcome: 'signed-in',
      Session: presentLoginSession(opened.login),
      Redirect: redirect,
    };
  }

  return {
    listProviders: async () => {
      const providers = service.providers();
      return { List: providers.map((Provider) => ({ Provider })), Total: providers.length };
    },

    beginSignOn: async ({ params, body, actor, request, reply }) => {
      const origin = publicOrigin ?? `${request.protocol}://${request.host}`;
      const { address, token } = await service.begin(params.provider, {
        callback: `${origin}/login/${params.provider}`,
        redirect: body.Redirect,
        userID: body.IsLinking ? signedIn(actor).userID : null,
      });
      keep(reply, token);
      return { Address: address };
    },

    finishSignOn: async ({ params, body, actor, request, reply }) => {
      const token = tokenOf(request);
      reply.clearCookie(cookie, cookieOptions);
      const finished = await service.finish(params.provider, {
        token,
        query: body.Query,
        userID: actor.userID,
        arrival: arrivalOf(request, logins),
      });
      const { outcome, redirect } = finished;
      if (outcome === 'signed-in') return signIn(reply, finished.opened, redirect);
      if (outcome === 'select') keep(reply, finished.token);
      return { Outcome: outcome, Session: null, Redirect: redirect };
    },

    getPendingIdentity: async ({ request }) => {
      const pending = await service.findPending(tokenOf(request));
      return pending ? presentPending(pending.provider, pending.identity, pending.type) : null;
    },

    linkIdentity: async ({ body, request, reply }) => {
      await captcha.verify(body.Captcha, request.ip);
      const { opened, redirect } = await service.link(tokenOf(request), {
        name: body.Username,
        password: body.Password,
        arrival: arrivalOf(request, logins),
      });
      return signIn(reply, opened, redirect);
    },

    createIdentityAccount: async ({ body, query, request, reply }) => {
      const { opened, redirect } = await service.create(
        tokenOf(request),
        body,
        query.lang,
        arrivalOf(request, logins),
      );
      return signIn(reply, opened, redirect);
    },

    listIdentities: async ({ scoped }) => {
      const rows = await service.list(scoped.userID.id);
      return { List: rows.map(presentIdentity), Total: rows.length };
    },

    deleteIdentity: async ({ scoped }) => {
      await service.unlink(scoped.identityID);
      return null;
    },
  };
}
