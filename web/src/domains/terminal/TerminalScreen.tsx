/** One terminal on the page: xterm.js on a connection that survives cuts. */
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { useEffect, useImperativeHandle, useRef, type ReactNode, type Ref } from 'react';
import type { Catalogue } from '@hypercube/messages';
import { writeClipboard } from '../../kernel/clipboard.ts';
import { useMessages } from '../../kernel/language.tsx';
import { useTheme, type Theme } from '../../kernel/theme.ts';
import { toast } from '../../kernel/toasts.ts';
import { TerminalConnection, type TerminalSocket, type TerminalState } from './connection.ts';
import { TERMINAL_PROTOCOL } from './protocol.ts';
import type { TerminalTab } from './tabs.ts';
import { cleanPaste, cleanTitle, isReport, webAddress } from './text.ts';
import { THEMES } from './themes.ts';

/** Lines that can be scrolled back to on the page; the session keeps more than this prints. */
const SCROLL_BACK = 20_000;
/** After this long without output, what was printed before the page came has been replayed. */
const REPLAYED_MS = 250;

export interface TerminalHandle {
  readonly focus: () => void;
  readonly paste: (text: string) => void;
  readonly find: (text: string, isBackward: boolean) => boolean;
  readonly endSearch: () => void;
}

export interface TerminalScreenProps {
  readonly tab: TerminalTab;
  /** Of its WebSocket; null while it should not be connected. */
  readonly address: string | null;
  readonly isShown: boolean;
  /** Counts up when the link has come back after a silence. */
  readonly returns: number;
  readonly fontSize: number;
  readonly isForScreenReader: boolean;
  readonly label: string;
  readonly handle: Ref<TerminalHandle>;
  readonly onState: (state: TerminalState) => void;
  readonly onTitle: (title: string) => void;
  readonly onExit: (code: number | null) => void;
  readonly onRefused: (reason: string) => void;
  /** Somebody pastes; asking first is the affair of the tabs. */
  readonly onPaste: (text: string) => void;
  readonly onSearch: () => void;
  /** The way out of the terminal by the keyboard. */
  readonly onLeave: () => void;
}

type Told = Pick<
  TerminalScreenProps,
  'onState' | 'onTitle' | 'onExit' | 'onRefused' | 'onPaste' | 'onSearch' | 'onLeave'
> & { readonly messages: Catalogue };

interface Looks {
  readonly theme: Theme;
  readonly fontSize: number;
  readonly isForScreenReader: boolean;
}

/** A click alone only sets the cursor; with Ctrl (or ⌘) it follows a link, in a tab of its own. */
function follow(event: MouseEvent, text: string): void {
  const address = webAddress(text);
  if (address !== null && (event.ctrlKey || event.metaKey))
    window.open(address, '_blank', 'noopener,noreferrer');
}

/** Without https there is no randomUUID. */
const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

function openSocket(address: string): TerminalSocket {
  const socket = new WebSocket(address, TERMINAL_PROTOCOL);
  socket.binaryType = 'arraybuffer';
  return socket as TerminalSocket;
}

function makeTerminal({ theme, fontSize, isForScreenReader }: Looks): Terminal {
  const terminal = new Terminal({
    // Widths of Chinese and of newer signs are of the proposed interface.
    allowProposedApi: true,
    cursorBlink: false,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
    fontSize,
    lineHeight: 1.2,
    scrollback: SCROLL_BACK,
    minimumContrastRatio: 4.5,
    screenReaderMode: isForScreenReader,
    theme: THEMES[theme],
    linkHandler: { activate: follow },
    // No sequence moves, resizes or reads the window.
    windowOptions: {},
  });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  terminal.loadAddon(new WebLinksAddon(follow));
  // What is printed reads and writes no clipboard (OSC 52), whatever an add-on might bring.
  terminal.parser.registerOscHandler(52, () => true);
  return terminal;
}

/** What lives as long as the screen: the terminal, its connection, and how they hear each other. */
class LiveTerminal {
  readonly terminal: Terminal;
  readonly search = new SearchAddon();
  readonly #fit = new FitAddon();
  readonly #told: { readonly current: Told };
  #connection: TerminalConnection | null = null;
  #replayed: ReturnType<typeof setTimeout> | undefined;
  #isReplaying = true;
  /** Offset behind what is shown: a pause ends the connection, and the next one goes on there. */
  #shown: number | null = null;

  constructor(place: HTMLElement, told: { readonly current: Told }, looks: Looks) {
    this.#told = told;
    this.terminal = makeTerminal(looks);
    this.terminal.loadAddon(this.#fit);
    this.terminal.loadAddon(this.search);
    this.terminal.attachCustomKeyEventHandler((event) => this.#takeKey(event));
    this.terminal.onData((input) => this.#type(input));
    this.terminal.onBinary((input) => this.#type(input));
    this.terminal.onTitleChange((title) => told.current.onTitle(cleanTitle(title)));
    this.terminal.open(place);
    // Whoever looks decides how large the terminal is.
    this.terminal.textarea?.addEventListener('focus', () => {
      this.fit();
      this.#connection?.tellSize();
    });
  }

  connect(tab: TerminalTab, address: string): void {
    this.fit();
    const { terminal } = this;
    const note = (text: string): void => terminal.write(`\r\n\u001B[2m${text}\u001B[0m\r\n`);
    this.#connection = new TerminalConnection({
      name: tab.name,
      node: tab.node,
      client: randomName(),
      columns: terminal.cols,
      rows: terminal.rows,
      after: this.#shown,
      random: Math.random,
      open: () => openSocket(address),
      listener: {
        onState: (state) => this.#told.current.onState(state),
        onOutput: (bytes, done) => {
          this.#holdReplay();
          terminal.write(bytes, done);
        },
        onGap: (bytes) => note(this.#told.current.messages.terminal.gap(bytes)),
        onRestart: () => {
          terminal.reset();
          note(this.#told.current.messages.terminal.restarted);
        },
        onSize: (columns, rows) => terminal.resize(columns, rows),
        onExit: (code) => this.#told.current.onExit(code),
        onRefused: (reason) => this.#told.current.onRefused(reason),
      },
    });
    this.#connection.connect();
  }

  disconnect(): void {
    this.#shown = this.#connection?.shown ?? this.#shown;
    this.#connection?.close();
    this.#connection = null;
  }

  wake(): void {
    this.#connection?.wake();
  }

  /** Takes the size of its place; nothing while it is hidden. */
  fit(): void {
    const size = this.#fit.proposeDimensions();
    if (size === undefined || !(size.cols > 1) || !(size.rows > 0)) return;
    this.terminal.resize(size.cols, size.rows);
    this.#connection?.resize(size.cols, size.rows);
  }

  dress({ theme, fontSize, isForScreenReader }: Looks): void {
    const { options } = this.terminal;
    options.theme = THEMES[theme];
    options.fontSize = fontSize;
    options.screenReaderMode = isForScreenReader;
    this.fit();
  }

  dispose(): void {
    clearTimeout(this.#replayed);
    this.disconnect();
    this.terminal.dispose();
  }

  #holdReplay(): void {
    if (!this.#isReplaying) return;
    clearTimeout(this.#replayed);
    this.#replayed = setTimeout(() => (this.#isReplaying = false), REPLAYED_MS);
  }

  #type(input: string): void {
    // Questions of programs that ran before this page came have been answered; and of several
    // pages that show one terminal, the one that is used answers.
    if (isReport(input) && (this.#isReplaying || !document.hasFocus())) return;
    this.#isReplaying = false;
    if (this.#connection !== null && !this.#connection.type(input))
      toast('warning', this.#told.current.messages.terminal.notTyped);
  }

  /** @returns whether the terminal takes the key */
  #takeKey(event: KeyboardEvent): boolean {
    if (event.type !== 'keydown' || !event.ctrlKey) return true;
    const told = this.#told.current;
    const key = event.key.toLowerCase();
    const take = (run: () => void): boolean => {
      event.preventDefault();
      event.stopPropagation();
      run();
      return false;
    };
    if (event.altKey && key === 'home') return take(told.onLeave);
    if (!event.shiftKey) return true;
    if (key === 'c') return take(() => this.#copy());
    if (key === 'f') return take(told.onSearch);
    // The browser pastes by itself then, and our listener hears it.
    return key !== 'v';
  }

  #copy(): void {
    const text = this.terminal.getSelection();
    if (text === '') return;
    const { messages } = this.#told.current;
    void writeClipboard(text).then((isWritten) => {
      if (!isWritten) toast('info', messages.terminal.copyRefused);
    });
  }
}

export function TerminalScreen(props: TerminalScreenProps): ReactNode {
  const { tab, address, isShown, returns, fontSize, isForScreenReader, label, handle } = props;
  const messages = useMessages();
  const theme = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const live = useRef<LiveTerminal | null>(null);
  const told = useRef<Told>({ ...props, messages });
  useEffect(() => {
    told.current = { ...props, messages };
  });

  // Made once: what follows changes it instead of making it anew.
  const first = useRef({ theme, fontSize, isForScreenReader });
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = new LiveTerminal(element, told, first.current);
    live.current = made;
    const watcher = new ResizeObserver(() => made.fit());
    watcher.observe(element);
    const onPaste = (event: ClipboardEvent): void => {
      event.preventDefault();
      event.stopImmediatePropagation();
      told.current.onPaste(cleanPaste(event.clipboardData?.getData('text/plain') ?? ''));
    };
    element.addEventListener('paste', onPaste, true);
    return () => {
      live.current = null;
      watcher.disconnect();
      element.removeEventListener('paste', onPaste, true);
      made.dispose();
    };
  }, []);

  useEffect(() => {
    if (address === null) return;
    const made = live.current;
    made?.connect(tab, address);
    return () => made?.disconnect();
  }, [address, tab]);

  const heard = useRef(returns);
  useEffect(() => {
    if (heard.current === returns) return;
    heard.current = returns;
    live.current?.wake();
  }, [returns]);

  useEffect(() => {
    live.current?.dress({ theme, fontSize, isForScreenReader });
  }, [theme, fontSize, isForScreenReader]);

  useEffect(() => {
    if (!isShown) return;
    live.current?.fit();
    live.current?.terminal.focus();
  }, [isShown]);

  useEffect(() => {
    live.current?.terminal.textarea?.setAttribute('aria-label', label);
  }, [label]);

  useImperativeHandle(
    handle,
    () => ({
      focus: () => live.current?.terminal.focus(),
      paste: (text) => live.current?.terminal.paste(text),
      find: (text, isBackward) =>
        (isBackward
          ? live.current?.search.findPrevious(text)
          : live.current?.search.findNext(text)) ?? false,
      endSearch: () => live.current?.search.clearDecorations(),
    }),
    [],
  );
  return <div ref={place} className="terminal-screen" hidden={!isShown} />;
}
