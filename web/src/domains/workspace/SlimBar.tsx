/** The slim bar of a workspace: where one is, how long it lasts, and the ways on. */
import type { Usage } from '@hypercube/contract';
import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import {
  ExpandIcon,
  LeftIcon,
  MoreIcon,
  PauseIcon,
  PlayIcon,
  RenewIcon,
  ShrinkIcon,
  TrashIcon,
} from '../../ui/icons.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useRouter } from '@tanstack/react-router';
import type { UsageAction } from '../usage/actions.ts';
import { useRemaining, warningLevel } from '../usage/countdown.ts';
import { Countdown, renewReason } from '../usage/UsageCard.tsx';
import type { UsageState } from '../usage/usage.api.ts';
import type { Health } from './health.ts';
import { MODES, type Mode } from './layout.ts';
import { hasMachine, type Stage } from './stage.ts';

const HEALTH_DOTS: Readonly<Record<Health, string>> = {
  connected: 'dot dot-good',
  unstable: 'dot dot-warn',
  lost: 'dot dot-bad',
};

export interface SlimBarProps {
  readonly title: string;
  /** Where leaving leads, and the name of that in words. */
  readonly back: { readonly to: string; readonly label: string };
  /** Ways within the page, such as the tasks of a lab. */
  readonly steps?: ReactNode;
  readonly stage: Stage;
  readonly state: UsageState | undefined;
  readonly health: Health;
  readonly mode: Mode;
  readonly modes: readonly Mode[];
  readonly busyAction: UsageAction | null;
  readonly page: RefObject<HTMLElement | null>;
  readonly onMode: (mode: Mode) => void;
  readonly onAction: (action: UsageAction) => void;
  /** Loads the session's page again; what runs in it goes on. */
  readonly onReload: () => void;
}

function useFullScreen(page: RefObject<HTMLElement | null>) {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const onChange = (): void => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, []);
  const toggle = (): void => {
    // A browser may refuse (in a frame, by policy); the page then stays as it is.
    const change = isFull ? document.exitFullscreen() : page.current?.requestFullscreen();
    change?.catch(() => undefined);
  };
  return { isFull, toggle };
}

function MachineControls(
  props: SlimBarProps & { readonly usage: Usage; readonly state: UsageState },
): ReactNode {
  const messages = useMessages();
  const remaining = useRemaining(props.state);
  const isPaused = props.stage.kind === 'paused';
  const isShort = warningLevel(remaining) !== 'none';
  return (
    <>
      {isPaused ? null : (
        <output className="row slim-health">
          <i className={HEALTH_DOTS[props.health]} />
          {messages.usage.workspace.health[props.health]}
        </output>
      )}
      <Countdown state={props.state} className="slim-time" />
      {isPaused ? null : (
        <Button
          isSmall
          look={isShort ? 'primary' : 'plain'}
          isBusy={props.busyAction === 'renew'}
          obstacle={renewReason(messages, props.usage, remaining)}
          onClick={() => props.onAction('renew')}
        >
          <span className="slim-wide">
            {messages.usage.renewFor(Math.round(props.usage.Lifetime / 60))}
          </span>
          <span className="slim-narrow">{messages.usage.renew}</span>
        </Button>
      )}
      <Button
        isSmall
        isBusy={props.busyAction === 'pause' || props.busyAction === 'continue'}
        onClick={() => props.onAction(isPaused ? 'continue' : 'pause')}
      >
        {isPaused ? <PlayIcon /> : <PauseIcon />}
        {isPaused ? messages.usage.resume : messages.usage.pause}
      </Button>
    </>
  );
}

export function SlimBar(props: SlimBarProps): ReactNode {
  const messages = useMessages();
  const words = messages.usage.workspace;
  const router = useRouter();
  const { isFull, toggle } = useFullScreen(props.page);
  const [isAsking, setAsking] = useState(false);
  const { stage, state, title, back } = props;
  const machine = hasMachine(stage) ? stage.usage : null;
  return (
    <header className="slim">
      <Button
        look="quiet"
        isSmall
        className="slim-back"
        title={words.exitHint}
        aria-label={back.label}
        onClick={() => {
          if (document.fullscreenElement !== null) void document.exitFullscreen();
          if (stage.kind === 'running') toast('info', words.exited);
          void router.navigate({ to: back.to });
        }}
      >
        <LeftIcon />
        <span>{words.exit}</span>
      </Button>
      <span className="slim-mark">
        <Mark size={22} weight={0.8} />
      </span>
      <span className="slim-title">{title}</span>
      {props.steps}
      <span className="spring" />
      <Segments
        label={words.mode}
        value={props.mode}
        options={MODES.filter((mode) => props.modes.includes(mode)).map((value) => ({
          value,
          label: words.modes[value],
        }))}
        onChange={props.onMode}
      />
      {machine !== null && state !== undefined ? (
        <MachineControls {...props} usage={machine} state={state} />
      ) : null}
      <Button
        look="quiet"
        isSmall
        isIcon
        className="slim-full"
        aria-label={isFull ? words.exitFullScreen : words.fullScreen}
        title={isFull ? words.exitFullScreen : words.fullScreen}
        onClick={toggle}
      >
        {isFull ? <ShrinkIcon /> : <ExpandIcon />}
      </Button>
      {machine === null ? null : (
        <MenuButton
          label={words.more}
          isSmall
          entries={[
            ...(stage.kind === 'running'
              ? [
                  {
                    key: 'reload',
                    label: words.reloadFrame,
                    icon: <RenewIcon />,
                    onSelect: props.onReload,
                  },
                ]
              : []),
            {
              key: 'delete',
              label: messages.usage.deleteConfirm,
              icon: <TrashIcon />,
              isDangerous: true,
              onSelect: () => setAsking(true),
            },
          ]}
        >
          <MoreIcon />
        </MenuButton>
      )}
      {isAsking ? (
        <ConfirmDialog
          title={messages.usage.deleteTitle}
          text={messages.usage.deleteText}
          confirm={messages.usage.deleteConfirm}
          onConfirm={() => {
            setAsking(false);
            props.onAction('delete');
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </header>
  );
}
