/** Pause, continue, renew, delete: from a page with a message, from the widget without one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isApiError } from '../../kernel/api.ts';
import { useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import {
  USAGE_KEY,
  acceptUsage,
  continueUsage,
  deleteUsage,
  pauseUsage,
  renewUsage,
  type UsageState,
} from './usage.api.ts';

export type UsageAction = 'pause' | 'continue' | 'renew' | 'delete';

/**
 * Runs an action on an environment; nothing shows as done before the server said so.
 * @param from a failure is told on a page, and only logged in the widget (decision 31)
 */
export function useUsageActions(from: 'page' | 'widget') {
  const client = useQueryClient();
  const messages = useMessages();
  return useMutation({
    mutationFn: async ({ action, usageID }: { action: UsageAction; usageID: number }) => {
      switch (action) {
        case 'pause':
          return { usage: await pauseUsage(usageID) };
        case 'continue':
          return { usage: await continueUsage(usageID) };
        case 'renew':
          return { usage: await renewUsage(usageID) };
        case 'delete': {
          const before = client.getQueryData<UsageState>(USAGE_KEY)?.usage ?? null;
          await deleteUsage(usageID);
          // Ready environments are deleted; one that is still starting is cancelled.
          const Cause =
            before?.Phase === 'ready' || before?.Phase === 'failed' ? 'deleted' : 'cancelled';
          const ended =
            before?.ID === usageID
              ? ({ ID: usageID, Cause, Reason: null, Title: before.Title } as const)
              : null;
          return { usage: null, ended };
        }
      }
    },
    onMutate: async () => {
      // A reading under way is older than what comes back from here.
      await client.cancelQueries({ queryKey: USAGE_KEY });
    },
    onSuccess: (answer, { action }) => {
      acceptUsage(client, answer);
      if (action === 'renew') toast('success', messages.usage.renewed);
      if (action === 'delete') {
        const isCancel = 'ended' in answer && answer.ended?.Cause === 'cancelled';
        toast('success', isCancel ? messages.usage.start.cancelled : messages.usage.deleted);
        void client.invalidateQueries({ queryKey: ['usage', 'history'] });
      }
    },
    onError: (error, { action }) => {
      // What the page believed was wrong; the server knows.
      void client.invalidateQueries({ queryKey: USAGE_KEY });
      if (from === 'widget') {
        // oxlint-disable-next-line no-console -- the widget's failures are only logged (decision 31)
        console.warn(`environment: ${action} failed`, isApiError(error) ? error.code : error);
      }
    },
    meta: { isHandled: from === 'widget' },
  });
}
