/** The check without dragging or seeing: this device works on puzzles for some seconds. */
import type { CaptchaPayload, CaptchaScene } from '@hypercube/contract';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { answerChallenge, createChallenge } from './captcha.api.ts';
import type { WorkMessage } from './work.worker.ts';

/** Solves a new challenge. @param onProgress share of the puzzles that are solved */
async function work(
  scene: CaptchaScene,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<CaptchaPayload> {
  const challenge = await createChallenge({ Kind: 'work', Scene: scene }, signal);
  if (challenge.Kind !== 'work') throw new Error('another challenge than was asked for');
  const worker = new Worker(new URL('./work.worker.ts', import.meta.url), { type: 'module' });
  try {
    const nonces = await new Promise<readonly number[]>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('left')), { once: true });
      worker.addEventListener('error', () => reject(new Error('the worker failed')));
      worker.addEventListener('message', ({ data }: MessageEvent<WorkMessage>) => {
        onProgress(data.solved / challenge.Puzzles);
        if (data.solved === challenge.Puzzles) resolve(data.nonces);
      });
      worker.postMessage(challenge);
    });
    return await answerChallenge({
      SessionId: challenge.SessionId,
      Scene: scene,
      Nonces: [...nonces],
    });
  } finally {
    worker.terminate();
  }
}

export function WorkCheck({
  scene,
  onPassed,
}: {
  readonly scene: CaptchaScene;
  readonly onPassed: (payload: CaptchaPayload) => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.captcha;
  const [share, setShare] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  const passed = useRef(onPassed);
  useEffect(() => {
    passed.current = onPassed;
  }, [onPassed]);
  useEffect(() => {
    const aborted = new AbortController();
    work(scene, setShare, aborted.signal).then(
      (payload) => passed.current(payload),
      (error: unknown) => {
        if (!aborted.signal.aborted) setFailure(error);
      },
    );
    return () => aborted.abort();
  }, [scene, round]);
  if (failure !== null)
    return (
      <div className="captcha-stage" role="alert">
        <p className="notice notice-bad">
          {isApiError(failure) ? describeError(messages, failure) : words.workFailed}
        </p>
        <Button
          onClick={() => {
            setFailure(null);
            setShare(0);
            setRound(round + 1);
          }}
        >
          {messages.common.retry}
        </Button>
      </div>
    );
  return (
    <div className="captcha-stage">
      <output>{words.working}</output>
      <progress className="captcha-progress" aria-label={words.workProgress} value={share} />
    </div>
  );
}
