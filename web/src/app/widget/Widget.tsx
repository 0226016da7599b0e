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
import { UsageFigures } from '../../domains/usage/UsageFigures.tsx';
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

  /** The nearest position at which the box, as large as it is now, is wholly in sight. */
  const fit = (wanted: Position): Position =>
    box.current
      ? inside(
          wanted,
          { width: box.current.offsetWidth, height: box.current.offsetHeight },
          viewport(),
        )
      : wanted;
  // Opening the menu or a smaller window moves what is shown, not what the user chose.
  useLayoutEffect(() => {
    const place = (): void => {
      const element = box.current;
      if (element === null) return;
      const size = { width: element.offsetWidth, height: element.offsetHeight };
      const { right, bottom } = inside(position, size, viewport());
      element.style.right = `${right}px`;
      element.style.bottom = `${bottom}px`;
    };
    place();
    addEventListener('resize', place);
    return () => removeEventListener('resize', place);
  }, [position, isOpen]);

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    drag.current = { x: event.clientX, y: event.clientY, from: fit(position), hasMoved: false };
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
  /** @returns whether the key moved the box */
  const moveByKey = (event: KeyboardEvent<HTMLElement>): boolean => {
    const next = moved(fit(position), event.key, event.shiftKey);
    if (next === null) return false;
    event.preventDefault();
    const fitted = fit(next);
    setPosition(fitted);
    savePosition(fitted);
    return true;
  };
  const wasDragged = (): boolean => {
    const was = endedDrag.current;
    endedDrag.current = false;
    return was;
  };
  const handle = { onPointerDown, onPointerMove, onPointerUp: endDrag, onPointerCancel: endDrag };
  return { box, wasDragged, moveByKey, handle };
}

function FloatingWidget({
  state,
  isStale,
}: {
  readonly state: UsageState;
  readonly isStale: boolean;
}): ReactNode {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const menuID = useId();
  const hintID = useId();
  const { box, wasDragged, moveByKey, handle } = useFloating(isOpen);
  const toggle = useRef<HTMLButtonElement>(null);
  const { usage } = state;
  const remaining = useRemaining(state);
  useEffect(() => {
    const element = box.current;
    if (!isOpen || element === null) return;
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      setOpen(false);
      toggle.current?.focus();
    };
    element.addEventListener('keydown', onKey);
    return () => element.removeEventListener('keydown', onKey);
  }, [isOpen, box]);
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
      aria-label={messages.usage.widget.label}
    >
      <button
        ref={toggle}
        type="button"
        className="widget-handle"
        aria-label={messages.usage.widget.toggle(time === null ? words : `${words} ${time}`)}
        aria-describedby={hintID}
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuID : undefined}
        {...handle}
        onKeyDown={(event) => {
          if (!moveByKey(event) && event.key === 'Escape') setOpen(false);
        }}
        onClick={() => {
          if (!wasDragged()) setOpen(!isOpen);
        }}
      >
        {mood === null ? <MachineIcon /> : <i className={DOTS[mood]} />}
        <span className="widget-words">{words}</span>{' '}
        {time === null ? null : (
          <span className={isShort ? 'num mono amber' : 'num mono'}>{time}</span>
        )}
        <ChevronDownIcon size={14} />
      </button>
      <span id={hintID} className="visually-hidden">
        {messages.usage.widget.description}
      </span>
      {isOpen ? (
        <div id={menuID} className="widget-menu">
          {usage === null ? <NoUsage /> : <UsageMenu state={{ ...state, usage }} />}
          {isStale ? <p className="widget-note amber">{messages.usage.widget.stale}</p> : null}
        </div>
      ) : null}
    </section>
  );
}

function UsageMenu({
  state,
}: {
  readonly state: UsageState & { readonly usage: Usage };
}): ReactNode {
  const messages = useMessages();
  return (
    <>
      <RemainingBar state={state} />
      <p className="widget-title">{state.usage.Title}</p>
      {moodOf(state.usage) === 'running' ? (
        <p className="usage-figures muted">
          <UsageFigures usage={state.usage} />
        </p>
      ) : null}
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
