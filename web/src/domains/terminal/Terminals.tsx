/** The command line of a session: its terminals as tabs, loaded when they first show. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, lazy, type ReactNode } from 'react';
import { loadChunk } from '../../kernel/chunks.ts';
import { LoadingRegion } from '../../ui/states.tsx';
import { tabsQuery } from './terminal.api.ts';
import type { TerminalsProps } from './TerminalTabs.tsx';

const TerminalTabs = lazy(() =>
  loadChunk(() => import('./TerminalTabs.tsx')).then((module) => ({
    default: module.TerminalTabs,
  })),
);

export function Terminals(props: TerminalsProps): ReactNode {
  const { data } = useQuery(tabsQuery(props.usageID, props.addresses));
  if (data === undefined) return <LoadingRegion />;
  return (
    <Suspense fallback={<LoadingRegion />}>
      <TerminalTabs {...props} firstTabs={data} />
    </Suspense>
  );
}
