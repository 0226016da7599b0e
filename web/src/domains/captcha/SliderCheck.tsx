/** The built-in slider: a picture with a gap, a piece, and a handle that moves it. */
import {
  PUZZLE,
  type CaptchaPayload,
  type CaptchaScene,
  type SliderChallenge,
  type TrackPoint,
} from '@hypercube/contract';
import { useEffect, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { ChevronRightIcon } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { answerChallenge, createChallenge } from './captcha.api.ts';

const FARTHEST = PUZZLE.width - PUZZLE.piece;

export function SliderCheck({
  scene,
  onPassed,
}: {
  readonly scene: CaptchaScene;
  readonly onPassed: (payload: CaptchaPayload) => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.captcha;
  const [challenge, setChallenge] = useState<SliderChallenge | null>(null);
  const [round, setRound] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const [state, setState] = useState<'idle' | 'dragging' | 'checking'>('idle');
  const [hasMissed, setMissed] = useState(false);
  /** In pixels of the picture. */
  const [along, setAlong] = useState(0);
  const rail = useRef<HTMLDivElement>(null);
  const track = useRef<TrackPoint[]>([]);
  const begin = useRef({ x: 0, y: 0, ms: 0 });

  useEffect(() => {
    const aborted = new AbortController();
    createChallenge({ Kind: 'slider', Scene: scene }, aborted.signal).then(
      (answer) => {
        if (answer.Kind !== 'slider') return;
        setChallenge(answer);
        setAlong(0);
        setState('idle');
      },
      (error: unknown) => {
        if (!aborted.signal.aborted) setFailure(error);
      },
    );
    return () => aborted.abort();
  }, [scene, round]);

  const renew = (): void => {
    setFailure(null);
    setChallenge(null);
    setRound(round + 1);
  };

  /** A picture that is shown smaller moves less under the same hand. */
  const scale = (): number => (rail.current?.clientWidth ?? PUZZLE.width) / PUZZLE.width;
  const note = (event: PointerEvent): number => {
    const x = Math.min(FARTHEST, Math.max(0, (event.clientX - begin.current.x) / scale()));
    const y = (event.clientY - begin.current.y) / scale();
    const ms = event.timeStamp - begin.current.ms;
    if (track.current.length < 2000)
      track.current.push([
        Math.round(x * 10) / 10,
        Math.round(Math.min(1000, Math.max(-1000, y)) * 10) / 10,
        Math.max(0, Math.round(ms)),
      ]);
    return x;
  };

  const answer = async (): Promise<void> => {
    if (challenge === null) return;
    setState('checking');
    try {
      onPassed(
        await answerChallenge({
          SessionId: challenge.SessionId,
          Scene: scene,
          Track: track.current,
        }),
      );
    } catch (error) {
      if (isApiError(error, 'captcha_failed')) {
        setMissed(true);
        renew();
      } else setFailure(error);
    }
  };

  const status =
    state === 'checking'
      ? words.checking
      : state === 'dragging'
        ? words.letGo
        : hasMissed
          ? words.again
          : words.drag;
  if (failure !== null)
    return (
      <div className="captcha-stage" role="alert">
        <p className="notice notice-bad">{describeError(messages, failure)}</p>
        <Button onClick={renew}>{messages.common.retry}</Button>
      </div>
    );
  return (
    <>
      {/* Nothing in it is for a keyboard or a screen reader: they have the work below. */}
      <div className="captcha-stage" aria-hidden="true">
        <div className="captcha-picture">
          {challenge === null ? (
            <Skeleton style={{ width: '100%', height: '100%' }} />
          ) : (
            <>
              <img src={challenge.Background} alt="" draggable={false} />
              <img
                className="captcha-piece"
                src={challenge.Piece}
                alt=""
                draggable={false}
                style={{
                  width: `${(PUZZLE.piece / PUZZLE.width) * 100}%`,
                  top: `${(challenge.PieceTop / PUZZLE.height) * 100}%`,
                  left: `${(along / PUZZLE.width) * 100}%`,
                }}
              />
            </>
          )}
        </div>
        <div className={hasMissed ? 'captcha-rail captcha-rail-missed' : 'captcha-rail'} ref={rail}>
          <span className="captcha-words">{state === 'idle' ? status : ''}</span>
          <div
            className="captcha-handle"
            style={{ left: `${(along / PUZZLE.width) * 100}%` }}
            onPointerDown={(event) => {
              if (challenge === null || state !== 'idle') return;
              event.currentTarget.setPointerCapture(event.pointerId);
              begin.current = { x: event.clientX, y: event.clientY, ms: event.timeStamp };
              track.current = [];
              note(event);
              setState('dragging');
            }}
            onPointerMove={(event) => {
              if (state === 'dragging') setAlong(note(event));
            }}
            onPointerUp={(event) => {
              if (state !== 'dragging') return;
              setAlong(note(event));
              void answer();
            }}
            onPointerCancel={() => {
              setState('idle');
              setAlong(0);
            }}
          >
            <ChevronRightIcon />
          </div>
        </div>
      </div>
      <div className="row row-apart">
        <output className="muted">{state === 'idle' && !hasMissed ? words.lead : status}</output>
        <Button look="quiet" isSmall onClick={renew}>
          {words.another}
        </Button>
      </div>
    </>
  );
}
