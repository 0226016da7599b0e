/** Tells wherever the user is: time runs out, or the environment has ended. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { formatCountdown } from '../kernel/format.ts';
import { useMessages } from '../kernel/language.tsx';
import { wrapTitle } from '../kernel/title.ts';
import { toast, toastList } from '../kernel/toasts.ts';
import { useUsageActions } from '../domains/usage/actions.ts';
import { useRemaining, warningLevel } from '../domains/usage/countdown.ts';
import { useUsage } from '../domains/usage/watch.ts';

/** Long enough to be read and acted on from another window. */
const WARNING_MS = 15_000;

/** Ends that the user brought about; they know. */
const OWN_DOING: ReadonlySet<string> = new Set(['deleted', 'cancelled', 'replaced']);

/** @param hasOwnWarnings the page warns and tells of an end by itself as well */
export function UsageAlerts({ hasOwnWarnings }: { readonly hasOwnWarnings: boolean }): ReactNode {
  const messages = useMessages();
  const client = useQueryClient();
  const { state } = useUsage();
  const { mutate } = useUsageActions('page');
  const remaining = useRemaining(state);
  const level = warningLevel(remaining);
  const usageID = state?.usage?.ID ?? null;
  const renewedAt = state?.usage?.RenewalTime ?? null;
  const told = useRef('');
  const shown = useRef<number | null>(null);

  useEffect(() => {
    // What was said of the time before is no longer true.
    if (shown.current !== null) toastList.remove(shown.current);
    shown.current = null;
    if (level === 'none' || usageID === null) return;
    // Once for each level of each countdown; a renewal begins a new one.
    const key = `${usageID}/${renewedAt}/${level}`;
    if (told.current === key) return;
    told.current = key;
    if (level === 'last') {
      shown.current = toast(
        'warning',
        messages.usage.warning1 + messages.usage.warningTooLate,
        WARNING_MS,
      );
      return;
    }
    const renew = {
      label: messages.usage.renew,
      run: () => mutate({ action: 'renew', usageID }),
    };
    shown.current = toast(
      'warning',
      messages.usage.warning5 + messages.usage.warningText,
      WARNING_MS,
      // The page's own warning has the button beside it.
      hasOwnWarnings ? null : renew,
    );
  }, [level, usageID, renewedAt, hasOwnWarnings, messages, mutate]);

  const countdown = remaining !== null && level !== 'none' ? formatCountdown(remaining) : null;
  useEffect(() => {
    wrapTitle(countdown === null ? null : (title) => messages.usage.warningTitle(countdown, title));
  }, [countdown, messages]);

  const ended = state?.ended ?? null;
  const toldEnd = useRef<number | null>(null);
  useEffect(() => {
    if (ended === null || toldEnd.current === ended.ID) return;
    toldEnd.current = ended.ID;
    void client.invalidateQueries({ queryKey: ['usage', 'history'] });
    if (hasOwnWarnings || OWN_DOING.has(ended.Cause)) return;
    toast(
      'warning',
      messages.usage.endedToast(ended.Title, messages.usage.causes[ended.Cause]),
      12_000,
    );
  }, [ended, hasOwnWarnings, messages, client]);
  return null;
}
