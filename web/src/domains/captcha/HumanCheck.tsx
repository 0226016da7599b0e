/** The human check before a protected action: a dialog that the action waits for. */
import { TIMES, type CaptchaPayload, type CaptchaScene } from '@hypercube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { captchaQuery, type PassedCheck } from './captcha.api.ts';
import { ExternalCheck } from './ExternalCheck.tsx';
import { SliderCheck } from './SliderCheck.tsx';
import { WorkCheck } from './WorkCheck.tsx';
import './captcha.css';

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

interface HumanCheckProps {
  /** Key of the site at the external provider; null for the built-in check. */
  readonly appKey: string | null;
  readonly scene: CaptchaScene;
  /** The action that waits; the dialog closes when it is over, or a while after the success. */
  readonly onPassed: (payload: CaptchaPayload) => Promise<unknown>;
  readonly onClose: () => void;
}

export function HumanCheck({ appKey, scene, onPassed, onClose }: HumanCheckProps): ReactNode {
  const messages = useMessages();
  const words = messages.captcha;
  const [isReady, setReady] = useState(false);
  const [isPassed, setPassed] = useState(false);
  const [isWork, setWork] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), TIMES.captchaRenderDelayMs);
    return () => clearTimeout(timer);
  }, []);
  const pass = (payload: CaptchaPayload): void => {
    setPassed(true);
    const action = onPassed(payload).catch(() => undefined);
    void Promise.race([action, wait(TIMES.captchaCloseMs)]).then(onClose);
  };
  let stage: ReactNode;
  if (isPassed)
    stage = (
      <output className="captcha-passed">
        <CheckIcon size={28} />
        {words.passed}
      </output>
    );
  else if (!isReady) stage = <output className="muted captcha-wait">{words.preparing}</output>;
  else if (appKey !== null) stage = <ExternalCheck appKey={appKey} scene={scene} onPassed={pass} />;
  else
    stage = (
      <>
        {isWork ? (
          <WorkCheck scene={scene} onPassed={pass} />
        ) : (
          <SliderCheck scene={scene} onPassed={pass} />
        )}
        <div className="captcha-other">
          <Button onClick={() => setWork(!isWork)}>{isWork ? words.slide : words.work}</Button>
          {isWork ? null : <p className="field-hint">{words.workHint}</p>}
        </div>
      </>
    );
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="captcha">{stage}</div>
    </Dialog>
  );
}

type Action = (passed: PassedCheck) => Promise<unknown>;
interface Waiting {
  readonly appKey: string | null;
  readonly scene: CaptchaScene;
  readonly action: Action;
}

/**
 * Guards actions of a page. `guard` asks for the check, if the site has one, and then acts;
 * `dialog` is to be rendered.
 */
export function useHumanCheck(): {
  readonly guard: (action: Action) => void;
  readonly dialog: ReactNode;
} {
  const messages = useMessages();
  const client = useQueryClient();
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const guard = (action: Action): void => {
    client.ensureQueryData(captchaQuery).then(
      ({ Provider, AppKey, Scene }) => {
        if (Provider === 'off') void action({}).catch(() => undefined);
        else setWaiting({ appKey: AppKey, scene: Scene, action });
      },
      (error: unknown) => void toast('error', describeError(messages, error)),
    );
  };
  return {
    guard,
    dialog:
      waiting === null ? null : (
        <HumanCheck
          appKey={waiting.appKey}
          scene={waiting.scene}
          onPassed={(Captcha) => waiting.action({ Captcha })}
          // Not a later one, when this one was left before its action was over.
          onClose={() => setWaiting((now) => (now === waiting ? null : now))}
        />
      ),
  };
}
