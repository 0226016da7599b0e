/** The running environment as a card: state, countdown, and the ways on. */
import { UsageStatus, type Usage } from '@hypercube/contract';
import { useState, type ReactNode } from 'react';
import { formatBytes, formatCountdown } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import type { Catalogue } from '@hypercube/messages';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { PauseIcon, PlayIcon, RenewIcon, TrashIcon } from '../../ui/icons.tsx';
import { useUsageActions, type UsageAction } from './actions.ts';
import { moodOf, renewObstacle, useRemaining, warningLevel, type UsageMood } from './countdown.ts';
import { UsageFigures } from './UsageFigures.tsx';
import type { UsageState } from './usage.api.ts';
import './usage.css';

export const DOTS: Readonly<Record<UsageMood, string>> = {
  running: 'dot dot-good',
  paused: 'dot',
  held: 'dot',
  queued: 'dot dot-busy',
  starting: 'dot dot-busy',
  failed: 'dot dot-bad',
};

/** Why an environment cannot be renewed, in words; null when it can. */
export function renewReason(
  messages: Catalogue,
  usage: Usage,
  remaining: number | null,
): string | null {
  const obstacle = renewObstacle(usage, remaining);
  if (obstacle === null) return null;
  return obstacle === 'too_late' ? messages.usage.renewTooLate : messages.usage.renewNotRunning;
}

/** The countdown: tabular, amber when it runs out. */
export function Countdown({
  state,
  className,
}: {
  readonly state: UsageState;
  readonly className?: string;
}): ReactNode {
  const messages = useMessages();
  const remaining = useRemaining(state);
  if (remaining === null) return null;
  const isShort = warningLevel(remaining) !== 'none';
  const text = formatCountdown(remaining);
  return (
    <span
      role="timer"
      aria-label={messages.usage.remainingIs(text)}
      className={`num mono ${isShort ? 'amber' : ''} ${className ?? ''}`}
    >
      {text}
    </span>
  );
}

/** How much of the time is left, as a thin bar. */
export function RemainingBar({ state }: { readonly state: UsageState }): ReactNode {
  const remaining = useRemaining(state);
  if (remaining === null || state.usage === null) return null;
  const share = Math.min(1, remaining / state.usage.Lifetime);
  return (
    <div
      className={warningLevel(remaining) === 'none' ? 'bar' : 'bar bar-amber'}
      aria-hidden="true"
    >
      <i style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </div>
  );
}

interface ButtonsProps {
  readonly state: UsageState & { readonly usage: Usage };
  readonly from: 'page' | 'widget';
  readonly openLabel: string;
  readonly look?: 'quiet';
}

/** Open, pause or continue, renew, delete; each on only when the server would take it. */
export function UsageButtons({ state, from, openLabel, look }: ButtonsProps): ReactNode {
  const messages = useMessages();
  const actions = useUsageActions(from);
  const remaining = useRemaining(state);
  const [isAsking, setAsking] = useState(false);
  const { usage } = state;
  const isBusy = (action: UsageAction): boolean =>
    actions.isPending && actions.variables.action === action;
  const run = (action: UsageAction): void => {
    if (!actions.isPending) actions.mutate({ action, usageID: usage.ID });
  };
  const isReady = usage.Phase === 'ready';
  const isStarting = !isReady && usage.Phase !== 'failed';
  const isStopped = usage.Status === UsageStatus.stopped;
  const icon = (drawing: ReactNode): ReactNode => (look === 'quiet' ? null : drawing);
  return (
    <div className={look === 'quiet' ? 'usage-buttons usage-buttons-quiet' : 'usage-buttons'}>
      <ButtonLink to={usage.RoutePath} look={look ?? 'primary'} isSmall={look === 'quiet'}>
        {openLabel}
      </ButtonLink>
      {isReady ? (
        <>
          {isStopped ? (
            <Button
              look={look}
              isSmall={look === 'quiet'}
              isBusy={isBusy('continue')}
              onClick={() => run('continue')}
            >
              {icon(<PlayIcon />)}
              {messages.usage.resume}
            </Button>
          ) : (
            <Button
              look={look}
              isSmall={look === 'quiet'}
              isBusy={isBusy('pause')}
              onClick={() => run('pause')}
            >
              {icon(<PauseIcon />)}
              {messages.usage.pause}
            </Button>
          )}
          <Button
            look={look}
            isSmall={look === 'quiet'}
            isBusy={isBusy('renew')}
            obstacle={renewReason(messages, usage, remaining)}
            onClick={() => run('renew')}
          >
            {icon(<RenewIcon />)}
            {messages.usage.renew}
          </Button>
        </>
      ) : null}
      {isStarting ? (
        <Button
          look={look}
          isSmall={look === 'quiet'}
          isBusy={isBusy('delete')}
          onClick={() => run('delete')}
        >
          {messages.usage.cancelStart}
        </Button>
      ) : (
        <Button
          look="danger"
          isSmall={look === 'quiet'}
          isBusy={isBusy('delete')}
          onClick={() => setAsking(true)}
        >
          {icon(<TrashIcon />)}
          {messages.usage.delete}
        </Button>
      )}
      {isAsking ? (
        <ConfirmDialog
          title={messages.usage.deleteTitle}
          text={messages.usage.deleteText}
          confirm={messages.usage.deleteConfirm}
          onConfirm={() => {
            setAsking(false);
            run('delete');
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}

export function UsageCard({
  state,
}: {
  readonly state: UsageState & { readonly usage: Usage };
}): ReactNode {
  const messages = useMessages();
  const { usage } = state;
  const mood = moodOf(usage);
  return (
    <section className="card usage-card">
      <div className="row row-apart">
        <span className="row usage-state">
          <i className={DOTS[mood]} />
          {messages.usage.state[mood]}
        </span>
        <Countdown state={state} className="usage-time" />
      </div>
      <h3>{usage.Title}</h3>
      <p className="muted">
        {[
          messages.usage.types[usage.Type],
          messages.usage.size(messages.common.cpus(usage.Cpus), formatBytes(usage.MemoryBytes)),
        ].join(messages.common.dotSeparator)}
      </p>
      <RemainingBar state={state} />
      {mood === 'running' ? (
        <p className="usage-figures muted">
          <UsageFigures usage={usage} />
        </p>
      ) : null}
      <UsageButtons state={state} from="page" openLabel={messages.usage.returnTo} />
    </section>
  );
}
