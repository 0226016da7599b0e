/** The line below the machine: what it has and what it uses. */
import type { Usage } from '@hypercube/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { containersQuery } from '../usage/usage.api.ts';
import { figuresOf } from './figures.ts';

export function StatusLine({ usage }: { readonly usage: Usage }): ReactNode {
  const messages = useMessages();
  const { data, isError } = useQuery(containersQuery(useQueryClient(), usage.ID));
  // After a failed reading the old figures would only look alive.
  const figures = data === undefined || isError ? null : figuresOf(data.before, data.now);
  const { unknown } = messages.common;
  const words = messages.usage.workspace;
  const memory = figures?.memoryBytes ?? null;
  const limit =
    figures === null || figures.memoryLimitBytes === 0
      ? usage.MemoryBytes
      : figures.memoryLimitBytes;
  return (
    <section className="status-line" aria-label={words.status}>
      <span>
        {[
          messages.usage.types[usage.Type],
          messages.usage.size(messages.common.cpus(usage.Cpus), formatBytes(usage.MemoryBytes)),
        ].join(messages.common.dotSeparator)}
      </span>
      <span className="num">
        {words.cpu(figures?.cpuPercent == null ? unknown : `${figures.cpuPercent}%`)}
      </span>
      <span className="num">
        {words.memory(memory === null ? unknown : formatBytes(memory), formatBytes(limit))}
      </span>
      <span className="num">
        {words.processes(figures?.processes == null ? unknown : String(figures.processes))}
      </span>
    </section>
  );
}
