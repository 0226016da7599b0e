/** A site that vouches for people: the small interface behind which each kind of provider stands. */

/** Who signed on, as the provider tells it. */
export interface ExternalIdentity {
  /** Never changes and is nobody else's; the rest is what the person is called today. */
  readonly subject: string;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  /** Whether the provider says that the address is theirs. */
  readonly isEmailVerified: boolean;
  /** The provider's word for what the person is, such as `faculty`. */
  readonly type: string;
}

/** Secrets of one sign-on, made at its beginning and asked for at its end. */
export interface SignOnChecks {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
  /** The address to which the provider sends the browser back. */
  readonly callback: string;
}

/**
 * Why a sign-on failed. `refused`: what came back is not what was asked for, or the provider or the
 * person said no. `unavailable`: the provider could not be reached or is not itself.
 */
export class SignOnError extends Error {
  readonly reason: 'refused' | 'unavailable';
  constructor(reason: 'refused' | 'unavailable', options?: ErrorOptions) {
    super(`sign-on ${reason}`, options);
    this.name = 'SignOnError';
    this.reason = reason;
  }
}

export interface SignOnProvider {
  /**
   * Begins a sign-on.
   * @returns where the browser goes, and what to keep until it is back
   * @throws SignOnError
   */
  begin(callback: string): Promise<{ address: string; checks: SignOnChecks }>;
  /**
   * Ends it.
   * @param query of the callback, as the browser brought it
   * @throws SignOnError
   */
  finish(query: string, checks: SignOnChecks): Promise<ExternalIdentity>;
}
