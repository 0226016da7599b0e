/** The providers as they are set up: by the settings, over what the configuration says of them. */
import { SSO_PROVIDERS } from '@hypercube/contract';
import { OpenIDProvider } from '../../engines/sso/openid.ts';
import type { Config } from '../../platform/config.ts';
import { signOnOf } from '../../platform/sign-on-settings.ts';
import type { Settings } from '../setting/setting.service.ts';
import type { KnownProvider, KnownProviders } from './sso.service.ts';

/** Each provider is made anew when its settings change; what it knows of the other site stays until then. */
export function knownProviders(config: Config, settings: Settings): () => KnownProviders {
  const makers = SSO_PROVIDERS.map((name) => {
    const make = settings.derive([name], (): KnownProvider | undefined => {
      const { IsOn, Issuer, ClientID } = settings.current(name);
      const clientSecret = settings.secretOf(name);
      if (!IsOn || clientSecret === null) return undefined;
      const known = signOnOf(config, name, { issuer: Issuer, clientID: ClientID, clientSecret });
      return { provider: new OpenIDProvider(known), types: known.types };
    });
    return [name, make] as const;
  });
  return () =>
    Object.fromEntries(
      makers.flatMap(([name, make]) => {
        const known = make();
        return known === undefined ? [] : [[name, known] as const];
      }),
    );
}
