/** A verdict: a sign, a word and a colour. */
import { JudgeState, type JudgeVerdict } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { CheckIcon, CloseIcon, InfoIcon, RenewIcon, WarnIcon } from '../../ui/icons.tsx';

/** How a verdict is meant. */
export const toneOf = (verdict: JudgeVerdict | null): 'good' | 'bad' | 'calm' =>
  verdict === 'accepted'
    ? 'good'
    : verdict === null || verdict === 'finished' || verdict === 'systemError'
      ? 'calm'
      : 'bad';

export function VerdictMark({
  verdict,
  state,
}: {
  readonly verdict: JudgeVerdict | null;
  /** What is shown while there is no verdict. */
  readonly state: JudgeState;
}): ReactNode {
  const words = useMessages().problem;
  const tone = toneOf(verdict);
  return (
    <span className={`verdict verdict-${tone}`}>
      {verdict === null ? (
        <RenewIcon />
      ) : tone === 'good' ? (
        <CheckIcon />
      ) : tone === 'bad' ? (
        <CloseIcon />
      ) : verdict === 'finished' ? (
        <InfoIcon />
      ) : (
        <WarnIcon />
      )}
      {verdict === null
        ? state === JudgeState.queued
          ? words.waitingState
          : words.judgingState
        : words.verdicts[verdict]}
    </span>
  );
}
