/** A page that could not be shown: a lost chunk, a fault of ours, or no connection. */
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { ApiError } from '../kernel/api.ts';
import { ChunkError } from '../kernel/chunks.ts';
import { useMessages } from '../kernel/language.tsx';
import { Button } from '../ui/Button.tsx';
import { WarnIcon } from '../ui/icons.tsx';
import { ErrorState } from '../ui/states.tsx';

export function RouteError({ error, reset }: ErrorComponentProps): ReactNode {
  const messages = useMessages();
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const isChunk = error instanceof ChunkError;
  const isCall = error instanceof ApiError;
  useEffect(() => {
    // oxlint-disable-next-line no-console -- a fault of ours: the trace must not get lost
    if (!isCall && !isChunk) console.error(error);
  }, [error, isCall, isChunk]);
  if (isCall) {
    return (
      <div className="wrap">
        <ErrorState
          error={error}
          onRetry={() => {
            queries.reset();
            reset();
            void router.invalidate();
          }}
        />
      </div>
    );
  }
  return (
    <div className="wrap">
      <div className="state" role="alert">
        <WarnIcon size={32} />
        <h1>{isChunk ? messages.common.newVersionTitle : messages.shell.pageFailed}</h1>
        <p>{isChunk ? messages.common.newVersionText : messages.shell.pageFailedText}</p>
        <div className="row">
          <Button look="primary" onClick={() => location.reload()}>
            {messages.common.reload}
          </Button>
        </div>
      </div>
    </div>
  );
}
