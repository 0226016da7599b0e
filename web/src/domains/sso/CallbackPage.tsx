/** Where the providers send the browser back: the answer is checked by the server, and we go on. */
import type { SsoProvider } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { loginQuery } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { useArrive } from './arrive.ts';
import { useProviderName } from './names.ts';
import { finishSignOn } from './sso.api.ts';
import { Way } from './Way.tsx';

export const AroseCallbackPage = (): ReactNode => <Callback provider="arose" />;
export const ScnetCallbackPage = (): ReactNode => <Callback provider="scnet" />;

function Callback({ provider }: { readonly provider: SsoProvider }): ReactNode {
  const messages = useMessages();
  const client = useQueryClient();
  const providerName = useProviderName();
  const router = useRouter();
  const arrive = useArrive();
  const { mutate } = useMutation({
    mutationFn: () => finishSignOn(provider, window.location.search),
    onSuccess: arrive,
    onError: async (error) => {
      const session = await client.ensureQueryData(loginQuery).catch(() => null);
      // Whoever is signed in was adding the provider; the login page would send them home.
      if (session !== null) {
        toast('error', describeError(messages, error));
        router.history.replace(paths.settings);
        return;
      }
      if (isApiError(error, 'account_disabled')) toast('error', describeError(messages, error));
      router.history.replace(`${paths.login}?err=${provider}`);
    },
    meta: { isHandled: true },
  });
  const hasBegun = useRef(false);
  useEffect(() => {
    // An answer serves once: a second effect of the same page must not send it again.
    if (hasBegun.current) return;
    hasBegun.current = true;
    mutate();
  }, [mutate]);
  return <Way text={messages.sso.comingFrom(providerName(provider))} />;
}
