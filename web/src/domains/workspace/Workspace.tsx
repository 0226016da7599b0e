/** A workspace: document and machine side by side, whatever the page is about. */
import type { Usage } from '@hypercube/contract';
import { useId, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { useStreamState } from '../usage/watch.ts';
import { Divider } from './Divider.tsx';
import { useEnvironment, type CreateBody } from './environment.ts';
import { useHealth } from './health.ts';
import {
  fontSizeBeside,
  loadFontSize,
  loadMode,
  loadPercent,
  saveFontSize,
  saveMode,
  savePercent,
  useIsNarrow,
  type Mode,
} from './layout.ts';
import { MachinePane } from './MachinePane.tsx';
import { healthAddress, useSessionOrigin } from './session.ts';
import { NoticeBands } from './NoticeBands.tsx';
import { SlimBar } from './SlimBar.tsx';
import { StagePanel } from './StagePanel.tsx';
import { StatusLine } from './StatusLine.tsx';
import { WarningBand } from './WarningBand.tsx';
import './workspace.css';

export interface WorkspaceProps {
  readonly title: string;
  /** Where leaving leads, and the name of that in words. */
  readonly back: { readonly to: string; readonly label: string };
  /** Name of the document's region in words. */
  readonly documentLabel: string;
  readonly document: ReactNode;
  /** Ways within the page, shown in the slim bar. */
  readonly steps?: ReactNode;
  /** What belongs to the machine of this page, such as starter files. */
  readonly strip?: ReactNode;
  readonly createBody: CreateBody;
  /** Whether an environment is of this page. */
  readonly matches: (usage: Usage) => boolean;
  /** Entering the page asks for an environment, unless this is false. */
  readonly startsItself?: boolean;
}

export function Workspace(props: WorkspaceProps): ReactNode {
  const messages = useMessages();
  const words = messages.usage.workspace;
  const { createBody, matches, startsItself = true } = props;
  const environment = useEnvironment({ createBody, matches, startsItself });
  const { stage } = environment;
  const isNarrow = useIsNarrow();
  const [chosenMode, setChosenMode] = useState<Mode>(loadMode);
  const [narrowMode, setNarrowMode] = useState<Mode>('document');
  const [percent, setPercent] = useState(loadPercent);
  const [fontSize, setFontSize] = useState(loadFontSize);
  const [isDragging, setDragging] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [returns, setReturns] = useState(0);
  const page = useRef<HTMLDivElement>(null);
  const documentPane = useId();
  const stream = useStreamState();
  const machine = stage.kind === 'running' || stage.kind === 'paused' ? stage.usage : null;
  const session = useSessionOrigin(stage.kind === 'running' ? stage.usage : null);
  const health = useHealth(
    stage.kind === 'running' ? healthAddress(stage.usage, session.origin) : null,
    stream,
    () => setReturns((count) => count + 1),
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
  const changeFont = (step: 1 | -1): void => {
    const next = fontSizeBeside(fontSize, step);
    setFontSize(next);
    saveFontSize(next);
  };
  const panel = <StagePanel title={props.title} environment={environment} />;
  return (
    <div className="workspace" ref={page}>
      <SlimBar
        title={props.title}
        back={props.back}
        steps={props.steps}
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
        <>
          <WarningBand environment={environment} usage={stage.usage} />
          <NoticeBands usage={stage.usage} />
        </>
      ) : null}
      <div
        className={`panes panes-${mode}`}
        style={{ '--document': `${percent}%`, '--reading': `${fontSize}px` } as CSSProperties}
      >
        <section
          id={documentPane}
          className="pane-document"
          aria-label={props.documentLabel}
          hidden={mode === 'environment'}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
          tabIndex={0}
        >
          <div className="font-size">
            <Button
              look="quiet"
              isSmall
              isIcon
              aria-label={words.smallerText}
              title={words.smallerText}
              obstacle={fontSizeBeside(fontSize, -1) === fontSize ? words.smallestText : null}
              onClick={() => changeFont(-1)}
            >
              <span className="font-small">A</span>
            </Button>
            <Button
              look="quiet"
              isSmall
              isIcon
              aria-label={words.largerText}
              title={words.largerText}
              obstacle={fontSizeBeside(fontSize, 1) === fontSize ? words.largestText : null}
              onClick={() => changeFont(1)}
            >
              <span className="font-large">A</span>
            </Button>
          </div>
          {props.document}
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
          {isNarrow ? <p className="muted phone-hint">{words.phoneHint}</p> : null}
          {stage.kind === 'running' && health === 'lost' ? (
            <div className="warn-band" role="alert">
              <p>{words.lostText}</p>
              <Button isSmall onClick={() => setAttempt(attempt + 1)}>
                {words.reloadFrame}
              </Button>
            </div>
          ) : null}
          <MachinePane
            usage={machine}
            isPaused={stage.kind === 'paused'}
            isDragging={isDragging}
            session={session}
            health={health}
            attempt={attempt}
            returns={returns}
            strip={props.strip}
            panel={panel}
          />
          {stage.kind === 'running' ? <StatusLine usage={stage.usage} /> : null}
        </section>
      </div>
    </div>
  );
}
