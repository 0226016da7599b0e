/** What stands in or over the machine's place while it is not simply running. */
import type { ReactNode } from 'react';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import type { Environment } from './environment.ts';
import { EndedPanel, ExistingPanel, FailedPanel, NotStartedPanel, PausedPanel } from './Panels.tsx';
import { StartProgress } from './StartProgress.tsx';

export function StagePanel({
  title,
  environment,
}: {
  readonly title: string;
  readonly environment: Environment;
}): ReactNode {
  const { stage } = environment;
  const receivedAt = environment.state?.receivedAt ?? 0;
  const isBusy = environment.isCreating;
  switch (stage.kind) {
    case 'unknown':
      return environment.error ? <ErrorState error={environment.error} /> : <LoadingRegion />;
    case 'none':
      return <NotStartedPanel onStart={environment.start} />;
    case 'requesting':
      return (
        <StartProgress
          title={title}
          usage={null}
          receivedAt={0}
          isCancelling={false}
          onCancel={() => undefined}
        />
      );
    case 'request-failed':
      return (
        <FailedPanel
          error={stage.error}
          reason={null}
          isBusy={isBusy}
          onRetry={environment.start}
        />
      );
    case 'other':
      return environment.isReading ? (
        <NotStartedPanel onStart={environment.stopReading} />
      ) : (
        <ExistingPanel
          usage={stage.usage}
          isBusy={isBusy}
          onAdopt={() => environment.adopt(stage.usage.ID)}
          onReplace={environment.replace}
          onRead={environment.read}
        />
      );
    case 'starting':
      return (
        <StartProgress
          title={stage.usage.Title}
          usage={stage.usage}
          receivedAt={receivedAt}
          isCancelling={environment.busyAction === 'delete'}
          onCancel={() => environment.run('delete', stage.usage)}
        />
      );
    case 'failed':
      return (
        <FailedPanel
          error={null}
          reason={stage.usage.Reason}
          isBusy={isBusy}
          onRetry={environment.replace}
        />
      );
    case 'paused':
      return (
        <PausedPanel
          usage={stage.usage}
          isBusy={environment.busyAction === 'continue'}
          onContinue={() => environment.run('continue', stage.usage)}
        />
      );
    case 'ended':
      return <EndedPanel ended={stage.ended} isBusy={isBusy} onStart={environment.start} />;
    case 'running':
      return null;
  }
}
