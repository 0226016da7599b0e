/** The workspace of a notebook task: document and machine side by side. */
import type { LabDetail, LabTaskSummary, Usage } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { ApiError, isApiError } from '../../kernel/api.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, readID } from '../../kernel/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { MarkdownSkeleton } from '../../ui/markdown/Markdown.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { labQuery, labResourcesQuery, labTaskQuery, labTasksQuery } from '../lab/lab.api.ts';
import { useUsageActions, type UsageAction } from '../usage/actions.ts';
import { useRemaining, warningLevel } from '../usage/countdown.ts';
import { USAGE_KEY, acceptUsage, createUsage, type UsageState } from '../usage/usage.api.ts';
import { useStreamState, useUsage } from '../usage/watch.ts';
import { Divider } from './Divider.tsx';
import { FilesStrip } from './FilesStrip.tsx';
import { useHealth } from './health.ts';
import { loadMode, loadPercent, saveMode, savePercent, useIsNarrow, type Mode } from './layout.ts';
import { EndedPanel, ExistingPanel, FailedPanel, NotStartedPanel, PausedPanel } from './Panels.tsx';
import { SessionFrame } from './SessionFrame.tsx';
import { SlimBar } from './SlimBar.tsx';
import { stageOf, type Stage } from './stage.ts';
import { StartProgress } from './StartProgress.tsx';
import { StatusLine } from './StatusLine.tsx';
import { TaskDocument } from './TaskDocument.tsx';
import './workspace.css';

export function WorkspacePage(): ReactNode {
  const params: { readonly labID?: string; readonly taskID?: string } = useParams({
    strict: false,
  });
  const labID = readID(params.labID);
  const taskID = readID(params.taskID);
  if (labID === null || taskID === null) return <NotFoundView />;
  // Another lab is another workspace; another task of the same lab is not.
  return <Workspace key={labID} labID={labID} taskID={taskID} />;
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

function Workspace({
  labID,
  taskID,
}: {
  readonly labID: number;
  readonly taskID: number;
}): ReactNode {
  const { language } = useLanguage();
  const lab = useQuery(labQuery(labID, language));
  const tasks = useQuery(labTasksQuery(labID, language));
  const task = useQuery(labTaskQuery(labID, taskID, language));
  if (isMissing(lab.error) || isMissing(task.error)) return <NotFoundView />;
  const error = lab.error ?? tasks.error;
  if (lab.data === undefined || tasks.data === undefined) {
    return error ? (
      <ErrorState
        error={error}
        onRetry={() => {
          void lab.refetch();
          void tasks.refetch();
        }}
      />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 48, borderRadius: 0 }} />
      </LoadingRegion>
    );
  }
  const document = task.data ? (
    <TaskDocument lab={lab.data} tasks={tasks.data} task={task.data} />
  ) : task.error ? (
    <ErrorState error={task.error} onRetry={() => void task.refetch()} />
  ) : (
    <div className="task-document">
      <MarkdownSkeleton />
    </div>
  );
  return <Panes lab={lab.data} tasks={tasks.data} taskID={taskID} document={document} />;
}

/** The environment of this page: what it shows, and what can be done. */
function useEnvironment(lab: LabDetail, taskID: number) {
  const client = useQueryClient();
  const { state, usage, error } = useUsage();
  const actions = useUsageActions('page');
  const [adoptedID, setAdoptedID] = useState<number | null>(null);
  const [isReading, setReading] = useState(false);
  const [endedBefore] = useState(
    () => client.getQueryData<UsageState>(USAGE_KEY)?.ended?.ID ?? null,
  );

  const create = useMutation({
    mutationFn: async ({ replace }: { replace: boolean }) => {
      await client.cancelQueries({ queryKey: USAGE_KEY });
      return createUsage({
        RouteName: 'notebookLabTaskDetail',
        RoutePath: paths.notebookTask(lab.ID, taskID),
        LabID: lab.ID,
        TaskID: taskID,
        ...(replace ? { Replace: true } : {}),
      });
    },
    onSuccess: (made) => {
      setReading(false);
      acceptUsage(client, { usage: made });
    },
    onError: (failure) => {
      // The answer names the existing one, but only the server's present state is sure.
      if (isApiError(failure, 'usage_exists'))
        void client.invalidateQueries({ queryKey: USAGE_KEY });
    },
    meta: { isHandled: true },
  });

  const stage = stageOf({
    usage,
    ended: state?.ended ?? null,
    endedBefore,
    labID: lab.ID,
    adoptedID,
    isRequesting: create.isPending,
    requestError: create.error,
  });

  // Entering the page asks for an environment, once; after it has ended the user asks.
  const hasEntered = useRef(false);
  const { mutate } = create;
  useEffect(() => {
    if (stage.kind === 'unknown' || hasEntered.current) return;
    hasEntered.current = true;
    if (stage.kind === 'none') mutate({ replace: false });
  }, [stage.kind, mutate]);

  return {
    stage,
    state,
    error,
    isReading,
    isCreating: create.isPending,
    busyAction: actions.isPending ? actions.variables.action : null,
    start: () => create.mutate({ replace: false }),
    replace: () => create.mutate({ replace: true }),
    adopt: (id: number) => setAdoptedID(id),
    read: () => setReading(true),
    stopReading: () => setReading(false),
    run: (action: UsageAction, of: Usage) => {
      if (!actions.isPending) actions.mutate({ action, usageID: of.ID });
    },
  };
}
type Environment = ReturnType<typeof useEnvironment>;

/** What stands in or over the machine's place. */
function StagePanel({
  stage,
  lab,
  environment,
}: {
  readonly stage: Stage;
  readonly lab: LabDetail;
  readonly environment: Environment;
}): ReactNode {
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
          title={lab.Title}
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

function WarningBand({
  environment,
  usage,
}: {
  readonly environment: Environment;
  readonly usage: Usage;
}): ReactNode {
  const { messages } = useLanguage();
  const remaining = useRemaining(environment.state);
  const level = warningLevel(remaining);
  if (level === 'none') return null;
  return (
    <div className="warn-band">
      <p>
        <b>{level === 'last' ? messages.usage.warning1 : messages.usage.warning5}</b>
        {level === 'last' ? messages.usage.warningTooLate : messages.usage.warningText}
      </p>
      {level === 'last' ? null : (
        <Button
          look="primary"
          isSmall
          isBusy={environment.busyAction === 'renew'}
          onClick={() => environment.run('renew', usage)}
        >
          {messages.usage.renew}
        </Button>
      )}
    </div>
  );
}

interface PanesProps {
  readonly lab: LabDetail;
  readonly tasks: readonly LabTaskSummary[];
  readonly taskID: number;
  readonly document: ReactNode;
}

/** A session answers at `api` below its path, on the origin on which it was opened. */
function healthAddress(usage: Usage, openedAt: string | null): string | null {
  if (openedAt === null || usage.ProxyPath === null) return null;
  const { origin } = new URL(openedAt, window.location.href);
  return `${origin}${usage.ProxyPath.replace(/\/?$/, '/')}api`;
}

function Panes({ lab, tasks, taskID, document: taskDocument }: PanesProps): ReactNode {
  const { messages } = useLanguage();
  const words = messages.usage.workspace;
  const environment = useEnvironment(lab, taskID);
  const { stage } = environment;
  const resources = useQuery(labResourcesQuery(lab.ID));
  const isNarrow = useIsNarrow();
  const [chosenMode, setChosenMode] = useState<Mode>(loadMode);
  const [narrowMode, setNarrowMode] = useState<Mode>('document');
  const [percent, setPercent] = useState(loadPercent);
  const [isDragging, setDragging] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const page = useRef<HTMLDivElement>(null);
  const documentPane = useId();
  const stream = useStreamState();
  const machine = stage.kind === 'running' || stage.kind === 'paused' ? stage.usage : null;
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const health = useHealth(
    stage.kind === 'running' ? healthAddress(stage.usage, openedAt) : null,
    stream,
  );
  const mode = isNarrow ? narrowMode : chosenMode;
  const setMode = (next: Mode): void => {
    if (isNarrow) {
      setNarrowMode(next);
      return;
    }
    setChosenMode(next);
    saveMode(next);
  };
  const panel = <StagePanel stage={stage} lab={lab} environment={environment} />;
  return (
    <div className="workspace" ref={page}>
      <SlimBar
        lab={lab}
        tasks={tasks}
        taskID={taskID}
        stage={stage}
        state={environment.state}
        health={health}
        mode={mode}
        modes={isNarrow ? ['document', 'environment'] : ['both', 'environment', 'document']}
        busyAction={environment.busyAction}
        page={page}
        onMode={setMode}
        onReload={() => setAttempt(attempt + 1)}
        onAction={(action) => {
          if (machine !== null) environment.run(action, machine);
        }}
      />
      {stage.kind === 'running' ? (
        <WarningBand environment={environment} usage={stage.usage} />
      ) : null}
      <div
        className={`panes panes-${mode}`}
        style={{ '--document': `${percent}%` } as CSSProperties}
      >
        <section
          id={documentPane}
          className="pane-document"
          aria-label={words.documentRegion}
          hidden={mode === 'environment'}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
          tabIndex={0}
        >
          {taskDocument}
        </section>
        {mode === 'both' ? (
          <Divider
            percent={percent}
            controls={documentPane}
            onMove={setPercent}
            onDragging={setDragging}
            onDone={savePercent}
          />
        ) : null}
        <section
          className="pane-machine"
          aria-label={words.environmentRegion}
          hidden={mode === 'document'}
        >
          {resources.data ? <FilesStrip labID={lab.ID} resources={resources.data} /> : null}
          {isNarrow ? <p className="muted phone-hint">{words.phoneHint}</p> : null}
          {stage.kind === 'running' && health === 'lost' ? (
            <div className="warn-band" role="alert">
              <p>{words.lostText}</p>
              <Button isSmall onClick={() => setAttempt(attempt + 1)}>
                {words.reloadFrame}
              </Button>
            </div>
          ) : null}
          <div className="machine">
            {machine === null ? (
              <div className="machine-place">{panel}</div>
            ) : (
              <>
                <SessionFrame
                  key={machine.ID}
                  usage={machine}
                  isCovered={stage.kind === 'paused'}
                  isDragging={isDragging}
                  attempt={attempt}
                  onAddress={setOpenedAt}
                />
                {stage.kind === 'paused' ? <div className="machine-cover">{panel}</div> : null}
              </>
            )}
          </div>
          {stage.kind === 'running' ? <StatusLine usage={stage.usage} /> : null}
        </section>
      </div>
    </div>
  );
}
