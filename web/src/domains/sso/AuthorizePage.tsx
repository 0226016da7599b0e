/** Sends the browser to a provider, or back to the login page when that cannot be. */
import { SSO_PROVIDERS, type SsoProvider } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { loginQuery } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { safeRedirect } from '../../kernel/redirect.ts';
import { toast } from '../../kernel/toasts.ts';
import { LoadingRegion } from '../../ui/states.tsx';
import { useProviderName } from './names.ts';
import { beginSignOn } from './sso.api.ts';
import { Way } from './Way.tsx';

interface Search {
  readonly provider?: unknown;
  readonly redirect?: unknown;
}

export function AuthorizePage(): ReactNode {
  const messages = useMessages();
  const providerName = useProviderName();
  const router = useRouter();
  const client = useQueryClient();
  const search: Search = useSearch({ strict: false });
  const provider = SSO_PROVIDERS.find((known) => known === search.provider);
  const { mutate } = useMutation({
    mutationFn: (chosen: SsoProvider) =>
      beginSignOn(chosen, { Redirect: safeRedirect(search.redirect) }),
    onSuccess: ({ Address }) => window.location.replace(Address),
    onError: (error, chosen) => {
      // The login page sends whoever is signed in on; they are told here.
      if (client.getQueryData(loginQuery.queryKey) != null)
        toast('error', describeError(messages, error));
      router.history.replace(`${paths.login}?err=${chosen}`);
    },
    meta: { isHandled: true },
  });
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    if (provider === undefined) router.history.replace(paths.login);
    else mutate(provider);
  }, [provider, mutate, router]);
  return provider === undefined ? (
    <LoadingRegion />
  ) : (
    <Way text={messages.sso.goingTo(providerName(provider))} />
  );
}
