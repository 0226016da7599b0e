/** What a view shows when it has nothing yet, nothing at all, or no answer. */
import type { CSSProperties, ReactNode } from 'react';
import { ApiError } from '../kernel/api.ts';
import { describeError, useMessages } from '../kernel/language.tsx';
import { Announcement } from './Announcement.tsx';
import { Button } from './Button.tsx';
import { WarnIcon } from './icons.tsx';
import { Mark } from './Mark.tsx';

export function EmptyState(props: {
  readonly title: string;
  readonly text?: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="state">
      <Mark size={48} weight={1} />
      <h2>{props.title}</h2>
      {props.text ? <p>{props.text}</p> : null}
      {props.children ? <div className="row">{props.children}</div> : null}
    </div>
  );
}

/** A view that could not be loaded: why, what happened to the work, and a way on. */
export function ErrorState(props: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly title?: string;
}): ReactNode {
  const messages = useMessages();
  const requestID = props.error instanceof ApiError ? props.error.requestID : null;
  return (
    <div className="state" role="alert">
      <WarnIcon size={32} />
      <h2>{props.title ?? messages.common.errorTitle}</h2>
      <p>{describeError(messages, props.error)}</p>
      {requestID ? <p className="muted mono">{messages.common.requestID(requestID)}</p> : null}
      {props.onRetry ? (
        <div className="row">
          <Button look="primary" onClick={props.onRetry}>
            {messages.common.retry}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** A grey block in the shape of what comes. */
export function Skeleton({ style }: { readonly style: CSSProperties }): ReactNode {
  return <div className="skeleton" style={style} aria-hidden="true" />;
}

/** Stands for a whole view that is loading: silent for a second, then said once. */
export function LoadingRegion({ children }: { readonly children?: ReactNode }): ReactNode {
  const messages = useMessages();
  return (
    <div className="appear-late" aria-busy="true">
      <Announcement>{messages.common.loading}</Announcement>
      {children}
    </div>
  );
}
