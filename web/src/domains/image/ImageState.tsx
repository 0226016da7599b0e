/** Whether an image can be used, and how far it is where it is being made. */
import type { Image } from '@hypercube/contract';
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
        <span className={image.State === 'failed' ? 'red' : 'muted mono'}>{image.StateText}</span>
      ) : null}
    </div>
  );
}
