/** The providers that the configuration names. */
import { SSO_PROVIDERS } from '@hypercube/contract';
import { OpenIDProvider } from '../../engines/sso/openid.ts';
import type { Config } from '../../platform/config.ts';
import { readSignOn } from '../../platform/sign-on-settings.ts';
import type { KnownProviders } from './sso.service.ts';

export const readProviders = (config: Config): KnownProviders =>
  Object.fromEntries(
    SSO_PROVIDERS.flatMap((name) => {
      const settings = readSignOn(config, name);
      return settings === undefined
        ? []
        : [[name, { provider: new OpenIDProvider(settings), types: settings.types }]];
    }),
  );
