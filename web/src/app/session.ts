/** Leaving an account. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useMessages } from '../kernel/language.tsx';
import { LOGOUT_KEY, forgetAccount } from '../kernel/login.ts';
import { paths } from '../kernel/paths.ts';
import { toast } from '../kernel/toasts.ts';
import { logout } from '../domains/account/account.api.ts';

/** Signs out on the server first: a page that only looked signed out would be a lie. */
export function useLogout(): () => void {
  const client = useQueryClient();
  const router = useRouter();
  const messages = useMessages();
  const { mutate } = useMutation({
    mutationKey: LOGOUT_KEY,
    mutationFn: logout,
    onSuccess: async () => {
      // Who has signed out cannot stay; what was typed is kept as a draft.
      await router.navigate({ to: paths.index, ignoreBlocker: true });
      forgetAccount(client);
      toast('success', messages.shell.loggedOut);
    },
  });
  return mutate;
}
