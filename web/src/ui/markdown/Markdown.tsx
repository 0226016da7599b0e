/** A Markdown text; the renderer is loaded when the first one shows. */
import { Suspense, lazy, type ReactNode } from 'react';
import { loadChunk } from '../../kernel/chunks.ts';
import { LoadingRegion, Skeleton } from '../states.tsx';

const loadBody = () => import('./MarkdownBody.tsx');
const Body = lazy(() => loadChunk(loadBody).then((module) => ({ default: module.MarkdownBody })));

/** Begins to load the renderer, for a page that will have a text. */
export function preloadMarkdown(): void {
  // A failure shows when the text does.
  loadBody().catch(() => undefined);
}

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
