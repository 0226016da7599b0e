/** What stands in the environment's place while it is not running. */
import type { Usage, UsageCause } from '@hypercube/contract';
import { errorText } from '@hypercube/messages';
import { TIMES } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ErrorIcon, PauseIcon, PlayIcon } from '../../ui/icons.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { moodOf } from '../usage/countdown.ts';
import type { EndedUsage } from '../usage/usage.api.ts';

/** The user has an environment for another page. */
export function ExistingPanel(props: {
  readonly usage: Usage;
  readonly isBusy: boolean;
  readonly onAdopt: () => void;
  readonly onReplace: () => void;
  readonly onRead: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.usage.workspace;
  return (
    <div className="panel">
      <h2>{words.existingTitle}</h2>
      <p>{words.existingText(props.usage.Title, messages.usage.state[moodOf(props.usage)])}</p>
      <ul className="choices">
        <li>
          <ButtonLink to={props.usage.RoutePath} look="primary">
            {words.existingGo}
          </ButtonLink>
        </li>
        <li>
          <Button onClick={props.onAdopt}>{words.existingHere}</Button>
          <span className="muted">{words.existingHereHint}</span>
        </li>
        <li>
          <Button look="danger" isBusy={props.isBusy} onClick={props.onReplace}>
            {words.existingReplace}
          </Button>
          <span className="muted">{words.existingReplaceHint}</span>
        </li>
        <li>
          <Button look="quiet" onClick={props.onRead}>
            {words.existingReading}
          </Button>
        </li>
      </ul>
    </div>
  );
}

/** The start did not succeed: by the request itself, or on the way. */
export function FailedPanel(props: {
  readonly error: unknown;
  readonly reason: Usage['Reason'];
  readonly isBusy: boolean;
  readonly onRetry: () => void;
}): ReactNode {
  const messages = useMessages();
  const text =
    props.reason === null
      ? describeError(messages, props.error)
      : errorText(messages, props.reason.Code, props.reason.Params);
  return (
    <div className="panel" role="alert">
      <span className="red">
        <ErrorIcon size={32} />
      </span>
      <h2>{messages.usage.start.failedTitle}</h2>
      <p>{text}</p>
      <p className="muted">{messages.usage.start.failedKept}</p>
      <div className="row">
        <Button look="primary" isBusy={props.isBusy} onClick={props.onRetry}>
          {messages.common.retry}
        </Button>
      </div>
    </div>
  );
}

export function PausedPanel(props: {
  readonly usage: Usage;
  readonly isBusy: boolean;
  readonly onContinue: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.usage.workspace;
  return (
    <div className="panel panel-calm">
      <span className="muted">
        <PauseIcon size={32} />
      </span>
      <h2>{words.pausedTitle}</h2>
      <p>{props.usage.IsHeld ? words.heldText : words.pausedText}</p>
      {props.usage.IsHeld ? null : (
        <p className="muted">{words.pausedLimit(String(TIMES.usageHoldSeconds / 3600))}</p>
      )}
      <div className="row">
        <Button look="primary" isBusy={props.isBusy} onClick={props.onContinue}>
          {props.isBusy ? null : <PlayIcon />}
          {props.isBusy ? words.resuming : words.resume}
        </Button>
      </div>
    </div>
  );
}

/** Ends that are the machine's fault carry a sign. */
const FAULTS: ReadonlySet<UsageCause> = new Set([
  'failed',
  'crashed',
  'out_of_memory',
  'out_of_disk',
  'lost',
]);

export function EndedPanel(props: {
  readonly ended: EndedUsage;
  readonly isBusy: boolean;
  readonly onStart: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.usage.workspace;
  const { ended } = props;
  return (
    <div className="panel panel-calm" role="alert">
      {FAULTS.has(ended.Cause) ? (
        <span className="red">
          <ErrorIcon size={32} />
        </span>
      ) : (
        <span className="muted">
          <Mark size={44} weight={1} />
        </span>
      )}
      <h2>{words.endedTitle}</h2>
      <p>{words.endedCause(messages.usage.causes[ended.Cause])}</p>
      {ended.Reason === null ? null : (
        <p>{errorText(messages, ended.Reason.Code, ended.Reason.Params)}</p>
      )}
      <p className="muted">{words.endedKept}</p>
      <div className="row">
        <Button look="primary" isBusy={props.isBusy} onClick={props.onStart}>
          {words.startAgain}
        </Button>
      </div>
    </div>
  );
}

export function NotStartedPanel({ onStart }: { readonly onStart: () => void }): ReactNode {
  const messages = useMessages();
  return (
    <div className="panel panel-calm">
      <span className="muted">
        <Mark size={44} weight={1} />
      </span>
      <h2>{messages.usage.workspace.notStarted}</h2>
      <div className="row">
        <Button look="primary" onClick={onStart}>
          {messages.usage.workspace.startNow}
        </Button>
      </div>
    </div>
  );
}
