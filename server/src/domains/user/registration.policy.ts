/** Who makes an account on their own; accounts that staff make are no business of it. */
import { isEmailOf, type SettingValues, type UserType } from '@hypercube/contract';
import { DomainError } from '../../platform/errors.ts';

export interface RegistrationPolicy {
  /**
   * Lets somebody go on to a new account.
   * @param type what they say, or their provider says, that they are; left out where nobody has said it yet
   * @throws DomainError `registration_closed`, `registration_domain`, `registration_identity`
   */
  admit(email: string, type?: UserType): void;
}

/** @param rules as they hold now */
export const createRegistrationPolicy = (
  rules: () => SettingValues['registration'],
): RegistrationPolicy => ({
  admit(email, type) {
    const { Mode, Domains, Identities } = rules();
    if (Mode === 'closed') throw new DomainError('registration_closed');
    if (Mode === 'byDomain' && !isEmailOf(email, Domains))
      throw new DomainError('registration_domain', { Domains });
    if (type !== undefined && !Identities.some((identity) => identity === type))
      throw new DomainError('registration_identity');
  },
});
