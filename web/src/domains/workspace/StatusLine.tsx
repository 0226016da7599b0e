/** The line below the machine: what it has and what it uses. */
import type { Usage } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { containersQuery } from '../usage/usage.api.ts';
import { figuresOf, type Figures, type Reading } from './figures.ts';

/** Figures from the last two readings; null before the first. */
function useFigures(usageID: number): Figures | null {
  const { data, isError } = useQuery(containersQuery(usageID));
  const pair = useRef<{ before: Reading | null; now: Reading } | null>(null);
  if (data !== undefined && pair.current?.now !== data) {
    pair.current = { before: pair.current?.now ?? null, now: data };
  }
  if (isError || pair.current === null) return null;
  return figuresOf(pair.current.before, pair.current.now);
}

export function StatusLine({ usage }: { readonly usage: Usage }): ReactNode {
  const messages = useMessages();
  const figures = useFigures(usage.ID);
  const { unknown } = messages.common;
  const words = messages.usage.workspace;
  const memory = figures?.memoryBytes ?? null;
  const limit = figures === null || figures.memoryLimitBytes === 0 ? usage.MemoryBytes : figures.memoryLimitBytes;
  return (
    <div className="status-line" role="group" aria-label={words.status}>
      <span>
        {[
          messages.usage.types[usage.Type],
          messages.usage.size(messages.common.cpus(usage.Cpus), formatBytes(usage.MemoryBytes)),
        ].join(messages.common.dotSeparator)}
      </span>
      <span className="num">{words.cpu(figures?.cpuPercent == null ? unknown : `${figures.cpuPercent}%`)}</span>
      <span className="num">{words.memory(memory === null ? unknown : formatBytes(memory), formatBytes(limit))}</span>
      <span className="num">{words.processes(figures?.processes == null ? unknown : String(figures.processes))}</span>
    </div>
  );
}
