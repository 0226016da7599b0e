/** Whether an image can be used, and how far it is where it is being made. */
import { COMMIT_STEPS, type Image } from '@hypercube/contract';
import { errorText } from '@hypercube/messages';
import type { Catalogue } from '@hypercube/messages';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { isMoving } from './image.api.ts';

const DOTS: Readonly<Record<Image['State'], string>> = {
  waiting: 'dot dot-warn',
  building: 'dot dot-busy',
  committing: 'dot dot-busy',
  ready: 'dot dot-good',
  failed: 'dot dot-bad',
};

/** A commit tells its steps and its failure as codes; a build what the builder printed. */
function stateText(text: string, messages: Catalogue): string {
  const step = COMMIT_STEPS.find((known) => known === text);
  if (step !== undefined) return messages.admin.image.steps[step];
  return Object.hasOwn(messages.errors, text) ? errorText(messages, text) : text;
}

export function ImageState({
  image,
  isLong = false,
}: {
  readonly image: Pick<Image, 'State' | 'Step' | 'Steps' | 'StateText'>;
  /** Shows what is done now too. */
  readonly isLong?: boolean;
}): ReactNode {
  const messages = useMessages();
  const words = messages.admin.image;
  const hasProgress = isMoving(image) && image.Steps > 0;
  return (
    <div className="stack">
      <span className="row">
        <span className={DOTS[image.State]} aria-hidden="true" />
        {words.states[image.State]}
        {hasProgress ? (
          <span className="muted num">{words.progress(image.Step, image.Steps)}</span>
        ) : null}
      </span>
      {isLong && hasProgress ? (
        <progress max={image.Steps} value={image.Step} aria-label={words.states[image.State]} />
      ) : null}
      {isLong && image.StateText !== '' ? (
        <span className={image.State === 'failed' ? 'red' : 'muted mono'}>
          {stateText(image.StateText, messages)}
        </span>
      ) : null}
    </div>
  );
}
