/** A Markdown text; the renderer is loaded when the first one shows. */
import { Suspense, lazy, type ReactNode } from 'react';
import { loadChunk } from '../../kernel/chunks.ts';
import { LoadingRegion, Skeleton } from '../states.tsx';

const Body = lazy(() =>
  loadChunk(() => import('./MarkdownBody.tsx')).then((module) => ({
    default: module.MarkdownBody,
  })),
);

/** @param mediaPath what relative addresses in the text are appended to */
export function Markdown({
  text,
  mediaPath,
}: {
  readonly text: string;
  readonly mediaPath: string;
}): ReactNode {
  return (
    <Suspense fallback={<MarkdownSkeleton />}>
      <Body text={text} mediaPath={mediaPath} />
    </Suspense>
  );
}

export function MarkdownSkeleton(): ReactNode {
  return (
    <LoadingRegion>
      {[92, 100, 96, 60, 98, 88].map((width) => (
        <Skeleton
          key={`${width}`}
          style={{ width: `${width}%`, maxWidth: '38em', height: 16, marginBlock: 14 }}
        />
      ))}
    </LoadingRegion>
  );
}
