/** How the providers are called: as the settings name them, or in the platform's own words. */
import type { SsoProvider } from '@hypercube/contract';
import { useLanguage } from '../../kernel/language.tsx';
import { inLanguage, useSite } from '../../kernel/site.ts';

export function useProviderName(): (provider: SsoProvider) => string {
  const { messages, language } = useLanguage();
  const site = useSite();
  return (provider) => {
    const set = site?.Providers.find(({ Provider }) => Provider === provider);
    const name = set === undefined ? '' : inLanguage(language, set.NameZh, set.NameEn);
    return name === '' ? messages.sso.providers[provider] : name;
  };
}
