/** The external provider's own widget, in its own words. */
import type { CaptchaPayload, CaptchaScene } from '@hypercube/contract';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';

const SCRIPT = 'https://g.alicdn.com/AWSC/AWSC/awsc.js';

interface Widget {
  reset(): void;
}
interface Module {
  init(options: {
    readonly appkey: string;
    readonly scene: string;
    readonly renderTo: string;
    readonly language: 'cn' | 'en';
    readonly success: (data: { sessionId: string; sig: string; token: string }) => void;
    readonly fail: () => void;
    readonly error: () => void;
  }): Widget | undefined;
}
/** `ic` is the button that becomes a slider where it has doubts, `nc` the slider itself. */
interface Awsc {
  use(module: 'ic' | 'nc', loaded: (state: string, module: Module) => void): void;
}
declare global {
  interface Window {
    AWSC?: Awsc;
  }
}

let loading: Promise<Awsc> | null = null;
function load(): Promise<Awsc> {
  loading ??= new Promise<Awsc>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.addEventListener('load', () =>
      window.AWSC ? resolve(window.AWSC) : reject(new Error('the script is another one')),
    );
    script.addEventListener('error', () => reject(new Error('the script did not load')));
    document.head.append(script);
  }).catch((error: unknown) => {
    // A later try may succeed.
    loading = null;
    throw error;
  });
  return loading;
}

export function ExternalCheck({
  appKey,
  scene,
  onPassed,
}: {
  readonly appKey: string;
  readonly scene: CaptchaScene;
  readonly onPassed: (payload: CaptchaPayload) => void;
}): ReactNode {
  const { messages, language } = useLanguage();
  const id = `captcha-${useId().replaceAll(/\W/g, '')}`;
  const [hasFailed, setFailed] = useState(false);
  const passed = useRef(onPassed);
  useEffect(() => {
    passed.current = onPassed;
  }, [onPassed]);
  useEffect(() => {
    let isLeft = false;
    const failed = (): void => {
      if (!isLeft) setFailed(true);
    };
    load().then((awsc) => {
      if (isLeft) return;
      let widget: Widget | undefined;
      awsc.use(scene === 'ic_activity' ? 'ic' : 'nc', (_state, module) => {
        widget = module.init({
          appkey: appKey,
          scene,
          renderTo: id,
          language: language === 'zh-CN' ? 'cn' : 'en',
          success: ({ sessionId, sig, token }) => {
            if (!isLeft)
              passed.current({ SessionId: sessionId, Sig: sig, Token: token, Scene: scene });
          },
          fail: () => widget?.reset(),
          error: failed,
        });
      });
    }, failed);
    return () => {
      isLeft = true;
    };
  }, [appKey, scene, language, id]);
  return (
    <div className="captcha-stage">
      <p
        className={hasFailed ? 'notice notice-bad' : 'muted'}
        role={hasFailed ? 'alert' : undefined}
      >
        {hasFailed ? messages.captcha.externalFailed : messages.captcha.external}
      </p>
      <div id={id} />
    </div>
  );
}
