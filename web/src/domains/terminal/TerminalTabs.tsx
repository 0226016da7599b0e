/** Terminals side by side as tabs, with search, letters, and a way out by the keyboard. */
import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Announcement } from '../../ui/Announcement.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { ChevronDownIcon, CloseIcon, EyeIcon, MoreIcon, SearchIcon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import type { TerminalState } from './connection.ts';
import { closeTerminal, type TerminalAddresses } from './terminal.api.ts';
import { TerminalScreen, type TerminalHandle } from './TerminalScreen.tsx';
import {
  FIRST_TAB,
  addTab,
  fontSizeBeside,
  loadFontSize,
  loadScreenReader,
  neighbourOf,
  saveFontSize,
  saveScreenReader,
  saveTabs,
  type TerminalTab,
} from './tabs.ts';
import { cleanTitle, pasteLines } from './text.ts';
import './terminal.css';

export interface TerminalsProps {
  readonly usageID: number;
  /** Names of the nodes; the first one is where a terminal opens. */
  readonly nodes: readonly string[];
  /** null while nothing should be connected. */
  readonly addresses: TerminalAddresses | null;
  /** Counts up when the link has come back after a silence. */
  readonly returns: number;
  readonly isShown: boolean;
}

/** What is known of a tab besides what the session keeps. */
interface TabState {
  readonly state: TerminalState;
  /** Given by the program in it. */
  readonly title: string;
  /** Given by the user. */
  readonly name: string;
  /** The program has ended. */
  readonly hasEnded: boolean;
  readonly code: number | null;
}
const FRESH: TabState = { state: 'connecting', title: '', name: '', hasEnded: false, code: null };

function useTabs({ usageID, firstTabs }: { usageID: number; firstTabs: readonly TerminalTab[] }) {
  const [tabs, setTabs] = useState(firstTabs);
  const [active, setActive] = useState(firstTabs[0]?.name ?? FIRST_TAB.name);
  const [states, setStates] = useState<Readonly<Record<string, TabState>>>({});
  useEffect(() => saveTabs(usageID, tabs), [usageID, tabs]);
  const change = (name: string, part: Partial<TabState>): void =>
    setStates((before) => ({ ...before, [name]: { ...FRESH, ...before[name], ...part } }));
  const stateOf = (name: string): TabState => states[name] ?? FRESH;
  const remove = (name: string): void => {
    const next = neighbourOf(tabs, name);
    setStates(({ [name]: _gone, ...others }) => others);
    setTabs(tabs.filter((tab) => tab.name !== name));
    if (name === active && next !== null) setActive(next);
  };
  const add = (node: string): boolean => {
    const tab = addTab(tabs, node);
    if (tab === null) return false;
    setTabs([...tabs, tab]);
    setActive(tab.name);
    return true;
  };
  return { tabs, active, setActive, stateOf, change, remove, add };
}

export function TerminalTabs(
  props: TerminalsProps & { readonly firstTabs: readonly TerminalTab[] },
): ReactNode {
  const { addresses, nodes } = props;
  const messages = useMessages();
  const words = messages.terminal;
  const { tabs, active, setActive, stateOf, change, remove, add } = useTabs(props);
  const [fontSize, setFontSize] = useState(loadFontSize);
  const [isForScreenReader, setForScreenReader] = useState(loadScreenReader);
  const [isSearching, setSearching] = useState(false);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [closing, setClosing] = useState<string | null>(null);
  const [pasted, setPasted] = useState<string | null>(null);
  /** Several lines at once are asked about once. */
  const [hasAgreed, setAgreed] = useState(false);
  const handles = useRef(new Map<string, TerminalHandle>());
  const tabList = useRef<HTMLDivElement>(null);
  const id = useId();

  const labelOf = (tab: TerminalTab): string => {
    const { name, title } = stateOf(tab.name);
    const plain = tab.node === '' ? words.tab(tab.name) : words.tabOn(tab.name, tab.node);
    return name || title || plain;
  };
  const current = handles.current;
  const leave = (): void =>
    tabList.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
  const open = (node: string): void => {
    if (!add(node)) toast('info', words.tooMany);
  };
  const close = (name: string): void => {
    remove(name);
    if (tabs.length === 1) add('');
    if (addresses !== null)
      closeTerminal(addresses, name).catch(() => toast('warning', words.closeFailed));
  };
  const paste = (text: string): void => {
    if (text === '') return;
    if (pasteLines(text) > 1 && !hasAgreed) setPasted(text);
    else current.get(active)?.paste(text);
  };
  const changeFont = (step: 1 | -1): void => {
    const next = fontSizeBeside(fontSize, step);
    setFontSize(next);
    saveFontSize(next);
  };
  const onTabKey = (event: KeyboardEvent): void => {
    const index = tabs.findIndex((tab) => tab.name === active);
    const target = {
      ArrowRight: tabs[(index + 1) % tabs.length],
      ArrowLeft: tabs[(index - 1 + tabs.length) % tabs.length],
      Home: tabs[0],
      End: tabs.at(-1),
    }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      setActive(target.name);
      document.getElementById(`${id}-tab-${target.name}`)?.focus();
    } else if (event.key === 'Delete') {
      setClosing(active);
    } else if (event.key === 'F2') {
      event.preventDefault();
      setRenaming(active);
    } else if (event.key === 'Enter' || event.key === ' ' || event.key === 'ArrowDown') {
      event.preventDefault();
      current.get(active)?.focus();
    }
  };
  const shown = stateOf(active);
  const remoteNodes = nodes.slice(1);
  return (
    <div className="terminals">
      <div className="terminal-bar">
        <div className="terminal-tabs" role="tablist" aria-label={words.tabs} ref={tabList}>
          {tabs.map((tab) => (
            <button
              key={tab.name}
              type="button"
              role="tab"
              id={`${id}-tab-${tab.name}`}
              className="terminal-tab"
              aria-selected={tab.name === active}
              aria-controls={`${id}-panel-${tab.name}`}
              aria-describedby={`${id}-way-out`}
              tabIndex={tab.name === active ? 0 : -1}
              title={words.tabHint}
              onClick={() => {
                setActive(tab.name);
                current.get(tab.name)?.focus();
              }}
              onDoubleClick={() => setRenaming(tab.name)}
              onKeyDown={onTabKey}
            >
              <i className={dotOf(stateOf(tab.name))} />
              {labelOf(tab)}
            </button>
          ))}
        </div>
        {remoteNodes.length === 0 ? (
          <Button
            look="quiet"
            isSmall
            isIcon
            aria-label={words.open}
            title={words.open}
            onClick={() => open('')}
          >
            <span className="terminal-plus">+</span>
          </Button>
        ) : (
          <MenuButton
            label={words.openOn}
            isSmall
            entries={nodes.map((node, index) => ({
              key: node,
              label: words.openOnNode(node),
              onSelect: () => open(index === 0 ? '' : node),
            }))}
          >
            <span className="terminal-plus">+</span>
          </MenuButton>
        )}
        <span className="spring" />
        <Button
          look="quiet"
          isSmall
          isIcon
          aria-label={words.search}
          title={words.search}
          onClick={() => setSearching(true)}
        >
          <SearchIcon />
        </Button>
        <Button
          look="quiet"
          isSmall
          isIcon
          aria-label={words.smaller}
          title={words.smaller}
          onClick={() => changeFont(-1)}
        >
          <span className="font-small">A</span>
        </Button>
        <Button
          look="quiet"
          isSmall
          isIcon
          aria-label={words.larger}
          title={words.larger}
          onClick={() => changeFont(1)}
        >
          <span className="font-large">A</span>
        </Button>
        <Button
          look="quiet"
          isSmall
          isIcon
          aria-label={words.screenReader}
          title={words.screenReader}
          aria-pressed={isForScreenReader}
          onClick={() => {
            setForScreenReader(!isForScreenReader);
            saveScreenReader(!isForScreenReader);
          }}
        >
          <EyeIcon />
        </Button>
        <MenuButton
          label={words.more}
          isSmall
          entries={[
            { key: 'rename', label: words.rename, onSelect: () => setRenaming(active) },
            {
              key: 'close',
              label: words.close,
              icon: <CloseIcon />,
              isDangerous: true,
              onSelect: () => setClosing(active),
            },
          ]}
        >
          <MoreIcon />
        </MenuButton>
      </div>
      {isSearching ? (
        <SearchBar
          onFind={(text, isBackward) => current.get(active)?.find(text, isBackward) ?? false}
          onClose={() => {
            setSearching(false);
            current.get(active)?.endSearch();
            current.get(active)?.focus();
          }}
        />
      ) : null}
      {shown.state === 'waiting' ? (
        <output className="terminal-note amber">{words.waiting}</output>
      ) : null}
      <div className="terminal-panels">
        {tabs.map((tab) => (
          <div
            key={tab.name}
            role="tabpanel"
            id={`${id}-panel-${tab.name}`}
            aria-labelledby={`${id}-tab-${tab.name}`}
            className="terminal-panel"
            hidden={tab.name !== active}
          >
            <TerminalScreen
              tab={tab}
              address={addresses?.socket ?? null}
              isShown={props.isShown && tab.name === active}
              returns={props.returns}
              fontSize={fontSize}
              isForScreenReader={isForScreenReader}
              label={words.screen(labelOf(tab))}
              handle={(handle) => {
                if (handle === null) current.delete(tab.name);
                else current.set(tab.name, handle);
              }}
              onState={(state) => change(tab.name, { state })}
              onTitle={(title) => change(tab.name, { title })}
              onExit={(code) => change(tab.name, { hasEnded: true, code })}
              onRefused={() => {
                toast('info', words.tooMany);
                remove(tab.name);
              }}
              onPaste={paste}
              onSearch={() => setSearching(true)}
              onLeave={leave}
            />
          </div>
        ))}
      </div>
      {shown.hasEnded ? (
        <div className="terminal-note row row-wrap">
          <output>{shown.code === null ? words.ended : words.endedWith(shown.code)}</output>
          <Button isSmall onClick={() => close(active)}>
            {words.closeTab}
          </Button>
        </div>
      ) : null}
      <p className="terminal-hint muted" id={`${id}-way-out`}>
        {words.wayOut}
      </p>
      {renaming === null ? null : (
        <RenameDialog
          name={stateOf(renaming).name}
          onRename={(name) => {
            change(renaming, { name: cleanTitle(name) });
            setRenaming(null);
          }}
          onClose={() => setRenaming(null)}
        />
      )}
      {closing === null ? null : (
        <ConfirmDialog
          title={words.closeTitle}
          text={words.closeText}
          confirm={words.close}
          onConfirm={() => {
            close(closing);
            setClosing(null);
          }}
          onClose={() => setClosing(null)}
        />
      )}
      {pasted === null ? null : (
        <PasteDialog
          text={pasted}
          onPaste={() => {
            setAgreed(true);
            setPasted(null);
            current.get(active)?.paste(pasted);
            current.get(active)?.focus();
          }}
          onClose={() => setPasted(null)}
        />
      )}
    </div>
  );
}

function dotOf({ state, hasEnded }: TabState): string {
  if (hasEnded) return 'dot';
  return state === 'open'
    ? 'dot dot-good'
    : state === 'connecting'
      ? 'dot dot-busy'
      : 'dot dot-warn';
}

function SearchBar({
  onFind,
  onClose,
}: {
  readonly onFind: (text: string, isBackward: boolean) => boolean;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.terminal;
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const input: RefObject<HTMLInputElement | null> = useRef(null);
  useEffect(() => input.current?.focus(), []);
  const find = (isBackward: boolean): void => setMissing(text !== '' && !onFind(text, isBackward));
  return (
    <search className="terminal-search">
      <div className="input-box">
        <SearchIcon />
        <input
          ref={input}
          type="search"
          aria-label={words.searchLabel}
          placeholder={words.searchLabel}
          value={text}
          maxLength={200}
          onChange={(event) => {
            setText(event.target.value);
            setMissing(false);
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Enter') find(!event.shiftKey);
            else if (event.key === 'Escape') onClose();
            else return;
            event.preventDefault();
          }}
        />
      </div>
      {/* Newest output is at the bottom, so the search goes up first. */}
      <Button isSmall look="quiet" onClick={() => find(true)}>
        <span className="turned-up">
          <ChevronDownIcon />
        </span>
        {words.findPrevious}
      </Button>
      <Button isSmall look="quiet" onClick={() => find(false)}>
        <ChevronDownIcon />
        {words.findNext}
      </Button>
      <span className="muted">{isMissing ? words.notFound : ''}</span>
      <Announcement>{isMissing ? words.notFound : ''}</Announcement>
      <span className="spring" />
      <Button isSmall look="quiet" isIcon aria-label={messages.common.close} onClick={onClose}>
        <CloseIcon />
      </Button>
    </search>
  );
}

function RenameDialog({
  name,
  onRename,
  onClose,
}: {
  readonly name: string;
  readonly onRename: (name: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.terminal;
  const [text, setText] = useState(name);
  return (
    <Dialog title={words.rename} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onRename(text);
        }}
      >
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={text}
          maxLength={40}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{messages.common.cancel}</Button>
          <Button type="submit" look="primary">
            {words.rename}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const PREVIEW_LINES = 12;

function PasteDialog({
  text,
  onPaste,
  onClose,
}: {
  readonly text: string;
  readonly onPaste: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.terminal;
  const lines = text.split('\n');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Dialog title={words.pasteTitle(pasteLines(text))} onClose={onClose}>
      <p>{words.pasteText}</p>
      <pre className="terminal-paste mono">{lines.slice(0, PREVIEW_LINES).join('\n')}</pre>
      {lines.length > PREVIEW_LINES ? (
        <p className="muted">{words.pasteMore(lines.length - PREVIEW_LINES)}</p>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button ref={button} look="primary" onClick={onPaste}>
          {words.paste}
        </Button>
      </div>
    </Dialog>
  );
}
