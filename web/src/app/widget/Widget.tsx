/** The floating widget: the environment wherever the user is. */
import { WIDGET_REQUIREMENT, type Usage } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { formatCountdown } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { may, useLogin } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { ChevronDownIcon, MachineIcon } from '../../ui/icons.tsx';
import { moodOf, useRemaining, warningLevel } from '../../domains/usage/countdown.ts';
import { DOTS, RemainingBar, UsageButtons } from '../../domains/usage/UsageCard.tsx';
import { historyQuery, type UsageState } from '../../domains/usage/usage.api.ts';
import { useUsage } from '../../domains/usage/watch.ts';
import { inside, isDrag, loadPosition, moved, savePosition, type Position } from './position.ts';
import './widget.css';

export function Widget(): ReactNode {
  const { session } = useLogin();
  const { state, isStale } = useUsage();
  if (session == null || !may(session, WIDGET_REQUIREMENT) || state === undefined) return null;
  return <FloatingWidget state={state} isStale={isStale} />;
}

const viewport = () => ({ width: document.documentElement.clientWidth, height: innerHeight });

/** Position, dragging and moving by keys of the floating box. */
function useFloating(isOpen: boolean) {
  const [position, setPosition] = useState(loadPosition);
  const box = useRef<HTMLElement>(null);
  const drag = useRef<{ x: number; y: number; from: Position; hasMoved: boolean } | null>(null);
  /** A click follows the end of a drag; that one must not open the menu. */
  const endedDrag = useRef(false);

  const fit = (wanted: Position): Position =>
    box.current ? inside(wanted, { width: box.current.offsetWidth, height: box.current.offsetHeight }, viewport()) : wanted;
  const [shown, setShown] = useState(position);
  useLayoutEffect(() => {
    setShown(fit(position));
  }, [position, isOpen]);
  useEffect(() => {
    const onResize = (): void => setShown(fit(position));
    addEventListener('resize', onResize);
    return () => removeEventListener('resize', onResize);
  }, [position]);

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    drag.current = { x: event.clientX, y: event.clientY, from: shown, hasMoved: false };
    endedDrag.current = false;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const start = drag.current;
    if (start === null) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    if (!start.hasMoved && !isDrag(dx, dy)) return;
    start.hasMoved = true;
    setPosition(fit({ right: start.from.right - dx, bottom: start.from.bottom - dy }));
  };
  const endDrag = (): void => {
    if (drag.current?.hasMoved) {
      endedDrag.current = true;
      savePosition(position);
    }
    drag.current = null;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const next = moved(shown, event.key, event.shiftKey);
    if (next === null) return;
    event.preventDefault();
    const fitted = fit(next);
    setPosition(fitted);
    savePosition(fitted);
  };
  return {
    box,
    style: { right: shown.right, bottom: shown.bottom },
    wasDragged: () => {
      const was = endedDrag.current;
      endedDrag.current = false;
      return was;
    },
    handle: { onPointerDown, onPointerMove, onPointerUp: endDrag, onPointerCancel: endDrag, onKeyDown },
  };
}

function FloatingWidget({ state, isStale }: { readonly state: UsageState; readonly isStale: boolean }): ReactNode {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const menuID = useId();
  const { box, style, wasDragged, handle } = useFloating(isOpen);
  const toggle = useRef<HTMLButtonElement>(null);
  const { usage } = state;
  const remaining = useRemaining(state);
  const mood = usage === null ? null : moodOf(usage);
  const words =
    usage === null || mood === null
      ? messages.usage.state.none
      : messages.usage.typedState(messages.usage.types[usage.Type], messages.usage.state[mood]);
  const time = remaining === null ? null : formatCountdown(remaining);
  const isShort = warningLevel(remaining) !== 'none';
  return (
    <section
      ref={box}
      className={isOpen ? 'widget widget-open' : 'widget'}
      style={style}
      aria-label={messages.usage.widget.label}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) {
          setOpen(false);
          toggle.current?.focus();
        }
      }}
    >
      <button
        ref={toggle}
        type="button"
        className="widget-handle"
        aria-label={messages.usage.widget.toggle(words)}
        aria-description={messages.usage.widget.description}
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuID : undefined}
        {...handle}
        onClick={() => {
          if (!wasDragged()) setOpen(!isOpen);
        }}
      >
        {mood === null ? <MachineIcon /> : <i className={DOTS[mood]} />}
        <span className="widget-words">{words}</span>
        {time === null ? null : (
          <span className={isShort ? 'num mono amber' : 'num mono'} aria-hidden="true">
            {time}
          </span>
        )}
        <ChevronDownIcon size={14} />
      </button>
      {isOpen ? (
        <div id={menuID} className="widget-menu">
          {usage === null ? <NoUsage /> : <UsageMenu state={{ ...state, usage }} />}
          {isStale ? <p className="widget-note amber">{messages.usage.widget.stale}</p> : null}
        </div>
      ) : null}
    </section>
  );
}

function UsageMenu({ state }: { readonly state: UsageState & { readonly usage: Usage } }): ReactNode {
  const messages = useMessages();
  return (
    <>
      <RemainingBar state={state} />
      <p className="widget-title">{state.usage.Title}</p>
      <UsageButtons state={state} from="widget" openLabel={messages.usage.open} look="quiet" />
    </>
  );
}

function NoUsage(): ReactNode {
  const messages = useMessages();
  const { data } = useQuery(historyQuery(1));
  const last = data?.List[0];
  return (
    <div className="widget-empty">
      {last ? (
        <>
          <p className="widget-title">{last.Title}</p>
          <ButtonLink to={last.RoutePath} isSmall>
            {messages.usage.widget.lastPage}
          </ButtonLink>
        </>
      ) : null}
      <ButtonLink to={paths.labs} look="primary" isSmall>
        {messages.usage.widget.labs}
      </ButtonLink>
    </div>
  );
}
