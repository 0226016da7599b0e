/** The picture of a desktop, its tools, and what is said while there is none. */
import RFB from '@novnc/novnc';
import { ConnectionState } from '@hypercube/contract';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { mayReadClipboard, readClipboard, writeClipboard } from '../../kernel/clipboard.ts';
import { useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { WarnIcon } from '../../ui/icons.tsx';
import { ClipboardMemory, toRemote } from './clipboard.ts';
import { ClipboardPanel } from './ClipboardPanel.tsx';
import { DesktopConnection, type ScreenSocket } from './connection.ts';
import { DesktopTools } from './DesktopTools.tsx';
import {
  QUALITY_LEVELS,
  loadFit,
  loadQuality,
  saveFit,
  saveQuality,
  type Fit,
  type Quality,
} from './display.ts';
import { pressKeys, releaseModifiers, type KeyCombination } from './keys.ts';
import './desktop.css';

export interface DesktopProps {
  readonly title: string;
  /** Of its WebSocket; null while it should not be connected. */
  readonly address: string | null;
  /** Counts up when the user asks for the picture anew. */
  readonly attempt: number;
  /** Counts up when the link has come back after a silence. */
  readonly returns: number;
  /** Where the tools of the desktop go; null while another surface shows. */
  readonly tools: HTMLElement | null;
}

/** The picture takes the whole pane, in the colour of the pane. */
function drawScreen(target: Element, socket: ScreenSocket): RFB {
  const screen = new RFB(target, socket as WebSocket, { shared: true });
  screen.background = 'transparent';
  screen.focusOnClick = true;
  // A desktop that hides its pointer still has one.
  screen.showDotCursor = true;
  return screen;
}

function setDisplay(screen: RFB, fit: Fit, quality: Quality): void {
  // Both at once would fight over the size.
  screen.scaleViewport = fit === 'scale';
  screen.resizeSession = fit === 'resize';
  screen.qualityLevel = QUALITY_LEVELS[quality].quality;
  screen.compressionLevel = QUALITY_LEVELS[quality].compression;
}

/** Keeps a connection to an address, in a place on the page. */
function useDesktop(
  { address, attempt, returns }: DesktopProps,
  onClipboard: (text: string) => void,
) {
  const place = useRef<HTMLDivElement>(null);
  const connection = useRef<DesktopConnection<RFB> | null>(null);
  const [state, setState] = useState<ConnectionState>(ConnectionState.idle);
  const [screen, setScreen] = useState<RFB | null>(null);
  const heard = useRef(onClipboard);
  useEffect(() => {
    heard.current = onClipboard;
  }, [onClipboard]);
  useEffect(() => {
    const target = place.current;
    if (address === null || target === null) return;
    const made = new DesktopConnection<RFB>({
      random: Math.random,
      open: () => new WebSocket(address, 'binary'),
      draw: (socket, events) => {
        const rfb = drawScreen(target, socket);
        rfb.addEventListener('connect', events.onConnect);
        rfb.addEventListener('disconnect', events.onDisconnect);
        rfb.addEventListener('clipboard', ({ detail }) => heard.current(detail.text));
        return rfb;
      },
      onState: setState,
      onScreen: setScreen,
    });
    connection.current = made;
    made.connect();
    return () => {
      connection.current = null;
      made.close();
    };
  }, [address]);
  // What is asked for while nothing has been asked before is the connection itself.
  const asked = useRef(attempt + returns);
  useEffect(() => {
    if (asked.current === attempt + returns) return;
    asked.current = attempt + returns;
    connection.current?.wake();
  }, [attempt, returns]);
  return { place, state, screen, retry: () => connection.current?.wake() };
}

export function DesktopScreen(props: DesktopProps): ReactNode {
  const messages = useMessages();
  const words = messages.desktop;
  const [remoteText, setRemoteText] = useState('');
  const [hasNews, setHasNews] = useState(false);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [memory] = useState(() => new ClipboardMemory());
  const [fit, setFit] = useState<Fit>(loadFit);
  const [quality, setQuality] = useState<Quality>(loadQuality);
  const [isFocused, setFocused] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const tools = useRef<HTMLDivElement>(null);

  const { place, state, screen, retry } = useDesktop(props, (text) => {
    if (!memory.isNew(text)) return;
    setRemoteText(text);
    void writeClipboard(text).then((isWritten) => {
      // Where the browser keeps its clipboard to itself, the panel has the text.
      if (!isWritten) setHasNews(true);
    });
  });

  useEffect(() => {
    if (screen !== null) setDisplay(screen, fit, quality);
  }, [screen, fit, quality]);

  const { tools: slot } = props;
  useEffect(() => {
    const canvas = place.current?.querySelector('canvas');
    if (canvas == null || screen === null) return;
    // By the keyboard as well: noVNC leaves its canvas out of the order.
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    canvas.setAttribute('aria-label', words.screen(props.title));
    canvas.setAttribute('aria-describedby', 'desktop-way-out');
  }, [place, screen, words, props.title]);

  const sendText = (text: string): void => {
    memory.isNew(text);
    screen?.clipboardPasteFrom(toRemote(text));
  };
  /** On the way into the desktop its clipboard becomes what this machine's is. */
  const bringClipboard = async (): Promise<void> => {
    if (!(await mayReadClipboard())) return;
    const text = await readClipboard();
    if (text !== null && memory.isNew(text)) screen?.clipboardPasteFrom(toRemote(text));
  };
  const leave = (): void => {
    if (screen !== null) releaseModifiers(screen);
    screen?.blur();
    tools.current?.querySelector('button')?.focus();
  };
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    if (!(event.key === 'Home' && event.ctrlKey && event.altKey)) return;
    // The desktop must not see it: this is the way out of it.
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    leave();
  };
  const press = (keys: KeyCombination): void => {
    if (screen === null) return;
    pressKeys(screen, keys);
    screen.focus();
  };
  return (
    <>
      {slot === null
        ? null
        : createPortal(
            <DesktopTools
              toolbar={tools}
              state={state}
              fit={fit}
              quality={quality}
              hasNews={hasNews}
              isPanelOpen={isPanelOpen}
              onFit={(next) => {
                setFit(next);
                saveFit(next);
              }}
              onQuality={(next) => {
                setQuality(next);
                saveQuality(next);
              }}
              onPress={press}
              onReconnect={retry}
              onPanel={() => {
                setPanelOpen(!isPanelOpen);
                setHasNews(false);
              }}
            />,
            slot,
          )}
      <div
        ref={frame}
        className={isFocused ? 'desktop desktop-focused' : 'desktop'}
        onKeyDownCapture={onKeyDownCapture}
        onFocus={() => {
          setFocused(true);
          void bringClipboard();
        }}
        onBlur={() => setFocused(false)}
      >
        <div ref={place} className="desktop-place" />
        <p id="desktop-way-out" className={isFocused ? 'desktop-hint' : 'visually-hidden'}>
          {words.wayOut}
        </p>
      </div>
      {state === ConnectionState.connected ? null : <DesktopNote state={state} onRetry={retry} />}
      {isPanelOpen ? (
        <ClipboardPanel
          remoteText={remoteText}
          isConnected={screen !== null}
          onSend={sendText}
          onClose={() => {
            setPanelOpen(false);
            screen?.focus();
          }}
        />
      ) : null}
    </>
  );
}

/** What is said in the place of the picture. */
function DesktopNote({
  state,
  onRetry,
}: {
  readonly state: ConnectionState;
  readonly onRetry: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.desktop;
  if (state === ConnectionState.error) {
    return (
      <div className="desktop-note" role="alert">
        <div className="panel panel-calm">
          <span className="red">
            <WarnIcon size={32} />
          </span>
          <h2>{words.failed}</h2>
          <p className="muted">{words.failedKept}</p>
          <div className="row">
            <Button look="primary" onClick={onRetry}>
              {words.reconnect}
            </Button>
          </div>
        </div>
      </div>
    );
  }
  return (
    <div className="desktop-note">
      <div className="panel panel-calm">
        <span className="spinner" aria-hidden="true" />
        <p role={state === ConnectionState.disconnected ? 'alert' : 'status'}>
          {state === ConnectionState.disconnected ? words.lost : words.states[state]}
        </p>
        {state === ConnectionState.disconnected ? (
          <Button isSmall onClick={onRetry}>
            {words.reconnect}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
