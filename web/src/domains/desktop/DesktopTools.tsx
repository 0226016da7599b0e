/** The tools of a desktop: its connection, clipboard, special keys, and how it is drawn. */
import { ConnectionState } from '@hypercube/contract';
import { useState, type ReactNode, type RefObject } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { CopyIcon, GearIcon, KeyboardIcon, RenewIcon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { FITS, QUALITIES, type Fit, type Quality } from './display.ts';
import { COMBINATIONS, type KeyCombination } from './keys.ts';

const DOTS: Readonly<Record<ConnectionState, string>> = {
  [ConnectionState.idle]: 'dot',
  [ConnectionState.connecting]: 'dot dot-busy',
  [ConnectionState.waiting]: 'dot dot-busy',
  [ConnectionState.connected]: 'dot dot-good',
  [ConnectionState.disconnecting]: 'dot dot-warn',
  [ConnectionState.disconnected]: 'dot dot-warn',
  [ConnectionState.error]: 'dot dot-bad',
};

export interface DesktopToolsProps {
  readonly toolbar: RefObject<HTMLDivElement | null>;
  readonly state: ConnectionState;
  readonly fit: Fit;
  readonly quality: Quality;
  /** The desktop copied something that the browser did not let through. */
  readonly hasNews: boolean;
  readonly isPanelOpen: boolean;
  readonly onFit: (fit: Fit) => void;
  readonly onQuality: (quality: Quality) => void;
  readonly onPress: (keys: KeyCombination) => void;
  readonly onReconnect: () => void;
  readonly onPanel: () => void;
}

export function DesktopTools({ toolbar, ...props }: DesktopToolsProps): ReactNode {
  const messages = useMessages();
  const words = messages.desktop;
  const [isChoosing, setChoosing] = useState(false);
  return (
    <div className="desktop-tools" role="toolbar" aria-label={words.tools} ref={toolbar}>
      <Button
        look="quiet"
        isSmall
        aria-expanded={props.isPanelOpen}
        aria-label={props.hasNews ? words.clipboardNews : words.clipboard}
        title={props.hasNews ? words.clipboardNews : words.clipboard}
        onClick={props.onPanel}
      >
        <CopyIcon />
        <span className="desktop-tool-words">{words.clipboard}</span>
        {props.hasNews ? <i className="dot dot-busy" /> : null}
      </Button>
      <MenuButton
        label={words.keys}
        isSmall
        entries={(Object.keys(COMBINATIONS) as KeyCombination[]).map((name) => ({
          key: name,
          label: words.combinations[name],
          onSelect: () => props.onPress(name),
        }))}
      >
        <KeyboardIcon />
      </MenuButton>
      <Button
        look="quiet"
        isSmall
        isIcon
        aria-label={words.display}
        title={words.display}
        aria-haspopup="dialog"
        onClick={() => setChoosing(true)}
      >
        <GearIcon />
      </Button>
      <Button
        look="quiet"
        isSmall
        isIcon
        aria-label={words.reconnect}
        title={words.reconnect}
        onClick={props.onReconnect}
      >
        <RenewIcon />
      </Button>
      <output className="row desktop-state" aria-label={words.connection}>
        <i className={DOTS[props.state]} />
        {words.states[props.state]}
      </output>
      {isChoosing ? (
        <Dialog title={words.display} onClose={() => setChoosing(false)}>
          <div className="stack">
            <div className="field">
              <span className="field-label">{words.fit}</span>
              <Segments
                label={words.fit}
                value={props.fit}
                options={FITS.map((value) => ({ value, label: words.fits[value] }))}
                onChange={props.onFit}
              />
              <span className="field-hint">{words.fitHints[props.fit]}</span>
            </div>
            <div className="field">
              <span className="field-label">{words.quality}</span>
              <Segments
                label={words.quality}
                value={props.quality}
                options={QUALITIES.map((value) => ({ value, label: words.qualities[value] }))}
                onChange={props.onQuality}
              />
              <span className="field-hint">{words.qualityHints[props.quality]}</span>
            </div>
          </div>
        </Dialog>
      ) : null}
    </div>
  );
}
