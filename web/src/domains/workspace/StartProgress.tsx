/** The start of an environment: true steps with their times, and a way out. */
import type { Usage } from '@hypercube/contract';
import { useCallback, type ReactNode } from 'react';
import { formatDuration } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { Announcement } from '../../ui/Announcement.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckIcon, ErrorIcon } from '../../ui/icons.tsx';
import { useElapsed } from '../usage/countdown.ts';
import { phaseSteps, type PhaseStep } from './phases.ts';

interface StartProgressProps {
  readonly title: string;
  /** null while the request itself is under way. */
  readonly usage: Usage | null;
  readonly receivedAt: number;
  readonly isCancelling: boolean;
  readonly onCancel: () => void;
}

function StepTime({
  step,
  now,
}: {
  readonly step: PhaseStep;
  readonly now: () => number;
}): ReactNode {
  const messages = useMessages();
  const elapsed = useElapsed(step.state === 'now' ? step.beganMs : null, now);
  if (step.tookMs !== null && step.phase !== 'ready') {
    return (
      <span className="muted num">{messages.usage.start.took(formatDuration(step.tookMs))}</span>
    );
  }
  return elapsed === null ? null : (
    <span className="muted num">{messages.usage.start.elapsed(formatDuration(elapsed))}</span>
  );
}

function Build({ usage }: { readonly usage: Usage }): ReactNode {
  const messages = useMessages();
  const build = usage.Build;
  if (build === null || build.State === 'ready') return null;
  return (
    <div className="start-build">
      <p>
        {build.State === 'waiting'
          ? messages.usage.start.waitingBuild(build.Image)
          : messages.usage.start.build(build.Image)}
        {/* A share only with a true denominator. */}
        {build.Steps > 0 ? (
          <span className="num muted">
            {' '}
            {messages.usage.start.buildStep(build.Step, build.Steps)}
          </span>
        ) : null}
      </p>
      {build.Steps > 0 ? (
        <div className="bar" aria-hidden="true">
          <i style={{ width: `${((build.Step / build.Steps) * 100).toFixed(1)}%` }} />
        </div>
      ) : null}
      {build.Text === '' ? null : <p className="mono muted start-build-text">{build.Text}</p>}
    </div>
  );
}

export function StartProgress({
  title,
  usage,
  receivedAt,
  isCancelling,
  onCancel,
}: StartProgressProps): ReactNode {
  const messages = useMessages();
  const words = messages.usage.start;
  const serverTime = usage?.ServerTime ?? 0;
  // The server's clock, carried on by one that nobody can set.
  const now = useCallback(
    () => serverTime * 1000 + (performance.now() - receivedAt),
    [serverTime, receivedAt],
  );
  const steps = usage === null ? [] : phaseSteps(usage);
  const states = {
    done: words.stepDone,
    now: words.stepNow,
    todo: words.stepTodo,
    failed: messages.usage.phases.failed,
  };
  const position = usage?.Position != null ? words.position(usage.Position) : '';
  return (
    <div className="panel">
      <h2>{words.title}</h2>
      <p className="muted">{words.explain(title)}</p>
      {usage === null ? (
        <p className="row">
          <span className="spinner" aria-hidden="true" />
          {words.requesting}
        </p>
      ) : (
        <ol className="start-steps" aria-label={words.steps}>
          {steps.map((step) => (
            <li key={step.phase} className={`start-step start-step-${step.state}`}>
              <span className="start-sign" aria-hidden="true">
                {step.state === 'done' ? <CheckIcon size={14} /> : null}
                {step.state === 'failed' ? <ErrorIcon size={14} /> : null}
                {step.state === 'now' ? <span className="spinner" /> : null}
              </span>
              <span className="start-name">
                {messages.usage.phases[step.phase]}
                <span className="visually-hidden">{states[step.state]}</span>
                {step.phase === 'queued' && step.state === 'now' && position !== '' ? (
                  <span className="muted"> {position}</span>
                ) : null}
              </span>
              <StepTime step={step} now={now} />
            </li>
          ))}
        </ol>
      )}
      {usage === null ? null : <Build usage={usage} />}
      <Announcement>
        {usage === null
          ? words.requesting
          : [messages.usage.phases[usage.Phase], position].join(' ')}
      </Announcement>
      {usage === null ? null : (
        <div className="row">
          <Button isBusy={isCancelling} onClick={onCancel}>
            {messages.usage.cancelStart}
          </Button>
        </div>
      )}
    </div>
  );
}
