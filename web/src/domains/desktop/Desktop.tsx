/** A remote desktop; what draws it is loaded when the first one shows. */
import { Suspense, lazy, type ReactNode } from 'react';
import { loadChunk } from '../../kernel/chunks.ts';
import { LoadingRegion } from '../../ui/states.tsx';
import type { DesktopProps } from './DesktopScreen.tsx';

const DesktopScreen = lazy(() =>
  loadChunk(() => import('./DesktopScreen.tsx')).then((module) => ({
    default: module.DesktopScreen,
  })),
);

export function Desktop(props: DesktopProps): ReactNode {
  return (
    <Suspense fallback={<LoadingRegion />}>
      <DesktopScreen {...props} />
    </Suspense>
  );
}
