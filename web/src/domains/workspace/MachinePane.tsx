/** The machine itself: a desktop, a notebook or a web IDE, and its command line. */
import { SessionType, type Usage } from '@hypercube/contract';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Desktop } from '../desktop/Desktop.tsx';
import { Terminals } from '../terminal/Terminals.tsx';
import type { Health } from './health.ts';
import { useKeptKeyboard } from './kept-keyboard.ts';
import { SessionFrame } from './SessionFrame.tsx';
import { sessionAddress, socketAddress, type useSessionOrigin } from './session.ts';

export interface MachinePaneProps {
  /** null while there is none that could be shown. */
  readonly usage: Usage | null;
  readonly isPaused: boolean;
  readonly isDragging: boolean;
  readonly session: ReturnType<typeof useSessionOrigin>;
  readonly health: Health;
  /** How often the user asked for the page of the session anew. */
  readonly attempt: number;
  /** How often the link has come back after a silence. */
  readonly returns: number;
  readonly strip: ReactNode;
  /** What stands in the machine's place, or over it while it is paused. */
  readonly panel: ReactNode;
}

export function MachinePane(props: MachinePaneProps): ReactNode {
  const { usage } = props;
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const [surface, setSurface] = useState<Surface>('main');
  // The command line stays as it is when somebody looks at the desktop meanwhile.
  const [hasTerminals, setHasTerminals] = useState(false);
  const messages = useMessages();
  const words = messages.usage.workspace;
  useKeptKeyboard();
  const isOff = (part: Surface): boolean => props.isPaused || surface !== part;
  return (
    <>
      {usage === null && props.strip == null ? null : (
        <div className="machine-bar">
          {usage === null ? null : (
            <Segments
              label={words.surface}
              value={surface}
              options={[
                { value: 'main', label: messages.usage.types[usage.Type] },
                { value: 'terminal', label: words.commandLine },
              ]}
              onChange={(next) => {
                setSurface(next);
                if (next === 'terminal') setHasTerminals(true);
              }}
            />
          )}
          {props.strip}
          <span className="spring" />
          <span className="machine-tools" ref={setTools} />
        </div>
      )}
      <div className="machine">
        {usage === null ? (
          <div className="machine-place">{props.panel}</div>
        ) : (
          <>
            <div className="surface" hidden={surface !== 'main'} inert={isOff('main')}>
              <MainSurface
                {...props}
                key={usage.ID}
                usage={usage}
                tools={surface === 'main' ? tools : null}
              />
            </div>
            {hasTerminals ? (
              <div className="surface" hidden={surface !== 'terminal'} inert={isOff('terminal')}>
                <CommandLine
                  {...props}
                  key={usage.ID}
                  usage={usage}
                  isShown={surface === 'terminal'}
                />
              </div>
            ) : null}
            {props.isPaused ? <div className="machine-cover">{props.panel}</div> : null}
          </>
        )}
      </div>
    </>
  );
}

type Surface = 'main' | 'terminal';
type Running = MachinePaneProps & { readonly usage: Usage };

function MainSurface({
  usage,
  isPaused,
  isDragging,
  session,
  health,
  attempt,
  returns,
  tools,
}: Running & { readonly tools: HTMLElement | null }): ReactNode {
  const messages = useMessages();
  if (usage.Type !== SessionType.desktop) {
    return (
      <SessionFrame
        usage={usage}
        isCovered={isPaused}
        isDragging={isDragging}
        isLinked={health === 'connected'}
        attempt={attempt}
      />
    );
  }
  if (session.error) {
    return (
      <ErrorState
        title={messages.usage.workspace.openFailed(messages.usage.kinds[usage.Type])}
        error={session.error}
        onRetry={session.retry}
      />
    );
  }
  return (
    <Desktop
      title={usage.Title}
      address={
        session.origin === null || usage.ProxyPath === null || isPaused
          ? null
          : socketAddress(session.origin, usage.ProxyPath)
      }
      attempt={attempt}
      returns={returns}
      tools={tools}
    />
  );
}

function CommandLine({
  usage,
  isPaused,
  session,
  returns,
  isShown,
}: Running & { readonly isShown: boolean }): ReactNode {
  const { origin } = session;
  const path = usage.TerminalPath;
  if (session.error) return <ErrorState error={session.error} onRetry={session.retry} />;
  return (
    <Terminals
      usageID={usage.ID}
      nodes={usage.Nodes}
      addresses={
        origin === null || path === null || isPaused
          ? null
          : {
              socket: socketAddress(origin, path),
              list: sessionAddress(origin, path, 'list'),
              close: sessionAddress(origin, path, 'close'),
            }
      }
      returns={returns}
      isShown={isShown}
    />
  );
}
