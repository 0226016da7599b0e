/** Signing in. */
import { TIMES, TeacherApplyStatus } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { forgetAccount, loginQuery } from '../../kernel/login.ts';
import { safeRedirect } from '../../kernel/redirect.ts';
import { toast, toastList } from '../../kernel/toasts.ts';
import { useHumanCheck } from '../captcha/HumanCheck.tsx';
import { SsoButtons } from '../sso/SsoButtons.tsx';
import { login } from './account.api.ts';
import { LoginView } from './LoginView.tsx';

export function LoginPage(): ReactNode {
  const messages = useMessages();
  const client = useQueryClient();
  const router = useRouter();
  const search: { readonly redirect?: unknown } = useSearch({ strict: false });
  const target = safeRedirect(search.redirect);
  const human = useHumanCheck();
  const signIn = useMutation({
    mutationFn: login,
    onSuccess: (session) => {
      // Nothing of an account before may remain in this page.
      forgetAccount(client);
      client.setQueryData(loginQuery.queryKey, session);
      // “Please log in” has been done.
      toastList.clear();
      if (session.Status === TeacherApplyStatus.waiting) {
        toast('info', messages.account.teacherWaiting, TIMES.teacherNoticeMs);
      }
      router.history.replace(target);
    },
    meta: { isHandled: true },
  });
  const redirect = target === '/' ? undefined : target;
  return (
    <>
      <LoginView
        redirect={redirect}
        isBusy={signIn.isPending}
        error={signIn.error}
        onSubmit={(Username, Password) =>
          human.guard((passed) => signIn.mutateAsync({ Username, Password, ...passed }))
        }
      >
        <SsoButtons redirect={redirect} />
      </LoginView>
      {human.dialog}
    </>
  );
}
