/** What every way of signing on ends with. */
import { TIMES, TeacherApplyStatus, type SignOnOutcome } from '@hypercube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { forgetAccount, loginQuery } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { safeRedirect } from '../../kernel/redirect.ts';
import { toast, toastList } from '../../kernel/toasts.ts';
import { pendingIdentityQuery } from './sso.api.ts';

/** Goes on as the outcome says: into the site, to the choice of an account, or back to the settings. */
export function useArrive(): (outcome: SignOnOutcome) => void {
  const messages = useMessages();
  const client = useQueryClient();
  const router = useRouter();
  return useCallback(
    ({ Outcome, Session, Redirect }: SignOnOutcome) => {
      if (Outcome === 'select') {
        client.removeQueries({ queryKey: pendingIdentityQuery.queryKey });
        router.history.replace(paths.select);
        return;
      }
      if (Outcome === 'linked') {
        toast('success', messages.sso.linked);
      } else if (Session !== null) {
        // Nothing of an account before may remain in this page.
        forgetAccount(client);
        client.setQueryData(loginQuery.queryKey, Session);
        toastList.clear();
        if (Session.Status === TeacherApplyStatus.waiting)
          toast('info', messages.account.teacherWaiting, TIMES.teacherNoticeMs);
      }
      router.history.replace(safeRedirect(Redirect));
    },
    [messages, client, router],
  );
}
