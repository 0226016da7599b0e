/** What no rule of the contract can tell of settings before they hold. */
import { CAPTCHA_SCENE, type SsoProvider } from '@hypercube/contract';
import { CaptchaProviderError } from '../../engines/captcha/provider.ts';
import type { Config } from '../../platform/config.ts';
import { DomainError } from '../../platform/errors.ts';
import { hasOwnAddresses } from '../../platform/sign-on-settings.ts';
import { externalCheck } from '../captcha/captcha.service.ts';
import type { Logos } from '../site/logos.ts';
import type { SettingChecks } from './setting.service.ts';

/** Where a trial comes from: no address of anybody. */
const NOWHERE = '192.0.2.1';
/** Proves nothing: the provider says no to it, if it takes our keys. */
const TRIAL = { Token: 'trial', Sig: 'trial', SessionId: 'trial', Scene: CAPTCHA_SCENE } as const;

export function createSettingChecks(config: Config, logos: Logos): SettingChecks {
  const signOn =
    (provider: SsoProvider): NonNullable<SettingChecks[SsoProvider]> =>
    async ({ IsOn, Issuer }, secret) => {
      if (!IsOn) return;
      if (Issuer === '' && !hasOwnAddresses(config, provider))
        throw new DomainError('invalid_input', {
          Fields: [{ Path: 'Values.Issuer', Rule: 'required' }],
        });
      if (secret === null) throw new DomainError('secret_needed');
    };
  return {
    site: async ({ Supporters }) => {
      for (const { Logo } of Supporters)
        if (Logo !== null && !(await logos.has(Logo))) throw new DomainError('picture_missing');
    },
    mail: async ({ IsOn, User }, secret) => {
      if (IsOn && User !== '' && secret === null) throw new DomainError('secret_needed');
    },
    arose: signOn('arose'),
    scnet: signOn('scnet'),
    captcha: async (values, secret) => {
      if (values.Provider !== 'aliyun') return;
      if (secret === null) throw new DomainError('secret_needed');
      // With wrong keys nobody could sign in any more, and nobody could set them right.
      try {
        await externalCheck(values, secret, config.HC_CAPTCHA_ENDPOINT).verify(TRIAL, NOWHERE);
      } catch (error) {
        if (error instanceof CaptchaProviderError)
          throw new DomainError('captcha_unavailable', {}, { cause: error });
        throw error;
      }
    },
  };
}
