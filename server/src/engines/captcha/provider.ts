/** A human check, as whoever guards an action sees it. */
import type { CaptchaPayload } from '@hypercube/contract';

export interface CaptchaProvider {
  /**
   * Whether the payload proves a passed check that was not used yet; it is used up by this.
   * @param address from which the guarded request came
   * @throws CaptchaProviderError when that cannot be found out now
   */
  verify(payload: CaptchaPayload, address: string): Promise<boolean>;
}

/** The provider could not be asked, or did not understand: nobody's fault who wants to come in. */
export class CaptchaProviderError extends Error {
  override name = 'CaptchaProviderError';
}
