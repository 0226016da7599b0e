/**
 * Providers of OpenID Connect, and of plain OAuth 2 with a user-info address: code flow with state,
 * PKCE and, where an ID token comes, nonce.
 */
import * as client from 'openid-client';
import {
  SignOnError,
  type ExternalIdentity,
  type SignOnChecks,
  type SignOnProvider,
} from './provider.ts';

const TIMEOUT_SECONDS = 10;
/** The keys of a provider may change; what it says of itself is read again after this. */
const METADATA_MS = 3_600_000;

/** What is ours ↔ the name of the provider's claim. */
export type ClaimNames = Readonly<
  Record<'subject' | 'username' | 'name' | 'email' | 'type', string>
>;

export interface OpenIDSettings {
  /** With it alone, the provider's own description names its addresses. */
  readonly issuer: string | undefined;
  readonly authorizeURL: string | undefined;
  readonly tokenURL: string | undefined;
  readonly userInfoURL: string | undefined;
  readonly clientID: string;
  readonly clientSecret: string;
  /** How the client names itself at the token address. */
  readonly clientAuth: 'post' | 'basic';
  readonly scope: string;
  readonly claims: ClaimNames;
}

/** Errors after which asking again may help; everything else is a no. */
function isOutage(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.status >= 500;
  if (error instanceof client.AuthorizationResponseError) return false;
  // An answer that is no answer of such a provider, or none at all.
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return (
    error instanceof TypeError ||
    code === 'OAUTH_TIMEOUT' ||
    code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' ||
    code === 'OAUTH_RESPONSE_IS_NOT_JSON' ||
    code === 'OAUTH_PARSE_ERROR'
  );
}

const failed = (error: unknown): SignOnError =>
  error instanceof SignOnError
    ? error
    : new SignOnError(isOutage(error) ? 'unavailable' : 'refused', { cause: error });

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

/** Who the claims speak of. @throws SignOnError without a subject, which must name one person for ever */
export function identityOf(
  claims: Readonly<Record<string, unknown>>,
  names: ClaimNames,
): ExternalIdentity {
  const subject = textOf(claims[names.subject]);
  if (subject === '' || subject.length > 255) throw new SignOnError('refused');
  const username = textOf(claims[names.username]).slice(0, 100);
  return {
    subject,
    username,
    name: textOf(claims[names.name]).slice(0, 100) || username || subject,
    email: textOf(claims[names.email]).slice(0, 254),
    isEmailVerified: claims['email_verified'] === true,
    type: textOf(claims[names.type]).slice(0, 100),
  };
}

export class OpenIDProvider implements SignOnProvider {
  readonly #settings: OpenIDSettings;
  #known: { configuration: Promise<client.Configuration>; readAt: number } | undefined;

  constructor(settings: OpenIDSettings) {
    this.#settings = settings;
  }

  async begin(callback: string): Promise<{ address: string; checks: SignOnChecks }> {
    try {
      const configuration = await this.#configuration();
      const checks: SignOnChecks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        callback,
      };
      const address = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: this.#settings.scope,
        state: checks.state,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        ...(this.#hasIDToken ? { nonce: checks.nonce } : {}),
      });
      return { address: address.href, checks };
    } catch (error) {
      throw failed(error);
    }
  }

  async finish(query: string, checks: SignOnChecks): Promise<ExternalIdentity> {
    try {
      const configuration = await this.#configuration();
      const address = new URL(checks.callback);
      address.search = query;
      const tokens = await client.authorizationCodeGrant(configuration, address, {
        expectedState: checks.state,
        pkceCodeVerifier: checks.verifier,
        ...(this.#hasIDToken ? { expectedNonce: checks.nonce } : {}),
      });
      const token = tokens.claims();
      const told = await this.#userInfo(configuration, tokens.access_token, token?.sub);
      return identityOf({ ...token, ...told }, this.#settings.claims);
    } catch (error) {
      throw failed(error);
    }
  }

  /** Whether the provider is asked for an ID token, which carries the nonce. */
  get #hasIDToken(): boolean {
    return this.#settings.scope.split(' ').includes('openid');
  }

  async #userInfo(
    configuration: client.Configuration,
    accessToken: string,
    subject: string | undefined,
  ): Promise<Readonly<Record<string, unknown>>> {
    const address = configuration.serverMetadata().userinfo_endpoint;
    if (address === undefined) return {};
    // With an ID token both must speak of the same person.
    if (subject !== undefined) return client.fetchUserInfo(configuration, accessToken, subject);
    const response = await client.fetchProtectedResource(
      configuration,
      accessToken,
      new URL(address),
      'GET',
    );
    if (!response.ok) throw new SignOnError(response.status >= 500 ? 'unavailable' : 'refused');
    const answer: unknown = await response.json().catch((error: unknown) => {
      throw new SignOnError('unavailable', { cause: error });
    });
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  }

  /** What the provider says of itself, kept for a while; a failure is not kept. */
  async #configuration(): Promise<client.Configuration> {
    if (this.#known && performance.now() - this.#known.readAt < METADATA_MS)
      return this.#known.configuration;
    const configuration = this.#read();
    this.#known = { configuration, readAt: performance.now() };
    configuration.catch(() => {
      this.#known = undefined;
    });
    return configuration;
  }

  async #read(): Promise<client.Configuration> {
    const { issuer, authorizeURL, tokenURL, userInfoURL } = this.#settings;
    const { clientID, clientSecret, clientAuth } = this.#settings;
    const auth =
      clientAuth === 'basic'
        ? client.ClientSecretBasic(clientSecret)
        : client.ClientSecretPost(clientSecret);
    let configuration: client.Configuration;
    if (authorizeURL !== undefined && tokenURL !== undefined) {
      configuration = new client.Configuration(
        {
          issuer: issuer ?? new URL(authorizeURL).origin,
          authorization_endpoint: authorizeURL,
          token_endpoint: tokenURL,
          ...(userInfoURL === undefined ? {} : { userinfo_endpoint: userInfoURL }),
        },
        clientID,
        {},
        auth,
      );
    } else {
      if (issuer === undefined) throw new Error('a provider without addresses');
      configuration = await client.discovery(new URL(issuer), clientID, {}, auth, {
        timeout: TIMEOUT_SECONDS,
        ...(issuer.startsWith('http:') ? { execute: [client.allowInsecureRequests] } : {}),
      });
    }
    configuration.timeout = TIMEOUT_SECONDS;
    // The configuration admits http on this machine alone.
    if ((tokenURL ?? issuer)?.startsWith('http:') === true)
      client.allowInsecureRequests(configuration);
    return configuration;
  }
}
